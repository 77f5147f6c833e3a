"""What can be chosen about a conversion."""
from __future__ import annotations

from typing import Any, NamedTuple

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


class ConvertOptions(_Options):
    """Choices; a value that is none raises ValueError.

    Attributes
    ----------
    preserve_fixed_joints : keep every fixed joint and its child link, as libsdformat's ``URDFPreserveFixedJoint``.
    massless : what becomes of a link without mass that no fixed joint joins to one with mass: ``frame`` (a frame where
        its own joint is fixed, else left out with all below it), ``keep`` (kept with a tiny inertia), ``error``
        (as ``frame``, but an error where something is left out).
    uri_style : scheme of ``package://`` URIs in the result: ``model`` (as Gazebo spells it), ``package``, or ``keep``
        (as written; also what a caller wants who resolves them).
    sdf_version : version to write, or None for the lowest, 1.7 at least, that can express the content.
    """

    __slots__ = ()

    def __new__(cls, *values: Any, **named: Any) -> ConvertOptions:
        self = super().__new__(cls, *values, **named)
        if self.uri_style not in URI_STYLES:
            raise ValueError(f"uri_style must be one of {', '.join(URI_STYLES)}, not {self.uri_style!r}")
        if self.massless not in MASSLESS_POLICIES:
            raise ValueError(f"massless must be one of {', '.join(MASSLESS_POLICIES)}, not {self.massless!r}")
        return self
