"""A URDF with its fixed joints lumped. Poses and inertias are worked out by hand; the law at the end compares with the
conversion to SDFormat, which lumps by the same decisions."""
from __future__ import annotations

import json

import pytest
from lxml import etree
from real_files import CORPUS, MISSING, STEP, some_files
from urdf_text import gazebo, joint, link, robot
from written_text import sdf_text_of, simplify_text

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.load import load_text
from sdf_frames.writers.simplified import read_simplify_options

BOX = "<geometry><box size='1 1 1'/></geometry>"
SPIN = '<axis xyz="0 0 1"/>'
MAST = f"<visual name='skin'>{BOX}</visual><collision><origin xyz='0 1 0'/>{BOX}</collision>"
PARTS = (link("base", 2, f"<collision>{BOX}</collision>"), link("mast", 2, MAST), link("eye"), link("arm", 1),
         joint("a", "fixed", "base", "mast", xyz="0 0 1"), joint("b", "fixed", "mast", "eye", xyz="0 0.5 0"),
         joint("c", "continuous", "eye", "arm", SPIN, xyz="0 1 0"))


def simplify(*more: str, parts=PARTS, **choices) -> tuple[etree._Element, dict, list]:
    """The tree, the rows as {(kind, name): (action, into)}, and the codes of the findings."""
    options = read_simplify_options(**{"keep": [], "frames": "none", "massless": "keep", **choices})
    made = simplify_text(robot(*parts, *more), "r.urdf", options)
    root = None if made.text is None else etree.fromstring(made.text.encode())
    return root, {(r.element, r.name): (r.action, r.into) for r in made.rows}, [d.code for d in made.diagnostics]


def names(root, tag: str) -> list[str]:
    return [element.get("name") for element in root.findall(tag)]


def numbers(element, attribute: str = "xyz") -> list[float]:
    return [float(word) for word in element.get(attribute).split()]


def test_mass_shapes_and_joints_go_to_the_body():
    root, rows, codes = simplify()
    assert (names(root, "link"), names(root, "joint"), codes) == (["base", "arm"], ["c"], [])
    # Two balls of 2 kg and 1 kg m², one a metre above the other: the middle, and 4 * 0.5² more about x and y.
    inertial = root.find("link/inertial")
    assert numbers(inertial.find("origin")) == [0, 0, 0.5] and numbers(inertial.find("mass"), "value") == [4]
    assert [float(inertial.find("inertia").get(k)) for k in ("ixx", "iyy", "izz", "ixy")] == [3, 3, 2, 0]
    assert [(c.get("name"), numbers(c.find("origin")) if c.find("origin") is not None else None)
            for c in root.find("link").findall("collision")] == [(None, None), ("mast", [0, 1, 1])]
    assert root.find("link/visual").get("name") == "skin"
    assert root.find("joint/parent").get("link") == "base" and numbers(root.find("joint/origin")) == [0, 1.5, 1]
    assert rows == {
        ("link", "base"): ("kept", None), ("link", "arm"): ("kept", None), ("link", "mast"): ("lumped", "base"),
        ("link", "eye"): ("lumped", "base"), ("joint", "a"): ("lumped", "base"), ("joint", "b"): ("lumped", "base"),
        ("joint", "c"): ("moved", None), ("collision", "base"): ("kept", None),
        ("collision", "mast"): ("moved", "base"), ("visual", "skin"): ("moved", "base")}


@pytest.mark.parametrize("frames, origins", [
    ("all", {"a": ("base", [0, 0, 1]), "b": ("mast", [0, 0.5, 0])}), (["eye"], {"b": ("base", [0, 0.5, 1])}),
    (["mast"], {"a": ("base", [0, 0, 1])}), ("none", {})])
def test_frames(frames, origins):
    root, _, _ = simplify(frames=frames)
    found = {j.get("name"): (j.find("parent").get("link"), numbers(j.find("origin")))
             for j in root.findall("joint") if j.get("type") == "fixed"}
    assert found == origins
    assert [len(e) for e in root.findall("link") if e.get("name") in ("mast", "eye")] == [0] * len(origins)
    assert root.find("joint[@name='c']/parent").get("link") == "base", "what moves hangs on what has mass"


def test_a_fixed_joint_that_another_joint_mimics_stays():
    """URDF readers refuse a robot with a mimic of a joint that does not exist."""
    wheel = joint("d", "continuous", "base", "wheel", f'{SPIN}<mimic joint="b" offset="0.3"/>')
    root, rows, _ = simplify(link("wheel", 1), wheel)
    assert names(root, "joint") == ["b", "c", "d"] and rows["joint", "b"] == ("lumped", "base")
    assert numbers(root.find("joint[@name='b']/origin")) == [0, 0.5, 1]


def test_kept_joints():
    root, rows, _ = simplify(keep=["b"])
    assert names(root, "joint") == ["b", "c"] and rows["joint", "b"] == ("moved", None)
    assert root.find("joint[@name='c']/parent").get("link") == "eye"
    root, _, _ = simplify(gazebo("b", "<preserveFixedJoint>true</preserveFixedJoint>"))
    assert names(root, "joint") == ["b", "c"] and root.find("gazebo/preserveFixedJoint") is not None


@pytest.mark.parametrize("choices", [{"keep": ["c"]}, {"keep": ["bb"]}, {"frames": ["base"]}, {"frames": ["mats"]}])
def test_names_that_are_wrong(choices):
    root, _, codes = simplify(**choices)
    assert root is None and codes == ["C051"]


TAIL = (joint("d", "revolute", "arm", "tip", '<limit effort="1" velocity="1"/>', xyz="1 0 0"), link("tip"),
        joint("e", "fixed", "tip", "end", xyz="1 0 0"), link("end"))


def test_massless_links_of_moving_joints():
    transmission = '<transmission name="t"><joint name="d"/></transmission><transmission name="u"><joint name="c"/>' \
                   '</transmission><ros2_control name="x"><joint name="c"/><joint name="d"/></ros2_control>'
    root, rows, _ = simplify(*TAIL, transmission)
    assert names(root, "joint") == ["c", "d"] and len(root.findall("transmission")) == 2
    assert root.find("link[@name='tip']/inertial") is None and rows["link", "tip"] == ("kept", None)
    root, rows, _ = simplify(*TAIL, transmission, massless="merge")
    assert names(root, "joint") == ["c"] and names(root, "transmission") == ["u"]
    assert names(root.find("ros2_control"), "joint") == ["c"]
    assert rows["joint", "d"] == ("lumped", "arm") and rows["transmission", "t"] == ("dropped", None)
    root, _, _ = simplify(*TAIL, massless="merge", frames=["end", "tip"])
    fixed = root.find("joint[@name='d']")
    assert fixed.get("type") == "fixed" and fixed.find("limit") is None
    root, _, _ = simplify(*TAIL, massless=0.5)
    inertial = root.find("link[@name='tip']/inertial")
    assert inertial.find("mass").get("value") == "0.5" and float(inertial.find("inertia").get("ixx")) == 5e-4


@pytest.mark.parametrize(("top", "held"), [("base", ""), ("base", gazebo("turn", "<preserveFixedJoint>true"
                                           "</preserveFixedJoint>")), ("world", "")])
def test_a_merged_joint_is_fixed_also_if_it_is_not_lumped(top, held):
    """Then it takes no command; so nothing that commands it stays, and the rest of it does."""
    actuator = '<transmission name="t"><joint name="turn"/></transmission>'
    root, rows, _ = simplify(held, actuator, massless="merge", frames="all", parts=(
        link(top, 1 if top == "base" else None), link("tip"), joint("turn", "continuous", top, "tip", SPIN)))
    (turn,) = root.findall("joint")
    assert (turn.get("type"), turn.find("axis"), root.find("transmission")) == ("fixed", None, None)
    assert rows["joint", "turn"][0] == ("kept" if held or top == "world" else "lumped")


def test_a_merged_follower_is_where_a_leader_at_zero_puts_it():
    """The first finger is at its offset, 0.25; the second, which mimics it, at 2 * 0.25 + 0.5 along its axis."""
    slide = '<axis xyz="1 0 0"/><limit effort="1" velocity="1" upper="9"/>'
    parts = (joint("d", "prismatic", "arm", "one", f'{slide}<mimic joint="c" multiplier="3" offset="0.25"/>'),
             joint("e", "prismatic", "arm", "two", f'{slide}<mimic joint="d" multiplier="2" offset="0.5"/>',
                   xyz="0 1 0", rpy="0 0 1.5707963267948966"),
             joint("f", "prismatic", "arm", "three", f'{slide}<mimic joint="c"/>', rpy="1.250 0 0"),
             link("one"), link("two"), link("three"))
    root, _, _ = simplify(*parts, massless="merge", frames="all")
    assert root.find("joint[@name='f']/origin").get("rpy") == "1.250 0 0"  # as it is written
    d, e = [root.find(f"joint[@name='{name}']") for name in "de"]
    assert d.find("mimic") is None and numbers(d.find("origin")) == [0.25, 0, 0]
    assert numbers(e.find("origin")) == pytest.approx([0, 2, 0])
    assert numbers(e.find("origin"), "rpy") == pytest.approx([0, 0, 1.5707963267948966])


def test_a_joint_that_a_chain_of_followers_needs_is_not_merged():
    """Only the last follower carries mass. Walked anew for each of them, the chain has 4.5 million steps."""
    count = 3000
    parts = [link("base", 1), link("hand", 1)]
    for n in range(count):
        mimic = f'<mimic joint="j{n - 1}"/>' if n else ""
        parts += [*[link(f"l{n}")] * (n < count - 1),
                  joint(f"j{n}", "continuous", "base", "hand" if n == count - 1 else f"l{n}", SPIN + mimic)]
    root, _, _ = simplify(*parts, link("free"), joint("k", "continuous", "base", "free", SPIN), parts=(),
                          massless="merge")
    assert len(names(root, "joint")) == count and "free" not in names(root, "link")


def test_shapes_of_many_links_stand_in_their_order():
    """Counted anew for each, the children of the body are 4.5 million."""
    count = 3000
    parts = [part for n in range(count) for part in (
        link(f"l{n}", 1, f"<visual name='v{n}'>{BOX}</visual><collision name='c{n}'>{BOX}</collision>"),
        joint(f"j{n}", "fixed", "base", f"l{n}"))]
    root, _, _ = simplify(link("base", 1, f"<visual name='v'>{BOX}</visual>"), *parts, parts=())
    (body,) = root.findall("link")
    assert len(body) == 2 * count + 2 and {child.tag for child in body[1:count + 2]} == {"visual"}
    assert sorted(names(body, "collision")) == sorted(f"c{n}" for n in range(count))


def test_what_carries_mass_or_leads_another_joint_is_not_merged():
    root, _, _ = simplify(*TAIL, link("hand", 1), joint("f", "continuous", "end", "hand", SPIN), massless="merge")
    assert names(root, "joint") == ["c", "d", "f"]
    leader = (joint("g", "continuous", "arm", "cam", SPIN), link("cam"))
    follower = joint("c", "continuous", "eye", "arm", SPIN + '<mimic joint="g"/>', xyz="0 1 0")
    root, _, _ = simplify(*leader, parts=(*PARTS[:-1], follower), massless="merge")
    assert names(root, "joint") == ["c", "g"]


def test_what_gazebo_says_of_a_lumped_link_follows():
    sensor = '<sensor name="s" type="imu"><pose>0 0 0.1 0 0 0</pose></sensor>'
    more = (gazebo("eye", f"{sensor}<selfCollide>1</selfCollide>"),
            gazebo("", '<plugin name="p" filename="f"><bodyName>mast</bodyName></plugin>'),
            gazebo("a", "<provideFeedback>true</provideFeedback>"), gazebo("c", "<stopCfm>1</stopCfm>"))
    root, rows, codes = simplify(*more)
    assert [e.get("reference") for e in root.findall("gazebo")] == [None, "c", "base"]
    body = root.find("gazebo[@reference='base']")
    assert body.findtext("sensor/pose") == "0 0.5 1.1 0 0 0" and body.findtext("selfCollide") == "1"
    assert root.findtext("gazebo/plugin/bodyName") == "base" and root.findtext("gazebo/plugin/xyzOffset") == "0 0 1"
    assert codes == ["C044", "C031"] and rows["provideFeedback", "a"] == ("dropped", None)
    root, rows, codes = simplify(*more, frames="all")
    assert codes == ["C044"] and root.find("gazebo[@reference='a']/provideFeedback") is not None


def test_an_element_that_a_setting_replaces_is_left_out():
    """Both mean <gravity>, and the later counts: as in the SDF of the robot."""
    text = robot(*PARTS, gazebo("base", "<gravity>true</gravity>"),
                 gazebo("mast", "<turnGravityOff>true</turnGravityOff>"))
    made = simplify_text(text, None, read_simplify_options([], "none", "keep"))
    assert [child.tag for child in etree.fromstring(made.text.encode()).find("gazebo")] == ["turnGravityOff"]
    assert [(row.element, row.action) for row in made.rows if "avity" in row.element] == [
        ("gravity", "dropped"), ("turnGravityOff", "moved")]
    assert [etree.fromstring(sdf_text_of(load_text(t)).encode()).findtext("model/link/gravity")
            for t in (text, made.text)] == ["false", "false"] and not load_text(made.text).diagnostics


@pytest.mark.parametrize("on, kept, holds", [
    (("base", "mast"), "0.5", None), (("base",), "0.5", "holds for all of them"), (("mast",), None, "is left out")])
def test_settings_for_shapes_hold_for_the_whole_link(on, kept, holds):
    text = robot(*PARTS, *[gazebo(name, "<mu1>0.5</mu1>") for name in on],
                 gazebo("eye", "<selfCollide>0</selfCollide>"))
    made = simplify_text(text, None, read_simplify_options([], "none", "keep"))
    root = etree.fromstring(made.text.encode())
    assert root.findtext("gazebo/mu1") == kept
    assert [d.message.split(", it ")[1] for d in made.diagnostics] == ([holds] if holds else [])
    assert ("dropped" in [r.action for r in made.rows if r.element == "mu1"]) == (kept is None)


def test_elements_for_shapes_keep_their_place():
    surface = "<collision><surface><friction><ode><mu>2</mu></ode></friction></surface></collision>"
    root, _, codes = simplify(gazebo("base", surface), gazebo("mast", surface))
    assert [e.get("reference") for e in root.findall("gazebo")] == ["base"] and codes == []
    assert root.findtext("gazebo/collision/surface/friction/ode/mu") == "2"


@pytest.mark.parametrize("setting", [
    "<mu1>3</mu1>", "<mu1>2</mu1><mu1>3</mu1>", "<collision><laser_retro>3</laser_retro></collision>"])
def test_a_setting_for_shapes_that_a_link_has_not_is_not_for_those_that_it_gets(setting):
    parts = (link("base", 2), link("mast", 2, MAST), *PARTS[2:])
    root, rows, codes = simplify(gazebo("base", f"{setting}<selfCollide>1</selfCollide>"), parts=parts)
    assert codes == ["C039"] and [e.tag for e in root.find("gazebo").iter()][-1] == "selfCollide"
    assert [action for (kind, _), action in rows.items() if kind in ("mu1", "laser_retro")] == [("dropped", None)]
    # What it is for is still missing.
    root, _, codes = simplify(gazebo("base", setting), parts=(link("base", 2), link("mast", 2), *PARTS[2:]))
    assert codes == [] and root.find("gazebo") is not None


def test_a_setting_for_shapes_that_a_lumped_link_has_not_is_told():
    named = f"<visual name='skin'>{BOX}</visual>"
    parts = (PARTS[0], link("mast", 2, named), *PARTS[2:])
    root, rows, codes = simplify(gazebo("mast", "<mu1>3</mu1><material>Gazebo/Red</material>"), parts=parts)
    assert [e.tag for e in root.find("gazebo")] == ["material"] and codes == ["C039"]
    assert (rows["mu1", "mast"], rows["material", "mast"]) == (("dropped", None), ("moved", "base"))


def test_a_row_of_a_shape_does_not_speak_of_the_names_of_sdf():
    made = simplify_text(robot(*PARTS), "r.urdf", read_simplify_options([], "none", "keep"))
    assert [(r.name, r.reason) for r in made.rows if r.action == "moved" and r.element == "visual"] == [
        ("skin", "from a lumped link")]


def test_every_element_for_shapes_stays_but_those_that_are_replaced():
    plugins = "<visual><plugin name='p' filename='f'/><plugin name='q' filename='f'/></visual>"
    materials = "".join(f"<visual><material><ambient>{x} 0 0 1</ambient></material></visual>" for x in (0, 1))
    body = (link("base", 2, f"<visual>{BOX}</visual>"), link("mast", 2), *PARTS[2:])
    root, _, codes = simplify(gazebo("base", plugins + materials), gazebo("mast", "<selfCollide>0</selfCollide>"),
                              parts=body)
    assert codes == [] and [e.get("name") for e in root.iter("plugin")] == ["p", "q"]
    assert [e.text for e in root.iter("ambient")] == ["1 0 0 1"]


@pytest.mark.parametrize("name, above", [("r.urdf", ""), ("r.urdf.xacro", "<xacro:property name='x' value='1'/>\n")])
def test_settings_for_shapes_are_located_where_they_are_written(name, above, tmp_path, capsys):
    """The friction is only that of the mast: it is left out, and its element says where."""
    setting = gazebo("mast", "\n<collision>\n<max_contacts>3</max_contacts></collision>")
    text = robot(f"\n{above}", *PARTS, setting).replace(
        "<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    line = 1 + text[:text.index("<max_contacts>")].count("\n")
    (tmp_path / name).write_text(text)
    assert main(["simplify", "--no-config", "--json", str(tmp_path / name)]) == 0
    answer = json.loads(capsys.readouterr().out)
    (found,) = answer["diagnostics"]
    assert (found["code"], found["file"], found["line"]) == ("C047", str(tmp_path / name), line)
    assert found["path"] == '/robot[@name="r"]/gazebo[@reference="mast"]/collision/max_contacts'
    (row,) = [row for row in answer["report"] if row["element"] == "max_contacts"]
    assert (row["action"], row["line"]) == ("dropped", line)


@pytest.mark.parametrize("name", ["r.urdf", "r.urdf.xacro"])
def test_the_library_locates_what_it_simplified_in_the_file(name, tmp_path):
    """The URDF has a wrong value for the arm on its line 4, and one for the mast, which moves, on line 5."""
    wrong = [gazebo(owner, "<maxVel>x</maxVel>") for owner in ("arm", "mast")]
    arm = link("arm", 1, f"<collision>{BOX}</collision>")
    (tmp_path / name).write_text(robot(*PARTS[:3], arm, *PARTS[4:], "\n\n\n", "\n".join(wrong)).replace(
        "<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" '))
    loaded = sf.load(tmp_path / name)
    places = [(d.code, d.file, d.line) for d in loaded.findings]
    assert places == [("C033", str(tmp_path / name), 5), ("C033", str(tmp_path / name), 4)]
    assert [(d.code, d.file, d.line) for d in loaded.simplify().findings] == places[1:]
    assert {row.line for row in loaded.simplify().report} == {1, 4}


def test_comments_unknown_content_and_numbers_stay():
    text = robot(*PARTS, "<mujoco><compiler/></mujoco>").replace('xyz="0 1 0"', 'xyz="0 1.0 0.0e0"').replace(
        '<joint name="c"', '<!-- c --><joint name="c"').replace("<collision><origin xyz='0 1 0'/>", "<collision>")
    made = sf.loads(f"<!-- top -->{text}").simplify(keep=["a", "b"]).to_urdf()
    expected = text.replace("'", '"').replace('"></link>', '"/>')  # as the writer spells them
    assert made == f'<?xml version="1.0"?>\n<!-- top -->\n{expected}\n'


def test_the_root_without_mass_takes_that_of_its_only_child():
    parts = (link("foot"), link("base", 2), link("arm", 1), joint("a", "fixed", "foot", "base", xyz="0 0 1"),
             joint("c", "continuous", "base", "arm", SPIN))
    root, _, _ = simplify(parts=parts)
    assert names(root, "link") == ["foot", "arm"] and numbers(root.find("link/inertial/origin")) == [0, 0, 1]


def test_a_robot_on_the_world():
    parts = (link("world"), link("base", 2), link("top", 1), joint("a", "fixed", "world", "base", xyz="0 0 1"),
             joint("b", "fixed", "base", "top", xyz="0 0 1"))
    root, _, _ = simplify(parts=parts)
    assert names(root, "link") == ["world", "base"] and names(root, "joint") == ["a"]


def test_the_library():
    loaded = sf.loads(robot(*PARTS))
    simple = loaded.simplify(frames=["eye"])
    assert list(simple.links) == ["base", "eye", "arm"] and simple.valid
    assert simple.pose("arm", relative_to="eye").xyz == pytest.approx(loaded.pose("arm", relative_to="eye").xyz)
    with pytest.raises(sf.InvalidDescription, match="no fixed joint 'x'"):
        loaded.simplify(keep=["x"])
    with pytest.raises(TypeError, match="keep must be a sequence"):
        loaded.simplify(keep="a")
    for wrong in ("x", 0, -1.0, True, float("nan")):
        with pytest.raises(ValueError, match="massless must be"):
            loaded.simplify(massless=wrong)


def test_the_library_refuses_only_what_the_command_refuses():
    """The root has no mass, which is an error for Gazebo, until it gets one."""
    bare = sf.loads(robot(link("base"), link("arm"), joint("c", "continuous", "base", "arm", SPIN)))
    assert [d.code for d in bare.errors] == ["C004"] == [d.code for d in bare.simplify().errors]
    assert bare.simplify(massless=0.1).valid
    with pytest.raises(sf.InvalidDescription, match="R036"):
        sf.loads(robot(link("base", "x"))).simplify()


@pytest.mark.parametrize("base, tool, code, is_refused", [
    (2, -0.5, "I001", True), (2, 0.5, "I027", False), (-5, 7, "I001", True), (-5, None, None, False)])
def test_an_impossible_inertia_that_is_summed_is_told(base, tool, code, is_refused):
    """libsdformat takes a negative mass for none, and a sum may hide it, or a tensor that no body can have."""
    odd = {"base": link("base", base), "tool": link("tool", tool).replace('izz="1"', 'izz="2.5"')}
    parts = (*odd.values(), joint("a", "fixed", "base", "tool"))
    root, _, codes = simplify(parts=parts)
    assert (root is None) == is_refused and codes[:1] == ([code] if code else [])
    if is_refused:
        with pytest.raises(sf.InvalidDescription, match="I001"):
            sf.loads(robot(*parts)).simplify()


def test_the_command_line(tmp_path, capsys):
    file = tmp_path / "r.urdf"
    file.write_text(robot(*PARTS))
    assert main(["simplify", str(file), "--frames", "eye", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["file", "valid", "urdf", "report", "diagnostics"] and "mast" not in names(
        etree.fromstring(answer["urdf"].encode()), "link")
    assert main(["simplify", str(file), "--keep", "a", "-o", str(tmp_path / "s.urdf")]) == 0
    assert names(etree.parse(tmp_path / "s.urdf"), "joint") == ["a", "b", "c"]
    for wrong in (["--massless", "x"], ["--massless", "-1"]):
        with pytest.raises(SystemExit) as stop:
            main(["simplify", str(file), *wrong])
        assert stop.value.code == 2


def flatten(text: str) -> dict:
    """Links, joints, their contents and poses of an SDF, without the frames."""
    model = sf.loads(text)
    return {"links": {n: (x.mass, [v.name for v in (*x.visuals, *x.collisions)]) for n, x in model.links.items()},
            "joints": {n: (x.type, x.parent, x.child) for n, x in model.joints.items()},
            "parts": [(p.kind, p.name, p.owner) for p in model.parts]}


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_converting_the_result_is_converting_the_robot():
    count = 0
    for file in some_files("*.urdf"):
        if file.stat().st_size > 150_000:
            continue
        made = simplify_text(file.read_bytes(), str(file), read_simplify_options([], "all", "keep"))
        if made.text is None:
            continue
        before, after = [load_text(text, str(file)) for text in (file.read_bytes(), made.text)]
        assert after.robot is not None
        if not (before.convertible and after.convertible):
            continue
        old, new = [flatten(sdf_text_of(loaded)) for loaded in (before, after)]
        for name, (mass, shapes) in old["links"].items():
            assert new["links"][name] == (pytest.approx(mass, rel=1e-9, abs=1e-12), shapes), (file, name)
        assert new["links"].keys() == old["links"].keys() and new["joints"] == old["joints"]
        if "C047" not in [d.code for d in made.diagnostics]:  # with it, some settings of visuals are not there
            assert sorted(new["parts"]) == sorted(old["parts"]), file
        count += 1
    assert count >= 60 // STEP


def test_a_file_of_sdformat_is_refused():
    made = simplify_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', "m.sdf",
                         read_simplify_options((), "all", "keep"))
    assert made.text is None and [d.name for d in made.diagnostics] == ["simplify-needs-urdf"]
