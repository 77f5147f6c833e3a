"""Sensors and lights: the lines around what they cover, by closed formulas, and where they stand."""
from math import cos, pi, sin, tan

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.api.parts import Part  # noqa: E402
from sdf_frames.api.pose import Pose  # noqa: E402
from sdf_frames.view.build_scene import build_scene, build_scenes  # noqa: E402
from sdf_frames.view.lines import draw_outlines  # noqa: E402
from sdf_frames.view.outlines import outline_part  # noqa: E402


def outline(kind, type_, most=5.0, **settings):
    settings = {key.replace("__", "/"): text for key, text in settings.items()}
    return outline_part(Part(kind, "p", "l", None, {"@type": type_, **settings}), most).reshape(-1, 2, 3)


def list_points(lines):
    return {tuple(point) for point in np.round(lines.reshape(-1, 3), 6).tolist()}


def test_a_camera_has_a_frustum_of_its_angle_and_picture_from_the_near_to_the_far_plane():
    lines = outline("sensor", "camera", camera__horizontal_fov="1.2", camera__image__width="640",
                    camera__image__height="480", camera__clip__near="0.5", camera__clip__far="2")
    y, z = tan(.6), tan(.6) * 480 / 640
    assert list_points(lines) == {tuple(np.round((x, a * y * x, b * z * x), 6).tolist())
                                  for x in (.5, 2) for a in (1, -1) for b in (1, -1)}
    edges = lines[:, 1] - lines[:, 0]
    assert len(lines) == 12
    assert sorted(np.round(np.abs(edges[:8]).max(axis=1), 6)) == sorted(np.round([y, y, z, z, 4 * y, 4 * y, 4 * z,
                                                                                   4 * z], 6))
    rays = edges[8:] / edges[8:, :1]  # through the origin
    np.testing.assert_allclose(rays, lines[8:, 0] / .5)


def test_what_is_not_written_has_the_defaults_of_the_specification():
    """camera.sdf: 1.047, 320 x 240, 0.1 to 100, which ends at the 5 metres that are asked for."""
    lines = outline("sensor", "depth_camera")
    high = lines.max(axis=(0, 1))
    np.testing.assert_allclose(high, [5, 5 * tan(.5235), 5 * tan(.5235) * 240 / 320])
    assert lines[..., 0].min() == pytest.approx(.1)


def test_a_logical_camera_has_its_own_settings():
    lines = outline("sensor", "logical_camera", logical_camera__near="1", logical_camera__far="3",
                    logical_camera__aspect_ratio="2", logical_camera__horizontal_fov="1")
    np.testing.assert_allclose(lines.max(axis=(0, 1)), [3, 3 * tan(.5), 1.5 * tan(.5)])


@pytest.mark.parametrize(("type_", "tag"), [("gpu_lidar", "lidar"), ("ray", "ray"), ("gpu_lidar", "ray")])
def test_a_lidar_has_a_fan_between_its_ranges(type_, tag):
    scan = {f"{tag}__scan__horizontal__min_angle": "-0.5", f"{tag}__scan__horizontal__max_angle": "1",
            f"{tag}__range__min": "0.25", f"{tag}__range__max": "4"}
    lines = outline("sensor", type_, **scan)
    assert not lines[..., 2].any()
    radii, turns = np.hypot(*lines.T[:2]), np.arctan2(lines[..., 1], lines[..., 0])
    assert set(np.round(radii.ravel(), 9)) == {.25, 4} and (turns.min(), turns.max()) == pytest.approx((-.5, 1))
    for turn in (-.5, 1):
        ends = {tuple(np.round((r * cos(turn), r * sin(turn), 0), 6).tolist()) for r in (.25, 4)}
        assert any(list_points(line) == ends for line in lines)
    tilted = outline("sensor", type_, **scan, **{f"{tag}__scan__vertical__max_angle": "0.3"})
    assert len(tilted) == 2 * len(lines) and tilted[..., 2].max() == pytest.approx(4 * sin(.3))


def test_a_spot_light_has_a_cone_of_its_outer_angle_and_range():
    lines = outline("light", "spot", direction="2 0 0", spot__outer_angle="0.8", attenuation__range="3")
    rim = lines.reshape(-1, 3)[lines.reshape(-1, 3)[:, 0] > 0]
    np.testing.assert_allclose(rim[:, 0], 3)
    np.testing.assert_allclose(np.hypot(rim[:, 1], rim[:, 2]), 3 * tan(.4))
    assert (np.linalg.norm(lines[:, 0], axis=1) == 0).sum() == 4


def test_a_directional_light_has_an_arrow_and_a_point_light_a_star():
    arrow = outline("light", "directional", direction="0 3 0")
    np.testing.assert_allclose(arrow[0], [(0, 0, 0), (0, 2.5, 0)], atol=1e-12)
    assert outline("light", "directional")[0, 1].tolist() == [0, 0, -2.5]
    star = outline("light", "point")
    np.testing.assert_array_equal(star.mean(axis=1), np.zeros((4, 3)))


def test_other_sensors_have_none():
    assert [len(outline("sensor", kind)) for kind in ("imu", "", "contact", "unheard of")] == [0, 0, 0, 0]


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e308", "-1e308", "1e-300", "x", "0"])
def test_no_number_makes_a_line_without_end(text):
    places = {"camera": ("horizontal_fov", "image/width", "image/height", "clip/near", "clip/far"),
              "ray": [f"{a}/{b}" for a, b in (("range", "min"), ("range", "max"), ("scan/horizontal", "min_angle"),
                                              ("scan/horizontal", "max_angle"), ("scan/vertical", "max_angle"))]}
    for tag, inner in places.items():
        for place in (*inner, None):
            settings = {f"{tag}/{p}": text for p in inner if place in (p, None)}
            lines = outline("sensor", tag, **settings)
            assert np.isfinite(lines).all() and np.abs(lines).max() < 5e3 and len(lines) < 200
    for light in ("spot", "point", "directional"):
        lines = outline("light", light, direction=f"{text} 0 0", spot__outer_angle=text, attenuation__range=text)
        assert np.isfinite(lines).all() and np.abs(lines).max() < 1e2


URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
  iyz="0"/></inertial></link>
  <link name="head"/><joint name="neck" type="fixed"><parent link="base"/><child link="head"/>
    <origin xyz="0 0 2"/></joint>
  <gazebo reference="head"><sensor name="eye" type="camera"><pose>1 0 0 0 0 0</pose><camera/></sensor></gazebo>
</robot>"""
WORLD = """<sdf version="1.11"><world name="w">
  <light name="sun" type="directional"><pose>0 0 99 0 0 0</pose></light>
  <light name="bulb" type="point"><pose>0 1 0 0 0 0</pose></light>
  <model name="m"><pose>0 0 1 0 0 0</pose><link name="base"/>
    <link name="arm"><pose>0 0 1 0 0 0</pose>
      <sensor name="eye" type="camera"><pose>.5 0 0 0 0 0</pose><camera/></sensor></link>
    <joint name="j" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis>
      <sensor name="wrench" type="force_torque"/></joint></model></world></sdf>"""


def test_a_sensor_of_a_urdf_stands_where_its_link_does():
    (eye,) = build_scenes(sf.loads(URDF))[0].list_sensors()
    assert eye.label.text == "eye (camera)" and eye.axes.body == "base"
    np.testing.assert_allclose(eye.axes.X_BF.xyz, (1, 0, 2))


def test_a_sensor_without_a_type_is_called_a_sensor():
    (scene,) = build_scenes(sf.loads(
        '<sdf version="1.11"><model name="m"><link name="l"><sensor name="s"/></link></model></sdf>'))
    assert [sensor.label.text for sensor in scene.list_sensors()] == ["s (sensor)"]


def test_sensors_follow_joints_and_lights_stand_in_the_world():
    scene = build_scene(sf.loads(WORLD))
    found = {sensor.label.text: sensor for sensor in scene.list_sensors()}
    assert [*found] == ["sun (directional light)", "bulb (point light)", "eye (camera)", "wrench (force_torque)"]
    assert {text: sensor.axes.body for text, sensor in found.items()} == {
        "sun (directional light)": "", "bulb (point light)": "", "eye (camera)": "m::arm",
        "wrench (force_torque)": "m::arm"}
    np.testing.assert_allclose(found["bulb (point light)"].axes.X_BF.xyz, (0, 1, 0))
    np.testing.assert_allclose(found["sun (directional light)"].axes.X_BF.xyz, (0, 0, 2.3))  # above the box of 2 m
    poses = {**scene.place({"m::j": pi / 2}), "": Pose()}
    eye = draw_outlines([found["eye (camera)"]]).place(poses)
    np.testing.assert_allclose(eye[:, :2].mean(axis=0), (0, 0), atol=1e-9)  # looks down
    assert eye[:, 2].max() == pytest.approx(2 - .5 - .1)
