"""The options of the conversion from URDF to SDF."""

from typing import NamedTuple

from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.sdf.table import VERSIONS

#: Versions that a robot can be written in.
SDF_VERSIONS = VERSIONS[VERSIONS.index("1.7"):]
URI_STYLES = ("model", "package", "keep")
MASSLESS_POLICIES = ("frame", "keep", "error")

# What a massless link is given under the policy `keep`: small beside any robot, large beside the tolerances of
# physics engines (MuJoCo asks for 1e-15). kg, and kg m² on the diagonal.
EPSILON_MASS = 1e-6
EPSILON_INERTIA = 1e-9


class ConvertOptions(NamedTuple):
    """Options; :mod:`sdf_frames.options` refuses values that users give and that are none of these.

    Attributes
    ----------
    preserve_fixed_joints : keep every fixed joint and its child link, as libsdformat's ``URDFPreserveFixedJoint``.
    massless : what becomes of a link without mass that no fixed joint joins to one with mass. ``frame``: it becomes a
        frame if its own joint is fixed, else it is left out with everything below it. ``keep``: it is kept with a tiny
        inertia. ``error``: as ``frame``, but leaving something out is an error.
    sdf_version : version to write, or None for the lowest, 1.7 at least, that can express the content.
    uri_style : scheme of ``package://`` URIs in the result: ``model`` (Gazebo's), ``package``, or ``keep`` (as
        written).
    sensor_frame_ids : the Gazebo for which sensors are given a frame id, or None to give them none.
    budget : limits on what the conversion may cost.
    """

    preserve_fixed_joints: bool = False
    massless: str = "frame"
    sdf_version: str | None = None
    uri_style: str = "model"
    sensor_frame_ids: str | None = None
    budget: Budget = DEFAULT
