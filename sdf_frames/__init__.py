"""Convert, check and resolve robot descriptions in URDF and SDFormat: ``import sdf_frames as sf``.

:func:`load` reads a file and returns a :class:`RobotDescription`, which has all results. The library does not access
the network, and writes files only on request. docs/library.md has example programs. Everything that is not in
``__all__`` is internal. Names are imported when they are first used.
"""
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdf_frames.api.attaching import attach
    from sdf_frames.api.description import RobotDescription, Verdict
    from sdf_frames.api.elements import Frame, Joint, Link, Model, Shape, Transform
    from sdf_frames.api.errors import InvalidDescription
    from sdf_frames.api.inertias import Inertia, Inertias, mesh_inertia
    from sdf_frames.api.loading import convert, load, loads
    from sdf_frames.api.pose import Pose
    from sdf_frames.api.scene import World
    from sdf_frames.batch.check_many import check_many
    from sdf_frames.convert.report import Row
    from sdf_frames.diagnostics import Diagnostic
    from sdf_frames.diff.changes import Change, Differences
    from sdf_frames.diff.compare import diff
    from sdf_frames.frames.kinematics import JointAxis, Limits, Mimic
    from sdf_frames.spatial.solids import Solid
    from sdf_frames.view import picture, show

__all__ = ["Change", "Diagnostic", "Differences", "Frame", "Inertia", "Inertias", "InvalidDescription", "Joint",
           "JointAxis", "Limits", "Link", "Mimic", "Model", "Pose", "RobotDescription", "Row", "Shape", "Solid",
           "Transform", "Verdict", "World", "attach", "check_many", "convert", "diff", "load", "loads",
           "mesh_inertia", "picture", "show"]

# A built ROS workspace holds the generated `msg` and `srv` beside an installed copy of this package; joining the two
# lets a checkout on `sys.path` find them. (What pkgutil.extend_path does, at a tenth of its start-up time: 14 µs.)
__path__ += [folder for folder in (os.path.join(entry, __name__) for entry in sys.path)
             if folder not in __path__ and os.path.isdir(folder)]
__version__ = "0.1.0"

_HOMES = {
    "api.attaching": ("attach",),
    "api.description": ("RobotDescription", "Verdict"),
    "api.elements": ("Frame", "Joint", "Link", "Model", "Shape", "Transform"),
    "api.errors": ("InvalidDescription",),
    "api.inertias": ("Inertia", "Inertias", "mesh_inertia"),
    "api.loading": ("convert", "load", "loads"),
    "api.pose": ("Pose",),
    "api.scene": ("World",),
    "batch.check_many": ("check_many",),
    "convert.report": ("Row",),
    "diagnostics": ("Diagnostic",),
    "diff.changes": ("Change", "Differences"),
    "diff.compare": ("diff",),
    "frames.kinematics": ("JointAxis", "Limits", "Mimic"),
    "spatial.solids": ("Solid",),
    "view": ("picture", "show"),
}


if not TYPE_CHECKING:  # where it would allow every name
    def __getattr__(name):
        for home, names in _HOMES.items():
            if name in names:
                import importlib
                value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{home}"), name)
                return value
        if name.startswith("_"):  # asked for by Python
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from sdf_frames.api.errors import unknown_attribute
        raise unknown_attribute(sys.modules[__name__], "", name)


def __dir__() -> list[str]:
    return [*__all__]


class _Library(ModuleType):
    """The package: a submodule never replaces a function of the same name, such as `load`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Library
