"""SDFormat with links merged that fixed joints connect. Poses and inertias are worked out by hand."""
from __future__ import annotations

import json

import pytest
from lxml import etree

import sdf_frames as sf
from sdf_frames.api.simplify import read_simplify_options, simplify_text
from sdf_frames.cli import main

BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
BASE = f"<link name='base'><inertial><mass>2</mass></inertial><collision name='c'>{BOX}</collision></link>"
MAST = f"""<link name='mast'><!-- steel --><pose>0 0 1 0 0 0</pose><inertial><mass>2</mass></inertial>
  <collision name='c'><pose>0 1 0 0 0 0</pose>{BOX}</collision><visual name='skin'>{BOX}</visual>
  <sensor name='s' type='contact'><contact><collision>c</collision></contact></sensor></link>"""
ARM = "<link name='arm'><pose relative_to='mast'>0 1 0 0 0 0</pose></link>"
FIXED = "<joint name='a' type='fixed'><parent>base</parent><child>mast</child></joint>"
TURNS = "<joint name='c' type='continuous'><parent>mast</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>"


def model(*parts: str, version: str = "1.9") -> str:
    return f"<sdf version='{version}'><model name='m'>{''.join(parts)}</model></sdf>"


def simplify(text: str, keep=(), frames="all", massless="keep"):
    """The tree, rows as {(kind, name): (action, into)}, and the findings."""
    made = simplify_text(text, "m.sdf", read_simplify_options(keep, frames, massless))
    root = None if made.text is None else etree.fromstring(made.text.encode())
    return root, {(r.element, r.name): (r.action, r.into) for r in made.rows}, made.diagnostics


def test_mass_parts_and_joints_go_to_the_body():
    root, rows, found = simplify(model(BASE, MAST, ARM, FIXED, TURNS))
    links, base = root.findall("model/link"), root.find("model/link")
    assert [e.get("name") for e in links] == ["base", "arm"] and not found and root.get("version") == "1.9"
    # Two balls of 2 kg and 1 kg m², one a metre above the other: the middle, and 4 * 0.5² more about x and y.
    inertial = base.find("inertial")
    assert inertial.findtext("pose") == "0 0 0.5 0 0 0" and inertial.findtext("mass") == "4"
    assert [inertial.findtext(f"inertia/{k}") for k in ("ixx", "iyy", "izz", "ixy")] == ["3", "3", "2", "0"]
    assert [(e.get("name"), e.findtext("pose")) for e in base.findall("collision")] == [
        ("c", None), ("mast_fixed_joint_lump__c", "0 1 1 0 0 0")]
    assert base.find("visual").findtext("pose") == base.find("sensor").findtext("pose") == "0 0 1 0 0 0"
    assert base.findtext("sensor/contact/collision") == "mast_fixed_joint_lump__c"
    assert [c.text for c in base.xpath("comment()")] == [" steel "]
    assert root.findtext("model/joint/parent") == "base"
    assert {(e.get("name"), e.get("attached_to"), e.findtext("pose")) for e in root.findall("model/frame")} == {
        ("mast", "base", "0 0 1 0 0 0"), ("a", "base", "0 0 1 0 0 0")}
    assert rows == {
        ("link", "base"): ("kept", None), ("link", "arm"): ("kept", None), ("link", "mast"): ("lumped", "base"),
        ("joint", "a"): ("lumped", "base"), ("joint", "c"): ("moved", None), ("collision", "c"): ("moved", "base"),
        ("visual", "skin"): ("moved", "base"), ("sensor", "s"): ("moved", "base")}


@pytest.mark.parametrize("frames, arm, left", [
    ("none", ARM, ["mast"]), ("none", ARM.replace(" relative_to='mast'", ""), []), (["a"], ARM, ["mast", "a"])])
def test_frames_stay_that_are_wanted_or_named(frames, arm, left):
    root, _, _ = simplify(model(BASE, MAST, arm, FIXED, TURNS), frames=frames)
    assert [e.get("name") for e in root.findall("model/frame")] == left


@pytest.mark.parametrize("version, suffix", [("1.9", ""), ("1.12", "_state")])
def test_states_name_merged_links_and_joints_no_more(version, suffix):
    """Also those of a nested model; nothing else of a state changes."""
    inner = f"<model name='in'>{BASE}{MAST}{FIXED}</model>"
    of_links = "".join(f"<link{suffix} name='{name}'><pose>{x} 0 0 0 0 0</pose></link{suffix}>"
                       for x, name in enumerate(("base", "mast", "arm", "other")))
    of_joints = "".join(f"<joint{suffix} name='{name}'/>" for name in "ac")
    state = (f"<state world_name='w'><sim_time>1 0</sim_time><!-- kept --><model{suffix} name='m'><pose/>{of_links}"
             f"{of_joints}<model{suffix} name='in'>{of_links}</model{suffix}></model{suffix}>"
             f"<model{suffix} name='far'/></state>")
    robot = f"<model name='m'>{BASE}{MAST}{ARM}{FIXED}{TURNS}{inner}</model>"
    root, _, _ = simplify(f"<sdf version='{version}'><world name='w'>{robot}{state}</world></sdf>")
    expected = etree.fromstring(state)
    for path in (f".//link{suffix}[@name='mast']", f".//joint{suffix}[@name='a']"):
        for element in expected.findall(path):
            element.getparent().remove(element)
    made = root.find("world/state")
    assert etree.tostring(made, method="c14n", with_tail=False) == etree.tostring(expected, method="c14n")


@pytest.mark.parametrize("frames, action", [("all", []), ("none", [("dropped", None)])])
def test_what_a_urdf_says_of_a_merged_link_stays_with_its_frame(frames, action):
    carried = "<f:link xmlns:f='urn:sdf_frames:urdf'><f:paint>red</f:paint></f:link>"
    root, rows, _ = simplify(model(BASE, MAST.replace("</link>", f"{carried}</link>"), FIXED), frames=frames)
    assert [e.getparent().getparent().tag for e in root.iter("{*}paint")] == ["frame"] * (frames == "all")
    assert [row for (kind, _), row in rows.items() if "paint" in kind] == action


def test_the_canonical_link_is_one_that_is_left():
    text = model(MAST, BASE, ARM, FIXED, TURNS)
    root, _, _ = simplify(text)
    assert root.find("model").get("canonical_link") == "base"
    robot = sf.loads(text)
    simple = robot.simplify()
    assert simple.links.keys() == {"base", "arm"} and simple.version == "1.9"
    assert simple.poses() == robot.poses()


def test_a_long_chain_is_merged_into_its_first_link():
    """Walked anew for each link, the chain has 4.5 million steps."""
    links = "".join(f"<link name='l{n}'><pose>0 0 {n} 0 0 0</pose></link>" for n in range(3000))
    joints = "".join(f"<joint name='j{n}' type='fixed'><parent>l{n}</parent><child>l{n + 1}</child></joint>"
                     for n in range(2999))
    root, rows, _ = simplify(model(links, joints), frames="none")
    (left,) = root.iter("link")
    assert left.get("name") == "l0" and float(left.findtext("inertial/mass")) == 3000
    assert rows["link", "l2999"] == ("lumped", "l0")


def test_a_turned_link_turns_its_tensor_and_parts():
    tensor = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial>"
    mast = f"<link name='mast'><pose degrees='true'>0 0 0 0 0 90</pose>{tensor}<light name='l' type='point'>" \
           "<pose>1 0 0 0 0 0</pose></light></link>"
    root, _, _ = simplify(model(BASE, mast, FIXED))
    # About z by 90°: x becomes y. The base has the unit tensor.
    assert [float(root.findtext(f"model/link/inertial/inertia/{k}")) for k in ("ixx", "iyy", "izz")] == pytest.approx(
        [3, 2, 3.5])
    assert [float(w) for w in root.findtext("model/link/light/pose").split()] == pytest.approx(
        [0, 1, 0, 0, 0, 1.5707963267948966])


@pytest.mark.parametrize("parts, reason", [
    ((BASE.replace("<inertial>", "<gravity>0</gravity><inertial>"), MAST, FIXED), "its links differ in <gravity>"),
    ((BASE, MAST, FIXED.replace("</child>", "</child><sensor name='f' type='force_torque'/>")),
     "it has a sensor or a plugin"),
    ((BASE, MAST, FIXED.replace("base", "world")), "it does not connect two links"),
    ((BASE, MAST, FIXED, FIXED.replace("'a'", "'b'")), "it is part of a loop"),
    # Joint c would connect the base with itself.
    ((BASE, MAST, ARM, FIXED, TURNS.replace("arm", "base"),
      TURNS.replace("'c'", "'d'").replace("arm", "base").replace("mast", "arm")), "it is part of a loop"),
    ((BASE.replace("<inertial>", "<inertial auto='true'>"), MAST, FIXED), "the inertia of a link is computed from its "
     "shapes, or has added mass"),
    ((f"<model name='n'>{BASE}</model>", MAST, FIXED.replace("base", "n::base")),
     "it and its links are not all written in one model of this file")])
def test_joints_that_stay(parts, reason):
    root, rows, found = simplify(model(*parts, version="1.11"))
    assert rows["joint", "a"] == ("kept", None) and root.find("model/frame") is None
    assert {d.message for d in found if d.code == "C053"} >= {f"fixed joint 'a' stays: {reason}"}


def test_a_link_that_moves_takes_others():
    root, rows, _ = simplify(model(BASE, MAST, ARM, FIXED, TURNS.replace("arm", "base").replace("mast", "arm")))
    assert rows["link", "mast"] == ("lumped", "base") and root.findtext("model/joint/child") == "base"


def test_names():
    text = model(BASE, MAST, ARM, FIXED, TURNS)
    root, rows, found = simplify(text, keep=["a"])
    assert rows["joint", "a"] == ("kept", None) and not found and len(root.findall("model/link")) == 3
    for choices in ({"keep": ["c"]}, {"frames": ["base"]}):
        root, _, found = simplify(text, **choices)
        assert root is None and [d.code for d in found] == ["C051"]
    root, _, found = simplify(text, massless="merge")
    assert root is None and [d.code for d in found] == ["C052"]


def test_a_plugin_that_names_a_merged_joint_is_warned_about():
    plugin = "<plugin name='gz::sim::systems::JointController' filename='gz-sim-joint-controller-system'>" \
             "<joint_name>a</joint_name></plugin>"
    _, _, found = simplify(model(BASE, MAST, FIXED, plugin))
    assert any(d.code.startswith("N") and "'a'" in d.message for d in found)


def test_old_versions_get_the_first_that_has_frames():
    root, _, _ = simplify(model(BASE, MAST, FIXED, version="1.5"))
    assert root.get("version") == "1.7" and root.find("model/frame[@name='mast']") is not None


def test_the_command(tmp_path, capsys):
    (file := tmp_path / "m.sdf").write_text(model(BASE, MAST, FIXED))
    assert main(["simplify", str(file), "--json"]) == 0
    assert "<frame" in json.loads(capsys.readouterr().out)["sdf"]
