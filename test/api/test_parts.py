"""`robot.parts`: what a description says beyond frames, axes, shapes and inertias."""
import pytest

import sdf_frames as sf


def load(inside):
    return sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>')


def find(robot, kind, name):
    (part,) = [p for p in robot.parts if (p.kind, p.name) == (kind, name)]
    return part


def test_each_part_knows_what_it_is_in():
    robot = load('<model name="n"><link name="l"><sensor name="s" type="imu"><plugin name="p" filename="f"/></sensor>'
                 '<visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link></model>'
                 '<plugin name="gz::p" filename="g"/>')
    assert [(p.kind, p.name, p.owner) for p in robot.parts] == [
        ("model", "__model__", None), ("plugin", "gz::p", ""), ("model", "n", None), ("link", "n::l", None),
        ("sensor", "n::l::s", "n::l"), ("plugin", "n::l::s::p", "n::l::s"), ("visual", "n::l::v", "n::l")]
    assert sf.loads("<").parts == ()


def test_settings_are_what_is_written_with_what_the_specification_takes_else():
    link = find(load('<link name="l"><gravity>0</gravity>'
                     '<velocity_decay><linear> 0.5 </linear></velocity_decay></link>'),
                "link", "l")
    assert link.settings == {"gravity": "false", "velocity_decay/linear": "0.5"}
    assert link.defaults["gravity"] == "true"


def test_a_setting_that_is_not_written_is_found_in_the_specification():
    camera = find(load('<link name="l"><sensor name="s" type="camera"><camera><clip><far>7</far></clip></camera>'
                       '</sensor></link>'), "sensor", "l::s")
    assert [camera.find(path) for path in ("@type", "camera/clip/far", "camera/clip/near", "camera/image/width")] == [
        "camera", "7", ".1", "320"]  # the last two: camera.sdf 1.12
    assert (camera.find("camera/none"), camera.find("@none"), camera.find("none/@none")) == ("", "", "")


def test_all_of_a_plugin_and_of_elements_with_a_prefix_is_there():
    robot = load('<link name="l" xmlns:x="urn:x"><x:note deep="1"><x:a>b</x:a></x:note></link>'
                 '<plugin name="p" filename="f"><list><i>1</i><i>2</i>'
                 '</list><flag/><sensor name="s">t</sensor></plugin>')
    assert find(robot, "plugin", "p").settings == {
        "@filename": "f", "list/i": "1", "list/i[2]": "2", "flag": "", "sensor": "t", "sensor/@name": "s"}
    assert find(robot, "link", "l").settings == {"{urn:x}note/@deep": "1", "{urn:x}note/{urn:x}a": "b"}


def test_two_of_one_name():
    robot = load('<link name="l"/><plugin name="p" filename="f"/><plugin name="p" filename="g"/>')
    assert [(p.name, p.settings["@filename"]) for p in robot.parts if p.kind == "plugin"] == [("p", "f"), ("p[2]", "g")]


def test_poses_are_in_what_holds_the_part():
    robot = load('<link name="l"><pose>1 0 0 0 0 0</pose><sensor name="s" type="imu"><pose relative_to="f">0 0 1 0 0 0'
                 '</pose></sensor><sensor name="t" type="imu"/><sensor name="u" type="imu">'
                 '<pose relative_to="nowhere"/></sensor></link><frame name="f"><pose>5 0 0 0 0 0</pose></frame>')
    assert find(robot, "sensor", "l::s").pose.xyz.tolist() == [4, 0, 1]
    assert find(robot, "sensor", "l::t").pose is find(robot, "sensor", "l::u").pose is None


def test_only_a_root_model_has_a_pose_among_its_settings():
    """Poses of other models are in `frames`."""
    robot = load('<pose>1 2 3 0 0 0</pose><model name="n"><pose>4 5 6 0 0 0</pose><link name="l"/></model>')
    assert find(robot, "model", "__model__").pose.xyz.tolist() == [1, 2, 3]
    assert find(robot, "model", "n").pose is None


def test_parts_of_a_merged_model_are_in_the_one_around(tmp_path):
    (tmp_path / "part.sdf").write_text('<sdf version="1.11"><model name="part"><link name="k"/>'
                                       '<plugin name="p" filename="f"/></model></sdf>')
    robot = sf.loads('<sdf version="1.11"><model name="m"><include merge="true"><uri>part.sdf</uri>'
                     '<plugin name="q" filename="f"/></include></model></sdf>', file=str(tmp_path / "m.sdf"))
    assert [(p.name, p.owner) for p in robot.parts if p.kind == "plugin"] == [("p", ""), ("q", "")]


def test_a_part_in_the_frame_of_a_merged_model_stays_there(tmp_path):
    """``__model__`` is the frame of the merged model, 2 m beside that of the model around."""
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.11"><model name="part"><link name="k"><pose>1 0 0 0 0 0</pose>'
        '<sensor name="s" type="imu"><pose relative_to="__model__">0 0 3 0 0 0</pose></sensor></link>'
        '<link name="l"/><joint name="j" type="fixed"><pose>0 5 0 0 0 0</pose><parent>l</parent><child>k</child>'
        '<sensor name="t" type="force_torque"><pose relative_to="__model__"/></sensor></joint></model></sdf>')
    robot = sf.loads('<sdf version="1.11"><model name="m"><include merge="true"><uri>part.sdf</uri>'
                     '<pose>0 2 0 0 0 0</pose></include></model></sdf>', file=str(tmp_path / "m.sdf"))
    assert robot.valid
    assert find(robot, "sensor", "k::s").pose.xyz.tolist() == [-1, 0, 3]
    assert find(robot, "sensor", "j::t").pose.xyz.tolist() == [-1, -5, 0]


def test_the_uris_of_a_part_lead_to_its_own_files(tmp_path):
    """The ``<diffuse>`` of a heightmap's texture is a URI, that of a material a colour."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a.png").write_bytes(b"")
    (tmp_path / "part" / "part.sdf").write_text(
        '<sdf version="1.11"><model name="part"><link name="k"><visual name="v"><geometry><heightmap><uri>h.png</uri>'
        "<texture><size>1</size><diffuse>a.png</diffuse><normal>b.png</normal></texture></heightmap></geometry>"
        '<material><diffuse>1 0 0 1</diffuse></material></visual></link></model></sdf>')
    robot = sf.loads('<sdf version="1.11"><model name="m"><include><uri>part/part.sdf</uri></include></model></sdf>',
                     file=str(tmp_path / "m.sdf"))
    assert find(robot, "visual", "part::k::v").files == {
        "geometry/heightmap/texture/diffuse": str(tmp_path / "part" / "a.png"),
        "geometry/heightmap/texture/normal": None}


@pytest.mark.parametrize("kind", ["light", "actor"])
def test_lights_and_actors_without_a_world_are_parts(kind):
    robot = sf.loads(f'<sdf version="1.9"><{kind} name="a"><pose>1 2 3 0 0 0</pose></{kind}></sdf>')
    part = find(robot, kind, "a")
    assert (part.owner, part.pose.xyz.tolist()) == ("", [1, 2, 3])


def test_the_pose_of_an_included_root_model_is_that_of_its_include(tmp_path):
    (tmp_path / "leaf.sdf").write_text('<sdf version="1.9"><model name="m"><pose>9 9 9 0 0 0</pose><link name="l"/>'
                                       "</model></sdf>")
    (tmp_path / "top.sdf").write_text('<sdf version="1.9"><include><uri>leaf.sdf</uri><pose>1 2 3 0 0 0</pose>'
                                      "</include></sdf>")
    (model,) = [part for part in sf.load(tmp_path / "top.sdf").parts if part.kind == "model"]
    assert model.pose.xyz.tolist() == [1, 2, 3]
