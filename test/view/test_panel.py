"""The controls of a file: sliders, the list of frames, what is said of a frame, findings."""
from html import unescape
from math import pi
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.api.elements import Frame  # noqa: E402
from sdf_frames.api.pose import Pose  # noqa: E402
from sdf_frames.view import panel as panels  # noqa: E402
from sdf_frames.view.page import Page  # noqa: E402

JOINT = ('<link name="{0}"/><joint name="{1}" type="{2}"><parent>base</parent><child>{0}</child>{3}</joint>')
AXIS = "<axis><xyz>0 1 0</xyz>{}</axis>"


def limit(lower, upper):
    return AXIS.format(f"<limit><lower>{lower}</lower><upper>{upper}</upper></limit>")


ROBOT = ('<sdf version="1.11"><model name="arm"><link name="base"/>' + "".join(
    JOINT.format(f"link_{name}", name, kind, axes) for name, kind, axes in (
        ("limited", "revolute", limit(-1, 2)), ("free", "continuous", AXIS.format("")),
        ("rail", "prismatic", AXIS.format("")), ("above", "revolute", limit(.5, 2)),
        ("below", "revolute", limit(-2, -.5)),
        ("half", "revolute", limit(-1, "inf")), ("closed", "revolute", limit(0, 0)), ("ball", "ball", ""),
        ("cardan", "universal", AXIS.format("") + "<axis2><xyz>1 0 0</xyz></axis2>"), ("held", "fixed", ""),
        ("gear", "revolute", '<axis><xyz>0 1 0</xyz><mimic joint="limited"><multiplier>2</multiplier><offset>0</offset>'
                             "</mimic></axis>")))
    + '<frame name="one" attached_to="link_limited"><pose>1 0 0 0 0 0</pose></frame>'
      '<frame name="broken" attached_to="no"/></model></sdf>')


@pytest.fixture
def page():
    page = Page(port=0)
    yield page
    page.close()


def look(page, text=ROBOT, **given):
    """The controls of a text that is put on the page."""
    page.add(lambda: sf.loads(text), **given)
    return page.shown[-1].panel


@pytest.fixture
def panel(page):
    return look(page)


def read(paragraph):
    """Markdown with character references as letters."""
    return unescape(getattr(paragraph, "content", ""))


def list_controls(panel, kind):
    return [handle for handle in panel.server.gui._gui_input_handle_from_uuid.values() if kind in type(handle).__name__]


def find(panel, kind, label):
    return next(handle for handle in list_controls(panel, kind) if cut(handle.label) == label)


def cut(label):
    """The label of a slider without the degrees behind it."""
    return label.partition(" (")[0]


def test_each_joint_that_moves_by_itself_has_its_sliders(panel):
    """Ball joints have no slider; fixed ones and those that mimic another need none."""
    rows = {cut(s.label): (s.min, s.max, s.value, s.hint) for s in list_controls(panel, "Slider")}
    free = (pytest.approx(-pi, abs=1e-4), pytest.approx(pi, abs=1e-4), 0, "radians")
    assert rows == {
        "limited": (-1, 2, 0, "radians"), "free": free, "rail": (-1, 1, 0, "metres"), "above": (.5, 2, .5, "radians"),
        "below": (-2, -.5, -.5, "radians"), "half": (-1, pytest.approx(pi, abs=1e-4), 0, "radians"),
        "closed": (-.001, .001, 0, "radians"), "cardan [0]": free, "cardan [1]": free}
    assert find(panel, "Slider", "limited").step == pytest.approx(.003)


def test_sliders_of_two_axes_move_one_joint(panel):
    find(panel, "Slider", "cardan [1]").value = .5
    assert panel.positions == {"cardan": (0, .5)}
    find(panel, "Slider", "cardan [0]").value = .25
    find(panel, "Slider", "rail").value = .75
    assert panel.positions == {"cardan": (.25, .5), "rail": .75}
    (nodes,) = panel.scenes
    place = [drawn.frame.name for drawn in nodes.scene.frames].index("link_rail")
    np.testing.assert_allclose(nodes.layers["frames"][0].node.batched_positions[place], (0, .75, 0), atol=1e-6)


def test_the_label_has_a_position_that_the_slider_cannot_show(page):
    """The first joint has no position: it is drawn at zero, below its limits. The last one can be shown."""
    panel = look(page, positions={"below": -3, "rail": 2.5, "limited": 1})
    said = {slider.label: slider.value for slider in list_controls(panel, "Slider")}
    assert {label: value for label, value in said.items() if value} == {
        "above (0°, beyond the slider)": .5, "below (−172°, beyond the slider)": -2,
        "rail (2.5 m, beyond the slider)": 1, "limited (57°)": 1}
    assert panel.positions == {"below": -3, "rail": 2.5, "limited": 1}
    panel.select("link_above")
    assert "| roll\xa0pitch\xa0yaw | 0 0 0° |" in read(panel.details)
    find(panel, "Slider", "above").value = 1
    assert "| roll\xa0pitch\xa0yaw | 0 57.3 0° |" in read(panel.details)
    assert "above (57°)" in [slider.label for slider in list_controls(panel, "Slider")]


def test_zero_puts_every_slider_back(panel):
    for label in ("limited", "above"):
        find(panel, "Slider", label).value = 1
    panel.select("one")
    assert "| position | 0.5403 0 -0.8415 m |" in read(panel.details)  # 1 m away, turned by 1 rad about y
    find(panel, "Button", "zero")._impl.update_cb[0](SimpleNamespace(client=None))
    assert "| position | 1 0 0 m |" in read(panel.details)  # what is shown moves, too
    assert [find(panel, "Slider", label).value for label in ("limited", "above")] == [0, .5]
    assert set(panel.positions) == {"limited", "free", "rail", "above", "below", "half", "closed", "cardan"}
    assert [panel.positions[name] for name in ("limited", "above", "below", "cardan")] == [0, .5, -.5, (0, 0)]


def test_a_robot_that_does_not_move_has_no_zero(page):
    still = look(page, '<sdf version="1.11"><model name="m"><link name="l"/></model></sdf>')
    assert [b.label for b in list_controls(still, "Button") if "zero" in b.label] == []


def test_a_frame_is_described_where_the_joints_are(panel):
    panel.select("one")
    find(panel, "Slider", "limited").value = pi / 2
    said = read(panel.details)
    # About y by a quarter turn: from x to -z.
    assert "| position | 0 0 -1 m |" in said and "| distance | 1 m |" in said
    panel.base.value = "link_rail"  # 0.75 m along y
    find(panel, "Slider", "rail").value = .75
    assert "| distance | 1.25 m |" in read(panel.details)
    panel.base.value = "(world or model)"
    assert "| roll\xa0pitch\xa0yaw | 0 90 0° |" in said
    assert "| relative\xa0to | default |" in said
    panel.select("base")
    assert "| attached\xa0to | default |" in read(panel.details) and "| body | base |" in read(panel.details)


LINK = """<sdf version="1.11"><model name="m"><link name="base"><inertial><pose>.1 0 .2 0 0 0</pose><mass>2.5</mass>
    <inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name="arm"><pose>0 0 2 0 0 0</pose><visual name="v"><pose>1 0 0 0 0 0</pose><geometry><box><size>.2 .4 .6</size>
    </box></geometry></visual></link><link name="bar"><pose>0 0 2 0 0 0</pose></link>
  <joint name="turn" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz><limit>
    <lower>-1.5707963267948966</lower><upper>.7853981633974483</upper></limit></axis></joint>
  <joint name="slide" type="prismatic"><parent>base</parent><child>bar</child><axis><xyz>0 0 1</xyz><limit>
    <lower>-.25</lower><upper>.5</upper></limit></axis></joint></model></sdf>"""


def test_a_link_is_described_with_its_mass_and_the_joint_that_moves_it(page):
    panel = look(page, LINK)
    for name, rows in (("base", ("| mass | 2.5 kg (declared) |", "| centre\xa0of\xa0mass | 0.1 0 0.2 m |")),
                       ("arm", ("| joint | turn, revolute, on base |", "| axis | 0 1 0 |", "| limits | -90° to 45° |")),
                       ("bar", ("| joint | slide, prismatic, on base |", "| limits | -0.25 m to 0.5 m |"))):
        panel.select(name)
        assert [row for row in rows if row not in read(panel.details)] == []
    endless = look(page, LINK.replace("-1.5707963267948966", "-inf").replace(".7853981633974483", "inf"))
    endless.select("arm")
    assert "| axis | 0 1 0 |" in read(endless.details) and "| limits |" not in read(endless.details)
    panel.select("turn")  # the joint's frame is no link
    assert "| mass |" not in read(panel.details) and "| limits |" not in read(panel.details)


def list_marks(panel, kind):
    return [part.node for nodes in panel.scenes for part in nodes.layers.get("mark", ()) if part.kind == kind]


def find_marks(panel):
    return [node.points.reshape(-1, 3) for node in list_marks(panel, "points")]


def test_what_is_chosen_or_found_has_its_name_in_the_scene(page, monkeypatch):
    panel = look(page)

    def list_names():
        return [node.text for node in list_marks(panel, "label")]
    panel.select("one")
    assert list_names() == ["one"]
    np.testing.assert_allclose(list_marks(panel, "label")[0].position, (1, 0, 0))
    panel.search.value = "link_b"
    assert list_names() == ["link_below", "link_ball"]
    panel.search.value = "no such"
    assert list_names() == [] == find_marks(panel)
    monkeypatch.setattr(panels, "_MOST_NAMED", 3)
    panel.search.value = "link"
    assert list_names() == ["link_limited", "link_free", "link_rail"]


def test_a_frame_is_held_still_while_joints_move(page):
    """It stays where it is when the box is ticked; every other frame is where it is from there."""
    page.add(lambda: sf.loads(LINK))
    robot = page.add(lambda: sf.loads(LINK))
    panel, (nodes,) = page.shown[1].panel, page.shown[1].scenes
    panel.move({"turn": .4})
    home = Pose(nodes.root.position) @ robot.pose("arm", positions={"turn": .4})

    def find_place(frame):
        place = [drawn.frame.name for drawn in nodes.scene.frames].index(frame)
        axes = nodes.layers["frames"][0].node
        X = Pose(axes.batched_positions[place], axes.batched_wxyzs[place])
        return Pose(nodes.root.position, nodes.root.wxyz) @ X
    panel.base.value = "arm"
    panel.move({"turn": -.3})
    assert not find_place("arm").is_close(home, 1e-2)
    panel.move({"turn": .4})
    panel.holds.value = True
    panel.move({"turn": -.3})
    for frame in ("arm", "base", "slide"):
        assert find_place(frame).is_close(home @ robot.pose(frame, "arm", {"turn": -.3}), 1e-5)
    arm, = (drawn for drawn in nodes.scene.frames if drawn.frame.name == "arm")
    np.testing.assert_allclose(nodes.find_box(arm).mean(axis=0), (home @ Pose((1, 0, 0))).xyz, atol=1e-6)
    assert page.shown[0].scenes[0].root.wxyz.tolist() == [1, 0, 0, 0]  # of the other robot
    panel.base.value = "(world or model)"
    assert find_place("base").is_close(Pose((0, nodes.root.position[1], 0)), 1e-6)


def test_the_chosen_link_has_a_box_that_moves_with_it(page):
    look(page, LINK)
    panel = look(page, LINK)
    assert find_marks(panel) == []
    panel.select("arm")
    (points,) = find_marks(panel)
    assert points.shape == (24, 3)  # twelve edges
    np.testing.assert_allclose((points.min(axis=0), points.max(axis=0)), [(.9, -.2, 1.7), (1.1, .2, 2.3)], atol=1e-6)
    lengths = np.linalg.norm(points[::2] - points[1::2], axis=1)
    assert sorted(lengths.tolist()) == pytest.approx([.2] * 4 + [.4] * 4 + [.6] * 4)
    panel.move({"turn": -pi / 2})  # from x to z
    (points,) = find_marks(panel)
    np.testing.assert_allclose((points.min(axis=0), points.max(axis=0)), [(-.3, -.2, 2.9), (.3, .2, 3.1)], atol=1e-6)
    panel.select("slide")  # nothing to draw around but the axes
    (points,) = find_marks(panel)
    np.testing.assert_allclose(points.min(axis=0) + points.max(axis=0), (0, 0, 4), atol=1e-6)
    assert find_marks(page.shown[0].panel) == []


def test_who_chooses_a_link_from_the_list_is_brought_near_to_it(page):
    """It looks the same way at the box of 0.2 x 0.4 x 0.6 m, from where a page of 1.5 x 1 shows 1.8 times as much."""
    panel = look(page, LINK)
    camera = SimpleNamespace(position=np.array((5.0, 0, 0)), look_at=np.zeros(3), aspect=1.5)
    person = SimpleNamespace(client=SimpleNamespace(camera=camera))
    panel.select("arm")
    assert camera.position.tolist() == [5, 0, 0]  # a click in the scene moves nobody
    panel._choose(person)
    np.testing.assert_allclose(camera.look_at, (1, 0, 2), atol=1e-6)
    np.testing.assert_allclose(camera.position, (1 + .1 + 1.8 * .3 / np.tan(.35), 0, 2), atol=1e-6)
    camera.position = camera.look_at + (0, 0, 3)  # straight above: x is up
    panel._go(person)
    np.testing.assert_allclose(camera.position, (1, 0, 2 + .3 + 1.8 * .2 / 1.5 / np.tan(.35)), atol=1e-6)


def test_a_link_of_a_urdf_that_is_lumped_is_marked_and_hidden_alone(page):
    ball = '<visual><origin xyz="0 0 1"/><geometry><box size="2 2 2"/></geometry></visual>'
    panel = look(page, robot(link("base", 1, ball), link("mast", 1, ball),
                             joint("j", "fixed", "base", "mast", xyz="5 0 0")))
    panel.select("mast")
    (points,) = find_marks(panel)
    np.testing.assert_allclose((points.min(axis=0), points.max(axis=0)), [(4, -1, 0), (6, 1, 2)], atol=1e-6)
    panel._fade(0.0)
    assert [part.bodies for part in panel.scenes[0].layers["visuals"]] == [("base",)]


def test_the_chosen_link_is_seen_through_hidden_and_shown(page):
    panel = look(page, LINK)
    panel.select("arm")
    for choice, opacities in (("hide", []), ("see through", [.3]), ("show", [None])):
        (callback,) = find(panel, "ButtonGroup", "body")._impl.update_cb
        callback(SimpleNamespace(client=None, target=SimpleNamespace(value=choice)))
        assert [part.node.opacity for part in panel.scenes[0].layers["visuals"]] == opacities


def test_a_frame_that_is_not_there_changes_nothing(panel):
    panel.select("one")
    before = read(panel.details)
    panel.select("no such")
    assert (panel.chosen.value, read(panel.details)) == ("one", before)


@pytest.mark.parametrize("base", ["b::l", "", "no such"])
def test_no_frame_has_a_pose_in_what_is_not_in_its_world(page, base):
    """Another world of the file, or what only a message of no browser can bring."""
    worlds = "".join(f'<world name="{name}"><model name="{name}"><link name="l"/></model></world>' for name in "ab")
    panel = look(page, f'<sdf version="1.9">{worlds}</sdf>')
    panel.select("a::l")
    panel.base.value = base
    assert read(panel.details) == f"a::l has no pose in {base}"
    panel.base.value = panels._NOWHERE
    assert "| position | 0 0 0 m |" in read(panel.details)


@pytest.mark.parametrize(("value", "expected"), [(float("nan"), -1), (float("-inf"), -1), (float("inf"), 2), (3e3, 2)])
def test_a_slider_moves_its_joint_no_further_than_it_goes_itself(panel, value, expected):
    """A browser sends no such value, but a message can bring any."""
    slider = find(panel, "Slider", "limited")
    slider.value = value
    assert panel.positions == {"limited": expected} and slider.value == expected


def list_links(*names):
    """How the list shows links on the base."""
    return tuple([f"\N{THREE-PER-EM SPACE}link_{name}" for name in names])


def test_links_are_listed_as_a_tree(page):
    """In the order of the file; a name that looks like one below another has a place of its own."""
    joint = '<joint name="{1}_" type="fixed"><parent>{0}</parent><child>{1}</child></joint>'
    names = ("a", "d", "c", "b", "\N{THREE-PER-EM SPACE}b")
    panel = look(page, '<sdf version="1.11"><model name="m">' + "".join(f'<link name="{name}"/>' for name in names)
                 + "".join(joint.format(*pair) for pair in ("ab", "bd", "ac")) + "</model></sdf>")
    assert [shown.replace("\N{THREE-PER-EM SPACE}", "-") for shown in panel.listed][:5] == [
        "a", "-c", "-b", "--d", "-b-"]
    for name in names:
        panel.select(name)
        assert "**{}**".format(name.replace("\N{THREE-PER-EM SPACE}", r"\u2004")) in read(panel.details)


def test_only_so_many_frames_are_listed_but_each_can_be_found(panel, page, monkeypatch):
    monkeypatch.setattr(panels, "_MOST_LISTED", 3)
    small = look(page)
    assert small.chosen.options == ("base", *list_links("limited", "free"))  # links come first
    assert small.base.options == ("(world or model)", "base", "link_limited", "link_free")
    small.select("one")
    assert small.chosen.options == ("one", "base", *list_links("limited", "free")) and small.chosen.value == "one"
    small.search.value = "LINK_"
    assert small.chosen.options == list_links("limited", "free", "rail")
    small.search.value = "ard"
    assert small.chosen.options == (*list_links("cardan"), "cardan")


BAD = ('<sdf version="1.11"><model name="m">\n<link name="a"><colour/></link>\n<link name="b"><colour/></link>\n'
       '<frame name="f_1" attached_to="no"/></model></sdf>')


def list_texts(panel):
    children = panel.folder._children.values()
    return [child for folder in children for child in getattr(folder, "_children", {}).values()]


def test_findings_of_a_frame_stand_with_it_and_lead_to_it(page):
    page.add(lambda: sf.loads(BAD, file="bad.sdf"))
    panel = page.shown[0].panel
    panel.select("a")
    (finding,) = [line for line in read(panel.details).splitlines() if line.startswith("S003")]
    assert finding.startswith("S003 warning, line 2: ") and "<colour>" in finding
    assert panel.about.options == ("(choose a frame)", "a", "b")
    panel.about.value = "b"
    assert panel.chosen.value == "b" and "line 3" in read(panel.details)


def test_only_so_many_findings_are_listed(page, monkeypatch):
    for most, frames in ((1, ("a",)), (3, ("a", "b"))):
        monkeypatch.setattr(panels, "_MOST_LISTED", most)
        panel = look(page, BAD)
        assert panel.about.options[1:] == frames
        panel.select("__model__")  # nothing is said of it
        (text,) = [read(t) for t in list_texts(panel) if "S003" in read(t)]
        assert text.count("S003") == min(most, 2)
        assert text.endswith("… and 2 more: see `sdf_frames check --assets`.") == (most == 1)
        panel.remove()


@pytest.mark.parametrize(("text", "said"), [
    (BAD, "m: **not valid**, 1 error and 2 warnings"),
    (BAD.replace('<frame name="f_1" attached_to="no"/>', ""), "m: valid, 0 errors and 2 warnings"),
    ("<sdf", "nothing: **not valid**, 1 error and 0 warnings")])
def test_the_summary_counts(page, text, said):
    assert read(look(page, text).summary) == said


def test_the_findings_are_those_of_check_with_assets(page, tmp_path, capsys):
    import json

    from sdf_frames.cli import main
    path = tmp_path / "bad.sdf"
    mesh = '<visual name="v"><geometry><mesh><uri>no.stl</uri></mesh></geometry></visual>'
    path.write_text(BAD.replace("</link>", mesh + "</link>", 1))
    page.add(lambda: sf.load(path))
    main(["check", "--assets", "--json", str(path)])
    expected = [(d["code"], d["line"]) for d in json.loads(capsys.readouterr().out)["diagnostics"]]
    panel = page.shown[0].panel
    assert sorted((d.code, d.line) for d in panel.findings) == sorted(expected)
    assert "2 errors" in read(panel.summary)


def test_a_mesh_in_millimetres_is_a_finding(page, tmp_path):
    """The mesh hides all others, so the reason stands on the page."""
    shape = "<collision><geometry>{}</geometry></collision>"
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    (tmp_path / "big.obj").write_text("v 0 0 0\nv 400 0 0\nv 0 400 0\nv 0 0 400\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    box, mesh = shape.format('<box size="1 1 1"/>'), shape.format('<mesh filename="big.obj"/>')
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a">{mass}{box}</link>'
        f'<link name="b">{mass}{mesh}</link>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
    page.add(lambda: sf.load(tmp_path / "r.urdf"))
    assert [d.code for d in page.shown[0].panel.findings] == ["G026"]


def test_the_folder_is_called_like_the_file(page):
    """Bytes of its name that are no UTF-8 would end the connection of everybody."""
    for file, name in (("/a/b/arm.sdf", "arm.sdf"), (None, "m"), ("/a/\udcff.sdf", "\\udcff.sdf")):
        page.add(lambda file=file: sf.loads(BAD, file=file))
        assert page.shown[-1].panel.folder.label == name


def test_the_whole_of_what_is_said_of_a_frame(page):
    text = ('<sdf version="1.11"><model name="m">\n<link name="a"><colour/></link>\n<frame name="f_1" attached_to="a">'
            '<pose relative_to="a">1 2.00005 -3 0.1 0 0</pose></frame>\n<frame name="a_b"/></model></sdf>')
    panel = look(page, text)
    panel.select("f_1")
    panel.base.value = "a"
    said = read(panel.details).split("\n")
    assert said == ["**f_1**", "", "| | |", "| --- | --- |", "| kind | frame |", "| body | a |",
                    "| position | 1 2 -3 m |", "| distance | 3.742 m |", "| roll\xa0pitch\xa0yaw | 5.73 0 0° |",
                    "| attached\xa0to | a |", "| relative\xa0to | a |", "| defined\xa0in | text:3 |"]
    panel.select("a")
    *_, blank, finding = read(panel.details).split("\n")
    assert blank == "" and finding.startswith("S003 warning, line 2: ") and finding.endswith("*")


def test_sliders_follow_joint_states_until_one_is_touched(panel):
    panel.move({"limited": pi / 2, "rail": .5, "cardan": (pi / 6, -pi), "below": 7})
    said = {slider.label: slider.value for slider in list_controls(panel, "Slider")}
    # One joint has no position yet: it is drawn at zero, below its limit of 0.5 rad. Another is beyond its limit.
    assert {label: value for label, value in said.items() if value} == {
        "limited (90°)": pi / 2, "rail": .5, "above (0°, beyond the slider)": .5,
        "below (401°, beyond the slider)": -.5, "cardan [0] (30°)": pi / 6,
        "cardan [1] (−180°)": pytest.approx(-pi, abs=1e-4)}
    assert panel.positions["below"] == 7 and panel.positions["cardan"] == (pi / 6, -pi)
    (follow,) = [box for box in list_controls(panel, "Checkbox") if box.label == "follow joint_states"]
    find(panel, "Slider", "limited").value = -1
    panel.move({"limited": 2, "rail": 0})
    assert not follow.value and (panel.positions["limited"], panel.positions["rail"]) == (-1, .5)
    assert find(panel, "Slider", "limited").label == "limited (−57°)"
    follow.value = True
    panel.move({"limited": 2, "rail": 0})
    assert find(panel, "Slider", "limited").value == 2
    find(panel, "Button", "zero")._impl.update_cb[0](SimpleNamespace(client=None))
    assert not follow.value


def test_joints_wait_while_a_person_changes_what_is_drawn(panel):
    """Else they would move what is no longer there."""
    waited, (nodes,) = [], panel.scenes
    mover = Thread(target=panel.move, args=({"limited": 1.0},))

    def mark(drawn, named):
        mover.start()
        mover.join(.2)
        waited.append(mover.is_alive())
    nodes.mark = mark
    panel.select("base")
    mover.join()
    assert waited == [True] and panel.positions == {"limited": 1.0}


def test_a_random_pose_is_within_the_limits(panel):
    press = find(panel, "Button", "random pose")._impl.update_cb[0]
    seen = []
    for _ in range(2):
        press(SimpleNamespace(client=None))
        sliders = list_controls(panel, "Slider")
        assert all(slider.min <= slider.value <= slider.max for slider in sliders)
        seen.append([slider.value for slider in sliders])
        assert panel.positions["cardan"] == (find(panel, "Slider", "cardan [0]").value,
                                             find(panel, "Slider", "cardan [1]").value)
    assert all(a != b for a, b in zip(*seen)) and len(seen[0]) == 9


def test_many_joints_are_searched_for(page):
    def build(count, **given):
        links = "".join(JOINT.format(f"l{i}", f"j{i}", "revolute", AXIS.format("")) for i in range(count))
        return look(page, f'<sdf version="1.11"><model name="m"><link name="base"/>{links}</model></sdf>', **given)

    def read_more(panel):
        return [read(child) for child in panel.sliders.folder._children.values() if hasattr(child, "content")]
    few = build(50)
    assert not few.sliders.search.visible and read_more(few) == []
    panel = build(120, positions={"j7": 0.5})
    assert panel.sliders.search.visible and panel.sliders.search.hint == "part of a name"
    assert read_more(panel) == ["… and 70 more: search"]
    assert [slider.value for slider, *_ in panel.sliders.listed] == [0.5 * (i == 7) for i in range(50)]
    panel.sliders.search.value = "J11"
    assert [cut(slider.label) for slider, *_ in panel.sliders.listed] == ["j11", *[f"j11{i}" for i in range(10)]]
    panel.sliders.listed[-1][0].value = 1
    assert panel.positions == {"j7": 0.5, "j119": 1} and read_more(panel) == []


@pytest.mark.parametrize(("path", "line", "about"), [
    ('/sdf/model[@name="m"]/link[@name="a"]', 9, True), ('/sdf/model[@name="m"]/link[@name="a"]/pose', 9, False),
    ('/sdf/model[@name="m"]/link[@name="ab"]', 9, False), (None, 2, True), (None, 3, False), (None, None, False)])
def test_findings_are_about_a_frame_by_their_line_or_path(path, line, about):
    from sdf_frames.diagnostics import Location, diagnose
    found = diagnose("frame-unknown", Location("m.sdf", line, path), kind="frame", frame="x", nearest="")
    for file, at, is_there in (("m.sdf", 2, about), ("m.sdf", None, about and path is not None),
                               ("included.sdf", 2, about and path is not None)):
        assert panels._is_about(found, Frame("a", "link", "a", None, file=file, line=at)) is is_there


def test_a_text_without_a_name_is_called_text(page):
    assert look(page, "<sdf").folder.label == "text"
    assert read(look(page, "<sdf").details) == "unknown frame"
    assert page.shown[-1].panel.chosen.options == ("",)


def test_a_joint_of_two_axes_that_declares_one_does_not_move(page):
    panel = look(page, '<sdf version="1.11"><model name="m"><link name="base"/>'
                 + JOINT.format("l", "cardan", "universal", limit(-1, 2)) + "</model></sdf>")
    assert list_controls(panel, "Slider") == []
