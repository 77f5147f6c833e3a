"""The object that sf.load returns: its parts, what it writes, and what it says of names that do not exist."""

import os
import pickle
from dataclasses import replace

import numpy as np
import pytest

import sdf_frames as sf

INERTIAL = ('<inertial><mass value="{}"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>')
URDF = f"""<robot name="r"><!-- first -->
<link name="base">{INERTIAL.format(1)}</link>
<link name="arm">{INERTIAL.format(2)}<visual><origin xyz="0 0 1"/><geometry>
  <mesh filename="arm.stl"/></geometry></visual><collision name="c"><geometry>
  <box size="1 2 3"/></geometry></collision></link>
<link name="camera"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
<joint name="mount" type="fixed"><parent link="arm"/><child link="camera"/><origin xyz="1 0 0"/></joint>
</robot>"""
SDF = '<sdf version="1.6"><!-- kept --><model name="m"><link name="l"/></model></sdf>'
WORLDS = (
    '<sdf version="1.9"><world name="v"><model name="m"><static>true</static><link name="l"/></model></world>'
    '<world name="w"><model name="n"><pose>1 2 3 0 0 0</pose><link name="k"/></model></world></sdf>'
)


def test_frames_say_what_they_are_and_where():
    frame = sf.loads(URDF, file="r.urdf").frames["camera"]
    assert (frame.kind, frame.body, frame.in_sdf, frame.file, frame.line) == ("frame", "arm", True, "r.urdf", 6)
    assert frame.pose.xyz.tolist() == [1, 0, 1]


def test_whole_elements():
    """The frame's origin is 1 m above the base; places are those of the URDF."""
    robot = sf.loads(URDF, file="r.urdf")
    up = sf.Pose([0, 0, 1])
    assert list(robot.frames.values())[1:4] == [
        sf.Frame("base", "link", "base", sf.Pose(), None, None, True, "r.urdf", 2),
        sf.Frame("arm", "link", "arm", up, None, "shoulder", True, "r.urdf", 3),
        sf.Frame("shoulder", "joint", "arm", up, "arm", "base", True, "r.urdf", 7)]
    link = robot.links["arm"]
    assert (link.name, link.pose, link.file, link.line) == ("arm", up, "r.urdf", 3)
    assert [(s.pose, s.path, s.colour, s.file, s.line) for s in (*link.visuals, *link.collisions)] == [
        (up, None, None, "r.urdf", 3), (sf.Pose(), None, None, "r.urdf", 4)]
    assert list(robot.joints.values()) == [
        sf.Joint("shoulder", "revolute", "base", "arm", robot.joints["shoulder"].axes, up, True, True, "r.urdf", 7,
                 "kept"),
        sf.Joint("mount", "fixed", "arm", "camera", (), sf.Pose([1, 0, 1]), False, False, "r.urdf", 9,
                 "lumped into arm")]
    world = sf.loads(WORLDS, file="w.sdf")
    assert list(world.models.values()) == [sf.Model("m", sf.Pose(), True, None, "w.sdf", 1)]


def test_whole_elements_that_are_not_in_the_sdf():
    """The link b has no mass behind a joint that moves."""
    text = ('<robot name="r">\n' + f'<link name="a">{INERTIAL.format(1)}</link>\n<link name="b"/>\n'
            '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>\n'
            "</robot>")
    robot, pose = sf.loads(text, file="r.urdf"), sf.Pose([1, 0, 0])
    assert [frame for frame in robot.frames.values() if not frame.in_sdf] == [
        sf.Frame("b", "link", "b", pose, None, None, False, "r.urdf", 3),
        sf.Frame("j", "joint", "b", pose, "b", None, False, "r.urdf", 4)]
    assert list(robot.joints.values()) == [sf.Joint(
        "j", "continuous", "a", "b", (sf.JointAxis((1.0, 0.0, 0.0)),), pose, True, False, "r.urdf", 4,
        "left out")]


def test_links_are_those_of_the_file_with_what_it_states_and_what_becomes_of_them():
    """A quarter turn about z swaps ixx and iyy; the camera states no inertia."""
    arm = '<link name="arm"><inertial>'
    turned = URDF.replace(arm, arm + '<origin xyz="1 2 3" rpy="0 0 {}"/>')
    links = sf.loads(turned.format(np.pi / 2)).links
    assert {name: link.fate for name, link in links.items()} == {
        "base": "kept", "arm": "kept", "camera": "lumped into arm"}
    assert [link.mass for link in links.values()] == [1, 2, 0]
    assert links["arm"].com.tolist() == [1, 2, 3]
    assert np.diag(links["arm"].inertia) == pytest.approx([2, 1, 2.5])
    assert links["camera"].com is None and links["camera"].inertia is None
    assert links["camera"].pose.xyz.tolist() == [1, 0, 1]
    model = ('<sdf version="1.9"><model name="m"><link name="l"><inertial><pose>1 0 0 0 0 0</pose><mass>3</mass>'
             '</inertial></link><link name="k"/></model></sdf>')
    written, bare = sf.loads(model).links.values()
    assert (written.mass, written.com.tolist(), written.inertia, written.fate) == (3, [1, 0, 0], None, None)
    assert (bare.mass, bare.com) == (1, None)


def test_joints_say_limits_and_ends():
    joint = sf.loads(URDF).joints["shoulder"]
    assert (joint.type, joint.parent, joint.child, joint.movable, joint.mimic) == (
        "revolute", "base", "arm", True, None)
    assert joint.limits == sf.Limits(-1, 2, 3, 4)
    assert joint.axes[0].xyz == (0, 1, 0)


def test_limits_that_are_not_stated_are_infinite():
    inf = float("inf")
    text = ('<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>'
            '<joint name="j" type="prismatic"><parent>a</parent><child>b</child>{}</joint></model></sdf>')
    axis = "<axis><limit><lower>{}</lower><upper>{}</upper><velocity>-1</velocity></limit></axis>"
    assert sf.loads(text.format(axis.format("-1e16", "0.5"))).joints["j"].limits == sf.Limits(-inf, 0.5, inf, inf)
    assert sf.loads(text.format("<axis/>")).joints["j"].limits == sf.Limits()


def test_links_have_their_shapes(tmp_path):
    (tmp_path / "arm.stl").write_text("solid")
    link = sf.loads(URDF, file=str(tmp_path / "r.urdf")).links["arm"]
    (visual,), (collision,) = link.visuals, link.collisions
    assert (visual.uri, visual.path) == ("arm.stl", str(tmp_path / "arm.stl"))
    assert visual.pose.xyz.tolist() == [0, 0, 1]
    assert (collision.geometry.size, collision.uri, collision.path) == ((1, 2, 3), None, None)


def test_several_worlds():
    robot = sf.loads(WORLDS)
    assert list(robot.worlds) == ["v", "w"]
    assert list(robot.frames) == list(robot.worlds["v"].frames) == ["world", "m", "m::l"]
    assert robot.worlds["w"].models["n"].pose.xyz.tolist() == [1, 2, 3]
    assert robot.worlds["w"].pose("n::k").xyz.tolist() == [1, 2, 3]
    assert robot.models["m"].static
    assert robot.models["m"].canonical_link is None
    assert repr(robot.worlds["w"]) == "<World 'w': 1 model, 1 link, 0 joints, 3 frames>"


def test_a_root_model_is_called_as_its_frame():
    robot = sf.loads(
        '<sdf version="1.9"><model name="m"><link name="l"/><model name="n"><link name="l"/></model></model></sdf>')
    assert {name: model.name for name, model in robot.models.items()} == {"__model__": "m", "n": "n"}
    assert robot.models["n"].canonical_link == "n::l"
    assert not robot.worlds


@pytest.mark.parametrize("static", [True, False])
def test_a_model_in_a_static_model_is_static(static):
    flag = f"<static>{str(static).lower()}</static>"
    inner = '<model name="n"><link name="l"/></model>'
    root = sf.loads(f'<sdf version="1.9"><model name="m">{flag}<link name="l"/>{inner}</model></sdf>')
    assert [model.static for model in root.models.values()] == [static, static]
    both = f'<model name="m">{flag}<link name="l"/>{inner}</model><model name="mm">{inner}</model>'
    models = sf.loads(f'<sdf version="1.9"><world name="w">{both}</world></sdf>').models
    assert {name: model.static for name, model in models.items()} == {
        "m": static, "m::n": static, "mm": False, "mm::n": False}


@pytest.mark.parametrize(("ask", "says"), [
    (lambda r: r.frames["camra"], r"no frame 'camra'; did you mean 'camera'\?"),
    (lambda r: r.joints["sholder"], r"no joint 'sholder'; did you mean 'shoulder'\?"),
    (lambda r: r.links["shoulder"], "no link 'shoulder'"), (lambda r: r.models["r"], "no model 'r'"),
    (lambda r: r.worlds["w"], "no world 'w'"), (lambda r: r.frames[3], "no frame 3"),
    (lambda r: r.pose("armm"), "no frame 'armm'; did you mean 'arm'"),
    (lambda r: r.pose("arm", "bas"), "no frame 'bas'; did you mean 'base'"),
    (lambda r: r.inertias(links=["camera"]), "no link 'camera'")])
def test_a_name_that_does_not_exist_is_a_key_error_with_the_nearest(ask, says):
    with pytest.raises(KeyError, match=says):
        ask(sf.loads(URDF))


def test_an_unreadable_description_has_no_frames_links_or_joints():
    robot = sf.loads("<nonsense")
    assert not robot.frames
    assert not robot.links
    assert not robot.joints
    assert not robot.models
    assert not robot.worlds
    for named, kind in ((robot.frames, "frame"), (robot.links, "link"), (robot.joints, "joint"),
                        (robot.models, "model"), (robot.worlds, "world")):
        with pytest.raises(KeyError, match=f"no {kind} 'x'"):
            named["x"]
    assert (robot.name, robot.report, robot.static_transforms()) == (None, (), ())
    for work in (robot.to_sdf, robot.to_urdf, lambda: robot.tree, lambda: robot.pose("a"), robot.poses):
        with pytest.raises(sf.InvalidDescription):
            work()


def test_a_refused_robot_has_its_name_and_missing_files_but_no_inertia():
    """It has two roots: which links are fixed to each other is unknown, and with it each mass."""
    robot = sf.loads(URDF.replace("</robot>", '<link name="alone"/></robot>'))
    assert [d.name for d in robot.errors] == ["robot-with-many-roots"]
    assert (robot.name, [d.message for d in robot.find_missing_files()]) == ("r", ["the file 'arm.stl' is not found"])
    with pytest.raises(sf.InvalidDescription, match="R014"):
        robot.inertias()


def test_what_is_resolved_has_poses():
    """A light has none, whatever its errors; the model of a missing file has some, which are unknown."""
    light, include = (sf.loads(f'<sdf version="1.10">{inside}</sdf>') for inside in (
        '<light name="l" type="odd"/>', "<include><uri>model://not_there</uri></include>"))
    assert not light.valid and light.resolved and dict(light.poses()) == {}
    assert not include.valid and not include.resolved
    with pytest.raises(sf.InvalidDescription, match="U002"):
        include.poses()


def test_a_document_without_a_model_or_world_has_no_poses():
    robot = sf.loads('<sdf version="1.10"><light name="sun" type="directional"/></sdf>')
    assert robot.valid and dict(robot.poses()) == {}
    for ask in (lambda: robot.pose("sun"), lambda: robot.poses({"j": 1}), lambda: robot.poses(relative_to="sun")):
        with pytest.raises(KeyError, match="no frames: it has neither a model nor a world"):
            ask()


def test_without_a_text_the_error_says_why_there_is_none(tmp_path):
    file = tmp_path / "r.urdf.xacro"
    file.write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="${unknown}"/>')
    robot = sf.load(file)
    for work in (lambda: robot.tree, lambda: robot.uris):
        with pytest.raises(sf.InvalidDescription, match=robot.findings[0].code):
            work()


def test_the_version_is_that_of_the_file():
    assert [sf.loads(text).version for text in (SDF, WORLDS, URDF, "<nonsense")] == ["1.6", "1.9", None, None]


def test_sdf_of_a_version():
    robot = sf.loads(URDF)
    assert '<sdf version="1.7">' in robot.to_sdf()
    assert '<sdf version="1.11">' in robot.to_sdf("1.11")
    assert '<sdf version="1.12">' in sf.loads(SDF).to_sdf("1.12")
    assert "<!-- kept -->" in sf.loads(SDF).to_sdf("1.12")
    assert sf.loads(SDF).to_sdf() == SDF
    assert '<sdf version="1.9">' in sf.loads(URDF, sdf_version="1.9").to_sdf()


@pytest.mark.parametrize(("text", "version", "says"), [
    (URDF, "1.5", r"version must be one of 1\.7, .* for a URDF"), (URDF, "2", "version must be one of"),
    (WORLDS, "1.7", r"the description is SDFormat 1\.9; it cannot be written as the older 1\.7")])
def test_a_version_that_cannot_be_is_refused(text, version, says):
    with pytest.raises(ValueError, match=says):
        sf.loads(text).to_sdf(version)


def test_a_robot_that_cannot_be_converted_is_not_written(tmp_path):
    robot = sf.loads(URDF.replace('mass value="1"', 'mass value="0"'), massless="error")
    assert "arm" in robot.frames, "its kinematics need no conversion"
    for work in (robot.to_sdf, lambda: robot.save(tmp_path / "out.sdf")):
        with pytest.raises(sf.InvalidDescription):
            work()
    assert not list(tmp_path.iterdir())


def test_urdf_is_written_as_it_was_given_and_sdf_is_converted():
    assert sf.loads(URDF).to_urdf() == URDF
    assert sf.loads(sf.loads(URDF.encode()).to_urdf()).to_sdf() == sf.loads(URDF).to_sdf()
    again = sf.loads(sf.loads(sf.loads(URDF).to_sdf()).to_urdf())
    assert {"base", "arm", "camera"} <= again.frames.keys()
    assert "<robot" in sf.loads(WORLDS).to_urdf(model="m")
    with pytest.raises(ValueError, match="uri_style"):
        sf.loads(SDF).to_urdf(uri_style="ftp")


def test_bytes_are_written_as_they_were_given_if_they_are_utf_8():
    content = '<?xml version="1.0"?>\n<!-- é -->\n' + URDF
    assert sf.loads(content.encode()).to_urdf() == content
    assert sf.loads(b"\xef\xbb\xbf" + content.encode()).to_urdf() == content
    plain = content.replace("?>", ' encoding="US-ASCII"?>', 1).replace("\u00e9", "e")
    assert sf.loads(plain.encode()).to_urdf() == plain
    latin = content.replace("?>", ' encoding="iso-8859-1"?>', 1).encode("iso-8859-1")
    assert sf.loads(latin).to_urdf() == content


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "iso-8859-1", "utf-8-sig"])
def test_sdformat_in_any_encoding_comes_back_as_a_string_that_says_so(encoding):
    name = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    start, end = "<?xml version='1.0'", "?><!-- é --><sdf version='1.9'><model name='é'><link name='l'/></model></sdf>"
    robot = sf.loads(f"{start} encoding='{name}'{end}".encode(encoding))
    assert robot.name == "é"
    assert robot.to_sdf() == (f"{start} encoding='utf-8'{end}" if name == "utf-8" else start + end)


def test_uris_of_a_urdf_in_another_style(tmp_path):
    (tmp_path / "arm.stl").write_text("solid")
    robot = sf.loads(URDF.replace('"arm.stl"', '"package://p/arm.stl"'))
    assert 'filename="model://p/arm.stl"' in robot.to_urdf(uri_style="model")
    assert 'filename="package://p/arm.stl"' in robot.to_urdf(uri_style="file")
    here = sf.loads(URDF, file=tmp_path / "r.urdf").to_urdf(uri_style="file")
    assert f'filename="file://{tmp_path}/arm.stl"' in here
    assert "<!-- first -->" in here


def test_the_only_model_may_be_named():
    assert sf.loads(URDF).to_urdf(model="r") == URDF
    assert sf.loads(SDF).to_urdf(model="m") == sf.loads(SDF).to_urdf() == sf.loads(SDF).to_urdf(model="__model__")


@pytest.mark.parametrize("text, name, outer", [
    ('<sdf version="1.9"><model name="m"><link name="l"/>{}</model></sdf>', "n", "m"),
    ('<sdf version="1.9"><world name="w"><model name="m"><link name="l"/>{}</model></world></sdf>', "m::n", "m")])
def test_a_model_in_another_one_is_written_with_it(text, name, outer):
    robot = sf.loads(text.format('<model name="n"><link name="k"/></model>'))
    assert name in robot.models and "n/k" in sf.loads(robot.to_urdf(outer)).links
    with pytest.raises(KeyError, match=f"the model '{name}' is in '{outer}'; name '{outer}'"):
        robot.to_urdf(name)


@pytest.mark.parametrize("text", [URDF, SDF, WORLDS])
def test_a_model_or_style_that_does_not_exist(text):
    with pytest.raises(KeyError, match="no model 'x'"):
        sf.loads(text).to_urdf(model="x")
    with pytest.raises(ValueError, match="uri_style must be one of"):
        sf.loads(text).to_urdf(uri_style="ftp")


def test_save_goes_by_the_suffix(tmp_path):
    robot = sf.loads(URDF)
    for suffix, begin in ((".sdf", "<sdf"), (".world", "<sdf"), (".urdf", "<robot"), (".SDF", "<sdf")):
        robot.save(tmp_path / f"out{suffix}")
        assert begin in (tmp_path / f"out{suffix}").read_text()
    for name in ("out.xml", "out"):
        with pytest.raises(ValueError, match="the suffix must be one of .sdf, .world, .urdf"):
            robot.save(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        robot.save(tmp_path / "no" / "out.sdf")


def test_save_never_overwrites_what_the_robot_was_loaded_from(tmp_path):
    world = '<sdf version="1.9"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>'
    texts = {"a.urdf": URDF, "part.sdf": SDF, "w.sdf": world, "note.sdf": "mine"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "link.urdf").symlink_to("a.urdf")
    for source, target in (("a.urdf", "a.urdf"), ("a.urdf", "link.urdf"), ("w.sdf", "w.sdf"), ("w.sdf", "part.sdf"),
                           ("a.urdf", "note.sdf")):
        with pytest.raises(FileExistsError, match="name another output"):
            sf.load(tmp_path / source).save(tmp_path / target)
    assert {name: (tmp_path / name).read_text() for name in texts} == texts
    # A text of another robot replaces one, also under the name that it was given.
    sf.loads(URDF.replace("camera", "eye"), file=tmp_path / "a.urdf").save(tmp_path / "a.urdf")
    assert "eye" in (tmp_path / "a.urdf").read_text()


def test_a_changed_robot_never_overwrites_a_file_that_xacro_included(tmp_path):
    pytest.importorskip("xacro")
    named = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    part = f'{named}<link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
    (tmp_path / "part.urdf").write_text(part)
    (tmp_path / "r.urdf.xacro").write_text(f'{named}<link name="a"/><xacro:include filename="part.urdf"/></robot>')
    robot = sf.load(tmp_path / "r.urdf.xacro")
    for one in (robot, robot.simplify(), robot.reroot("b"), robot.cut("b")):
        with pytest.raises(FileExistsError, match="name another output"):
            one.save(tmp_path / "part.urdf")
    assert (tmp_path / "part.urdf").read_text() == part


def test_a_changed_robot_never_overwrites_what_it_was_made_from(tmp_path):
    """Also of two files, and after it was pickled; a text without a file was loaded from nothing."""
    texts = {"a.urdf": URDF, "part.urdf": '<robot name="p"><link name="alone"/></robot>'}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    robot, part = (sf.load(tmp_path / name) for name in texts)
    changed = [robot.place("camera", "arm", sf.Pose([1, 2, 3])), robot.reroot("arm"), robot.cut("arm"),
               robot.repair_inertias(), robot.simplify(), sf.attach(robot, part, "arm").reroot("arm")]
    for one in [*changed, pickle.loads(pickle.dumps(changed[-1]))]:
        with pytest.raises(FileExistsError, match="name another output"):
            one.save(tmp_path / "a.urdf")
        assert one.save(tmp_path / "new.urdf") == () and next(one.list_files()) == str(tmp_path / "a.urdf")
    with pytest.raises(FileExistsError):
        changed[-1].save(tmp_path / "part.urdf")
    assert {name: (tmp_path / name).read_text() for name in texts} == texts
    sf.loads(URDF, file=tmp_path / "a.urdf").reroot("arm").save(tmp_path / "a.urdf")
    assert (tmp_path / "a.urdf").read_text() != URDF


def test_the_tree_is_a_copy_with_comments():
    robot = sf.loads(URDF)
    tree = robot.tree
    tree.find("link[@name='arm']/inertial/mass").set("value", "7")
    assert robot.tree.find("link[@name='arm']/inertial/mass").get("value") == "2"
    changed = sf.loads(tree)
    assert changed.inertias()["arm"].mass == 7
    assert "<!-- first -->" in changed.to_urdf()


def test_the_report_names_every_link_and_joint():
    rows = {(row.element, row.name): (row.action, row.into) for row in sf.loads(URDF).report}
    assert rows["link", "camera"] == ("to-frame", "arm") or rows["link", "camera"] == ("lumped", "arm")
    assert rows["joint", "shoulder"] == ("kept", None)


def test_transforms_are_named_as_the_node_names_them():
    nested = sf.loads(
        '<sdf version="1.9"><model name="m"><link name="l"/><model name="n"><link name="k"/></model></model></sdf>')
    names = {t.child for t in nested.static_transforms(prefix="r1/", separator="_")}
    assert {"r1/n_k", "r1/n", "r1/m"} <= names
    (moving,) = [t for t in sf.loads(URDF).static_transforms() if t.movable]
    assert (moving.parent, moving.child, moving.pose.xyz.tolist()) == ("base", "arm", [0, 0, 1])
    assert sf.loads(URDF).static_transforms(mode="none") == ()
    assert [t.child for t in sf.loads(URDF).static_transforms(mode="complement")] == ["r", "shoulder", "mount"]
    sensor = SDF.replace('<link name="l"/>', '<link name="l"><sensor name="s" type="imu"/></link><frame name="f"/>')
    assert [t.child for t in sf.loads(sensor).static_transforms()] == ["m", "f"]
    assert [t.child for t in sf.loads(sensor).static_transforms(sensor_frames=True)] == ["m", "f", "m/l/s"]


def test_inertias_of_the_second_world():
    """A ball of 1 m in each world: 4/3 π ρ."""
    ball = ('<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>')
    worlds = sf.loads(WORLDS.replace("1.9", "1.11").replace(
        '<link name="k"/>', f'<link name="k"><inertial auto="true"/>{ball}')).worlds
    inertias = worlds["w"].inertias(density=3)
    assert list(inertias) == ["n::k"] and inertias.total.com.tolist() == [1, 2, 3]
    assert inertias["n::k"].mass == pytest.approx(4 * 3.141592653589793)
    assert worlds["w"].inertias()["n::k"].mass == pytest.approx(4000 / 3 * 3.141592653589793)
    assert [d.name for d in worlds["v"].inertias().findings] == ["auto-inertia-default-density"]
    for options in ({"density": 0}, {"method": "guess"}):
        with pytest.raises(ValueError, match="must be"):
            worlds["w"].inertias(**options)


def test_repr_is_one_line():
    robot = sf.loads(URDF, file="r.urdf")
    assert (
        repr(robot) == "<RobotDescription 'r' from r.urdf (urdf): 3 links, 2 joints, 6 frames, 0 findings, 0 errors>")
    assert repr(robot.links) == "<3 links: base, arm, camera>"
    assert repr(robot.frames) == "<6 frames: __model__, base, arm, shoulder, …>"
    assert repr(robot.worlds) == "<0 worlds: none>"
    bad = SDF.replace("1.6", "1.9").replace("<link", '<colour/><frame name="f" attached_to="gone"/><link')
    assert repr(sf.loads(bad)) == ("<RobotDescription 'm' from text (sdf): 1 link, 0 joints, 3 frames, 2 findings, "
                                   "1 error>")
    assert repr(sf.loads("<html/>")) == ("<RobotDescription None from text (neither URDF nor SDF): 0 links, 0 joints, "
                                         "0 frames, 1 finding, 1 error>")


def test_visuals_posed_in_a_frame_are_placed_in_their_link():
    """By hand: the frame is 5 along x of the link, the visual 1 beyond it; another frame does not exist."""
    text = ('<sdf version="1.12"><model name="m"><link name="l"><pose>0 7 0 0 0 0</pose>'
            '<visual name="v"><pose relative_to="f">1 0 0 0 0 0</pose><geometry><box/></geometry></visual>'
            '<visual name="w"><pose relative_to="gone">1 0 0 0 0 0</pose><geometry><box/></geometry></visual></link>'
            '<frame name="f" attached_to="l"><pose>5 0 0 0 0 0</pose></frame></model></sdf>')
    v, w = sf.loads(text).links["l"].visuals
    assert v.pose.xyz.tolist() == [6, 0, 0] and w.pose is None


def test_defaults_of_a_joint():
    from sdf_frames.api.elements import Joint
    joint = Joint("j", "fixed", "a", "b")
    assert joint.in_sdf and not joint.movable and joint.axes == () and joint.pose is None


def test_files_that_are_not_there_are_found_when_asked_for(tmp_path):
    robot = sf.loads(URDF, file=tmp_path / "r.urdf")
    assert [(d.name, d.severity, d.line) for d in robot.find_missing_files()] == [("asset-not-found", "error", 4)]
    assert robot.valid
    (tmp_path / "arm.stl").write_text("solid")
    again = sf.loads(URDF, file=tmp_path / "r.urdf")
    assert again.find_missing_files() == sf.loads("<nonsense").find_missing_files() == ()


def test_files_that_are_not_there_have_their_lines_in_the_xacro_file(tmp_path):
    pytest.importorskip("xacro")
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="p"\n\n\n value="1"/>\n'
    (tmp_path / "r.urdf.xacro").write_text(head + URDF[URDF.index("<link"):])
    (found,) = sf.load(tmp_path / "r.urdf.xacro").find_missing_files()
    lines = (tmp_path / "r.urdf.xacro").read_text().splitlines()
    assert "<mesh" in lines[found.line - 1] and found.file.endswith(".xacro")


@pytest.mark.parametrize(("uri", "near"), [
    ("meshes/armx.stl", ["meshes/arm1.stl", "meshes/arm2.stl", "meshes/arm3.stl"]),  # at most three of five
    ("meshes/HAND.obj", ["meshes/hand.dae", "meshes/hand.stl"]),
    ("mesh/hand.stl", ["meshes/hand.stl"]), ("mesh/deep/hand.stl", []), ("mesh", ["meshes"]),
    ("meshes/zzzzzzzz", []), ("meshes/hand.stl", [])])
def test_names_that_are_near_a_file_that_is_not_found(tmp_path, uri, near):
    (tmp_path / "meshes").mkdir()
    for name in ("arm1.stl", "arm2.stl", "arm3.stl", "arm4.stl", "arm5.stl", "hand.stl", "hand.dae"):
        (tmp_path / "meshes" / name).write_text("")
    (found,) = sf.loads(URDF.replace("arm.stl", uri), file=tmp_path / "r.urdf").uris
    assert (found.uri, found.kind, found.file, found.line) == (uri, "mesh", str(tmp_path / "r.urdf"), 4)
    assert found.tried[0] == str(tmp_path / uri)
    assert len(found.near) == len(near) and {name.removeprefix(f"{tmp_path}/") for name in found.near} <= {
        *near, *(f"meshes/arm{i}.stl" for i in range(1, 6) if len(near) == 3)}


def test_uris_of_a_urdf_without_those_that_are_empty():
    material = '<material name="m"><texture filename=" a.png "/></material><material name="n"><texture/></material>'
    found = sf.loads(URDF.replace('<link name="base">', f'{material}<link name="base">')).uris
    assert [(u.uri, u.kind, u.file, u.line, u.near) for u in found] == [
        ("a.png", "texture", None, 2, ()), ("arm.stl", "mesh", None, 4, ())]


def test_uris_of_models_in_models(tmp_path):
    """Each file includes the next; the last has a mesh. A URI that is written twice in a line is listed once."""
    inner = "<include><uri>{}</uri></include>"
    mesh = '<visual name="{}"><geometry><mesh><uri>arm.stl</uri></mesh></geometry></visual>'
    last = f'<link name="l">{mesh.format("v")}{mesh.format("w")}\n{mesh.format("x")}</link>'
    for name, content in (("a", inner.format("b.sdf")), ("b", inner.format("c.sdf")), ("c", last)):
        (tmp_path / f"{name}.sdf").write_text(f'<sdf version="1.9"><model name="{name}">{content}</model></sdf>')
    found = sf.load(tmp_path / "a.sdf").uris
    assert [(u.uri, u.kind, u.file.rpartition("/")[2], u.line) for u in found] == [
        ("b.sdf", "include", "a.sdf", 1), ("c.sdf", "include", "b.sdf", 1), ("arm.stl", "mesh", "c.sdf", 1),
        ("arm.stl", "mesh", "c.sdf", 2)]


def test_saving_a_urdf_returns_what_it_lacks(tmp_path):
    cone = "<geometry><cone><radius>1</radius><length>2</length></cone></geometry>"
    robot = sf.loads(f'<sdf version="1.12"><model name="m"><link name="l"><visual name="v">{cone}</visual>'
                     '<visual name="x" colour="1"/></link></model></sdf>', file=tmp_path / "m.sdf")
    lost = robot.save(tmp_path / "m.urdf")
    assert [(d.code, d.message) for d in lost] == [("C069", "visual 'v' is not in the URDF: URDF has no cone")]
    assert robot.save_bundle(tmp_path / "urdf", kind="urdf").findings == lost
    assert robot.save(tmp_path / "other.sdf") == robot.save_bundle(tmp_path / "sdf").findings == ()


def test_the_masses_of_links_without_inertial_are_those_of_their_format():
    robot = sf.loads('<robot name="r"><link name="a"/><link name="b"><inertial><mass value="kg"/></inertial></link>'
                     '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
    assert [link.mass for link in robot.links.values()] == [0, None]
    model = sf.loads('<sdf version="1.11"><model name="m"><link name="a"/><link name="b"><inertial/></link>'
                     '<link name="c"><inertial auto="true"/></link></model></sdf>')
    assert [link.mass for link in model.links.values()] == [1, 1, None]
    assert [model.inertias()[name].mass for name in "ab"] == [1, 1]


def test_a_fixed_joint_stays_where_it_is():
    limits = sf.loads(URDF).joints["mount"].limits
    assert (limits.lower, limits.upper) == (0, 0)


@pytest.mark.parametrize("text", [
    '<robot name="r"><link name="a"><visual><geometry><mesh filename="a.stl"/></geometry></visual></link></robot>',
    '<sdf version="1.11"><model name="m"><link name="a"><visual name="v"><geometry><mesh><uri>a.stl</uri></mesh>'
    "</geometry></visual></link></model></sdf>"])
def test_a_mesh_knows_the_path_of_its_file(tmp_path, text):
    for path in (None, str(tmp_path / "a.stl")):
        (shape,) = sf.loads(text, file=tmp_path / "r.urdf").links["a"].visuals
        assert shape.path == shape.geometry.path == path
        (tmp_path / "a.stl").touch()


@pytest.mark.parametrize("change", [('ixx="1"', 'ixx="1.5"'), ("<inertial>", '<inertial><origin xyz="0 0 1"/>')])
def test_links_and_inertias_are_equal_if_all_their_numbers_are(change):
    robot, same, other = (sf.loads(text) for text in (URDF, URDF, URDF.replace(*change)))
    assert robot.links["arm"] == same.links["arm"] != other.links["arm"]
    assert robot.inertias()["arm"] == same.inertias()["arm"] != other.inertias()["arm"]
    assert robot.inertias().total == same.inertias().total != other.inertias().total


def test_arrays_cannot_be_changed_in_place():
    robot = sf.loads(URDF)
    link, total = robot.links["arm"], robot.inertias().total
    for array in (link.com, link.inertia, total.com, total.tensor):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 5
    given = np.zeros(3)
    assert replace(total, com=given).com is not given and given.flags.writeable
    failed = replace(total, com=given * np.nan)
    assert failed == failed


def test_every_file_of_a_description_is_listed_once(tmp_path):
    """The world includes a model twice; its mesh names a material, and the material a texture beside a script."""
    include = "<include><name>{}</name><uri>box</uri></include>"
    texts = {
        "w.sdf": f'<sdf version="1.10"><world name="w">{include.format("a")}{include.format("b")}</world></sdf>',
        "box/model.config": '<model><sdf version="1.10">model.sdf</sdf></model>',
        "box/model.sdf": '<sdf version="1.10"><model name="box"><link name="l"><visual name="v"><geometry><mesh>'
                         "<uri>meshes/m.obj</uri></mesh></geometry><material><script><uri>materials/scripts</uri>"
                         "<name>x</name></script></material></visual></link></model></sdf>",
        "box/meshes/m.obj": "mtllib m.mtl lost.mtl\n", "box/meshes/m.mtl": "map_Kd paint.png\nmap_Bump m.mtl\n",
        "box/materials/textures/paint.png": "", "box/materials/scripts/x.material": "",
        "box/materials/scripts/sub/y": ""}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    listed = [*sf.load(tmp_path / "w.sdf", resource_paths=[tmp_path]).list_files()]
    assert listed[0] == str(tmp_path / "w.sdf")
    assert sorted(os.path.relpath(os.path.realpath(path), tmp_path) for path in listed) == sorted(
        {*texts} - {"box/model.config", "box/materials/scripts/sub/y"})


def test_a_file_is_listed_of_which_the_model_stands_in_the_place_of_an_include(tmp_path):
    """At the root of an included file. A mesh is looked for beside the file that names it."""
    mesh = '<link name="l"><visual name="v"><geometry><mesh><uri>m.obj</uri></mesh></geometry></visual></link>'
    texts = {"w.sdf": '<world name="w"><include><uri>a/mid.sdf</uri></include></world>',
             "a/mid.sdf": "<include><uri>b/leaf.sdf</uri></include>", "a/b/leaf.sdf": f'<model name="m">{mesh}</model>',
             "a/b/m.obj": "", "light.sdf": '<light name="l" type="point"/>',
             "a/to_light.sdf": "<include><uri>../light.sdf</uri></include>"}
    texts["w.sdf"] = texts["w.sdf"].replace("</world>", "<include><uri>a/to_light.sdf</uri></include></world>")
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f'<sdf version="1.9">{text}</sdf>')
    listed = sf.load(tmp_path / "w.sdf").list_files()
    assert sorted(os.path.relpath(path, tmp_path) for path in listed) == sorted(texts)
