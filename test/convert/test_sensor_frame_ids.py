"""Sensors that a conversion gives the frame ids of links. Poses are worked out by hand."""
from __future__ import annotations

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main

OPTICAL = "-1.5707963267948966 0 -1.5707963267948966"
ARM = '<limit effort="1" velocity="1" lower="0" upper="1"/>'


def make(sensor: str, reference: str = "mast", type_: str = "imu") -> str:
    return robot(link("base", 1), link("mast"), link("eye"), link("eye_z"), link("arm", 1),
                 joint("a", "fixed", "base", "mast", xyz="0 0 1"), joint("b", "fixed", "mast", "eye", xyz="0.1 0 0"),
                 joint("c", "fixed", "eye", "eye_z", rpy=OPTICAL),
                 joint("d", "revolute", "base", "arm", ARM, xyz="0 0 1"),
                 gazebo(reference, f'<sensor name="s" type="{type_}">{sensor}</sensor>'))


def convert(text: str, gazebo_: str | None = "jetty") -> tuple[etree._Element, sf.RobotDescription]:
    loaded = sf.loads(text, sensor_frame_ids=gazebo_)
    return etree.fromstring(loaded.to_sdf().encode()), loaded


@pytest.mark.parametrize("gazebo_, tag, version", [
    ("fortress", "gz_frame_id", "1.7"), ("garden", "gz_frame_id", "1.7"), ("harmonic", "gz_frame_id", "1.7"),
    ("ionic", "frame_id", "1.12"), ("jetty", "frame_id", "1.12")])
def test_the_element_is_the_one_that_the_release_reads(gazebo_, tag, version):
    root, loaded = convert(make(""), gazebo_)
    assert root.findtext(f".//sensor/{tag}") == "mast" and root.get("version") == version
    assert not loaded.findings and not sf.loads(loaded.to_sdf()).findings


@pytest.mark.parametrize("type_, pose, name", [
    ("imu", "", "mast"), ("imu", "0.1 0 0 0 0 0", "eye"), ("imu", "0.1 0 0 -1.5708 0 -1.5708", "eye_z"),
    ("gpu_lidar", "0 0 -1 0 0 0", "base"), ("camera", "0.1 0 0 0 0 0", "eye_z"), ("camera", "", "mast"),
    ("navsat", "0.1 0 0 0 0 1", "eye")])
def test_the_link_that_stands_there(type_, pose, name):
    root, loaded = convert(make(f"<pose>{pose}</pose>" if pose else "", type_=type_))
    assert root.findtext(".//sensor/frame_id") == name
    assert not sf.loads(loaded.to_sdf()).findings


def test_poses_relative_to_another_link():
    root, _ = convert(make('<pose relative_to="eye"/>'))
    assert root.findtext(".//sensor/frame_id") == "eye"


@pytest.mark.parametrize("sensor", ["<pose>0 0 0.2 0 0 0</pose>", '<pose relative_to="arm"/>'])
def test_no_link_stands_there(sensor):
    """The arm is at the mast with its joint at zero, but moves."""
    root, loaded = convert(make(sensor))
    assert root.find(".//sensor/frame_id") is None
    assert [(d.code, d.path) for d in loaded.findings] == [
        ("C046", '/robot[@name="r"]/gazebo[@reference="mast"]/sensor[@name="s"]')]


@pytest.mark.parametrize("stated, gazebo_, expected", [
    ("<gz_frame_id>x</gz_frame_id>", "harmonic", ["x"]), ("<gz_frame_id>x</gz_frame_id>", "jetty", ["x"]),
    ("<ignition_frame_id>x</ignition_frame_id>", "garden", ["x"]),
    ("<ignition_frame_id>x</ignition_frame_id>", "harmonic", ["x", "x"]),
    ("<frame_id>x</frame_id>", "harmonic", ["x", "x"]),
    ('<plugin name="p" filename="f"><frameName>x</frameName></plugin>', "harmonic", ["mast"])])
def test_ids_that_a_sensor_states(stated, gazebo_, expected):
    root, _ = convert(make(stated), gazebo_)
    sensor = root.find(".//sensor")
    assert [e.text for e in sensor if e.tag.endswith("frame_id")] == expected


def test_a_sensor_of_a_joint_has_the_frame_of_its_child():
    root, loaded = convert(make("", "d", "force_torque"), "harmonic")
    assert root.findtext(".//joint/sensor/gz_frame_id") == "arm" and not loaded.findings


def test_what_has_no_frame_gets_none():
    root, loaded = convert(make("", type_="contact"))
    assert root.find(".//frame_id") is None and not [d for d in loaded.findings if d.code == "C046"]


def test_without_the_option_nothing_is_added():
    assert b"frame_id" not in sf.loads(make("")).to_sdf().encode()


def test_a_version_that_cannot_say_it():
    loaded = sf.loads(make(""), sensor_frame_ids="jetty", sdf_version="1.9")
    assert [d.name for d in loaded.errors] == ["sdf-version-too-low"]


def test_the_command_line(tmp_path, capsys):
    file = tmp_path / "r.urdf"
    file.write_text(make(""))
    texts = []
    for words in ([], ["--sensor-frame-ids"], ["--sensor-frame-ids", "harmonic"]):
        assert main(["convert", str(file), *words]) == 0
        texts.append(capsys.readouterr().out)
    assert "frame_id" not in texts[0] and "<frame_id>mast<" in texts[1] and "<gz_frame_id>mast<" in texts[2]
    with pytest.raises(SystemExit) as stop:
        main(["convert", str(file), "--sensor-frame-ids", "blue"])
    assert stop.value.code == 2
    with pytest.raises(ValueError, match="sensor_frame_ids must be one of fortress, garden"):
        sf.loads(make(""), sensor_frame_ids="blue")
