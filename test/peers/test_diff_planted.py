"""sf.diff on real robots: a change of each of twenty kinds and more, planted into several, is found and named."""

from __future__ import annotations

import copy
import zlib
from functools import cache

import numpy as np
import pytest
from lxml import etree
from sources import some, urdf_files

import sdf_frames as sf

FILES = some(urdf_files())
ROBOTS = 6  # that each kind is planted in
LEAST = 4
LARGEST = 120  # links
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


class Unsuited(Exception):
    """The robot has nothing that could be changed so."""


class Plant:
    """A URDF whose parts the SDF has under their own names, and changes to it.

    Each method edits the tree and returns what has to be found.
    """

    def __init__(self, robot: sf.RobotDescription, tree: etree._Element, rng: np.random.Generator):
        self.robot, self.tree, self.rng = robot, tree, rng
        kept = {(row.element, row.name) for row in robot.report if row.action == "kept"}
        self.links = {e.get("name"): e for e in tree.findall("link") if ("link", e.get("name")) in kept}
        joints = [e for e in tree.findall("joint") if ("joint", e.get("name")) in kept]
        self.joints = {e.get("name"): e for e in joints if e.find("child").get("link") in self.links}
        self.parents = {e.find("parent").get("link") for e in tree.findall("joint")}

    def pick(self, choices):
        choices = list(choices)
        if not choices:
            raise Unsuited
        return choices[self.rng.integers(len(choices))]

    def limited(self):
        return self.pick(e for e in self.joints.values() if e.get("type") in ("revolute", "prismatic")
                         and e.find("limit") is not None and e.find("mimic") is None)

    def scale_value(self, path, attribute, what, factor=1.1):
        link = self.pick(e for e in self.links.values()
                         if e.find(path) is not None and float(e.find(path).get(attribute)) > 0)
        element = link.find(path)
        element.set(attribute, repr(float(element.get(attribute)) * factor))
        return ("inertia", link.get("name"), what)

    def mass(self):
        return self.scale_value("inertial/mass", "value", "mass")

    def moments(self):
        return self.scale_value("inertial/inertia", "izz", "moments", 1.001)

    def centre(self):
        link = self.pick(e for e in self.links.values() if e.find("inertial/origin") is not None)
        return move(link.find("inertial/origin"), ("inertia", link.get("name"), "com"))

    def move_joint(self):
        joint = self.pick(e for e in self.joints.values() if e.find("origin") is not None)
        return move(joint.find("origin"), ("frame", joint.find("child").get("link"), "pose"))

    def turn_joint(self):
        joint = self.pick(e for e in self.joints.values() if e.find("origin") is not None)
        rpy = numbers(joint.find("origin"), "rpy")
        turned = sf.Pose.from_rpy([0, 0, 0], rpy) @ sf.Pose.from_rpy([0, 0, 0], [0, 0.02, 0])
        joint.find("origin").set("rpy", " ".join(map(repr, turned.rpy.tolist())))
        return ("frame", joint.find("child").get("link"), "pose")

    def move_lumped(self):
        lumped = {row.name for row in self.robot.report if row.element == "joint" and row.action == "lumped"}
        joint = self.pick(e for e in self.tree.findall("joint") if e.get("name") in lumped
                          and e.find("origin") is not None and e.get("name") in self.robot.frames)
        return move(joint.find("origin"), ("frame", joint.get("name"), "pose"))

    def axis(self):
        joint = self.pick(e for e in self.joints.values() if e.find("axis") is not None and e.get("type") != "fixed")
        joint.find("axis").set("xyz", " ".join(repr(-v) for v in numbers(joint.find("axis"), "xyz")))
        return ("joint", joint.get("name"), "axis")

    def limit(self, name, step):
        joint = self.limited()
        value = float(joint.find("limit").get(name, 0)) + step
        joint.find("limit").set(name, repr(value))
        return ("joint", joint.get("name"), name)

    def lower(self):
        return self.limit("lower", -0.1)

    def upper(self):
        return self.limit("upper", 0.1)

    def effort(self):
        return self.limit("effort", 7.0)

    def velocity(self):
        return self.limit("velocity", 0.5)

    def type(self):
        joint = self.limited()
        joint.set("type", "prismatic" if joint.get("type") == "revolute" else "revolute")
        return ("joint", joint.get("name"), "type")

    def mimic(self):
        joint, leader = self.limited(), self.limited()
        if joint is leader:
            raise Unsuited
        etree.SubElement(joint, "mimic", joint=leader.get("name"), multiplier="2")
        return ("joint", joint.get("name"), "mimic")

    def leaf(self):
        return self.pick(
            e for e in self.joints.values() if e.find("child").get("link") not in self.parents
            and e.find("child").get("link") in self.robot.sdf_links and not self.tree.findall("gazebo")
            and not self.tree.xpath("//mimic[@joint=$n]", n=e.get("name")))

    def rename_link(self):
        joint = self.leaf()
        old = joint.find("child").get("link")
        self.links[old].set("name", "renamed_for_a_test")
        joint.find("child").set("link", "renamed_for_a_test")
        return ("link", old, "renamed")

    def rename_joint(self):
        joint = self.leaf()
        old = joint.get("name")
        joint.set("name", "renamed_for_a_test")
        return ("joint", old, "renamed")

    def remove(self):
        joint = self.leaf()
        link = self.links[joint.find("child").get("link")]
        self.tree.remove(joint)
        self.tree.remove(link)
        return ("link", link.get("name"), "removed")

    def add(self):
        name = self.pick(self.links)
        self.tree.append(etree.fromstring(f'<link name="added_for_a_test">{INERTIAL}</link>'))
        self.tree.append(etree.fromstring(
            f'<joint name="joint_for_a_test" type="continuous"><parent link="{name}"/><child link="added_for_a_test"/>'
            '<axis xyz="0 0 1"/></joint>'))
        return ("link", "added_for_a_test", "added")

    def shape(self, path, subject, what, edit):
        link = self.pick(e for e in self.links.values() if e.find(path) is not None)
        edit(link.find(path))
        return (subject, f"{link.get('name')}::", what)

    def uri(self):
        return self.shape("visual/geometry/mesh", "visual", "uri",
                          lambda e: e.set("filename", e.get("filename") + ".other"))

    def scale(self):
        return self.shape("collision/geometry/mesh", "collision", "geometry",
                          lambda e: e.set("scale", "0.5 0.25 0.125"))

    def size(self):
        return self.shape("collision/geometry/box", "collision", "geometry", lambda e: e.set("size", "0.123 4.5 0.6"))

    def remove_visual(self):
        return self.shape("visual", "visual", "removed", lambda e: e.getparent().remove(e))

    def add_collision(self):
        sphere = '<collision name="for_a_test"><geometry><sphere radius="0.321"/></geometry></collision>'
        link = self.pick(self.links.values())
        link.append(etree.fromstring(sphere))
        return ("collision", f"{link.get('name')}::", "added")

    def rename_robot(self):
        self.tree.set("name", "renamed_for_a_test")
        return ("description", self.robot.name, "renamed")


KINDS = [
    name for name, value in vars(Plant).items() if callable(value) and not name.startswith("_")
    and name not in ("pick", "limited", "scale_value", "limit", "leaf", "shape")]


def numbers(element, attribute):
    return [float(v) for v in element.get(attribute, "0 0 0").split()]


def move(origin, expected):
    x, *rest = numbers(origin, "xyz")
    origin.set("xyz", " ".join(map(repr, [x + 0.012, *rest])))
    return expected


@cache
def load(path):
    """A real robot of moderate size that converts, with its tree; None if it is none."""
    robot = sf.load(path)
    suits = robot.valid and 3 <= len(robot.sdf_links) <= LARGEST and robot._description.convertible
    return (robot, robot.tree) if suits else None


def test_there_are_twenty_kinds():
    assert len(KINDS) >= 20


@pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")
@pytest.mark.parametrize("kind", KINDS)
def test_a_change_in_a_real_robot_is_found_and_named(kind):
    planted = 0
    for file in FILES.values():
        if (loaded := load(file)) is None:
            continue
        robot, tree = loaded
        rng = np.random.default_rng(zlib.crc32(f"{kind} {file}".encode()))
        changed = copy.deepcopy(tree)
        try:
            subject, name, what = getattr(Plant(robot, changed, rng), kind)()
        except Unsuited:
            continue
        other = sf.loads(changed, file=file)
        if not other._description.convertible:
            continue
        found = sf.diff(robot, other)
        rows = [(c.subject, c.name, c.what) for c in found]
        assert [row for row in rows if row[0] == subject and row[1].startswith(name) and row[2] == what], \
            f"{file}\n{found}"
        assert len([row for row in rows if row[0] != "finding"]) <= 12, f"{file}\n{found}"
        planted += 1
        if planted == ROBOTS:
            break
    assert planted >= LEAST
