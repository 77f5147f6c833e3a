"""What is told to VTK: every mesh with its place, colour and light, the labels, and the camera."""
from dataclasses import replace
from importlib.util import find_spec
from math import degrees, radians, tan
from types import SimpleNamespace

import numpy as np
import pytest

import sdf_frames as sf

if find_spec("pyvista") is None:  # loading it takes a second of every process that collects tests
    pytest.skip("pyvista is not installed", allow_module_level=True)
trimesh = pytest.importorskip("trimesh")

from sdf_frames.view.build_scene import build_scene, build_scenes  # noqa: E402
from sdf_frames.view.painter import draw_picture  # noqa: E402
from sdf_frames.view.scene import BACKGROUND, LAYERS  # noqa: E402

# From the origin to (0.6, 2.05, 1.1).
ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="red"><pose>0 0 .1 0 0 0</pose><geometry><box><size>.4 .2 .1</size></box></geometry>
    <material><diffuse>1 0 .5 1</diffuse></material><transparency>0.25</transparency></visual>
    <visual name="plain"><geometry><box><size>.1 .2 .3</size></box></geometry></visual></link>
  <link name="tip"><pose>0 0 1 0 0 0</pose>
    <inertial><pose>0 .25 0 0 0 0</pose><mass>2</mass><inertia><ixx>.0216667</ixx><iyy>.0166667</iyy><izz>.0083333</izz>
    </inertia></inertial>
    <collision name="ball"><pose>.5 0 0 0 0 0</pose><geometry><box><size>.2 .2 .2</size></box></geometry></collision>
    <visual name="lost"><pose>0 2 0 0 0 0</pose>
    <geometry><mesh><uri>model://nowhere/lost.stl</uri></mesh></geometry></visual></link>
  <joint name="turn" type="revolute"><parent>base</parent><child>tip</child><pose>0 0 -.5 0 0 0</pose>
    <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
</model></sdf>"""


class Plotter:
    """Takes the place of VTK: keeps what it is told."""

    def __init__(self, **look):
        self.look, self.calls, self.meshes, self.labels, self.closed = look, [], [], [], False

    def set_background(self, colour):
        self.background = colour

    def enable_anti_aliasing(self, kind):
        self.smoothing = kind

    def add_mesh(self, mesh, **look):
        actor = SimpleNamespace(mesh=mesh, look=look, front=None, faces_front=None)
        actor.mapper = SimpleNamespace(
            SetResolveCoincidentTopologyToPolygonOffset=lambda: self.calls.append("offset"),
            SetRelativeCoincidentTopologyLineOffsetParameters=lambda *numbers: setattr(actor, "front", numbers),
            SetRelativeCoincidentTopologyPolygonOffsetParameters=lambda *numbers: setattr(
                actor, "faces_front", numbers))
        self.meshes.append(actor)
        return actor

    def add_point_labels(self, points, texts, **look):
        self.labels.append((points, texts, look))
        return SimpleNamespace(GetMapper=lambda: SimpleNamespace(SetPlaceAllLabels=self.calls.append))

    def add_text(self, text, **look):
        self.calls.append(text)

    @property
    def renderer(self):
        """A picture of 100 pixels a metre, y to the right and z up; its depth is x."""
        at = []

        def put(*xyzw):
            at[:] = xyzw
        return SimpleNamespace(SetWorldPoint=put, WorldToDisplay=lambda: None, DisplayToWorld=lambda: None,
                               GetDisplayPoint=lambda: (100 * at[1], 100 * at[2], at[0]),
                               SetDisplayPoint=lambda x, y, depth: put(2 * depth, x / 50, y / 50, 2),
                               GetWorldPoint=lambda: tuple(at), GetSize=lambda: self.look["window_size"])

    def view_vector(self, direction, viewup):
        """As VTK does: the camera stands 10 m away from the origin."""
        self.view = direction, viewup
        position = 10 * np.array(direction) / np.linalg.norm(direction)
        self.camera = SimpleNamespace(position=position, focal_point=(0.0, 0.0, 0.0), up=viewup, view_angle=30.0)

    def screenshot(self, stream):
        stream.write(b"PNG")

    def close(self):
        self.closed = True


@pytest.fixture
def draw(monkeypatch):
    """Draws scenes, and returns what VTK is told."""
    def draw(scenes, *arguments, **named):
        made = []
        monkeypatch.setattr("pyvista.Plotter", lambda **look: made.append(Plotter(**look)) or made[0])
        assert draw_picture(scenes, *arguments, **named) == b"PNG"
        (plotter,) = made
        assert plotter.closed
        return plotter
    return draw


@pytest.fixture
def arm():
    robot = sf.loads(ARM)
    return build_scene(robot, {"tip": robot.inertias()["tip"]})


def show(actor):
    """Middle and size of what is drawn, in centimetres, and its look."""
    ends = np.array(actor.mesh.bounds).reshape(3, 2)
    return np.round(100 * ends.mean(axis=1)).tolist(), np.round(100 * np.ptp(ends, axis=1)).tolist(), actor.look


def test_the_window(draw, arm):
    plotter = draw([arm], size=(320, 200))
    assert plotter.look == {"off_screen": True, "window_size": [320, 200], "lighting": "light kit"}
    assert (plotter.background, plotter.smoothing) == (BACKGROUND, "ssaa")
    assert draw([arm]).look["window_size"] == [1200, 900]


SMOOTH = {"smooth_shading": True, "split_sharp_edges": True}


def test_shapes_have_their_place_and_look(draw, arm):
    assert [show(actor) for actor in draw([arm], ("visuals",)).meshes] == [
        ([0, 0, 10], [40, 20, 10], {"color": (1, 0, .5), "opacity": .75, **SMOOTH}),
        ([0, 0, 0], [10, 20, 30], {"color": (.72, .74, .77), "opacity": 1, **SMOOTH}),  # no colour: grey
        # In place of a mesh that is missing, what is a collision.
        ([50, 0, 100], [20, 20, 20], {"color": pytest.approx([v / 255 for v in (240, 140, 30)]), "opacity": .6,
                                      **SMOOTH})]
    assert [show(actor) for actor in draw([arm], ("collisions",)).meshes] == [
        ([50, 0, 100], [20, 20, 20], {"color": (240, 140, 30), "opacity": .35})]
    moved = draw([arm], ("collisions",), positions={"turn": radians(90), "elsewhere": 1}).meshes
    # About y, half a metre below the tip: the tip goes to (0.5, 0, 0.5), and what stood in front of it below that.
    assert [show(actor)[:2] for actor in moved] == [([50, 0, 0], [20, 20, 20])]


def test_a_missing_mesh_of_a_link_without_collisions_is_a_box(draw):
    robot = sf.loads('<sdf version="1.9"><model name="m"><link name="l"><pose>4 0 0 0 0 0</pose><visual name="v">'
                     "<geometry><mesh><uri>no.stl</uri></mesh></geometry></visual></link></model></sdf>")
    (box,) = draw([build_scene(robot)], ("visuals",)).meshes
    assert show(box) == ([400, 0, 0], [10, 10, 10], {"color": (220, 40, 40), "opacity": .6})


def test_visuals_and_frames_are_drawn_unless_others_are_chosen(draw, arm):
    chosen = draw([arm], ("visuals", "frames"))
    assert [show(actor) for actor in draw([arm]).meshes] == [show(actor) for actor in chosen.meshes]
    assert draw([arm], ()).meshes == [] and draw([arm], ()).labels == []


def test_inertias_are_boxes(draw, arm):
    """2 kg of 0.1 x 0.2 x 0.3 m have m (b² + c²) / 12 and so on; they stand in front of equal faces of a link."""
    (box,) = draw([arm], ("inertia",)).meshes
    factor, units = box.faces_front
    assert factor == 0 and units < 0
    assert show(box) == ([0, 25, 100], [10, 20, 30], {"color": (140, 60, 190), "opacity": .4})


def test_joints_are_arrows(draw, arm):
    """0.12 of the scene's longest side; a head of a fifth of that, 0.16 wide, on a shaft half as wide."""
    (arrow,) = draw([arm], ("joints",)).meshes
    assert arrow.look == {"color": (20, 160, 170)}
    length = .12 * arm.extent
    x, along, z = ((arrow.mesh.points - (0, 0, .5)) / length).T
    radii = np.hypot(x, z)
    assert (along.min(), along.max()) == (pytest.approx(-.5), pytest.approx(.5))
    assert radii.max() == pytest.approx(.08, rel=.02) and radii[along < -.49].max() == pytest.approx(.04, rel=.02)
    assert along[radii > .07].tolist() == pytest.approx([.3] * (radii > .07).sum(), abs=1e-5)


LINE = {"lighting": False, "line_width": 6.0}


def read_lines(actor):
    """Ends of lines, which stand in front of everything else."""
    factor, units = actor.front
    assert factor == 0 and units < -10_000
    return np.round(actor.mesh.points[actor.mesh.lines.reshape(-1, 3)[:, 1:]].astype(float), 6).tolist()


def test_each_frame_has_an_axis_of_each_colour(draw, arm):
    plotter = draw([arm], ("frames",))
    assert plotter.calls == ["offset"] * 3
    length = .06 * arm.extent
    for axis, (actor, colour) in enumerate(zip(plotter.meshes, ("#e02020", "#18a818", "#2050f0"), strict=True)):
        assert actor.look == {"color": colour, **LINE}
        ends = [np.array((0, 0, z)) + length * np.eye(3)[axis] for z in (0, 0, 1, .5)]  # root, base, tip, turn
        np.testing.assert_allclose(read_lines(actor), [((0, 0, z), end) for z, end in zip((0, 0, 1, .5), ends)],
                                   atol=1e-6)


def test_tree_limits_and_moves_are_lines(draw, arm):
    tree = draw([arm], ("tree",)).meshes
    assert [actor.look for actor in tree] == [{"color": (70, 70, 70), **LINE}]
    assert sorted(read_lines(tree[0])) == [[[0, 0, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, .5]]]
    limits = draw([arm], ("limits",)).meshes
    assert [actor.look for actor in limits] == [{"color": (0, 110, 120), **LINE}] and len(read_lines(limits[0])) > 10
    moved = replace(arm, moves=np.array([(1., 2, 3), (4, 5, 6), (0, 0, 0), (1, 1, 1)]))
    (moves,) = draw([moved], ()).meshes
    assert moves.look == {"color": (200, 0, 160), **LINE}
    assert read_lines(moves) == [[[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [1, 1, 1]]]


def test_names_are_boxes_of_text_in_front(draw, arm):
    plotter = draw([arm], ("names",))
    (points, texts, look), = plotter.labels
    assert texts == ["tip", "base +1"] and plotter.meshes == [] and plotter.calls == [True]  # the nearer one first
    np.testing.assert_allclose(points, [(0, 0, 1), (0, 0, 0)])
    assert look == {"font_size": 13, "point_size": 0, "margin": 2, "shape_color": "white", "shape_opacity": .75,
                    "text_color": "black", "always_visible": True}


def test_a_name_at_the_right_edge_ends_in_the_picture(draw):
    """A letter is 7 pixels wide, and a metre 100 pixels; the picture ends at 3.2 m."""
    (scene,) = build_scenes(sf.loads("""<sdf version="1.9"><model name="m"><link name="right"><pose>1 3 2 0 0 0</pose>
      </link></model></sdf>"""))
    plotter = draw([replace(scene, frames=scene.frames[1:])], ("names",), "front", (320, 200))
    (points, texts, _), = plotter.labels
    assert texts == ["right"]
    np.testing.assert_allclose(points, [(1, 3.2 - 6 * .07, 2)])


@pytest.mark.parametrize(("place", "left_out"), [
    ("0 .06 0", ["1 more name"]), ("0 -.06 0", ["1 more name"]), ("0 .08 .17", []), ("0 0 .17", ["1 more name"]),
    ("0 0 -.17", ["1 more name"]), ("0 0 .19", []), ("0 0 -.19", []), ("0 .08 0", []), ("0 -.08 0", [])])
def test_a_name_that_would_cover_a_nearer_one_is_left_out_and_counted(draw, place, left_out):
    """A letter is 7 pixels wide, a line 18 high, and a metre 100 pixels."""
    text = f"""<sdf version="1.9"><model name="m"><link name="far"><pose>-1 5 0 0 0 0</pose></link>
      <link name="n"/><link name="o"><pose>{place} 0 0 0</pose></link></model></sdf>"""
    (scene,) = build_scenes(sf.loads(text))
    plotter = draw([replace(scene, frames=scene.frames[1:])], ("names",), "front")  # without the model's
    (_, texts, _), = plotter.labels
    assert texts == ["n", *["o"] * (not left_out), "far"] and plotter.calls == [True, *left_out]


def test_an_empty_scene_draws_nothing(draw):
    bare = build_scene(sf.loads('<sdf version="1.9"><world name="w"/></sdf>'))
    plotter = draw([replace(bare, frames=())], LAYERS)
    assert plotter.meshes == [] and plotter.labels == [] and plotter.camera.view_angle == 30


def test_texture(draw, tmp_path):
    image = pytest.importorskip("PIL.Image")
    sheet = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 1]], [[0, 1, 2]], process=False)
    sheet.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [0, 1]],
        material=trimesh.visual.material.PBRMaterial(baseColorTexture=image.new("RGB", (4, 2), (255, 0, 0))))
    sheet.export(tmp_path / "sheet.glb")
    shape = f'<geometry><mesh><uri>{tmp_path}/sheet.glb</uri></mesh></geometry>'
    blue = "<material><diffuse>0 0 1 1</diffuse></material>"
    (scene,) = build_scenes(sf.loads(
        f'<sdf version="1.9"><model name="m"><link name="l"><visual name="own">{shape}</visual>'
        f'<visual name="ours">{shape}{blue}</visual></link></model></sdf>'))
    own, ours = draw([scene], ("visuals",)).meshes
    texture = own.look.pop("texture")
    assert own.look == SMOOTH and ours.look == {"color": (0, 0, 1), "opacity": 1, **SMOOTH}
    assert texture.dimensions == (4, 2) and texture.to_array()[0, 0].tolist() == [255, 0, 0]
    np.testing.assert_allclose(own.mesh.active_texture_coordinates, [(0, 0), (1, 0), (0, 1)])


WORLD = ('<world name="{0}"><model name="m"><link name="l"><visual name="v"><geometry><box><size>1 2 1</size></box>'
         "</geometry></visual></link></model></world>")


def test_scenes_stand_side_by_side(draw):
    """Worlds of 2 m along y: half of that lies between them."""
    worlds = build_scenes(sf.loads(f'<sdf version="1.9">{"".join(map(WORLD.format, "abc"))}</sdf>'))
    assert [show(actor)[:2] for actor in draw(worlds, ("visuals",)).meshes] == [
        ([0, y, 0], [100, 200, 100]) for y in (0, 300, 600)]
    moved = replace(worlds[1], moves=np.array([(0., 0, 0), (1, 1, 1)]))
    assert read_lines(draw([worlds[0], moved], ()).meshes[0]) == [[[0, 3, 0], [1, 4, 1]]]


def test_without_a_choice_the_camera_stands_on_the_front_right_above(draw, arm):
    (x, y, z), up = draw([arm]).view
    assert up == (0, 0, 1)
    assert degrees(np.arctan2(y, x)) == pytest.approx(-45, abs=6) and degrees(np.arctan2(z, np.hypot(x, y))) == \
        pytest.approx(22, abs=3)


BOX = ('<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><pose>{} 0 0 0</pose><geometry><box><size>{}'
       "</size></box></geometry></visual></link></model></sdf>")


@pytest.mark.parametrize("view", ["iso", "front", "side", "top"])
@pytest.mark.parametrize("size", ["1 1 4", "1 4 1", "4 1 1"])
@pytest.mark.parametrize("window", [(400, 200), (200, 400)])
def test_the_robot_fills_the_picture(draw, view, size, window):
    """Its outermost corners have the same distance from the middle, and 8 % more than that is seen."""
    (scene,) = build_scenes(sf.loads(BOX.format(".3 -.4 .5", size)))
    plotter = draw([scene], ("visuals",), view, window)
    camera, corners = plotter.camera, plotter.meshes[0].mesh.points
    ahead = np.array(camera.focal_point) - camera.position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, camera.up)
    right /= np.linalg.norm(right)
    upward, seen = np.cross(right, ahead), corners - camera.position
    across, high = seen @ right / (seen @ ahead), seen @ upward / (seen @ ahead)
    for spread in (across, high):
        assert spread.max() == pytest.approx(-spread.min(), abs=2e-4)
    needed = max(high.max(), across.max() * window[1] / window[0])
    assert tan(radians(camera.view_angle) / 2) == pytest.approx(1.08 * needed, rel=2e-3)


def test_a_point_is_not_looked_at_from_infinitely_near(draw):
    (scene,) = build_scenes(sf.loads('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'))
    point = replace(scene, moves=np.zeros((2, 3)))
    assert tan(radians(draw([point], ()).camera.view_angle) / 2) == pytest.approx(1e-3)


def test_ground_planes_do_not_count_for_the_camera(draw):
    plane = ('<visual name="p"><geometry><plane><size>100 100</size></plane></geometry></visual>'
             '<visual name="v"><geometry><box><size>1 1 1</size></box></geometry></visual>')
    text = f'<sdf version="1.9"><model name="m"><static>true</static><link name="l">{plane}</link></model></sdf>'
    plotter = draw(build_scenes(sf.loads(text)), ("visuals",), "front")
    assert [show(actor)[1] for actor in plotter.meshes] == [[10000, 10000, 0], [100, 100, 100]]
    assert plotter.camera.view_angle < 10  # a cube of 1 m from 10 m
