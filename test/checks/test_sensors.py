"""Frame ids of sensors that name no frame, or one that stands elsewhere. Poses are worked out by hand."""
from __future__ import annotations

import re

import pytest
from real_files import CORPUS, MISSING, resource_paths
from urdf_text import gazebo, joint, link, robot

from sdf_frames.frames.sensor_frames import measure_error
from sdf_frames.load import LoadOptions, load_text

TURN = "-1.5707963267948966 0 -1.5707963267948966"  # REP 103: from x forward to z forward
MODEL = """<sdf version="1.12"><model name="rover">
  <link name="base"><sensor name="s" type="{type}"><pose>{pose}</pose>{inside}</sensor></link>
  <frame name="mast" attached_to="base"><pose>0.1 0 0.5 0 0 0.2</pose></frame>
  <frame name="mast_optical" attached_to="mast"><pose>0 0 0 -1.57 0 -1.57</pose></frame>
  <frame name="left_optical" attached_to="mast"><pose>0 0.12 0 {turn}</pose></frame>
  <model name="tool"><link name="tip"/></model>
</model></sdf>"""
ON_MAST = "0.1 0 0.5 0 0 0.2"


def find(inside: str, type_: str = "imu", pose: str = ON_MAST) -> list:
    loaded = load_text(MODEL.format(type=type_, pose=pose, inside=inside, turn=TURN))
    assert all(d.name.startswith("sensor-frame") for d in loaded.diagnostics), loaded.diagnostics
    return list(loaded.diagnostics)


@pytest.mark.parametrize("type_, inside", [
    ("imu", ""), ("imu", "<frame_id>mast</frame_id>"), ("imu", "<frame_id> /mast </frame_id>"),
    # A prefix that TF puts before every name, and the id that Gazebo gives without being asked.
    ("imu", "<frame_id>r1/mast</frame_id>"), ("imu", "<frame_id>rover::mast</frame_id>"),
    ("imu", "<frame_id>rover/base/s</frame_id>"), ("imu", "<frame_id>left::base::s</frame_id>"),
    # A camera may name its optical frame, with the angles that people write.
    ("camera", "<frame_id>mast</frame_id>"), ("depth_camera", "<frame_id>mast_optical</frame_id>"),
    # The right camera of a stereo pair is in the frame of the left one.
    ("camera", "<frame_id>left_optical</frame_id><camera><lens><projection><p_fx>100</p_fx><tx>-12</tx></projection>"
               "</lens></camera>"),
    ("camera", "<plugin name='p' filename='f'><frameName>left_optical</frameName><hackBaseline>0.12</hackBaseline>"
               "</plugin>"),
    ("contact", "<frame_id>nowhere</frame_id>")])
def test_right_ids(type_, inside):
    assert find(inside, type_) == []


@pytest.mark.parametrize("type_, named", [
    ("navsat", "0.1 0 0.5 0 0 1"), ("altimeter", "0.1 0 0.5 0 1 0"), ("magnetometer", "7 0 0 0 0 0.2")])
def test_only_what_a_measurement_depends_on_counts(type_, named):
    assert find("<frame_id>mast</frame_id>", type_, named) == []
    assert len(find("<frame_id>mast</frame_id>", type_, "0.2 0 0.5 0 0 1")) == 1


def test_an_id_that_names_no_frame():
    finding, = find("<frame_id>mas</frame_id>")
    assert (finding.code, finding.path) == (
        "F006", '/sdf/model[@name="rover"]/link[@name="base"]/sensor[@name="s"]/frame_id')
    assert "'mas'" in finding.message and "(0.1, 0, 0.5) m, rpy (0, 0, 11.4592)° in 'base'" in finding.message
    assert finding.hint == "write <frame_id>mast</frame_id>, a frame that is where the sensor is"


def test_a_frame_of_a_nested_model_is_not_in_the_scope_of_the_sensor():
    assert [d.code for d in find("<frame_id>tip</frame_id>")] == ["F006"]
    assert [d.code for d in find("<frame_id>tool::tip</frame_id>", pose="0 0 0 0 0 0")] == []


def test_a_frame_that_stands_elsewhere():
    finding, = find("<frame_id>mast</frame_id>", pose="0.1 0.03 0.46 0 0 0")
    # 0.03 m and 0.04 m make 0.05 m; 0.2 rad are 11.459 degrees.
    assert finding.code == "F007" and "0.05 m and 11.5° away" in finding.message
    assert "the sensor is at (0.1, 0.03, 0.46) m, rpy (0, 0, 0)°" in finding.message
    assert "the frame at (0.1, 0, 0.5) m, rpy (0, 0, 11.4592)°" in finding.message
    assert finding.hint == ('write <frame_id>s_frame</frame_id>, and add <frame name="s_frame" attached_to="base">'
                            "<pose>0.1 0.03 0.46 0 0 0</pose></frame> to the model")
    mended = MODEL.format(type="imu", pose="0.1 0.03 0.46 0 0 0", inside="<frame_id>s_frame</frame_id>", turn=TURN)
    frame = finding.hint[finding.hint.index("<frame name"):].removesuffix(" to the model")
    assert load_text(mended.replace("<frame name", f"{frame}<frame name", 1)).diagnostics == ()


def test_an_optical_id_must_name_an_optical_frame():
    inside = "<camera><optical_frame_id>{}</optical_frame_id></camera>"
    (finding,) = [d for d in load_text(MODEL.format(
        type="camera", pose=ON_MAST, inside=inside.format("mast"), turn=TURN)).diagnostics if d.code == "F007"]
    assert "0 m and 120° away" in finding.message, "the turn of REP 103 is one of 120 degrees about a diagonal"
    assert finding.hint == (
        "write <optical_frame_id>mast_optical</optical_frame_id>, a frame that is where the sensor is")


def test_each_element_is_judged_once():
    ids = "<frame_id>gone</frame_id><gz_frame_id>gone</gz_frame_id><gz_frame_id>lost</gz_frame_id>"
    assert [d.message.split("'")[3] for d in load_text(MODEL.format(
        type="imu", pose=ON_MAST, inside=ids, turn=TURN)).diagnostics if d.code == "F006"] == ["gone", "lost"]


def test_the_mend_of_a_urdf_is_a_link():
    sensor = '<sensor name="s" type="imu"><pose>0 0 0.2 0 0 0</pose><gz_frame_id>mast</gz_frame_id></sensor>'
    text = robot(link("base", 1), link("mast"), joint("j", "fixed", "base", "mast", xyz="1 0 0"),
                 gazebo("mast", sensor))
    finding, = load_text(text).diagnostics
    assert finding.code == "F007" and finding.hint == (
        "write <gz_frame_id>s_frame</gz_frame_id>, and add a link of this name with a fixed joint to 'base' and "
        '<origin xyz="1 0 0.2" rpy="0 0 0"/>')
    near = load_text(text.replace("mast</gz", "gone</gz").replace("<pose>0 0 0.2 0 0 0</pose>", "")).diagnostics
    # The joint is a frame of the SDF there, too, but robot_state_publisher does not publish it.
    assert [d.hint for d in near] == ["write <gz_frame_id>mast</gz_frame_id>, a frame that is where the sensor is"]


def test_mends_of_two_sensors_of_one_name_are_two_frames():
    found = load_text(robot(link("base", 1), link("s_frame"), joint("j", "fixed", "base", "s_frame", xyz="1 0 0"), *[
        gazebo("base", f'<sensor name="s" type="imu"><pose>0 0 {z} 0 0 0</pose><frame_id>gone</frame_id></sensor>')
        for z in (1, 2)])).diagnostics
    assert [d.hint.split("<")[1] for d in found if d.code == "F006"] == ["frame_id>s_frame0", "frame_id>s_frame1"]


def test_all_ids_of_a_sensor_get_one_new_frame():
    ids = "<frame_id>gone</frame_id><gz_frame_id>lost</gz_frame_id>"
    found = load_text(MODEL.format(type="imu", pose="0 0 3 0 0 0", inside=ids, turn=TURN)).diagnostics
    hints = [d.hint for d in found if d.code == "F006"]
    assert len(hints) == 2 and all('<frame name="s_frame" ' in hint for hint in hints), hints


def test_the_mend_of_a_sensor_in_a_joint_of_a_world_is_a_frame_of_the_world():
    text = ('<sdf version="1.12"><world name="w"><joint name="j" type="fixed"><parent>world</parent><child>m</child>'
            '<sensor name="s" type="force_torque"><pose>0 0 1 0 0 0</pose><frame_id>gone</frame_id></sensor></joint>'
            '{}<model name="m"><link name="l"/></model></world></sdf>')
    (finding,) = [d for d in load_text(text.format("")).diagnostics if d.code == "F006"]
    hint, frame, end = re.fullmatch("(.*), and add (.*) to the (.*)", finding.hint).groups()
    assert hint == "write <frame_id>s_frame</frame_id>" and end == "world"
    assert not load_text(text.format(frame).replace("gone", "s_frame")).diagnostics


def test_a_link_that_the_sdf_does_not_have_is_a_frame_of_tf():
    limit = '<limit effort="1" velocity="1"/>'
    text = robot(link("base", 1), link("arm"), joint("j", "revolute", "base", "arm", limit),
                 gazebo("base", '<sensor name="s" type="imu"><gz_frame_id>arm</gz_frame_id></sensor>'))
    assert not [d for d in load_text(text).diagnostics if d.name.startswith("sensor-")]


def test_what_a_failed_include_may_bring_is_not_missed():
    text = ('<sdf version="1.12"><model name="m"><include merge="true"><uri>model://none</uri></include><link name="l">'
            '<sensor name="s" type="imu"><frame_id>x</frame_id></sensor></link></model></sdf>')
    assert not [d for d in load_text(text).diagnostics if d.name.startswith("sensor-")]


# Real files, each looked at by hand: the sensors whose frame is away from them, by folder and file. Of gz-sensors, the
# camera tests name a frame of no file; worlds of gazebo_ros_pkgs name frames of robots that are not in them.
_TURTLEBOTS = "ROBOTIS-GIT+turtlebot3_simulations/turtlebot3_gazebo/models/turtlebot3_"
_CLASSIC = "ros-simulation+gazebo_ros_pkgs/gazebo_plugins/test/"
ELSEWHERE = {
    **{f"PX4+PX4-gazebo-models/models/{name}/model.sdf": sensors for name, sensors in {
        "OakD-Lite": {"IMX214", "StereoOV7251"}, "gimbal": {"camera", "camera_imu"}, "lidar_2d_v2": {"lidar_2d_v2"},
        "optical_flow": {"flow_camera"},  # looks down
        "advanced_plane": {"lidar"}, "x500_flow": {"lidar"}, "x500_lidar_down": {"lidar"},  # rolled by half a turn
        "x500_lidar_front": {"lidar"}}.items()},
    # The sensor has the pose of its link in the model once more.
    **{f"{_TURTLEBOTS}{name}.sdf": {"hls_lfcd_lds"} for name in (
        "burger/model", "burger/model-1_4", "burger_cam/model", "burger_cam/model-1_4", "waffle/model",
        "waffle/model-1_4", "waffle_pi/model", "waffle_pi/model-1_4_")},
    # The optical frame of the infrared camera of the Kinect is 1 cm beside the camera.
    "PR2+pr2_common/xacro_expanded/pr2_description/robots/pr2_se.urdf": {"head_mount_ir_sensor"},
    f"{_CLASSIC}test_worlds/gazebo_ros_camera.world": {"sensor_camera"}}  # names the world
UNKNOWN = {f"{_TURTLEBOTS}burger_cam/model.sdf": {"camera"}}
_OF_OTHERS = ("gazebosim+gz-sensors/test/sdf/", _CLASSIC)
_STATED = re.compile(rb"<(gz_frame_id|ignition_frame_id|frame_id|frame_name|frameName|optical_frame_id)>")


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_sensors_of_real_robots_are_warned_about_where_they_are_wrong():
    files = [file for ending in ("urdf", "sdf", "world") for file in sorted(CORPUS.rglob(f"*.{ending}"))
             if file.stat().st_size < 4_000_000 and _STATED.search(file.read_bytes())]
    found: dict[str, dict[str, set[str]]] = {"F006": {}, "F007": {}}
    px4 = 0
    for file in files:
        name = file.relative_to(CORPUS).as_posix()
        options = LoadOptions(resource_paths=resource_paths(name))
        text = file.read_bytes()
        px4 += b"<gz_frame_id>" in text and name.startswith("PX4")
        for d in load_text(text, str(file), options).diagnostics:
            assert d.code != "S003" or "frame_id>" not in d.message
            if d.code in found and d.file == str(file):
                found[d.code].setdefault(name, set()).add(d.message.split("'")[1])
    assert len(files) >= 60 and px4 == 21
    assert found["F007"] == ELSEWHERE
    assert {name: sensors for name, sensors in found["F006"].items() if not name.startswith(_OF_OTHERS)} == UNKNOWN


def test_very_many_wrong_ids_take_linear_work(monkeypatch):
    from sdf_frames.checks import sensors
    looks = []
    monkeypatch.setattr(sensors, "measure_error", lambda *words: looks.append(1) or measure_error(*words))
    sensor = '<sensor name="s{0}" type="imu"><frame_id>x{0}</frame_id><pose>0 0 1 0 0 0</pose></sensor>'
    frames = "".join(f'<frame name="f{i}"/>' for i in range(1000))
    found = load_text(f'<sdf version="1.12"><model name="m"><link name="l">{"".join(map(sensor.format, range(1000)))}'
                      f"</link>{frames}</model></sdf>").diagnostics
    assert [d.code for d in found] == ["F006"] * 1000 and "<frame name=" in found[-1].hint
    assert len(looks) < 250_000
    deep = f'<frame_id>{"a/" * 100_000}</frame_id>'
    assert [d.code for d in find(deep)] == ["F006"]


def test_a_model_of_a_world_whose_name_has_the_delimiter_is_checked_to_the_end():
    """The part before '::' is no model."""
    loaded = load_text(
        '<sdf version="1.9"><world name="w"><model name="a::b"><link name="l"><pose>900 0 0 0 0 0</pose>'
        '<sensor name="s" type="imu"><gz_frame_id>nope</gz_frame_id></sensor><collision name="c"><geometry><box>'
        "<size>1 1 1</size></box></geometry></collision></link></model></world></sdf>")
    assert {"N004", "F006"} <= {d.code for d in loaded.diagnostics}
    assert loaded.find_odd_meshes() == []
