"""Optical frames of cameras, held against what a consumer of ROS does with a depth image: it takes the pinhole model
of its CameraInfo, puts z forward, and looks the frame of the image up in TF. Here with matrices, and by hand."""

from math import sqrt

import numpy as np
import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_text

# The camera looks along +y of the base: a quarter turn about z. With width 640 and tan(fov/2) = 1/2, the focal length
# is 640 pixels.
FOV = 2 * np.arctan(0.5)
WIDTH, HEIGHT, FOCAL = 640, 480, 640.0
CAMERA = ('<sensor name="depth" type="depth_camera"><pose>{pose}</pose>{id}<camera><horizontal_fov>{fov}'
          "</horizontal_fov><image><width>640</width><height>480</height></image></camera></sensor>")
POSE = "0.3 0 0.5 0 0 1.5707963267948966"
MODEL = """<sdf version="1.9"><model name="bot">
  <link name="base">{camera}</link>
  <link name="box"><pose>0.1 2.5 0.7 0 0 0</pose></link>
  <joint name="j" type="fixed"><parent>base</parent><child>box</child></joint>
  {frames}
</model></sdf>"""
SEEN = """<frame name="eye" attached_to="base"><pose>0.3 0 0.5 0 0 1.5707963267948966</pose></frame>
  <frame name="eye_optical" attached_to="eye"><pose>0 0 0 -1.5707963267948966 0 -1.5707963267948966</pose></frame>"""
# In the camera the box is 2.5 m ahead, 0.2 m to the left and 0.2 m up: to the left of the middle, and above it.
PIXEL, DEPTH = (320 - 640 * 0.2 / 2.5, 240 - 640 * 0.2 / 2.5), 2.5
BOX = (0.1, 2.5, 0.7)


def matrix(pose) -> np.ndarray:
    """The 4x4 matrix of (x, y, z, qw, qx, qy, qz)."""
    x, y, z, qw, qx, qy, qz = pose
    rotation = [[1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qz * qw), 2 * (qx * qz + qy * qw), x],
                [2 * (qx * qy + qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qx * qw), y],
                [2 * (qx * qz - qy * qw), 2 * (qy * qz + qx * qw), 1 - 2 * (qx * qx + qy * qy), z], [0, 0, 0, 1]]
    return np.array(rotation)


def look_up(transforms, target: str, source: str) -> np.ndarray:
    """Pose of `source` in `target`, which is above it, as tf2 chains transforms."""
    above = {t.child: (t.parent, matrix(t.pose)) for t in transforms}
    pose = np.eye(4)
    while source != target:
        source, step = above[source]
        pose = step @ pose
    return pose


def place_pixel(transforms, frame: str, base: str = "base") -> np.ndarray:
    """Where a consumer puts the pixel of the box."""
    point = [(PIXEL[0] - WIDTH / 2) * DEPTH / FOCAL, (PIXEL[1] - HEIGHT / 2) * DEPTH / FOCAL, DEPTH, 1]
    return (look_up(transforms, base, frame) @ point)[:3]


def publish(text: str, **options):
    transforms, found = load_text(text).static_transforms(**options)
    assert not found
    return transforms


def write(id_: str = "", frames: str = "", pose: str = POSE) -> str:
    return MODEL.format(camera=CAMERA.format(pose=pose, id=id_, fov=FOV), frames=frames)


@pytest.mark.parametrize("text, frame", [
    (write(), "bot/base/depth_optical"),
    (write("<gz_frame_id>eye</gz_frame_id>"), "eye_optical"),
    (write("<gz_frame_id>eye</gz_frame_id>", SEEN), "eye_optical"),
    (write("<gz_frame_id>eye_optical</gz_frame_id>", SEEN), "eye_optical"),
    (write().replace("<camera>", "<camera><optical_frame_id>lens</optical_frame_id>"), "lens")])
@pytest.mark.parametrize("sensor_frames", [True, False])
def test_a_pixel_of_a_box_is_where_the_model_has_the_box(text, frame, sensor_frames):
    transforms = publish(text, optical_frames=True, sensor_frames=sensor_frames)
    assert place_pixel(transforms, frame) == pytest.approx(BOX, abs=1e-12)
    assert len([t for t in transforms if "optical" in t.child or t.child == "lens"]) == 1


def test_without_an_optical_frame_the_pixel_lands_elsewhere():
    transforms = publish(write(), sensor_frames=True)
    # z forward read as z up: 2.5 m above the camera, 0.2 m behind it, and 0.2 m to the left of where it looks.
    assert place_pixel(transforms, "bot/base/depth") == pytest.approx((0.3 + 0.2, -0.2, 0.5 + 2.5), abs=1e-12)


def test_a_urdf_whose_camera_gets_the_id_of_its_optical_link():
    camera = CAMERA.format(pose="0 0 0 0 0 0", id="", fov=FOV)
    text = robot(link("base", 1), link("eye"), link("eye_optical"), link("box", 1),
                 joint("a", "fixed", "base", "eye", xyz="0.3 0 0.5", rpy="0 0 1.5707963267948966"),
                 joint("b", "fixed", "eye", "eye_optical", rpy="-1.5707963267948966 0 -1.5707963267948966"),
                 joint("c", "fixed", "base", "box", xyz="0.1 2.5 0.7"), gazebo("eye", camera))
    converted = sf.loads(sf.loads(text, sensor_frame_ids="jetty").to_sdf())
    id_ = converted.tree.findtext(".//sensor/frame_id")
    transforms = publish(text)
    assert id_ == "eye_optical" and place_pixel(transforms, id_) == pytest.approx(BOX, abs=1e-12)
    assert not converted.findings


def test_the_pattern():
    text = write("<gz_frame_id>eye</gz_frame_id>")
    plain = {t.child for t in publish(text)}
    names = [{t.child for t in publish(text, optical_frames=True, optical_frame_name=pattern)} - plain
             for pattern in ("{link}/{sensor}_z", "{id}_{id}", "z")]
    assert names == [{"base/depth_z"}, {"eye_eye"}, {"z"}]


def test_what_moves_otherwise_is_no_optical_frame_of_a_camera():
    arm = ('<link name="arm"><pose>0.3 0 0.5 0 0 1.5707963267948966</pose></link><frame name="o" attached_to="arm">'
           "<pose>0 0 0 -1.5707963267948966 0 -1.5707963267948966</pose></frame>"
           '<joint name="k" type="{}"><parent>base</parent><child>arm</child></joint>')
    names = [{t.child for t in publish(write(frames=arm.format(kind)), optical_frames=True)}
             for kind in ("fixed", "continuous")]
    assert ["bot/base/depth_optical" in found for found in names] == [False, True]


def test_only_cameras_have_optical_frames():
    text = write().replace("depth_camera", "gpu_lidar")
    assert publish(text, optical_frames=True) == publish(text)


def test_a_taken_name_is_reported():
    text = write(frames='<frame name="z" attached_to="base"/>')
    (finding,) = load_text(text).static_transforms(optical_frames=True, optical_frame_name="z")[1]
    assert finding.name == "tf-name-taken"


def test_the_public_library():
    (frame,) = [t for t in sf.loads(write()).static_transforms("r/", optical_frames=True) if "optical" in t.child]
    assert (frame.parent, frame.child) == ("r/base", "r/bot/base/depth_optical")
    # A quarter turn about z, then rpy -90 0 -90: z points along y, x along x.
    half = sqrt(0.5)
    assert list(frame.pose.quat_wxyz) == pytest.approx([half, -half, 0, 0], abs=1e-12)
