"""What must hold for every robot."""
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "urdf"))
sys.path.insert(0, str(Path(__file__).parent))
from plain_sdf import Sdf, moments, transform  # noqa: E402
from written_text import (
    convert_text,  # noqa: E402
    write_robot,  # noqa: E402
)

from robots import robots  # noqa: E402
from sdf_frames.convert.options import ConvertOptions  # noqa: E402
from sdf_frames.convert.urdf_to_sdf import convert_robot  # noqa: E402
from sdf_frames.document.xml_out import write_xml  # noqa: E402
from sdf_frames.urdf.model import Robot  # noqa: E402


def urdf_poses(robot: Robot) -> dict:
    """Pose of every link in the root's frame, all joints at zero."""
    joints = {joint.child: joint for joint in robot.joints}
    poses = {robot.root: np.eye(4)}
    for link in robot.links:  # parents come first in these robots
        if joint := joints.get(link.name):
            poses[link.name] = poses[joint.parent] @ transform((*joint.origin.xyz, *joint.origin.rpy))
    return poses


def urdf_moments(links, poses) -> tuple:
    total = [0.0, np.zeros(3), np.zeros((3, 3))]
    for link in links:
        if (i := link.inertial) is not None:
            tensor = np.array([[i.ixx, i.ixy, i.ixz], [i.ixy, i.iyy, i.iyz], [i.ixz, i.iyz, i.izz]])
            for k, part in enumerate(moments(i.mass, transform((*i.origin.xyz, *i.origin.rpy)), tensor,
                                             poses[link.name])):
                total[k] = total[k] + part
    return total


def assert_close(have, want):
    scale = 1 + max(float(np.abs(w).max()) for w in want)
    for h, w in zip(have, want):
        assert h == pytest.approx(w, abs=1e-11 * scale)


@given(robots(shapes=False), st.booleans())
def test_every_pose_survives(robot, preserve):
    conversion = convert_robot(robot, ConvertOptions(preserve_fixed_joints=preserve, massless="keep"))
    sdf = Sdf(conversion.document.root)
    poses = urdf_poses(robot)
    base = np.linalg.inv(sdf.pose(robot.root))
    for name, X in poses.items():
        assert base @ sdf.pose(name) == pytest.approx(X, abs=1e-9)
    for joint in robot.joints:
        assert base @ sdf.pose(joint.name) == pytest.approx(poses[joint.child], abs=1e-9)


@given(robots(shapes=False, massless=False))
def test_lumping_preserves_mass_and_its_moments(robot):
    sdf = Sdf(convert_robot(robot).document.root)
    poses = urdf_poses(robot)
    groups = {}
    for link in robot.links:
        groups.setdefault(sdf.body(link.name), []).append(link)
    for body, links in groups.items():
        assert_close(sdf.spatial_inertia(body), urdf_moments(links, poses))


@given(robots(), st.sampled_from(["frame", "keep", "error"]), st.booleans())
def test_every_link_and_joint_has_one_row_and_a_place_or_a_reason(robot, massless, preserve):
    conversion = convert_robot(robot, ConvertOptions(preserve, massless))
    sdf = Sdf(conversion.document.root)
    for kind, things in (("link", robot.links), ("joint", robot.joints)):
        rows = {r.name: r for r in conversion.rows if r.element == kind}
        assert len([r for r in conversion.rows if r.element == kind]) == len(things) == len(rows)
        for thing in things:
            assert (thing.name in sdf._elements) == (rows[thing.name].action != "dropped")
    for name in sdf._elements:  # nothing dangles
        assert sdf.body(name) in sdf.links or sdf.body(name) == "world"
        sdf.pose(name)
    for joint in sdf.joints.values():
        assert sdf.body(joint.findtext("parent")) != sdf.body(joint.findtext("child"))


@given(robots(), st.randoms(use_true_random=False))
def test_the_order_of_elements_changes_nothing(robot, rng):
    joints = list(robot.joints)
    rng.shuffle(joints)
    links = list(robot.links)
    rng.shuffle(links)
    shuffled = robot._replace(joints=tuple(joints), links=tuple(links))
    assert write_xml(convert_robot(shuffled).document.root) == write_xml(convert_robot(robot).document.root)


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda b: b"<robot name='r'>" + b + b"</robot>")))
def test_arbitrary_bytes_never_raise(data):
    text, _, found = convert_text(data)
    assert (text is None) == any(d.severity == "error" for d in found)


@given(robots(), st.integers(0, 2**32))
def test_damaged_robots_never_raise(robot, seed):
    text = write_robot(robot)
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(text))
        text = rng.choice([text[:i] + text[i + rng.randint(1, 20):], text[:i] + rng.choice('<>"0 -x:/') + text[i + 1:],
                           text.replace(rng.choice(["fixed", "l1", "mass", "xyz", "inertia"]),
                                        rng.choice(["", "nan", "world", "a::b"]))])
        if not text:
            break
    result, _, found = convert_text(text)
    assert (result is None) == any(d.severity == "error" for d in found)
