"""What is put on the page: every node with its place, colour and visibility, told to a server that takes notes."""
from types import SimpleNamespace

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
trimesh = pytest.importorskip("trimesh")
image = pytest.importorskip("PIL.Image")

from sdf_frames.view.build_scene import build_scene, build_scenes  # noqa: E402
from sdf_frames.view.nodes import SceneNodes, show_layers  # noqa: E402
from sdf_frames.view.scene import LAYERS  # noqa: E402

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

    def add_batched_axes(self, name, wxyzs, positions, scales, **look):
        return self._add("axes", name, batched_wxyzs=wxyzs, batched_positions=positions, batched_scales=scales, **look)

    def add_batched_meshes_simple(self, name, vertices, faces, wxyzs, positions, **look):
        return self._add("mesh", name, vertices=vertices, faces=faces, batched_wxyzs=wxyzs, batched_positions=positions,
                         **look)

    def add_batched_meshes_trimesh(self, name, mesh, wxyzs, positions, **look):
        return self._add("textured", name, mesh=mesh, batched_wxyzs=wxyzs, batched_positions=positions, **look)

    def add_label(self, name, text, **look):
        return self._add("label", name, text=text, **look)

    def add_arrows(self, name, points, colour, **look):
        return self._add("arrows", name, points=points, color=colour, **look)

    def add_line_segments(self, name, points, colour, **look):
        return self._add("lines", name, points=points, color=colour, **look)


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
    assert [name for name in LAYERS if nodes.layers[name]] == ["visuals", "frames"]
    nodes.show("joints", True)
    made = list(nodes.layers["joints"])
    nodes.show("joints", False)
    nodes.show("joints", True)
    assert made and nodes.layers["joints"] == made


def layer(nodes, name, kind):
    return [part.node for part in nodes.layers[name] if part.node.kind == kind]


def test_a_scene_is_one_node_with_one_below_it_for_each_layer(drawn):
    server, nodes, _ = drawn
    root = server.nodes["/7"]
    assert root.position == (0, 2.5, 0) and not root.show_axes
    assert [name for name in server.nodes if name.count("/") == 2] == [f"/7/{name}" for name in LAYERS]
    assert [name for name in LAYERS if not nodes.layers[name]] == ["limits", "sensors"]  # a universal joint has no arc
    for name in LAYERS:
        assert all(part.node.name.startswith(f"/7/{name}/") for part in nodes.layers[name])
    nodes.remove()
    assert root.removed


def test_shapes_have_their_place_and_colour(drawn):
    _, nodes, _ = drawn
    red, plain, lost = layer(nodes, "visuals", "mesh")
    assert (red.batched_colors.tolist(), red.opacity) == ([[255, 0, 55]], .75)  # in linear light
    np.testing.assert_allclose(red.batched_positions, [(0, 0, .1)])
    np.testing.assert_allclose(np.ptp(red.vertices, axis=0), (.4, .2, .1), rtol=1e-6)
    assert plain.opacity is None and np.ptp(plain.batched_colors[0].astype(int)) < 20  # grey
    assert lost.batched_colors[0, 0] > 150 > lost.batched_colors[0, 1] and lost.opacity == .6
    (ball,) = layer(nodes, "collisions", "mesh")
    np.testing.assert_allclose(ball.batched_positions, [(.5, 0, 1)])
    r, g, b = ball.batched_colors[0]
    assert r > g > b and ball.opacity == .35  # orange
    assert all(node.flat_shading and node.side == "double" for node in (red, plain, lost, ball))
    for node in (red, ball):
        np.testing.assert_allclose(node.batched_wxyzs, [(1, 0, 0, 0)])


def test_equal_shapes_are_copies_of_one_node():
    """Four wheels of two colours on four links; a fifth is larger, and a sixth is seen through."""
    wheel = ('<link name="l{0}"><pose>{0} 0 0 0 0 0</pose><visual name="v"><geometry><sphere><radius>{1}</radius>'
             '</sphere></geometry><material><diffuse>{2} 0 0 1</diffuse></material>{3}</visual></link>')
    text = "".join(wheel.format(*row) for row in (
        (0, .1, 0, ""), (1, .1, 1, ""), (2, .1, 0, ""), (3, .1, 1, ""), (4, .2, 0, ""),
        (5, .1, 0, "<transparency>.5</transparency>")))
    (scene,) = build_scenes(sf.loads(f'<sdf version="1.9"><model name="m">{text}</model></sdf>'))
    clicks = []
    nodes = SceneNodes(Notes(), "/0", scene, 0, clicks.append)
    wheels, large, thin = layer(nodes, "visuals", "mesh")
    np.testing.assert_allclose(wheels.batched_positions, [(i, 0, 0) for i in range(4)])
    assert wheels.batched_colors[:, 0].tolist() == [0, 255, 0, 255]
    assert large.batched_positions.tolist() == [[4, 0, 0]]
    assert (thin.batched_positions.tolist(), thin.opacity) == ([[5, 0, 0]], .5)
    (click,) = wheels.clicks
    click(SimpleNamespace(instance_index=2))
    assert clicks == ["l2"]


def test_a_missing_mesh_has_a_label_that_says_so(drawn):
    _, nodes, _ = drawn
    (label,) = layer(nodes, "visuals", "label")
    assert label.text == "model://nowhere/lost.stl is not found" and label.visible
    np.testing.assert_allclose(label.position, (.5, 0, 1))  # of the collision that stands for it


def test_frames_and_their_names(drawn):
    _, nodes, _ = drawn
    ((axes,), labels) = layer(nodes, "frames", "axes"), layer(nodes, "names", "label")
    # Links have labels, which other frames in their place share.
    assert [label.text for label in labels] == ["base +1", "tip"]
    np.testing.assert_allclose(labels[-1].position, (0, 0, 1), atol=1e-15)
    places = dict(zip([drawn.frame.name for drawn in nodes.scene.frames], axes.batched_positions.tolist()))
    assert places == {"__model__": [0, 0, 0], "base": [0, 0, 0], "tip": [0, 0, 1], "two": [0, 0, .5], LONG: [.5, 0, 1]}
    assert (axes.axes_length, axes.axes_radius) == (1, .04)
    np.testing.assert_allclose(axes.batched_scales, [.06 * nodes.scene.extent] * 5)


def test_names_within_a_hundredth_of_the_scene_have_corners_of_their_own():
    """The scene is 10 m long: 4 cm are too near for two names in one corner, half a metre is not."""
    link = '<link name="{0}"><pose>{1} 0 0 0 0 0</pose><visual name="v"><geometry><sphere><radius>.01</radius></sphere>'
    (scene,) = build_scenes(sf.loads('<sdf version="1.9"><model name="m">' + "".join(
        link.format(*place) + "</geometry></visual></link>" for place in zip("abcd", (0, .04, .5, 10)))
        + "</model></sdf>"))
    nodes = SceneNodes(Notes(), "/0", scene)
    nodes.show("names", True)
    corners = {label.text[0]: label.anchor for label in layer(nodes, "names", "label")}
    assert corners["a"] == corners["c"] == corners["d"] != corners["b"]


def test_a_large_robot_has_the_first_thousand_names():
    links = "".join(f'<link name="l{i}"><pose>{i} 0 0 0 0 0</pose></link>' for i in range(1001))
    (scene,) = build_scenes(sf.loads(f'<sdf version="1.11"><model name="m">{links}</model></sdf>'))
    nodes = SceneNodes(Notes(), "/0", scene)
    nodes.show("names", True)
    labels = layer(nodes, "names", "label")
    assert (len(labels), labels[-1].text) == (1000, "l999")


def test_a_frame_of_the_world_stands_still():
    (scene,) = build_scenes(sf.loads(
        '<sdf version="1.9"><world name="w"><frame name="f"><pose>1 2 3 0 0 0</pose></frame></world></sdf>'))
    nodes = SceneNodes(Notes(), "/0", scene)
    (axes,) = layer(nodes, "frames", "axes")
    nodes.move({})
    np.testing.assert_allclose(axes.batched_positions[-1], (1, 2, 3))


def test_each_axis_of_a_joint_is_an_arrow_through_its_origin(drawn):
    _, nodes, _ = drawn
    (arrows,) = layer(nodes, "joints", "arrows")
    length = .12 * nodes.scene.extent
    assert arrows.color.tolist() == [2, 90, 103]  # (20, 160, 170) in linear light
    assert (arrows.shaft_radius, arrows.head_radius, arrows.head_length) == pytest.approx(
        (.02 * length, .06 * length, .15 * length))
    for (start, end), direction in zip(arrows.points, ((0, 1, 0), (1, 0, 0))):
        np.testing.assert_allclose(end - start, length * np.array(direction), atol=1e-6)
        np.testing.assert_allclose((start + end) / 2, (0, 0, .5), atol=1e-6)
    assert arrows.points.dtype == np.float32 and arrows.points.shape == (2, 2, 3)


def test_inertias_are_boxes_about_the_centre_of_mass(drawn):
    _, nodes, _ = drawn
    boxes, balls = layer(nodes, "inertia", "mesh")
    (place,) = [i for i, box in enumerate(nodes.scene.inertias) if box.body == "tip"]
    # m (b² + c²) / 12 and so on: two sides of the root of 0.03, the third of 0.09.
    assert sorted(boxes.batched_scales[place]) == pytest.approx([.03 ** .5, .03 ** .5, .3])
    np.testing.assert_allclose(np.ptp(boxes.vertices, axis=0), 1)
    for node in (boxes, balls):
        np.testing.assert_allclose(node.batched_positions[place], (0, .25, 1))
    assert boxes.opacity < 1 and np.ptp(balls.vertices, axis=0).max() < .1


def test_layers_are_switched_one_by_one_or_all(drawn):
    server, nodes, _ = drawn

    def find():
        return [name for name in LAYERS if server.nodes[f"/7/{name}"].visible]
    assert find() == ["visuals", "frames"] == [name for name in LAYERS if nodes.visible[name]]
    nodes.show("joints", True)
    assert find() == ["visuals", "frames", "joints"]
    show_layers([nodes], iter(["names", "inertia"]))
    assert find() == ["names", "inertia"] == [name for name in LAYERS if nodes.visible[name]]


def test_links_move_and_come_back(drawn):
    _, nodes, _ = drawn
    (axes,), (arrows,) = layer(nodes, "frames", "axes"), layer(nodes, "joints", "arrows")
    label = layer(nodes, "names", "label")[1]
    tip = [frame.frame.name for frame in nodes.scene.frames].index("tip")
    nodes.move({"two": (np.pi / 2, 0), "elsewhere": 1})
    # About y, half a metre below the tip's origin.
    np.testing.assert_allclose(axes.batched_positions[tip], (.5, 0, .5), atol=1e-7)
    np.testing.assert_allclose(axes.batched_wxyzs[tip], (.5 ** .5, 0, .5 ** .5, 0), atol=1e-7)
    np.testing.assert_allclose(label.position, (.5, 0, .5), atol=1e-12)
    along = arrows.points[1, 1] - arrows.points[1, 0]  # the second axis turned with the first
    np.testing.assert_allclose(along / np.linalg.norm(along), (0, 0, -1), atol=1e-6)
    nodes.move({})
    np.testing.assert_allclose(axes.batched_positions[tip], (0, 0, 1), atol=1e-7)


def test_a_click_names_the_link_or_frame(drawn):
    _, nodes, clicks = drawn
    for name, index in (("visuals", 0), ("collisions", 0), ("frames", 4), ("frames", None)):
        (callback,) = nodes.layers[name][0].node.clicks
        callback(SimpleNamespace(instance_index=index))
    assert clicks == ["base", "tip", LONG, "__model__"]
