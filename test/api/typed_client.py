"""A program that uses every public name, for mypy --strict and pyright: it is checked, not run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

import sdf_frames as sf


def calculate(density: float, mesh: object, params: object) -> sf.Solid | None:
    return sf.Solid(1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)) if density > 0 else None


def use(path: Path) -> list[str]:
    robot: sf.RobotDescription = sf.load(
        path, resource_paths=[path.parent, "models"], massless="keep", strict=True, xacro_args={"arm": 1},
        inertia_calculator=calculate, limits={"seconds": 3})
    text: str = sf.loads(robot.tree, file="r.urdf", preserve_fixed_joints=True, sdf_version="1.9").to_sdf(
        version="1.11")
    frames: Mapping[str, sf.Frame] = robot.frames
    joint: sf.Joint = robot.joints["elbow"]
    limits: sf.Limits = joint.limits
    mimic: sf.Mimic | None = joint.mimic
    lower: float = limits.lower
    link: sf.Link = robot.links["hand"]
    shape: sf.Shape = link.visuals[0]
    model: sf.Model = robot.models["__model__"]
    world: sf.World = robot.worlds["w"]
    X: sf.Pose = robot.pose(
        "hand", relative_to="base", positions={"elbow": 0.3, "root": sf.Pose([1, 0, 0]), "ball": [1, 0, 0, 0]})
    Y: sf.Pose = sf.Pose.from_rpy([0, 0, 1], [0, 0, 0.5]) @ sf.Pose.from_matrix(X.matrix)
    batch = robot.poses({"elbow": np.linspace(0, 1, 5)})["hand"] @ Y.inverse()
    position: float = float(batch.xyz[0, 2]) + float(X.matrix[0, 3]) + float(X.rpy[0]) + float(X.quat_wxyz[0])
    inertias: sf.Inertias = robot.inertias(method="auto", density=None)
    total: sf.Inertia = inertias.total
    mass: float = total.mass + inertias["hand"].mass + float(total.com[0]) + float(total.tensor[0, 0])
    part: sf.Inertia = sf.mesh_inertia("part.stl", density=2700.0)
    transforms: tuple[sf.Transform, ...] = robot.static_transforms(prefix="r1/", separator="/")
    rows: tuple[sf.Row, ...] = robot.report
    finding: sf.Diagnostic = robot.findings[0]
    verdict: sf.Verdict = robot.verdict("ros")
    reasons: tuple[sf.Diagnostic, ...] = () if verdict.valid else verdict.findings
    axis: sf.JointAxis = joint.axes[0]
    found: sf.Differences = sf.diff(robot, sf.loads(text), tolerance=1e-3)
    changes: list[sf.Change] = [*found, *found[:1], found[0]]
    robot.save("out.sdf")
    robot.save_bundle("bundle", kind="urdf").missing
    sf.show(robot)
    robot.show()
    picture: bytes = sf.picture(robot, ("visuals",), "top", (320, 240), {"elbow": 0.3}) + robot.picture()
    Path("r.png").write_bytes(picture)
    written: str = sf.convert(path, "out.urdf", massless="keep")
    try:
        sf.attach(robot.place("a", "b", X), sf.load("hand.urdf"), "tool0", X, prefix="left_").save("both.urdf")
        sf.loads(robot.simplify(frames=["tool0"], massless=0.1).to_urdf(), strict=True)
    except sf.InvalidDescription as error:
        return [d.message for d in error.findings]
    return [
        text, written, *frames, repr(mimic), f"{lower} {position} {mass}", shape.name, model.name, world.name,
        part.verdict, transforms[0].child, rows[0].name, finding.message, *[d.message for d in reasons],
        *[d.message for d in (*robot.find_missing_files(), *robot.check_srdf(sf.load("robot.srdf")))],
        str(found.to_json()), changes[0].text, repr(axis.xyz), str(world.poses()["x"]), sf.__version__,
        *[checked.path for checked in sf.check_many([path], jobs=2) if not checked.valid]]
