"""What is put on the page: every node with its place, colour and visibility, told to a server that takes notes."""
from types import SimpleNamespace

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
trimesh = pytest.importorskip("trimesh")

from sdf_frames.view.nodes import SceneNodes, show_layers  # noqa: E402
from sdf_frames.view.scene import LAYERS, build_scene, build_scenes  # noqa: E402

LONG = "a_frame_with_a_name_of_" + 50 * "x"
ARM = f"""<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="red"><pose>0 0 .1 0 0 0</pose><geometry><box><size>.4 .2 .1</size></box></geometry>
    <material><diffuse>1 0 .5 1</diffuse></material><transparency>0.25</transparency></visual>
    <visual name="plain"><geometry><sphere><radius>.1</radius></sphere></geometry></visual></link>
  <link name="tip"><pose>0 0 1 0 0 0</pose>
    <inertial><pose>0 .25 0 0 0 0</pose><mass>2</mass><inertia><ixx>.02</ixx><iyy>.02</iyy><izz>.01</izz></inertia>
    </inertial>
    <collision name="ball"><pose>.5 0 0 0 0 0</pose><geometry><sphere><radius>.1</radius></sphere></geometry>
    </collision><visual name="lost"><pose>0 2 0 0 0 0</pose>
    <geometry><mesh><uri>model://nowhere/lost.stl</uri></mesh></geometry></visual></link>
  <joint name="two" type="universal"><parent>base</parent><child>tip</child><pose>0 0 -.5 0 0 0</pose>
    <axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>
  <frame name="{LONG}" attached_to="tip"><pose>.5 0 0 0 0 0</pose></frame>
</model></sdf>"""


class Notes:
    """Takes the place of viser's scene: each node as a namespace, by its name."""

    def __init__(self):
        self.nodes = {}
        self.scene = self

    def _add(self, kind, name, **look):
        look.setdefault("visible", True)
        node = SimpleNamespace(kind=kind, name=name, clicks=[], removed=False, **look)
        node.on_click = node.clicks.append
        node.remove = lambda: setattr(node, "removed", True)
        assert name not in self.nodes
        self.nodes[name] = node
        return node

    def add_frame(self, name, **look):
        return self._add("frame", name, **look)

    def add_mesh_simple(self, name, vertices, faces, **look):
        return self._add("mesh", name, vertices=vertices, faces=faces, **look)

    def add_mesh_trimesh(self, name, mesh, **look):
        return self._add("textured", name, mesh=mesh, **look)

    def add_label(self, name, text, **look):
        return self._add("label", name, text=text, **look)

    def add_box(self, name, color, dimensions, **look):
        return self._add("box", name, color=color, dimensions=dimensions, **look)

    def add_arrows(self, name, points, color, **look):
        return self._add("arrow", name, points=points, color=color, **look)


@pytest.fixture
def drawn():
    server, clicks = Notes(), []
    robot = sf.loads(ARM)
    scene = build_scene(robot, robot.inertias())
    nodes = SceneNodes(server, "/7", scene, 2.5, clicks.append)
    at_first = [name for name in LAYERS if nodes.visible[name]]
    show_layers([nodes], LAYERS)  # nodes are made when they are seen for the first time
    show_layers([nodes], at_first)
    return server, nodes, clicks


def test_layers_are_sent_when_they_are_seen_for_the_first_time():
    robot = sf.loads(ARM)
    nodes = SceneNodes(Notes(), "/0", build_scene(robot, robot.inertias()))
    assert [name for name in LAYERS if nodes.layers[name]] == ["visuals", "frames", "names"]
    nodes.show("joints", True)
    made = list(nodes.layers["joints"])
    nodes.show("joints", False)
    nodes.show("joints", True)
    assert made and nodes.layers["joints"] == made


def layer(nodes, name, kind):
    return [node for node in nodes.layers[name] if node.kind == kind]


def test_links_are_nodes_below_the_scene(drawn):
    server, nodes, _ = drawn
    root = server.nodes["/7"]
    assert root.position == (0, 2.5, 0) and not root.show_axes
    for name, place in (("base", (0, 0, 0)), ("tip", (0, 0, 1))):
        body = nodes.bodies[name]
        assert body.name.startswith("/7/") and not body.show_axes
        np.testing.assert_allclose(body.position, place, atol=1e-15)
        np.testing.assert_allclose(body.wxyz, (1, 0, 0, 0))
    nodes.remove()
    assert root.removed


def test_shapes_have_their_place_and_colour(drawn):
    server, nodes, _ = drawn
    red, plain, lost = layer(nodes, "visuals", "mesh")
    assert all(node.name.startswith(nodes.bodies["base"].name + "/") for node in (red, plain))
    assert (red.color, red.opacity) == ((255, 0, 128), .75)
    np.testing.assert_allclose(red.position, (0, 0, .1))
    np.testing.assert_allclose(np.ptp(red.vertices, axis=0), (.4, .2, .1), rtol=1e-6)
    assert plain.opacity is None and np.ptp(plain.color) < 20  # grey
    assert lost.color[0] > 200 > lost.color[1] and lost.opacity == .6
    (ball,) = layer(nodes, "collisions", "mesh")
    assert ball.name.startswith(nodes.bodies["tip"].name + "/")
    np.testing.assert_allclose(ball.position, (.5, 0, 0))
    assert ball.color[0] > ball.color[1] > ball.color[2] and ball.opacity == .35  # orange
    assert all(node.flat_shading and node.side == "double" for node in (red, plain, lost, ball))
    for node in (red, ball):
        np.testing.assert_allclose(node.wxyz, (1, 0, 0, 0))
        assert node.faces.dtype == np.uint32


def test_a_missing_mesh_has_a_label_that_says_so(drawn):
    _, nodes, _ = drawn
    (label,) = layer(nodes, "visuals", "label")
    assert label.text == "model://nowhere/lost.stl is not found" and label.visible
    assert label.name.startswith(nodes.bodies["tip"].name + "/")
    np.testing.assert_allclose(label.position, (0, 2, 0))


def test_a_mesh_keeps_its_texture(tmp_path):
    box = trimesh.creation.box((1, 2, 3))
    box.visual = trimesh.visual.TextureVisuals(
        material=trimesh.visual.material.PBRMaterial(baseColorFactor=[0, 0, 255, 255]))
    box.export(tmp_path / "box.glb")
    mesh = f'<geometry><mesh><uri>{tmp_path}/box.glb</uri></mesh></geometry>'
    coloured = "<material><diffuse>1 0 0 1</diffuse></material>"
    (scene,) = build_scenes(sf.loads(
        f'<sdf version="1.9"><model name="m"><link name="l"><visual name="own">{mesh}</visual>'
        f'<visual name="ours">{mesh}{coloured}</visual><collision name="c">{mesh}</collision></link></model></sdf>'))
    nodes = SceneNodes(Notes(), "/0", scene)
    nodes.show("collisions", True)
    assert [node.kind for node in nodes.layers["visuals"]] == ["textured", "mesh"]
    assert nodes.layers["visuals"][1].color == (255, 0, 0)
    assert [node.kind for node in nodes.layers["collisions"]] == ["mesh"]


def test_frames_and_their_names(drawn):
    _, nodes, _ = drawn
    axes, labels = nodes.layers["frames"], nodes.layers["names"]
    # Frames of one place share a label; the end of a long name tells more than its head.
    assert len(axes) == 5
    assert [label.text for label in labels] == ["base +1", "tip", "two", "…" + LONG[-40:]]
    for node in (axes[-1], labels[-1]):
        assert node.name.startswith(nodes.bodies["tip"].name + "/")
        np.testing.assert_allclose(node.position, (.5, 0, 0), atol=1e-15)
    assert [node.axes_length for node in axes] == [pytest.approx(.06 * nodes.scene.extent)] * 5
    assert [node.axes_radius for node in axes] == [pytest.approx(.0024 * nodes.scene.extent)] * 5


def test_a_frame_of_the_world_hangs_below_the_scene():
    (scene,) = build_scenes(sf.loads(
        '<sdf version="1.9"><world name="w"><frame name="f"><pose>1 2 3 0 0 0</pose></frame></world></sdf>'))
    server = Notes()
    nodes = SceneNodes(server, "/0", scene)
    frame = nodes.layers["frames"][-1]
    assert frame.name.rpartition("/")[0] == "/0"
    np.testing.assert_allclose(frame.position, (1, 2, 3))


def test_each_axis_of_a_joint_is_an_arrow_through_its_origin(drawn):
    _, nodes, _ = drawn
    first, second = nodes.layers["joints"]
    length = .12 * nodes.scene.extent
    for arrow, direction in ((first, (0, 1, 0)), (second, (1, 0, 0))):
        ((start, end),) = arrow.points
        np.testing.assert_allclose(end - start, length * np.array(direction), atol=1e-6)
        np.testing.assert_allclose(start + end, 0, atol=1e-6)
        assert arrow.name.startswith(nodes.bodies["tip"].name + "/")
        np.testing.assert_allclose(arrow.position, (0, 0, -.5), atol=1e-15)
        assert 0 < arrow.shaft_radius < arrow.head_radius < arrow.head_length < length


def test_a_joint_without_a_link_to_carry_it_does_not_hide_the_next():
    text = ('<link name="a"/><link name="b"/>'
            '<joint name="i" type="fixed"><parent>a</parent><child>world</child></joint>'
            '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>')
    (scene,) = build_scenes(sf.loads(f'<sdf version="1.9"><model name="m">{text}</model></sdf>'))
    nodes = SceneNodes(Notes(), "/0", scene)
    nodes.show("joints", True)
    assert len(nodes.layers["joints"]) == 1


def test_inertias_are_boxes_about_the_centre_of_mass(drawn):
    _, nodes, _ = drawn
    boxes = {box.name.rpartition("/")[0]: box for box in nodes.layers["inertia"]}
    box = boxes[nodes.bodies["tip"].name]
    # m (b² + c²) / 12 and so on: two sides of the root of 0.03, the third of 0.09.
    assert sorted(box.dimensions) == pytest.approx([.03 ** .5, .03 ** .5, .3])
    np.testing.assert_allclose(box.position, (0, .25, 0))
    assert box.opacity < 1


def test_visuals_and_frames_are_seen_at_first(drawn):
    _, nodes, _ = drawn
    assert nodes.visible == {name: name in ("visuals", "frames") for name in LAYERS}
    assert all(nodes.layers[name] for name in LAYERS)
    for name in LAYERS:
        assert {node.visible for node in nodes.layers[name]} == {nodes.visible[name]}, name


def test_layers_are_switched_one_by_one_or_all(drawn):
    _, nodes, _ = drawn
    nodes.show("joints", True)
    assert nodes.visible["joints"] and all(node.visible for node in nodes.layers["joints"])
    assert not any(node.visible for node in nodes.layers["names"])
    show_layers([nodes], iter(["names", "inertia"]))
    assert [name for name in LAYERS if nodes.visible[name]] == ["names", "inertia"]
    assert [name for name in LAYERS if all(node.visible for node in nodes.layers[name])] == ["names", "inertia"]


def test_links_move_and_come_back(drawn):
    _, nodes, _ = drawn
    nodes.move({"two": (np.pi / 2, 0), "elsewhere": 1})
    # About y, half a metre below the tip's origin.
    np.testing.assert_allclose(nodes.bodies["tip"].position, (.5, 0, .5), atol=1e-12)
    np.testing.assert_allclose(nodes.bodies["tip"].wxyz, (.5 ** .5, 0, .5 ** .5, 0), atol=1e-12)
    nodes.move({})
    np.testing.assert_allclose(nodes.bodies["tip"].position, (0, 0, 1), atol=1e-12)


def test_a_click_names_the_link_or_frame(drawn):
    _, nodes, clicks = drawn
    for node in (nodes.layers["visuals"][0], nodes.layers["collisions"][0], nodes.layers["frames"][-1]):
        (callback,) = node.clicks
        callback(None)
    assert clicks == ["base", "tip", LONG]
