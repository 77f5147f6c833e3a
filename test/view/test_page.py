"""The live page: what its nodes and controls do, without a browser."""
import json
import os
import re
from contextlib import suppress
from functools import partial
from html import unescape
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from urllib.request import urlopen

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

import msgspec  # noqa: E402
import viser  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.page import Page, write_html  # noqa: E402

ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="v"><geometry><box><size>.4 .4 .4</size></box></geometry></visual></link>
  <link name="tip"><pose>0 0 1 0 0 0</pose><collision name="c"><geometry><sphere/></geometry></collision></link>
  <link name="follower"><pose>0 0 2 0 0 0</pose></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>tip</child><pose>0 0 -1 0 0 0</pose>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint>
  <joint name="gear" type="revolute"><parent>base</parent><child>follower</child>
    <axis><xyz>0 1 0</xyz><mimic joint="hinge"><multiplier>-1</multiplier><offset>0</offset></mimic></axis></joint>
  <frame name="sensor" attached_to="tip"><pose>.5 0 0 0 0 0</pose></frame>
  <frame name="broken" attached_to="nothing"/>
</model></sdf>"""


@pytest.fixture
def page():
    page = Page(port=0)
    yield page
    page.close()


@pytest.fixture
def watched(page, tmp_path):
    """A file that is on the page."""
    path = tmp_path / "arm.sdf"
    path.write_text(ARM)
    page.add(lambda: sf.load(path), str(path))
    return path


def find(page, kind, label):
    """The control of the first file with a label."""
    return next(handle for handle in page.server.gui._gui_input_handle_from_uuid.values()
                if getattr(handle, "label", "").partition(" (")[0] == label and kind in type(handle).__name__)


def find_place(page, frame, shown=0):
    """Position and quaternion of a frame as the page has them."""
    (nodes,) = page.shown[shown].scenes
    place = [drawn.frame.name for drawn in nodes.scene.frames].index(frame)
    axes = nodes.layers["frames"][0].node
    return axes.batched_positions[place], axes.batched_wxyzs[place]


def test_a_description_shows_itself_until_ctrl_c(monkeypatch, capsys):
    """The address of the page is printed; the page is closed when it ends."""
    seen = []

    def run(page, watch=False):
        seen.append(page)
        raise KeyboardInterrupt

    monkeypatch.setattr("sdf_frames.view.page.Page.run", run)
    sf.loads(ARM).show()
    (page,) = seen
    assert capsys.readouterr().out.startswith(page.url) and len(page.scenes) == 1


def test_slider_moves_the_links(page):
    robot = page.add(lambda: sf.loads(ARM))
    slider = find(page, "Slider", "hinge")
    assert (slider.min, slider.max) == (-1, 2)
    slider.value = .7
    for name in ("base", "tip", "follower", "sensor"):
        X, (position, wxyz) = robot.pose(name, positions={"hinge": .7}), find_place(page, name)
        np.testing.assert_allclose(position, X.xyz, atol=1e-6)
        np.testing.assert_allclose(np.abs(wxyz @ X.quat_wxyz), 1, rtol=1e-6)
    np.testing.assert_allclose(find_place(page, "tip")[0], (np.sin(.7), 0, np.cos(.7)), atol=1e-6)


def test_a_mimic_joint_starts_at_its_offset(page):
    """A quarter turn about y. A position of zero for its leader changes nothing."""
    robot = page.add(lambda: sf.loads(ARM.replace("<offset>0</offset>", f"<offset>{np.pi / 2}</offset>")))
    turned = (np.sqrt(.5), 0, np.sqrt(.5), 0)
    for move in (lambda: None, lambda: page.move({"hinge": 0.0})):
        move()
        np.testing.assert_allclose(find_place(page, "follower")[1], turned, atol=1e-6)
        page.shown[0].panel.select("follower")
        assert "0 90 0°" in unescape(page.shown[0].panel.details.content)
    html = write_html(build_scenes(robot))
    start = json.loads(re.search(r"const scenes = (\{.*\}), box", html)[1])["scenes"][0]
    (axes,) = [part for part in start["parts"] if part["name"].startswith("/0/frames/")]
    assert [0, 0, 2, 1, 0, 0, 0] in axes["X"]  # where its script has all joints at zero, also followers


def test_layers_switch(page):
    page.add(lambda: sf.loads(ARM))
    scene = page.shown[0].scenes[0]
    assert scene.layers["collisions"] == []
    find(page, "Checkbox", "collisions").value = True
    assert len(scene.layers["collisions"]) == 1
    assert [layer for layer, top in scene.tops.items() if top.visible] == ["visuals", "collisions", "frames"]


def test_file_is_read_again_when_it_changes(page, watched):
    find(page, "Slider", "hinge").value = .5
    find(page, "Checkbox", "names").value = True
    assert not page.refresh()
    watched.write_text(ARM.replace('"sensor"', '"camera"'))
    os.utime(watched, (1, 1))
    assert page.refresh()
    shown = page.shown[0]
    assert "camera" in shown.panel.frames and "sensor" not in shown.panel.frames
    assert shown.panel.positions == {"hinge": .5}
    np.testing.assert_allclose(find_place(page, "tip")[0][0], np.sin(.5), rtol=1e-6)
    assert shown.scenes[0].visible["names"]


MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BASE = (f'<link name="base">{MASS}</link><joint name="j" type="continuous"><parent link="base"/><child link="a"/>'
        '</joint>')


@pytest.mark.parametrize("mass, base", [("", ""), (MASS, ""), ("", BASE)],
                         ids=["not convertible", "valid", "not in the SDF"])
def test_meshes_and_included_files_of_a_watched_file_are_watched(page, tmp_path, monkeypatch, mass, base):
    pytest.importorskip("xacro")
    import trimesh
    monkeypatch.chdir(tmp_path)
    xacro = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    part = (f'<robot {xacro}><link name="a">{mass}<visual><geometry><mesh filename="m.stl"/></geometry></visual></link>'
            f'{base}</robot>')
    Path("part.xacro").write_text(part)
    Path("r.urdf.xacro").write_text(f'<robot name="r" {xacro}><xacro:include filename="part.xacro"/></robot>')
    for time, side in enumerate((2.0, 3.0), start=1):
        trimesh.creation.box([side] * 3).export("m.stl")
        os.utime("m.stl", (time, time))
        if page.shown:
            assert page.refresh()
        else:
            page.add(lambda: sf.load("r.urdf.xacro"), "r.urdf.xacro")
        assert page.scenes[0].extent == pytest.approx(side) and not page.refresh()
    os.rename("m.stl", "other")
    assert page.refresh() and page.scenes[0].shapes[0].problem == "m.stl is not found"
    os.rename("other", "m.stl")
    assert page.refresh() and page.scenes[0].shapes[0].problem is None
    Path("part.xacro").write_text(part.replace('"a"', '"another"'))
    assert page.refresh() and "another" in page.shown[0].panel.frames


def test_a_watched_file_that_goes_or_fails_does_not_end_the_page(page, watched, monkeypatch, capsys):
    watched.unlink()
    assert page.refresh()
    assert unescape(page.shown[0].panel.summary.content).startswith("**The file cannot be read.")
    told = []
    monkeypatch.setattr(page.server, "get_clients", lambda: {0: SimpleNamespace(
        add_notification=lambda title, body, **look: told.append(title))})
    with monkeypatch.context() as broken:
        broken.setattr("sdf_frames.view.page.build_scenes", lambda *_, **how: 1 / 0)
        watched.write_text(ARM)
        assert page.refresh()
    assert told == ["This did not work"] and "ZeroDivisionError" in capsys.readouterr().err
    os.utime(watched, (1, 1))
    assert page.refresh() and unescape(page.shown[0].panel.summary.content).startswith("arm: ")


@pytest.mark.parametrize("broken", ["sdf_frames.view.page.Panel", "sdf_frames.view.panel.Panel._add_findings",
                                    "sdf_frames.view.nodes.SceneNodes._add_frames"])
def test_nothing_stays_of_what_can_only_be_drawn_in_part(page, monkeypatch, broken):
    def list_nodes():
        return sorted(page.server.scene._handle_from_node_name), [*page.server.gui._container_handle_from_uuid]
    before = list_nodes()
    monkeypatch.setattr(broken, lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        page.add(lambda: sf.loads(ARM))
    assert list_nodes() == before and page.shown == []


def test_half_written_file_keeps_what_was_there(page, watched):
    watched.write_text(ARM[:200])
    os.utime(watched, (1, 1))
    page.refresh()
    panel = page.shown[0].panel
    assert "sensor" in panel.frames
    said = unescape(panel.summary.content)
    assert said.startswith("**The file cannot be read.") and "X002" in said
    watched.write_text(ARM)
    os.utime(watched, (2, 2))
    page.refresh()
    assert unescape(page.shown[0].panel.summary.content).startswith("arm: ")


@pytest.mark.parametrize("later", ['<world name="empty"/>', '<world name="empty"/><world name="w">{}</world>'])
def test_a_world_without_links_is_read_again(page, tmp_path, later):
    """It has no errors. The first world says nothing of the others."""
    path = tmp_path / "w.sdf"
    for text in ("<world name='w'>{}</world>", later):
        path.write_text('<sdf version="1.9">' + text.format(BOX[19:-6].format(1)) + "</sdf>")
        if not page.shown:
            page.add(lambda: sf.load(path), str(path))
    os.utime(path, (1, 1))
    assert page.refresh()
    said = unescape(page.shown[0].panel.summary.content)
    assert "valid, 0 errors" in said and [scene.source.name for scene in page.scenes][0] == "empty"


BOX = """<sdf version="1.9"><model name="box"><link name="l"><visual name="v">
  <geometry><box><size>{0} {0} {0}</size></box></geometry></visual></link></model></sdf>"""


#: Of the way to the edges: a sixth stays free around what fills a page.
FULL = pytest.approx(1 / 1.2, rel=1e-2)


def list_corners(low, high):
    return np.array(np.meshgrid(*zip(low, high))).reshape(3, -1).T


def find_reach(camera, points, aspect=1.0):
    """How far points (N, 3) reach from the middle of a page to its edges, at most, by a pinhole camera of 0.7 rad."""
    ahead = (camera.look_at - camera.position) / np.linalg.norm(camera.look_at - camera.position)
    right = np.cross(ahead, (0, 0, 1)) / np.linalg.norm(np.cross(ahead, (0, 0, 1)))
    x, y, z = np.array([right, np.cross(right, ahead), ahead]) @ (points - camera.position).T
    assert (z > 0).all()
    return max(np.abs(x / z).max() / aspect, np.abs(y / z).max()) / np.tan(.35)


def test_files_stand_side_by_side(page):
    """Cubes of 2, 1 and 3 metres, half a cube before each: they span -1 to 1, 1.5 to 2.5 and 4 to 7."""
    for size in (2, 1, 3):
        page.add(lambda size=size: sf.loads(BOX.format(size)))
    offsets = [shown.scenes[0].root.position[1] for shown in page.shown]
    assert offsets == pytest.approx([0, 2, 5.5])
    # The first file says where the camera stands and how wide the grid is.
    assert find_reach(page.server.initial_camera, list_corners((-1, -1, -1), (1, 1, 1))) == FULL
    assert page.server.initial_camera.fov == .7
    assert len({shown.scenes[0].root.name for shown in page.shown}) == 3


def put_in_worlds(*models):
    """Write an SDFormat file with a world for each model."""
    worlds = [f'<world name="w{i}">{model[19:-6]}</world>' for i, model in enumerate(models)]
    return f'<sdf version="1.9">{"".join(worlds)}</sdf>'


def test_worlds_of_a_file_stand_side_by_side(page):
    """Cubes of 2 and 1 metres, half a cube before the second: they span -1 to 1, and 1.5 to 2.5."""
    page.add(lambda: sf.loads(put_in_worlds(BOX.format(2), BOX.format(1))))
    assert [nodes.root.position[1] for nodes in page.shown[0].scenes] == [0, 2]


def test_a_file_that_cannot_be_read_is_shown_when_it_can(page, tmp_path, monkeypatch):

    from sdf_frames.view.nodes import SceneNodes
    removed, remove = [], SceneNodes.remove
    monkeypatch.setattr(SceneNodes, "remove", lambda nodes: (removed.append(nodes), remove(nodes)))
    path = tmp_path / "box.sdf"
    page.add(lambda: sf.loads(path.read_text() if path.exists() else "<"), str(path))
    page.add(lambda: sf.loads(ARM))  # of no file
    shown = page.shown[0]
    assert shown.scenes == [] and not page.refresh()
    path.write_text(BOX.format(1))
    os.utime(path, (1, 1))
    assert page.refresh() and list(shown.panel.frames) == ["l", "__model__"]
    old = shown.scenes[0]
    path.write_text(BOX.format(2))
    os.utime(path, (2, 2))
    assert page.refresh() and not page.refresh()
    (new,) = shown.scenes
    assert new.scene.extent == pytest.approx(2) and new is not old
    assert tuple(new.root.position) == tuple(old.root.position) == (0, 2, 0)  # beside the arm, which ends at 1
    assert removed == [old]


@pytest.mark.parametrize(("watch", "seconds", "looks"), [(True, .5, 2), (False, 3600, 0)])
def test_files_are_looked_at_twice_a_second_if_asked(page, monkeypatch, watch, seconds, looks):
    slept, looked = [], []

    def sleep(wanted):
        slept.append(wanted)
        if len(slept) == 3:
            raise KeyboardInterrupt
    monkeypatch.setattr("sdf_frames.view.page.time.sleep", sleep)
    monkeypatch.setattr(page, "refresh", lambda: looked.append(1))
    with pytest.raises(KeyboardInterrupt):
        page.run(watch)
    assert slept == [seconds] * 3 and len(looked) == looks


def test_a_file_that_becomes_a_robot_later_stands_beside_the_others(page, tmp_path):
    path = tmp_path / "box.sdf"
    path.write_text("<")
    page.add(lambda: sf.load(path), str(path))
    page.add(lambda: sf.loads(BOX.format(1)))
    assert find_reach(page.server.initial_camera, list_corners((-.5,) * 3, (.5,) * 3)) == FULL
    path.write_text(BOX.format(2))
    assert page.refresh()
    assert [shown.scenes[0].root.position[1] for shown in page.shown] == pytest.approx([2.5, 0])


def test_a_mesh_that_is_missing_at_first_is_noticed(page, tmp_path):
    import trimesh
    path = tmp_path / "r.urdf"
    path.write_text('<robot name="r"><link name="a"><visual><geometry><mesh filename="m.stl"/></geometry></visual>'
                    '</link></robot>')
    page.add(lambda: sf.load(path), str(path))
    assert page.scenes[0].shapes[0].problem == "m.stl is not found" and not page.refresh()
    trimesh.creation.box([1] * 3).export(tmp_path / "m.stl")
    assert page.refresh() and page.scenes[0].shapes[0].problem is None and not page.refresh()


def test_the_panel_of_a_file_that_is_read_again_keeps_its_place(page, watched):
    page.add(lambda: sf.loads(BOX.format(1)))
    first, second = [shown.panel.folder.order for shown in page.shown]
    os.utime(watched, (1, 1))
    assert page.refresh() and page.shown[0].panel.folder.order == first < second


def test_a_click_on_a_frame_chooses_it(page):
    page.add(lambda: sf.loads(ARM))
    (nodes,) = page.shown[0].scenes
    nodes.on_click("sensor")
    assert page.shown[0].panel.chosen.value == "sensor"


def test_html_shows_scenes_side_by_side_with_their_layers(monkeypatch):
    """In place of viser's own document: what was put on the page."""
    from sdf_frames.view import page as pages
    drawn = []
    servers, start = [], pages.start_server
    monkeypatch.setattr(pages, "start_server", lambda *where: servers.append(start(*where)) or servers[-1])
    add = pages.add_controls
    monkeypatch.setattr(pages, "add_controls", lambda html, nodes, q: (drawn.extend(nodes), add(html, nodes, q))[1])
    scenes = [build_scenes(sf.loads(text))[0] for text in (BOX.format(2), ARM, BOX.format(1))]
    write_html(scenes, ["joints"], {"hinge": 1.0})
    low, high = scenes[1].low[1], scenes[1].high[1]
    second = 1 + .5 * scenes[1].extent - low
    assert [nodes.root.position[1] for nodes in drawn] == pytest.approx([0, second, second + high + .5 + .5])
    tip = [frame.frame.name for frame in drawn[1].scene.frames].index("tip")
    np.testing.assert_allclose(drawn[1].layers["frames"][0].node.batched_positions[tip], (np.sin(1), 0, np.cos(1)),
                               atol=1e-6)
    assert [name for name, on in drawn[1].visible.items() if on] == ["joints"]
    # The camera sees everything, from the first cube to the last.
    cubes = [list_corners((-1, -1, -1), (1, 1, 1)), list_corners((-.5,) * 3, (.5,) * 3) + drawn[2].root.position]
    assert find_reach(servers[0].initial_camera, np.concatenate(cubes)) == FULL
    # What is switched on later is there.
    assert [layer for layer, parts in drawn[1].layers.items() if not parts] == ["sensors"]
    assert write_html([]).lstrip().lower().startswith("<!doctype html>")


def test_picture_that_a_person_sees_is_offered(page):
    """The browser renders 3 x 2 red pixels."""
    from io import BytesIO
    image = pytest.importorskip("PIL.Image")
    sent = []
    client = SimpleNamespace(
        camera=SimpleNamespace(image_height=2, image_width=3), send_file_download=lambda *file, **_: sent.append(file),
        get_render=lambda height, width: np.full((height, width, 3), (255, 0, 0), dtype=np.uint8))
    page.add(lambda: sf.loads(ARM))
    (press,) = find(page, "Button", "download picture")._impl.update_cb
    press(SimpleNamespace(client=client))
    press(SimpleNamespace(client=None))
    ((name, content),) = sent
    picture = image.open(BytesIO(content))
    assert name == "page.png" and picture.size == (3, 2) and picture.getpixel((2, 1)) == (255, 0, 0)


def test_a_description_is_shown_in_place_of_the_first(page):
    assert page.show(lambda: sf.loads(ARM)).name == "arm"  # of an empty page
    page.add(lambda: sf.loads(BOX.format(1)))
    find(page, "Slider", "hinge").value = .5
    find(page, "Checkbox", "names").value = True
    assert page.show(lambda: sf.loads(ARM.replace('"sensor"', '"camera"'))).name == "arm"
    first, second = page.shown
    assert "camera" in first.panel.frames and "sensor" not in first.panel.frames and "l" in second.panel.frames
    assert first.panel.positions == {"hinge": .5} and first.scenes[0].visible["names"]
    np.testing.assert_allclose(find_place(page, "tip")[0], (np.sin(.5), 0, np.cos(.5)), atol=1e-6)
    assert first.load().frames.keys() >= {"camera"}  # which is read again when it changes


def test_a_description_from_ros_replaces_no_upload(page):
    """Which was there before the first description."""
    page._exchange._receive(SimpleNamespace(target=SimpleNamespace(
        value=SimpleNamespace(name="arm.sdf", content=ARM.encode()))))
    for size in (1, 2):
        page.show(lambda size=size: sf.loads(BOX.format(size)))
    assert [list(shown.panel.frames)[0] for shown in page.shown] == ["base", "l"]


def test_joints_of_everything_that_is_shown_are_moved(page):
    for _ in range(2):
        page.add(lambda: sf.loads(ARM))
    page.move({"hinge": 1.0})
    for number in (0, 1):
        np.testing.assert_allclose(find_place(page, "tip", number)[0], (np.sin(1), 0, np.cos(1)), atol=1e-6)


def drop(panel):
    (press,) = [b for b in panel.folder._children.values() if getattr(b, "label", "") == "remove from the page"]
    for call in 2 * press._impl.update_cb:  # two people press it at once
        call(SimpleNamespace(client=None))


def test_an_upload_leaves_the_disk_with_its_robot(page):
    for name in ("a.sdf", "b.sdf"):
        uploaded = SimpleNamespace(name=name, content=ARM.encode())
        page._exchange._receive(SimpleNamespace(target=SimpleNamespace(value=uploaded)))
    home = Path(page._exchange._home.name)
    assert sorted(file.name for file in home.rglob("*.sdf")) == ["a.sdf", "b.sdf"]
    drop(page.shown[0].panel)
    assert [file.name for file in home.rglob("*")] == [page.shown[0].folder.name, "b.sdf"]


def test_a_file_that_is_no_upload_stays_when_its_robot_goes(page, watched):
    drop(page.shown[0].panel)
    assert watched.read_text() == ARM


def test_a_file_is_taken_off_the_page(page):
    for size in (2, 1):
        page.add(lambda size=size: sf.loads(BOX.format(size).replace('name="box"', f'name="box{size}"')))
    roots = [shown.scenes[0].root for shown in page.shown]
    gone = page.shown[1].panel
    drop(gone)
    gone.move({"hinge": 1.0})  # joint states that came meanwhile move nothing
    assert [shown.load().name for shown in page.shown] == ["box2"]
    assert [root._impl.removed for root in roots] == [False, True]
    drop(page.shown[0].panel)
    assert page.shown == [] and not page.refresh()
    page.add(lambda: sf.loads(BOX.format(3)))
    assert page.shown[0].offsets == [0]


def test_a_control_that_is_used_while_its_file_is_removed_does_nothing(page, capsys):
    """The person uses it before the page has lost it."""
    page.add(lambda: sf.loads(ARM))
    panel = page.shown[0].panel
    calls = [call for kind, label in (("Slider", "hinge"), ("Checkbox", "names"), ("Dropdown", "frame"))
             for call in find(page, kind, label)._impl.update_cb]
    told, remove = [], panel.folder.remove
    client = SimpleNamespace(add_notification=lambda title, *_, **how: told.append(title))

    def use():
        for call in calls:
            call(SimpleNamespace(client=client, target=SimpleNamespace(value=1.0)))
        panel.select("tip")

    def remove_slowly():
        using.start()
        using.join(.2)
        remove()
    panel.folder.remove, using = remove_slowly, Thread(target=use)
    drop(panel)
    using.join()
    assert len(calls) == 3 and told == [] and capsys.readouterr().err == ""


def list_drawn(page):
    """The nodes and the names of the folders of robots on the page."""
    folders = [folder for folder in page.server.gui._container_handle_from_uuid.values() if hasattr(folder, "label")]
    return ([name for name in page.server.scene._handle_from_node_name if name[1:2].isdecimal()],
            [folder.label for folder in folders if folder.label == "arm"])


def test_a_file_that_is_removed_while_it_is_read_again_stays_away(page, tmp_path):
    """The file after it is read all the same."""
    paths = [tmp_path / "a.sdf", tmp_path / "b.sdf"]
    reads = []

    def load(path):
        reads.append(path.name)
        if len(reads) == 3:
            drop(page.shown[0].panel)
        return sf.loads(ARM)
    for path in paths:
        path.write_text(ARM)
        page.add(partial(load, path), str(path))
    for path in paths:
        os.utime(path, (1, 1))
    assert list_drawn(page)[1] == ["arm", "arm"] and page.refresh()
    (left,) = page.shown
    assert reads == ["a.sdf", "b.sdf"] * 2 and list_drawn(page)[1] == ["arm"]
    drop(left.panel)
    assert list_drawn(page) == ([], [])
    page.show(lambda: sf.loads(ARM))
    page.show(lambda: (drop(page.shown[0].panel), sf.loads(ARM))[1])
    assert list_drawn(page) == ([], []) and page.shown == []


def test_a_file_is_not_removed_while_another_thread_draws_it(page, watched, monkeypatch):
    dropping = Thread(target=drop, args=(page.shown[0].panel,))

    def build(*given, **how):
        dropping.start()
        dropping.join(.2)
        return build_scenes(*given, **how)
    monkeypatch.setattr("sdf_frames.view.page.build_scenes", build)
    os.utime(watched, (1, 1))
    assert page.refresh()
    dropping.join()
    assert list_drawn(page) == ([], []) and page.shown == []


@pytest.mark.parametrize(("view", "back"), [
    ("all", (.8, -.66, .5)), ("front", (1, 0, 0)), ("side", (0, -1, 0)), ("top", (0, 0, 1))])
@pytest.mark.parametrize("aspect", [.5, 1.5, 3])
def test_views_show_everything_from_a_side(page, view, back, aspect):
    """Cubes of 2 and 1 m side by side fill the page, whatever its width, but for a margin of a sixth."""
    group = find(page, "ButtonGroup", "view")
    camera = SimpleNamespace(position=None, look_at=None, aspect=aspect)
    (press,) = group._impl.update_cb
    click = SimpleNamespace(client=SimpleNamespace(camera=camera), target=SimpleNamespace(value=view))
    press(click)
    assert camera.position is None  # there is nothing yet
    for size in (2, 1):
        page.add(lambda size=size: sf.loads(BOX.format(size)))
    press(click)
    cubes = np.concatenate([list_corners((-1, -1, -1), (1, 1, 1)), list_corners((-.5, 1.5, -.5), (.5, 2.5, .5))])
    assert find_reach(camera, cubes, aspect) == FULL
    seen = (camera.position - camera.look_at) / np.linalg.norm(camera.position - camera.look_at)
    np.testing.assert_allclose(seen, np.array(back) / np.linalg.norm(back), atol=2e-3)  # above, x is up


def test_views_show_links_where_joints_have_moved_them(page):
    """A cube of 1 m, 2 m along x, is turned to y about the origin."""
    page.add(lambda: sf.loads("""<sdf version="1.11"><model name="m">
      <link name="base"/><link name="arm"><visual name="v">
        <pose>2 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></visual></link>
      <joint name="j" type="continuous"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>
      </model></sdf>"""))
    find(page, "Slider", "j").value = np.pi / 2
    camera = SimpleNamespace(position=None, look_at=None, aspect=1.0)
    page._show_all(camera, "all")
    cube = list_corners((-.5, 1.5, -.5), (.5, 2.5, .5))
    assert find_reach(camera, np.concatenate([cube, np.zeros((1, 3))])) == FULL


def test_everybody_sees_a_file_that_is_added(page, monkeypatch):
    """Wherever they looked before: a cube of 2 m, and then one of 1 m beside it."""
    camera = SimpleNamespace(position=np.array((9., 9., 9.)), look_at=np.array((9., 9., 0.)), aspect=.5)
    monkeypatch.setattr(page.server, "get_clients", lambda: {1: SimpleNamespace(camera=camera)})
    cubes = [list_corners((-1, -1, -1), (1, 1, 1)), list_corners((-.5, 1.5, -.5), (.5, 2.5, .5))]
    for count, size in enumerate((2, 1), 1):
        page.add(lambda size=size: sf.loads(BOX.format(size)))
        assert find_reach(camera, np.concatenate(cubes[:count]), .5) == FULL


def test_the_first_view_fills_the_page_of_each_person_until_the_camera_moves(page):
    page.add(lambda: sf.loads(BOX.format(2)))
    first = page.server.initial_camera
    wide, moved = (SimpleNamespace(position=at, look_at=first.look_at, aspect=.4)
                   for at in (np.float32(first.position), np.array((5., 5., 5.))))
    for camera in (wide, moved):
        page._follow(camera)
    assert find_reach(wide, list_corners((-1, -1, -1), (1, 1, 1)), .4) == FULL
    assert (moved.position == 5).all()


def test_the_camera_and_the_grid_of_the_first_file(page):
    """A box of 2 m around (1, 2, -3): its lowest side is below the ground."""
    text = BOX.format(2).replace('<visual name="v">', '<visual name="v"><pose>1 2 -3 0 0 0</pose>')
    grids = []
    page.server.scene.add_grid = lambda name, **look: grids.append((name, look))
    page.add(lambda: sf.loads(text))
    ((name, look),) = grids
    # From the frame of the link to the far corner of the box: 2, 3 and 4 m.
    assert name == "/grid" and look.pop("position") == pytest.approx((1, 1.5, -4))
    assert look == {"width": pytest.approx(16), "height": pytest.approx(16), "cell_size": pytest.approx(.8),
                    "section_size": pytest.approx(4)}
    page.add(lambda: sf.loads(BOX.format(1)))
    assert len(grids) == 1


def test_a_scene_above_the_ground_has_its_grid_there(page):
    grids = []
    page.server.scene.add_grid = lambda name, **look: grids.append(look["position"])
    page.add(lambda: sf.loads(BOX.format(2).replace('<visual name="v">', '<visual name="v"><pose>0 0 5 0 0 0</pose>')))
    assert grids == [pytest.approx((0, 0, 0))]


def test_whatever_a_client_sends_to_the_controls_the_page_lives_on(page):
    """Values of every type for every control, and uploads that are none; then the page answers and moves as before."""
    values = (float("nan"), float("inf"), -1e308, 10**18, True, None, "", "[a-", [], [1, "b"], {}, b"\xff")
    page.add(lambda: sf.loads(ARM))
    address, name = page.url.replace("http", "ws"), f"viser-v{viser.__version__}"
    controls = page.server.gui._gui_input_handle_from_uuid
    sent = [{"type": "GuiUpdateMessage", "uuid": key, "updates": {"value": value}}
            for key in [*controls] for value in values]
    sent += [{"type": "FileTransferStartUpload", "source_component_uuid": key, "transfer_uuid": "t", "mime_type": "x",
              "filename": "../a.urdf", "part_count": count, "size_bytes": count}
             for key in [*controls] for count in (-1, 10**12, "n")]
    for message in sent:  # those that viser cannot read end their connection
        with suppress(ConnectionClosed), connect(address, subprotocols=[name], max_size=None) as socket:
            socket.send(msgspec.msgpack.encode(message))
            socket.ping().wait(0.2)
    with connect(address, subprotocols=[name], max_size=None) as socket:
        assert socket.recv(30)
    assert urlopen(page.url).status == 200
    page.move({"hinge": 0.0})
    xyz, _ = find_place(page, "sensor")
    assert xyz == pytest.approx((0.5, 0, 1))


def test_a_position_of_the_wrong_size_leaves_its_joint_at_zero(page, tmp_path):
    """--joint is for every file; a file that changes keeps the positions until they fit again."""
    path = tmp_path / "arm.sdf"
    cardan = ARM.replace("revolute", "universal", 1).replace("</axis>", "</axis><axis2><xyz>1 0 0</xyz></axis2>", 1)
    path.write_text(cardan)
    page.add(lambda: sf.load(path), str(path), {"hinge": .5})
    page.add(lambda: sf.loads(ARM), None, {"hinge": .5})

    def list_values():
        return {slider.label: slider.value for slider, *_ in page.shown[0].panel.sliders.listed}
    assert list_values() == {"hinge [0] (0°)": 0, "hinge [1] (0°)": 0}
    assert find_place(page, "tip", 0)[0] == pytest.approx((0, 0, 1))
    assert find_place(page, "tip", 1)[0] == pytest.approx((np.sin(.5), 0, np.cos(.5)))
    for time, text, values in ((1, ARM, {"hinge (29°)": .5}), (2, cardan, {"hinge [0] (0°)": 0, "hinge [1] (0°)": 0})):
        path.write_text(text)
        os.utime(path, (time, time))
        assert page.refresh() and list_values() == values
    page.shown[0].panel.sliders.listed[1][0].value = .25
    assert page.shown[0].panel.positions["hinge"] == (0, .25)
