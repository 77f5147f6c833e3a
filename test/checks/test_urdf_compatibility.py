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
</model></sdf>"""  # noqa: E501


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
    ('<link name="link1"/>', '<link name="link1"/><model name="n"><link name="l"/></model>',
     "direct-urdf-nested-model"),
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
    assert finding.message == f"the parent of joint 'joint2' is the {kind} '{parent}'; in URDF it must be a link"
    assert names(PARITY.replace("</model>", joint.replace(parent, "link2"))) == []


@pytest.mark.parametrize("count, models", [
    (0, "no model"), (2, "'m0', 'm1'"), (9, "'m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'")])
def test_a_world_is_no_model(count, models):
    body = "".join(f'<model name="m{i}"><link name="l"/></model>' for i in range(count))
    loaded = load_text(f'<sdf version="1.9"><world name="w">{body}</world></sdf>')
    (found,) = check_urdf_compatibility(loaded.graphs[0])
    assert (found.name, found.path) == ("urdf-needs-one-model", '/sdf/world[@name="w"]')
    assert models in found.message and (count == 0 or f"{count} models" in found.message)


def test_an_included_model_is_reported_at_its_include(tmp_path):
    (tmp_path / "part.sdf").write_text('<sdf version="1.9"><model name="part"><link name="l"/></model></sdf>')
    loaded = load_text(
        '<sdf version="1.9"><model name="m"><link name="a"/>\n<include><uri>part.sdf</uri></include></model></sdf>',
                       str(tmp_path / "m.sdf"))
    (found,) = check_urdf_compatibility(loaded.graphs[0])
    assert (found.name, found.line, found.path) == ("direct-urdf-nested-model", 2, '/sdf/model[@name="m"]/include')


LINK = '<link name="{}"/>'
JOINT = '<joint name="{0}{1}" type="fixed"><pose relative_to="{0}"/><parent>{0}</parent><child>{1}</child></joint>'


def shape_of(links, joints):
    """Problems of a tree that has no other: links stand at their joints, joints at their parents."""
    above = {pair[1]: pair for pair in joints}
    body = "".join(f'<link name="{n}">' + (f'<pose relative_to="{above[n]}"/>' if n in above else "") + "</link>"
                   for n in links)
    body += "".join(JOINT.format("world" if a == "W" else a, b).replace("world" + b,
        a + b).replace('relative_to="world"', 'relative_to="__model__"')
                    for a, b in joints)
    loaded = load_text(f'<sdf version="1.9"><model name="m">{body}</model></sdf>')
    return [d.message for d in check_urdf_compatibility(loaded.graphs[0]) if d.name == "direct-urdf-not-a-tree"]


@pytest.mark.parametrize("links, joints, words", [
    ("ab", ["ab"], None), ("ab", ["Wa", "ab"], None), ("abc", ["ab"], "more than one root: 'a', 'c'"),
    ("ab", ["Wa"], "more than one root: 'b' and the world"), ("abc", ["ab", "bc", "ca"], "the joints form a loop"),
    ("abc", ["ac", "bc", "ab"], "link 'c' is the child of joints 'ac' and 'bc'"),
    ("abcdefghijk", [], "more than one root: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'")])
def test_the_joints_form_one_tree(links, joints, words):
    found = shape_of(links, joints)
    assert len(found) == (words is not None) and (words is None or words in found[0])


@pytest.mark.parametrize("shape", ["plane", "ellipsoid", "capsule", "heightmap"])
def test_each_shape_of_a_part_is_judged_whatever_stands_before_it(shape):
    """Also in visuals; shapes of others, with a prefix, stand in nobody's way."""
    geometry = f"<geometry><a:b/><{shape}/></geometry>"
    parts = "".join(f'<{part} name="{part}">{geometry}</{part}>' for part in ("collision", "visual"))
    loaded = load_text(
        f'<sdf version="1.9" xmlns:a="urn:a"><model name="m"><link name="l">{parts}</link></model></sdf>')
    assert [d.name for d in check_urdf_compatibility(loaded.graphs[0])] == ["direct-urdf-shape"] * 2


@pytest.mark.parametrize("models, said", [
    ("", "the file has no model"),
    ('<model name="a"><link name="l"/></model><model name="b"><link name="l"/></model>',
                                            "the file has 2 models: 'a', 'b'")])
def test_a_world_says_which_models_it_has(models, said):
    loaded = load_text(f'<sdf version="1.12"><world name="w">{models}</world></sdf>')
    (finding,) = [d for graph in loaded.graphs for d in check_urdf_compatibility(graph)]
    assert finding.name == "urdf-needs-one-model" and said in finding.message
