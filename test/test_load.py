"""Loading: what cannot be read is one finding that says why, never an exception."""
import pytest
from urdf_text import inertial, joint, link, robot
from written_text import sdf_text_of

from sdf_frames.document.expanded import Expanded, Place
from sdf_frames.load import LoadOptions, load_file, load_text, read_text
from sdf_frames.writers.as_sdf import convert_to_sdf
from sdf_frames.writers.written import render


def only(loaded):
    (found,) = loaded.diagnostics
    assert loaded.root is None and not loaded.valid and loaded.kind is None and not loaded.convertible
    return found


def test_a_file_that_is_not_there(tmp_path):
    loaded = load_file(tmp_path / "none.sdf")
    found = only(loaded)
    assert loaded.file == str(tmp_path / "none.sdf") and loaded.resolver.candidates("/a")[0] == "/a"
    assert (found.name, found.severity, found.file) == ("file-unreadable", "error", str(tmp_path / "none.sdf"))
    assert "No such file or directory" in found.message and "Errno" not in found.message


def test_a_folder(tmp_path):
    assert "this folder has no robot description" in only(load_file(tmp_path)).message


def test_a_name_that_no_file_can_have():
    """Python raises a ValueError, which has no strerror."""
    found = only(load_file("a\0b.sdf"))
    assert found.name == "file-unreadable" and "null" in found.message


@pytest.mark.parametrize("text, name, kind", [
    ("", "xml-malformed", None), ("<a/>", "not-a-robot-description", None), ("<sdf", None, None)])
def test_texts_that_are_no_description(text, name, kind):
    loaded = load_text(text)
    assert (loaded.root, loaded.kind, loaded.valid, loaded.scopes, loaded.graphs) == (None, kind, False, (), ())
    assert name is None or name in [d.name for d in loaded.diagnostics]


def test_the_text_of_a_description_is_kept_and_of_a_urdf_made():
    sdf = '<sdf version="1.6"><model name="m"><link name="l"/></model></sdf>'
    for text in (sdf, sdf.encode()):
        assert (sdf_text_of(load_text(text)), load_text(text).kind) == (sdf, "sdf")
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    loaded = load_text(f'<robot name="r"><link name="l">{solid}</link></robot>')
    assert loaded.kind == "urdf" and '<model name="r">' in sdf_text_of(loaded)


def test_a_text_of_wide_characters_takes_computed_inertias():
    text = BOX.format("1 1 2").encode("utf-16")
    loaded = load_text(text, "m.sdf", LoadOptions(auto_inertia="save-in-element"))
    (link,) = loaded.root.model.links
    assert (link.inertial.auto, link.inertial.mass) == (False, 14)
    assert "<mass>14</mass>" in sdf_text_of(loaded)
    assert [(d.name, d.severity) for d in loaded.diagnostics if d.severity != "info"] == [
        ("xml-encoding-wide", "warning")]


def test_inertias_are_put_into_a_text_that_declares_entities():
    text = '<!DOCTYPE sdf [<!ENTITY a "b">]>' + BOX.format("1 1 2")
    loaded = load_text(text, "m.sdf", LoadOptions(auto_inertia="save-in-element"))
    assert [d.name for d in loaded.diagnostics if d.severity != "info"] == []
    text = sdf_text_of(loaded)
    assert text.startswith('<!DOCTYPE sdf [<!ENTITY a "b">]>') and "<mass>14</mass>" in text


IMPOSSIBLE = inertial(1, moments=(1, 1, 9))  # no body has a moment that is more than the sum of the others
ROOM = inertial(9, moments=(9, 9, 9))        # enough beside it: 10, 10 and 18 are possible
TURN = joint("j", "continuous", "base", "arm")
WELD = joint("j", "fixed", "base", "arm")


@pytest.mark.parametrize("parts, names, convertible, reported, frames", [
    ([link("base", 1), link("arm", 1), TURN], [], True, [], ["base", "j", "arm"]),
    # A root without mass: nothing can be converted, but for the kinematics every link and joint is there.
    ([link("base"), link("arm", 1), TURN], ["robot-without-mass"], False, [], ["base", "arm", "j"]),
    ([link("base"), f'<link name="arm">{IMPOSSIBLE}</link>', TURN], ["robot-without-mass", "inertia-invalid"], False,
     [],
     ["base", "arm", "j"]),
    # An impossible inertia is reported once, as the URDF states it, for the link that has it in the SDF.
    ([link("base", 1), f'<link name="arm">{IMPOSSIBLE}</link>', TURN], ["inertia-invalid"], False, ["arm"],
     ["base", "arm", "j"]),
    ([link("base", 1), f'<link name="arm">{IMPOSSIBLE}</link>', WELD], ["inertia-invalid"], False, ["base"],
     ["base", "j", "arm"]),
    # Lumped, it may be possible: then Gazebo loads it.
    ([f'<link name="base">{ROOM}</link>', f'<link name="arm">{IMPOSSIBLE}</link>', WELD],
     ["inertia-invalid-as-written"], True, ["base"], ["base", "j", "arm"]),
    # A negative mass is an error, though the link is then massless in the SDF.
    ([link("base", 1), link("arm", -1), WELD], ["inertia-invalid"], True, ["base"], ["base", "j", "arm"]),
    # What cannot be read is not converted.
    ([link("base", 1), link("arm", 1), TURN.replace("continuous", "revolute")], ["joint-limit-missing"], False, [], []),
    ([], ["robot-without-links"], False, [], [])])
def test_robots(parts, names, convertible, reported, frames):
    loaded = load_text(robot(*parts), "r.urdf")
    assert (loaded.kind, loaded.file, [d.name for d in loaded.diagnostics]) == ("urdf", "r.urdf", names)
    assert (loaded.valid, loaded.convertible, loaded.resolved) == (
        {*names} <= {"inertia-invalid-as-written"}, convertible, bool(frames))
    assert loaded.reported == {("r.urdf", name) for name in reported}
    assert {frame.name for scope in loaded.scopes for frame in scope.frames} == {*frames, *["__model__"] * bool(frames)}
    lost = "robot-without-mass" in names
    assert (loaded.root is None, loaded.kept is not None) == (lost or not frames, lost)
    assert (loaded.robot is not None, bool(loaded.report)) == (bool(frames), bool(frames))
    assert (sdf_text_of(loaded) is None) == (loaded.root is None)


def test_a_conversion_that_is_refused_keeps_the_kinematics():
    """Whatever the options say of massless links and versions: only the kinematics are wanted then."""
    text = robot(link("base", 1), link("arm"), link("tip"), TURN, joint("k", "fixed", "arm", "tip"))
    loaded = load_text(text, options=LoadOptions(massless="error", sdf_version="9"))
    assert [d.name for d in loaded.diagnostics] == ["massless-link-refused", "sdf-version-unknown"]
    assert loaded.root is None and [part.name for part in loaded.kept.root.model.links] == ["base", "arm", "tip"]
    assert [t.child for t in loaded.tf_tree().transforms] == ["r", "arm", "tip", "j", "k"]
    assert {row.action for row in loaded.kept.conversion.rows} == {"kept"}


def test_the_report_on_an_expanded_robot_names_the_lines_of_its_file():
    """Each element of the text stands in its file, ten lines further down."""
    text = f'<robot name="r">\n{link("base", 1)}\n<foo/>\n</robot>'
    places = [Place("r.xacro", line + 10, 1) for line in (1, 2, 2, 2, 2, 3)]
    for given, lines in ((Expanded(text, "r.xacro", places), {"r": 11, "base": 12, "foo": 13}),
                         (text, {"r": 1, "base": 2, "foo": 3})):
        loaded = load_text(given, "r.xacro")
        assert {row.name or row.element: row.line for row in loaded.report}.items() <= lines.items()
        assert [(d.name, d.line) for d in loaded.diagnostics] == [("urdf-content-unknown", lines["foo"])]


def test_a_robot_whose_mass_cannot_be_read_has_its_kinematics():
    loaded = load_text(robot(link("base", 1), '<link name="arm"><inertial><mass value="x"/></inertial></link>', TURN))
    assert [d.name for d in loaded.diagnostics] == ["mass-unknown"]
    assert [part.name for part in loaded.robot.links] == ["base", "arm"] and loaded.root is None
    assert [t.child for t in loaded.tf_tree().transforms] == ["r", "arm", "j"] and loaded.report == ()


@pytest.mark.parametrize("rest, findings", [
    ('<gazebo reference="nowhere"><mu1>1</mu1></gazebo>', ["gazebo-reference-unknown"]),
    (link("a::b", 1) + joint("k", "continuous", "arm", "a::b"), ["name-not-allowed"]),
    (link("tip") + joint("k", "continuous", "arm", "tip"), ["massless-link-dropped"]),
    (link("tip", 1).replace('ixx="1" ', "") + joint("k", "continuous", "arm", "tip"), ["inertial-incomplete"])])
def test_what_is_wrong_elsewhere_is_told_beside_a_mass_that_cannot_be_read(rest, findings):
    """All of it, and as if the mass were known: nothing follows from the unknown mass."""
    def find(mass):
        loaded = load_text(robot(link("base", 1), link("arm", mass), TURN, rest))
        odd = [d for d in loaded.find_odd_inertias() if '"arm"' not in d.path]
        assert odd, "that of the base is left at its default"
        return [d._replace(column=0) for d in (*loaded.diagnostics, *odd)], loaded.root
    (cause, *told), root = find("1,5")
    wanted, _ = find("1.5")
    assert (cause.name, told, root) == ("mass-unknown", wanted, None)
    assert {d.name for d in wanted} >= {*findings}


def test_an_inertial_without_inertia_is_told_once():
    found = load_text(robot('<link name="a"><inertial><mass value="1"/></inertial></link>')).diagnostics
    assert [d.name for d in found] == ["inertial-incomplete"]


LIMIT = '<axis xyz="{}"/><limit lower="{}" upper="{}" effort="1" velocity="1"/>{}'


@pytest.mark.parametrize("options, root, cause", [
    ({"massless": "error"}, 1, "massless-link-refused"), ({}, None, "robot-without-mass"),
    ({"massless": "keep"}, 1, "massless-link-kept")])
def test_what_else_is_wrong_with_a_robot_that_cannot_be_converted_is_told_too(options, root, cause):
    """It stays wrong when the link gets its mass."""
    wrong = (joint("j", "revolute", "a", "b", LIMIT.format("0 0 0", -1, 1, "")),
             joint("k", "revolute", "b", "c", LIMIT.format("1 0 0", -90, 90, '<mimic joint="nobody"/>'), rpy="0 0 90"),
             joint("l", "revolute", "c", "d", LIMIT.format("1 0 0", 2, 1, ""), xyz="0 0 2000"))
    text = robot(link("a", root), link("b"), link("c", 2), link("d", 2), *wrong)
    found = load_text(text, options=LoadOptions(**options)).diagnostics
    assert sorted((d.name, d.severity, d.path.partition("joint")[2][:11]) for d in found if d.name != cause) == sorted([
        ("joint-axis-zero", "error", '[@name="j"]'), ("mimic-joint-missing", "error", '[@name="k"]'),
        ("unit-mistaken", "warning", '[@name="k"]'), ("unit-mistaken", "warning", '[@name="k"]'),
        ("limit-reversed", "warning", '[@name="l"]'), ("distance-suspicious", "warning", '[@name="l"]')])


BOX = ('<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision '
       'name="c"><density>7</density>'
       "<geometry><box><size>{}</size></box></geometry></collision></link></model></sdf>")


@pytest.mark.parametrize("size, loading, computing", [
    ("1 1 2", [], []), ("1 1 x", ["value-invalid"], []),
    ("1 1 0", ["geometry-dimension-not-positive"], ["geometry-dimension-not-positive"])])
def test_what_the_schema_check_refuses_is_not_said_again(size, loading, computing):
    loaded = load_text(BOX.format(size))
    assert [d.name for d in loaded.diagnostics] == loading
    assert [d.name for d in loaded.inertias().diagnostics] == computing
    saved = load_text(BOX.format(size), options=LoadOptions(auto_inertia="save"))
    assert [d.name for d in saved.diagnostics] == loading and [d.name for d in saved.computed.diagnostics] == computing


@pytest.mark.parametrize("option, auto, mass, in_text", [
    ("skip", True, None, True), ("save", True, 14, True), ("save-in-element", False, 14, False)])
def test_when_inertias_are_computed(option, auto, mass, in_text):
    loaded = load_text(BOX.format("1 1 2"), options=LoadOptions(auto_inertia=option))
    (part,) = loaded.root.model.links
    assert part.inertial.auto == auto and ('auto="true"' in sdf_text_of(loaded)) == in_text
    assert (loaded.computed is None) == (mass is None)
    assert mass is None or [part.mass for part in loaded.computed.links] == [pytest.approx(mass)]
    assert [part.mass for part in loaded.inertias().links] == [pytest.approx(14)]


@pytest.mark.parametrize("failure, names", [("error", ["auto-inertia-unsupported-shape"]), ("default", [])])
def test_what_happens_to_a_shape_without_volume(failure, names):
    text = BOX.format("1 1 1").replace("<box><size>1 1 1</size></box>", "<plane/>")
    loaded = load_text(text, options=LoadOptions(inertia_failure=failure))
    assert bool([d for d in loaded.diagnostics if d.severity == "error"]) == bool(names)
    assert bool([d for d in loaded.inertias().diagnostics if d.severity == "error"]) == bool(names)
    assert not [d for d in loaded.inertias(on_failure="default").diagnostics if d.severity == "error"]


PART = '<sdf version="1.12"><model name="m"><link name="l"/><include><uri>part.urdf</uri></include></model></sdf>'


@pytest.mark.parametrize("part, names, links", [
    (robot(link("base", 1)), [], ["base"]), ("<robot", ["xml-malformed"], []), (robot(), ["robot-without-links"], []),
    (robot(link("base", 1), link("arm", 1), TURN.replace("continuous", "revolute")), ["joint-limit-missing"], []),
    (robot(link("base"), link("arm", 1), TURN), ["robot-without-mass"], [])])
def test_an_included_urdf(part, names, links, tmp_path):
    (tmp_path / "part.urdf").write_text(part)
    (tmp_path / "m.sdf").write_text(PART)
    loaded = load_file(tmp_path / "m.sdf")
    assert (loaded.kind, loaded.file, loaded.robot) == ("sdf", str(tmp_path / "m.sdf"), None)
    assert [d.name for d in loaded.diagnostics if d.severity == "error"][:1] == names
    assert {d.file for d in loaded.diagnostics if d.name in names} <= {str(tmp_path / "part.urdf")}
    assert [part.name for nested in loaded.root.model.models for part in nested.links] == links
    assert loaded.resolved == (names in ([], ["robot-without-mass"]))  # what was converted stands where it was included


def test_an_impossible_inertia_of_an_included_urdf_is_reported_once(tmp_path):
    (tmp_path / "part.urdf").write_text(robot(f'<link name="base">{IMPOSSIBLE}</link>'))
    (tmp_path / "m.sdf").write_text(PART)
    loaded = load_file(tmp_path / "m.sdf")
    assert [d.name for d in loaded.diagnostics if d.severity == "error"] == ["inertia-invalid"]
    assert loaded.reported == {(str(tmp_path / "part.urdf"), "base")}


def test_resolved_is_what_has_every_frame():
    text = '<sdf version="1.12"><model name="m"><link name="l"/>{}</model></sdf>'
    assert load_text(text.format('<joint name="j" type="x"><parent>l</parent><child>l</child></joint>')).resolved
    assert not load_text(text.format('<frame name="f" attached_to="x"/>')).resolved
    assert not load_text(text.format("<include><uri>model://nowhere</uri></include>")).resolved


def test_worlds_and_the_root_model_are_scopes():
    world = '<world name="{}"><frame name="f"/></world>'
    loaded = load_text(f'<sdf version="1.12">{world.format("v")}{world.format("w")}</sdf>')
    assert [(scope.kind, scope.name) for scope in loaded.scopes] == [("world", "v"), ("world", "w")]
    assert [graph.name for graph in loaded.graphs] == ["v", "w"]


@pytest.mark.parametrize("massless", ["frame", "keep"])
def test_a_conversion_is_checked_without_reading_it_again(massless):
    text = robot(f'<link name="base">{ROOM}</link>', f'<link name="arm">{IMPOSSIBLE}</link>', WELD, link("far", 1),
                 joint("k", "continuous", "base", "far", xyz="2000 0 0"))
    begun = read_text(text, "r.urdf", LoadOptions(massless=massless))
    for check, names in ((True, ["inertia-invalid-as-written", "distance-suspicious"]),
                         (False, ["inertia-invalid-as-written"])):
        made = convert_to_sdf(begun, check=check)
        assert [d.name for d in made.findings] == names
        assert render(made)[0] == sdf_text_of(load_text(text, "r.urdf", LoadOptions(massless=massless)))


@pytest.mark.parametrize("tag, words", [
    ("mujoco", "this is MJCF"), ("html", "this is a web page"), ("launch", "this is a launch file"),
    ("Robot", "write <robot> in lower case"), ("a", "name a URDF, SDFormat or .xacro file"),
    ("model", "put a single <model> or <world> into <sdf"), ("gazebo", "put a single")])
def test_of_another_format_it_is_said_what_to_name(tag, words):
    (found,) = load_text(f"<{tag}/>").diagnostics
    assert found.name == "not-a-robot-description" and found.hint.startswith(words)
