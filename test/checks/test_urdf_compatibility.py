"""Which models can be copied into URDF, and what stands in the way of the others."""
from __future__ import annotations

import pytest

from sdf_frames.checks.urdf_compatibility import check_urdf_compatibility
from sdf_frames.load import load_text

# The shape that the pose frame semantics call parity with URDF.
PARITY = """<sdf version="1.9"><model name="m">
  <link name="link1"/>
  <joint name="joint1" type="revolute"><pose relative_to="link1">1 0 0 0 0 1</pose><parent>link1</parent><child>link2</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <link name="link2"><pose relative_to="joint1"/><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
</model></sdf>"""


def names(text: str) -> list[str]:
    loaded = load_text(text)
    assert loaded.valid, loaded.diagnostics
    return [d.name for graph in loaded.graphs for d in check_urdf_compatibility(graph)]


def test_parity_can_be_copied():
    assert names(PARITY) == []


@pytest.mark.parametrize("old, new, expected", [
    (' relative_to="link1"', ' relative_to="__model__"', "direct-urdf-joint-pose"),
    ('<pose relative_to="joint1"/>', "", "direct-urdf-link-pose"),
    ('<pose relative_to="joint1"/>', '<pose relative_to="joint1">0 0 1 0 0 0</pose>', "direct-urdf-link-pose"),
    ('<link name="link1"/>', '<link name="link1"><pose>0 0 1 0 0 0</pose></link>', "direct-urdf-root-pose"),
    ('type="revolute"', 'type="screw"', "direct-urdf-joint-type"),
    ("<xyz>", '<xyz expressed_in="link1">', "direct-urdf-axis"),
    ('<link name="link1"/>', '<link name="link1"/><frame name="f"/>', "direct-urdf-frame"),
    ('<link name="link1"/>', '<link name="link1"/><link name="loose"/>', "direct-urdf-not-a-tree"),
    ('<link name="link1"/>', '<link name="link1"/><model name="n"><link name="l"/></model>', "direct-urdf-nested-model"),
    ("<sphere><radius>1</radius></sphere>", "<ellipsoid><radii>1 2 3</radii></ellipsoid>", "direct-urdf-shape"),
    ('<collision name="c">', '<collision name="c"><pose relative_to="link1"/>', "direct-urdf-part-pose")])
def test_each_obstacle_is_named(old, new, expected):
    assert old in PARITY
    assert names(PARITY.replace(old, new)) == [expected]


@pytest.mark.parametrize("parent, kind", [("joint1", "joint"), ("__model__", "model")])
def test_a_joint_ends_at_links(parent, kind):
    """A third link on a joint to what moves with a link, but is none."""
    joint = f'''<joint name="joint2" type="fixed">
    <pose relative_to="{parent}"/><parent>{parent}</parent><child>link3</child></joint>
    <link name="link3"><pose relative_to="joint2"/></link></model>'''
    loaded = load_text(PARITY.replace("</model>", joint))
    assert loaded.valid
    (finding,) = check_urdf_compatibility(loaded.graphs[0])
    assert (finding.name, finding.severity, finding.line, finding.path) == (
        "direct-urdf-joint-end", "error", 6, '/sdf/model[@name="m"]/joint[@name="joint2"]')
    assert finding.message == f"the parent of joint 'joint2' is the {kind} '{parent}'; in URDF it is a link"
    assert names(PARITY.replace("</model>", joint.replace(parent, "link2"))) == []
