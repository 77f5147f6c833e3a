"""Pixels of pictures."""
import io

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("pyvista")
pytest.importorskip("trimesh")
Image = pytest.importorskip("PIL.Image")

from sdf_frames.view.picture import draw_picture  # noqa: E402
from sdf_frames.view.scene import build_scenes  # noqa: E402

ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="v"><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>1 0 0 1</diffuse></material></visual></link>
  <link name="slider"><visual name="v"><pose>0 1 0 0 0 0</pose><geometry><box><size>.4 .4 .4</size></box></geometry>
    <material><diffuse>0 0 1 1</diffuse></material></visual>
    <collision name="c"><pose>0 0 1 0 0 0</pose><geometry><sphere><radius>.2</radius></sphere></geometry></collision>
  </link>
  <joint name="slide" type="prismatic"><parent>base</parent><child>slider</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""


@pytest.fixture(scope="module")
def scenes():
    return build_scenes(sf.loads(ARM))


def draw(scenes, **choices):
    picture = draw_picture(scenes, size=(320, 240), **choices)
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)


def find_centre(pixels, channel):
    """Row and column of the middle of what is mostly of one colour, and how many pixels are."""
    others = [c for c in range(3) if c != channel]
    mask = pixels[:, :, channel] > 1.7 * pixels[:, :, others].max(axis=2) + 20
    rows, columns = np.nonzero(mask)
    assert len(rows) > 50, "the colour is not in the picture"
    return rows.mean(), columns.mean()


def test_colours_and_sides(scenes):
    pixels = draw(scenes, layers=("visuals",), view="front")
    assert pixels.shape == (240, 320, 3)
    assert (pixels[0, 0] == 255).all()
    # Seen from +x, with z up, +y is to the right.
    assert find_centre(pixels, 0)[1] < find_centre(pixels, 2)[1]


def test_joint_moves_its_link(scenes):
    still, moved = (draw(scenes, layers=("visuals",), view="front", positions=q) for q in ({}, {"slide": 1.0}))
    assert abs(find_centre(still, 0)[0] - find_centre(still, 2)[0]) < 3
    assert find_centre(moved, 2)[0] < find_centre(moved, 0)[0] - 20


def test_layers_show_only_what_is_asked_for(scenes):
    assert (draw(scenes, layers=()) == 255).all()
    collisions = draw(scenes, layers=("collisions",))
    assert (collisions < 250).any()
    frames = draw(scenes, layers=("frames",))
    for channel in range(3):
        find_centre(frames, channel)


def test_missing_mesh_is_seen():
    scenes = build_scenes(sf.loads("""<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>
      <mesh><uri>nowhere.stl</uri></mesh></geometry></visual></link></model></sdf>"""))
    find_centre(draw(scenes, layers=("visuals",)), 0)


def test_what_is_drawn_fills_the_picture(scenes):
    rows, columns = np.nonzero((draw(scenes, layers=("visuals",)) < 250).any(axis=2))
    assert max(np.ptp(columns) / 320, np.ptp(rows) / 240) > .8
    assert rows.min() > 0 and rows.max() < 239 and columns.min() > 0 and columns.max() < 319


def test_ground_plane_does_not_make_all_else_tiny():
    scenes = build_scenes(sf.loads("""<sdf version="1.9"><world name="w"><model name="ground"><static>true</static>
      <link name="l"><visual name="v"><geometry><plane><size>100 100</size></plane></geometry></visual></link></model>
      <model name="m"><link name="l"><visual name="v"><geometry><box/></geometry>
      <material><diffuse>1 0 0 1</diffuse></material></visual></link></model></world></sdf>"""))
    pixels = draw(scenes, layers=("visuals",))
    assert ((pixels[:, :, 0] > 1.7 * pixels[:, :, 1] + 20).mean()) > .05
