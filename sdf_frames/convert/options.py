"""The options of the conversion from URDF to SDF."""

from typing import NamedTuple

from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.sdf.table import VERSIONS

#: SDF versions that a robot can be converted to.
SDF_VERSIONS = VERSIONS[VERSIONS.index("1.7"):]
URI_STYLES = ("model", "package", "keep")
MASSLESS_POLICIES = ("frame", "keep", "error")

# Mass and inertia of a massless link under the policy `keep`: smaller than those of any robot, larger than the
# tolerances of physics engines (MuJoCo asks for 1e-15). kg, and kg m² on the diagonal.
EPSILON_MASS = 1e-6
EPSILON_INERTIA = 1e-9


class ConvertOptions(NamedTuple):
    """The options of a conversion; :mod:`sdf_frames.options` refuses other values.

    Attributes
    ----------
    preserve_fixed_joints : keep every fixed joint and its child link, as libsdformat's ``URDFPreserveFixedJoint``.
    massless : policy for a massless link that no fixed joint connects to a link with mass. ``frame``: the link becomes
        a frame if its own joint is fixed, else it is left out with everything below it. ``keep``: the link is kept with
        a tiny inertia. ``error``: as ``frame``, but a link that is left out is an error.
    sdf_version : version to write, or None for the lowest, 1.7 at least, that can express the content.
    uri_style : scheme of ``package://`` URIs in the result: ``model`` (Gazebo's), ``package``, or ``keep`` (as
        written).
    sensor_frame_ids : the Gazebo for which sensors are given a frame id, or None to give them none.
    budget : limits on the cost of the conversion.
    """

    preserve_fixed_joints: bool = False
    massless: str = "frame"
    sdf_version: str | None = None
    uri_style: str = "model"
    sensor_frame_ids: str | None = None
    budget: Budget = DEFAULT
