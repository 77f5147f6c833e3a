"""Pixels of pictures."""
import io
from importlib.util import find_spec

import numpy as np
import pytest

import sdf_frames as sf

if find_spec("pyvista") is None:  # loading it takes a second of every process that collects tests
    pytest.skip("pyvista is not installed", allow_module_level=True)
pytest.importorskip("trimesh")
Image = pytest.importorskip("PIL.Image")

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.painter import draw_picture  # noqa: E402
from sdf_frames.view.scene import BACKGROUND  # noqa: E402

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


def test_layers_show_only_what_is_asked_for(scenes):
    assert (draw(scenes, layers=()) == BACKGROUND).all()
    collisions = draw(scenes, layers=("collisions",))
    assert (collisions < 220).any()
    frames = draw(scenes, layers=("frames",))
    for channel in range(3):
        find_centre(frames, channel)


def test_a_camera_is_drawn_on_the_side_to_which_it_looks():
    """Seen from above, x is up, and the camera looks along x from the middle of its link."""
    scenes = build_scenes(sf.loads("""<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><box>
      <size>1 1 1</size></box></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
      <sensor name="s" type="camera"><camera/></sensor></link></model></sdf>"""))
    pixels = draw(scenes, layers=("visuals", "sensors"), view="top")
    assert find_centre(pixels, 2)[0] < find_centre(pixels, 0)[0] - 20


# From the middle of a red cube of 2 dm: a green one along x, a blue one along y (0.8 m away), a joint on top.
CUBE = ('<link name="{0}"><pose>{1} 0 0 0</pose><visual name="v"><geometry><box><size>.2 .2 .2</size></box></geometry>'
        "<material><diffuse>{2} 1</diffuse></material></visual></link>")
CUBES = ('<sdf version="1.9"><model name="m">' + CUBE.format("red", "0 0 0", "1 0 0")
         + CUBE.format("green", ".8 0 .2", "0 1 0") + CUBE.format("blue", "0 .8 .4", "0 0 1") + "</model></sdf>")


@pytest.mark.parametrize(("view", "right", "higher"), [
    ("front", [0, 2], [0, 1, 2]),  # from +x: y to the right, z up; green is nearer, and in front of red's column
    ("side", [0, 1], [0, 1, 2]),   # from -y: x to the right, z up
    ("top", [2, 0], [0, 1])])      # from above: x up, y to the left
def test_each_view_looks_its_way(view, right, higher):
    pixels = draw(build_scenes(sf.loads(CUBES)), layers=("visuals",), view=view)
    centres = [find_centre(pixels, channel) for channel in range(3)]
    columns = [centres[channel][1] for channel in right]
    assert columns[0] < columns[1] - 40
    rows = [centres[channel][0] for channel in higher]
    assert rows == sorted(rows, reverse=True) and rows[0] > rows[-1] + 10


def test_a_robot_that_moves_as_a_whole_moves_in_the_picture():
    """Seen from the front, y is to the right. The camera sees the place at zero and the new one, as far to the left."""
    joint = ('<joint name="rail" type="prismatic"><parent>world</parent><child>cart</child><axis><xyz>0 1 0</xyz>'
             "</axis></joint>")
    scenes = build_scenes(sf.loads(
        f'<sdf version="1.9"><model name="m">{CUBE.format("cart", "0 0 0", "1 0 0")}{joint}</model></sdf>'))
    columns = [find_centre(draw(scenes, layers=("visuals",), view="front", positions={"rail": q}), 0)[1]
               for q in (-1, 0, 1)]
    assert columns[0] < 50 and columns[1] == pytest.approx(159.5, abs=1) and columns[2] > 270


def test_texture_is_drawn(tmp_path):
    import trimesh
    sheet = trimesh.Trimesh([[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], [[0, 1, 2], [0, 2, 3]], process=False)
    texture = Image.new("RGB", (64, 64), (255, 0, 0))
    texture.paste((0, 0, 255), (32, 0, 64, 64))
    sheet.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [1, 1], [0, 1]], material=trimesh.visual.material.PBRMaterial(baseColorTexture=texture))
    sheet.export(tmp_path / "sheet.glb")
    (tmp_path / "m.sdf").write_text("""<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>
      <mesh><uri>sheet.glb</uri></mesh></geometry></visual></link></model></sdf>""")
    scenes = build_scenes(sf.load(tmp_path / "m.sdf"))
    pixels = draw(scenes, layers=("visuals",), view="front")
    # Red at y from 0 to 0.5, blue from there to 1: left and right as seen from +x.
    assert find_centre(pixels, 0)[1] < find_centre(pixels, 2)[1] - 50
