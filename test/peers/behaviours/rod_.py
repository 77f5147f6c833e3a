"""rod reads SDFormat by itself; for a URDF it asks a Gazebo that is installed, whose rows are others."""
import os
from pathlib import Path

import numpy as np

os.environ["ROD_SKIP_SDFORMAT_CHECK"] = "1"
import rod  # noqa: E402
from rod.kinematics.tree_transforms import TreeTransforms  # noqa: E402


def load(file):
    return rod.Sdf.load(Path(file)).models()[0]


def _all(model, part):
    found = list(getattr(model, part)())
    for inner in model.models():
        found += _all(inner, part)
    return found


def masses(model):
    found = {link.name: link.inertial.mass if link.inertial else None for link in _all(model, "links")}
    if not found:
        return {"base": None}
    return found


def place(model, positions):
    if positions:
        raise LookupError("it moves nothing")
    transforms = TreeTransforms.build(model=model, is_top_level=True)
    return {link.name: np.array(transforms.transform(link.name)) for link in model.links()}


def limits(model):
    return {joint.name: [joint.axis.limit.lower, joint.axis.limit.upper] for joint in model.joints()}


def pitches(model):
    return {joint.name: getattr(joint, "screw_thread_pitch", None) for joint in model.joints()}


def mimics(model):
    return [joint for joint in model.joints() if getattr(joint.axis, "mimic", None)]


couples = mimics


def sizes(model):
    found = {}
    for link in model.links():
        (collision,) = link.collisions()
        shape = collision.geometry
        found[link.name] = (2 * np.array([*map(float, shape.ellipsoid.radii)]) if getattr(shape, "ellipsoid", None)
                            else np.full(3, np.nan))
    return found
