"""Inertias of a URDF's own links: which are declared, which are computed, and which are only frames."""
import pytest

from sdf_frames.convert.report import Row
from sdf_frames.inertia.result import InertiaResult, LinkInertia
from sdf_frames.inertia.urdf_links import (
    compute_urdf_links,
    drop_bare_links,
    drop_placeholders,
    find_bare_links,
    find_converted_names,
)
from sdf_frames.load import load_text

INERTIAL = "<inertial><mass>2</mass></inertial>"
BOX = '<collision name="c"><geometry><box/></geometry></collision>'
ROOT = load_text('<sdf version="1.12"><model name="m">' + "".join(
    f'<link name="{name}">{inside}</link>' for name, inside in (
        ("solid", INERTIAL + BOX), ("heavy", INERTIAL), ("shape", INERTIAL + BOX), ("frame", INERTIAL)))
    + "</model></sdf>").root
BARE = {"shape", "frame"}
MASS = '<inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
JOINT = '<joint name="j{0}" type="fixed"><parent link="a b"/><child link="{0}"/></joint>'
ROBOT = load_text(f'''<robot name="r"><link name="a b">{MASS.format(2)}</link><link name="c d"/>
<link name="e">{MASS.format(0)}</link>{JOINT.format("c d")}{JOINT.format("e")}</robot>''').robot
REPORT = [Row("link", "c d", "renamed", "c_d", 1, None), Row("link", "a b", "renamed", "a_b", 1, None),
          Row("joint", "e", "renamed", "x", 1, None), Row("link", "e", "lumped", "a_b", 1, None),
          Row("link", "e", "renamed", None, 1, None)]


def names(root):
    return [(link.name, link.inertial is not None) for link in root.model.links]


def test_links_that_state_no_mass():
    assert find_converted_names(REPORT) == {"c d": "c_d", "a b": "a_b"}
    assert find_bare_links(ROBOT, REPORT) == {"c_d", "e"} and find_bare_links(ROBOT, []) == {"c d", "e"}


def test_placeholders_and_links_that_go():
    assert names(drop_placeholders(ROOT, BARE)) == [
        ("solid", True), ("heavy", True), ("shape", False), ("frame", False)]
    root = ROOT._replace(model=ROOT.model._replace(links=tuple(
        link._replace(name=name) for link, name in zip(ROOT.model.links, ("e", "a_b", "c_d", "f")))))
    assert names(drop_bare_links(root, ROBOT, REPORT)) == [("a_b", True), ("f", True)]
    empty = ROOT._replace(model=None)
    assert drop_placeholders(empty, BARE) is empty and drop_bare_links(empty, ROBOT, REPORT) is empty
    assert compute_urdf_links(None, empty, BARE) == InertiaResult()


@pytest.mark.parametrize("links, recompute, asked, found", [
    ((), False, [(["shape"], True), (["solid", "heavy"], False)], ["solid", "heavy", "shape"]),
    ((), True, [(["solid", "shape"], True), (["heavy"], False)], ["solid", "heavy", "shape"]),
    (("frame", "shape"), False, [(["shape"], True)], ["shape"]), (("heavy",), True, [(["heavy"], False)], ["heavy"]),
    (("gone", "heavy"), False, [(["heavy", "gone"], False)], ["heavy"]), (("frame",), True, [], []),
    (("gone",), False, [(["gone"], False)], [])])
def test_what_is_declared_and_what_is_computed(links, recompute, asked, found):
    """Each is asked for with its like, and all come in the order of the document; a finding of both is said once."""
    calls = []

    def compute(links, recompute):
        calls.append((list(links), recompute))
        return InertiaResult(tuple(LinkInertia(name, 1.0) for name in reversed(links) if name != "gone"),
                             ("both", f"of {recompute}"))
    result = compute_urdf_links(compute, drop_placeholders(ROOT, BARE), BARE, links, recompute)
    assert calls == asked and [link.name for link in result.links] == found
    assert list(result.diagnostics) == ["both"] * bool(asked) + [f"of {again}" for _, again in asked]
