"""The options of the conversion from URDF to SDF."""

from typing import Any, NamedTuple

from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.sdf.sensor_ids import GAZEBOS
from sdf_frames.sdf.table import VERSIONS

#: Versions that a robot can be written in.
SDF_VERSIONS = VERSIONS[VERSIONS.index("1.7"):]
URI_STYLES = ("model", "package", "keep")
MASSLESS_POLICIES = ("frame", "keep", "error")

# What a massless link is given under the policy `keep`: small beside any robot, large beside the tolerances of
# physics engines (MuJoCo asks for 1e-15). kg, and kg m² on the diagonal.
EPSILON_MASS = 1e-6
EPSILON_INERTIA = 1e-9


class _Options(NamedTuple):
    preserve_fixed_joints: bool = False
    massless: str = "frame"
    sdf_version: str | None = None
    uri_style: str = "model"
    sensor_frame_ids: str | None = None
    budget: Budget = DEFAULT


class ConvertOptions(_Options):
    """Options; an unknown value raises ValueError.

    Attributes
    ----------
    preserve_fixed_joints : keep every fixed joint and its child link, as libsdformat's ``URDFPreserveFixedJoint``.
    massless : what becomes of a link without mass that no fixed joint joins to one with mass. ``frame``: it becomes a
        frame if its own joint is fixed, else it is left out with everything below it. ``keep``: it is kept with a tiny
        inertia. ``error``: as ``frame``, but leaving something out is an error.
    uri_style : scheme of ``package://`` URIs in the result: ``model`` (Gazebo's), ``package``, or ``keep`` (as
        written).
    sdf_version : version to write, or None for the lowest, 1.7 at least, that can express the content.
    sensor_frame_ids : the Gazebo for which sensors are given a frame id, or None to give them none.
    budget : limits on what the conversion may cost.
    """

    __slots__ = ()

    def __new__(cls, *values: Any, **named: Any) -> "ConvertOptions":
        self = super().__new__(cls, *values, **named)
        if self.uri_style not in URI_STYLES:
            raise ValueError(f"uri_style must be one of {', '.join(URI_STYLES)}, not {self.uri_style!r}")
        if self.massless not in MASSLESS_POLICIES:
            raise ValueError(f"massless must be one of {', '.join(MASSLESS_POLICIES)}, not {self.massless!r}")
        if self.sensor_frame_ids not in (None, *GAZEBOS):
            raise ValueError(f"sensor_frame_ids must be one of {', '.join(GAZEBOS)}, not {self.sensor_frame_ids!r}")
        return self
