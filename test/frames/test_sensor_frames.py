"""Sensors on TF under the frame ids of Gazebo's messages. Poses and names are worked out by hand."""
from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from lxml import etree
from real_files import CORPUS, MISSING

from sdf_frames.frames.sensor_frames import find_sensors
from sdf_frames.load import load_text

Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
HALF = sqrt(0.5)
ROVER = """<sdf version="1.9">{before}<model name="rover"><pose>7 0 0 0 0 0</pose>
  <link name="body"><pose>0 0 1 0 0 0</pose>
    <sensor name="lidar" type="gpu_lidar"><pose>1 0 0 0 0 1.5707963267948966</pose></sensor>
    <sensor name="imu" type="imu"><pose relative_to="bracket">0 0 3 0 0 0</pose></sensor>
    <sensor name="camera" type="camera"><gz_frame_id>optical</gz_frame_id><pose>0 2 0 0 0 0</pose></sensor>
    <sensor name="depth" type="depth_camera"><ignition_frame_id>bracket</ignition_frame_id></sensor>
    <light name="lamp" type="point"/>
  </link>
  <link name="arm"/>
  <frame name="bracket" attached_to="body"><pose>0 5 0 0 0 0</pose></frame>
  <joint name="wrist" type="fixed"><pose>0 0 4 0 0 0</pose><parent>body</parent><child>arm</child>
    <sensor name="force" type="force_torque"/></joint>
  <model name="tool"><link name="tip"><sensor name="touch" type="contact"><pose>6 0 0 0 0 0</pose></sensor></link></model>
</model>{after}</sdf>"""  # noqa: E501
IN_WORLD = ROVER.format(before='<world name="w">', after="</world>")
MODEL = ROVER.format(before="", after="")


def added(text: str, **options) -> dict:
    """The frames that asking for sensors adds: {child: (parent, pose)}."""
    def read(**more):
        transforms, found = load_text(text).static_transforms(**options, **more)
        assert not found
        return {t.child: (t.parent, t.pose) for t in transforms}
    without, with_them = read(), read(sensor_frames=True)
    assert without.items() <= with_them.items()
    return {child: with_them[child] for child in with_them.keys() - without.keys()}


@pytest.mark.parametrize("text", [MODEL, IN_WORLD], ids=["model", "world"])
@pytest.mark.parametrize("mode", ["all", "complement"])
def test_sensors_stand_where_they_are_written(text, mode):
    scope = "rover/" if text is IN_WORLD else ""
    frames = added(text, mode=mode)
    # The depth camera names a frame that a model's TF has already; in a world the frame is called rover/bracket.
    assert frames.pop("bracket", ("rover/body",))[0] == "rover/body"
    assert ("bracket" in added(text, mode=mode)) == (text is IN_WORLD)
    assert {child: parent for child, (parent, _) in frames.items()} == {
        "rover/body/lidar": f"{scope}body", "rover/body/imu": f"{scope}body", "optical": f"{scope}body",
        "rover/wrist/force": f"{scope}wrist", "rover/tool/tip/touch": f"{scope}tool/tip"}
    assert frames["rover/body/lidar"][1] == pytest.approx((1, 0, 0, HALF, 0, 0, HALF), abs=1e-12)
    # A frame without relative_to is posed in what it is attached to, so the bracket is at y = 5 of the body.
    assert frames["rover/body/imu"][1] == pytest.approx((0, 5, 3, 1, 0, 0, 0), abs=1e-12)
    assert frames["optical"][1] == pytest.approx((0, 2, 0, 1, 0, 0, 0), abs=1e-12)
    assert frames["rover/wrist/force"][1] == pytest.approx((0, 0, 0, 1, 0, 0, 0), abs=1e-12)
    assert frames["rover/tool/tip/touch"][1] == pytest.approx((6, 0, 0, 1, 0, 0, 0), abs=1e-12)


def test_separator_and_prefix_are_in_the_ids():
    frames = added(MODEL, scope_separator="__", frame_prefix="left/")
    assert {"left/rover__body__lidar", "left/optical", "left/rover__tool__tip__touch"} <= frames.keys()


def test_a_sensor_of_a_lumped_link_is_on_the_link_that_took_it():
    text = """<robot name="r"><link name="base"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="mast"/>
      <joint name="j" type="fixed"><origin xyz="0 0 2"/><parent link="base"/><child link="mast"/></joint>
      <gazebo reference="mast"><sensor name="gps" type="navsat"><pose>1 0 0 0 0 0</pose></sensor></gazebo></robot>"""
    assert added(text) == {"r/base/gps": ("base", pytest.approx((1, 0, 2, 1, 0, 0, 0), abs=1e-12))}


def test_two_sensors_of_one_frame_id_are_reported():
    text = MODEL.replace("<ignition_frame_id>bracket<", "<ignition_frame_id>optical<")
    transforms, (finding,) = load_text(text).static_transforms(sensor_frames=True)
    assert finding.name == "tf-name-taken" and [t.child for t in transforms].count("optical") == 1


def test_a_model_that_was_spawned_under_another_name():
    """Gazebo names sensors after the model as it was spawned, with :: between the parts; bridges write / instead."""
    def read(text, **options):
        return {t.child: t.parent for t in load_text(text).static_transforms(sensor_frames=True, **options)[0]}
    frames = read(MODEL, model_name="left", frame_prefix="r1/")
    assert frames["r1/left"] == "r1/body" and "r1/rover" not in frames
    assert {"r1/left/body/lidar", "r1/left/tool/tip/touch", "r1/optical"} <= frames.keys()
    assert read(IN_WORLD, model_name="left") == read(IN_WORLD), "the models of a world are spawned with it"


def test_other_parts_and_sensors_without_a_place_do_not_hide_the_next():
    parts = ('<light name="lamp" type="point"/><sensor name="lost" type="imu"><pose relative_to="nowhere"/></sensor>'
             '<sensor name="imu" type="imu"><gz_frame_id> </gz_frame_id><ignition_frame_id> old '
             '</ignition_frame_id></sensor>')
    text = f'<sdf version="1.9"><model name="m"><link name="l">{parts}</link></model></sdf>'
    graph = load_text(text).graphs[0]
    (sensor,) = find_sensors(graph)
    assert (sensor.id, graph.names[sensor.vertex], sensor.X) == ("old", "l", (0, 0, 0, 1, 0, 0, 0))
    assert sensor.element.get("name") == "imu"


def test_the_present_word_for_a_frame_id_counts_before_the_old_one():
    ids = "<ignition_frame_id>old</ignition_frame_id><gz_frame_id>n::new</gz_frame_id>"
    sensor = f'<sensor name="s" type="imu">{ids}</sensor>'
    text = f'<sdf version="1.9"><model name="m"><link name="l">{sensor}</link></model></sdf>'
    assert "n_new" in {t.child for t in load_text(text).static_transforms(sensor_frames=True, scope_separator="_")[0]}


def chain(transforms, child: str) -> list[tuple[str, np.ndarray]]:
    """The frames above `child`, nearest first, each with the rotation and position of `child` in it."""
    above = {t.child: t for t in transforms}
    X, found = np.eye(4), []
    while (t := above.get(child)) is not None:
        X = to_matrix(t.pose[:3], (*t.pose[4:], t.pose[3])) @ X
        child = t.parent
        found.append((child, X))
    return found


def to_matrix(xyz, xyzw=None, rpy=None) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = xyz
    X[:3, :3] = (Rotation.from_quat(xyzw) if rpy is None else Rotation.from_euler("xyz", rpy)).as_matrix()
    return X


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_each_sensor_of_real_models_is_in_tf_under_the_id_of_its_messages():
    """The pose is read here from the text of the sensor; its id by the order of gz-sensors' Sensor.cc."""
    count = 0
    for file in sorted(CORPUS.rglob("*.sdf")):
        text = file.read_bytes()
        if b"<sensor" not in text or b"<include" in text or text.count(b"<model") != 1 or b"<world" in text:
            continue
        loaded = load_text(text)
        if not loaded.resolved:
            continue
        transforms, clashes = loaded.static_transforms(sensor_frames=True)
        root = etree.fromstring(text, etree.XMLParser(recover=True))
        model, = root.iter("model")
        for sensor in root.iterfind(".//model/link/sensor"):
            pose = sensor.find("pose")
            link = sensor.getparent().get("name")
            ids = [sensor.findtext(tag) for tag in ("frame_id", "gz_frame_id", "ignition_frame_id")]
            stated = next((id_.strip() for id_ in ids if id_), None)
            name = stated or f"{model.get('name')}/{link}/{sensor.get('name')}"
            assert name in {t.child for t in transforms} | {t.parent for t in transforms}, (file, name)
            if pose is not None and pose.attrib or any(d.path.endswith(f'[@name="{sensor.get("name")}"]')
                                                       for d in clashes) or stated in loaded.graphs[0].names:
                continue
            *xyz, r, p, y = map(float, (pose.text if pose is not None and pose.text else "0 0 0 0 0 0").split())
            assert dict(chain(transforms, name))[link] == pytest.approx(to_matrix(xyz, rpy=(r, p, y)), abs=1e-9)
            count += 1
    assert count >= 50
