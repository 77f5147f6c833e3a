"""How what is on the page looks: colours, sizes over that of the scene, labels, and what can be seen through."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
trimesh = pytest.importorskip("trimesh")

from test_nodes import ARM, Notes  # noqa: E402

from sdf_frames.view.nodes import SceneNodes, show_layers  # noqa: E402
from sdf_frames.view.scene import LAYERS, build_scene  # noqa: E402


def build(text, **change):
    robot = sf.loads(text)
    return replace(build_scene(robot, robot.inertias()), **change)


def show(scene, *layers):
    """The page's nodes, and the nodes of some layers, by their names without the root's."""
    server = Notes()
    nodes = SceneNodes(server, "/0", scene)
    show_layers([nodes], layers)
    return nodes, {name.removeprefix("/0/"): node for name, node in server.nodes.items()}


def look(node, *fields):
    return {field: getattr(node, field) for field in fields}


def test_nodes_are_numbered_below_their_layer():
    _, nodes = show(build(ARM), *LAYERS)
    assert [name for name in nodes if name.count("/") == 1 and not name.startswith(("/0", "names"))] == [
        "visuals/0", "visuals/1", "visuals/2", "visuals/3", "frames/0", "collisions/0", "tree/0", "joints/0",
        "inertia/0", "inertia/1"]
    assert all(nodes[layer].show_axes is False for layer in LAYERS)


LIMITED = ARM.replace('type="universal"', 'type="revolute"').replace("</xyz></axis>", "</xyz><limit><lower>-1</lower>"
                      "<upper>1</upper></limit></axis>", 1).replace("<axis2><xyz>1 0 0</xyz></axis2>", "")


def test_lines_of_the_tree_and_of_limits():
    scene = build(LIMITED)
    _, nodes = show(scene, "tree", "limits")
    for layer, colour in (("tree", (70, 70, 70)), ("limits", (0, 110, 120))):
        lines = nodes[f"{layer}/0"]
        assert (lines.kind, lines.color, lines.thickness, lines.thickness_units) == ("lines", colour, 3, "screen")
        assert lines.points.shape[1:] == (2, 3)
    np.testing.assert_allclose(nodes["tree/0"].points[0], [(0, 0, 0), (0, 0, 1)], atol=1e-6)
    assert len(nodes["limits/0"].points) > len(nodes["tree/0"].points)


def test_moves_are_lines_that_are_always_seen():
    scene = build(ARM, moves=np.array([(0., 0, 0), (1, 1, 1), (1, 1, 1), (2, 3, 4)]))
    _, nodes = show(scene)
    lines = nodes["moves"]
    assert (lines.kind, lines.color, lines.thickness) == ("lines", (200, 0, 160), 3)
    assert lines.points.tolist() == [[[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [2, 3, 4]]]
    assert "moves" not in show(build(ARM))[1]


def test_axes_of_frames_are_slim():
    axes = show(build(ARM), "frames")[1]["frames/0"]
    assert look(axes, "axes_length", "axes_radius") == {"axes_length": 1, "axes_radius": .04}


def test_boxes_and_balls_of_inertias():
    scene = build(ARM)
    clicked = []
    server = Notes()
    SceneNodes(server, "/0", scene, on_click=clicked.append).show("inertia", True)
    box, ball = server.nodes["/0/inertia/0"], server.nodes["/0/inertia/1"]
    assert box.batched_colors.tolist() == [67, 12, 131]  # (140, 60, 190) in linear light
    assert look(box, "opacity", "flat_shading", "lod", "side") == {
        "opacity": .45, "flat_shading": True, "lod": "off", "side": "double"}
    assert ball.batched_colors.tolist() == [67, 12, 131]
    assert not hasattr(ball, "opacity") and not hasattr(ball, "batched_scales")
    np.testing.assert_allclose(np.linalg.norm(ball.vertices, axis=1), .008 * scene.extent)
    names = [inertia.body for inertia in scene.inertias]
    for node in (box, ball):
        node.clicks[0](SimpleNamespace(instance_index=names.index("tip")))
    assert clicked == ["tip", "tip"]


def test_what_is_clicked_by_default_is_ignored():
    _, nodes = show(build(ARM), "frames")
    nodes["frames/0"].clicks[0](SimpleNamespace(instance_index=0))


def test_labels_of_frames_of_one_place_have_a_corner_each():
    text = "".join(f'<link name="l{i}"/>' for i in range(5))
    nodes, _ = show(build(f'<sdf version="1.9"><model name="m">{text}</model></sdf>'), "names")
    labels = [part.node for part in nodes.layers["names"]]
    assert [(label.text, label.anchor, label.font_screen_scale) for label in labels] == [
        ("l0 +1", "top-left", .85), ("l1", "bottom-left", .85), ("l2", "top-right", .85), ("l3", "bottom-right", .85),
        ("l4", "top-left", .85)]


@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_the_end_of_a_long_label_is_shown(extra):
    """48 letters: of 'model://x…/lost.stl is not found'."""
    uri = "model://" + (48 - len("model:///lost.stl is not found") + extra) * "x" + "/lost.stl"
    _, nodes = show(build(ARM.replace("model://nowhere/lost.stl", uri)))
    said = f"{uri} is not found"
    (label,) = [node for node in nodes.values() if node.kind == "label"]
    assert label.text == (said if extra <= 0 else "…" + said[-48:])


def find_visuals(nodes):
    visuals = [part.node for part in nodes.layers["visuals"]]
    return [(node.kind, node.removed, getattr(node, "opacity", None)) for node in visuals]


def test_visuals_can_be_seen_through(tmp_path):
    """Those that let less than 0.3 through; the others and what is no visual stay as they are."""
    box = trimesh.creation.box((1, 2, 3))
    box.visual = trimesh.visual.TextureVisuals(
        material=trimesh.visual.material.PBRMaterial(baseColorFactor=[0, 0, 255, 255]))
    box.export(tmp_path / "box.glb")
    visual = '<visual name="{}"><geometry>{}</geometry>{}</visual>'
    sphere = "<sphere><radius>.1</radius></sphere>"
    text = (f'<sdf version="1.9"><model name="m"><link name="l">{visual.format("opaque", sphere, "")}'
            f'{visual.format("half", "<box/>", "<transparency>.5</transparency>")}'
            f'{visual.format("thin", "<box><size>1 2 3</size></box>", "<transparency>.75</transparency>")}'
            f'{visual.format("own", f"<mesh><uri>{tmp_path}/box.glb</uri></mesh>", "")}'
            f'<collision name="c"><geometry>{sphere}</geometry></collision></link></model></sdf>')
    nodes, _ = show(build(text), "visuals", "collisions")
    before = [part.node for part in nodes.layers["visuals"]]
    plain = [("mesh", False, None), ("mesh", False, .5), ("mesh", False, .25), ("mesh", False, None)]
    assert find_visuals(nodes) == plain
    nodes.server.nodes.clear()  # viser takes the name of a node that is removed again
    nodes.see_through(True)
    assert all(node.removed for node in before)
    assert find_visuals(nodes) == [("mesh", False, .3), ("mesh", False, .3), ("mesh", False, .25), ("mesh", False, .3)]
    assert nodes.layers["visuals"][3].node.batched_colors.tolist() == [[0, 0, 255]]
    assert [part.node.opacity for part in nodes.layers["collisions"]] == [.35]
    nodes.server.nodes.clear()
    nodes.see_through(False)
    assert find_visuals(nodes) == plain


def test_shapes_of_one_link_fade_and_come_back():
    """Two boxes of two links alike are one node; that of a missing mesh has a label."""
    box = '<geometry><box><size>1 1 1</size></box></geometry>'
    lost = '<visual name="w"><geometry><mesh><uri>no.stl</uri></mesh></geometry></visual>'
    links = "".join(f'<link name="{name}"><visual name="v">{box}</visual><collision name="c">{box}</collision>{lost}'
                    "</link>" for name in "ab")
    nodes, _ = show(build(f'<sdf version="1.9"><model name="m">{links}</model></sdf>'), "visuals", "collisions")

    def find(layer):
        return sorted((part.bodies, part.kind, getattr(part.node, "opacity", 0) or 1) for part in nodes.layers[layer])
    before = {layer: find(layer) for layer in ("visuals", "collisions")}
    nodes.server.nodes.clear()
    nodes.fade("a", 0)
    assert {body for layer in before for bodies, *_ in find(layer) for body in bodies} == {"b"}
    nodes.server.nodes.clear()
    nodes.fade("a", .3)
    assert find("collisions") == [(("a",), "copies", .3), (("b",), "copies", .35)]
    assert [row for row in find("visuals") if row[0] == ("a",)] == [
        (("a",), "copies", .3), (("a",), "copies", .3), (("a",), "label", 1)]
    nodes.server.nodes.clear()
    nodes.fade("a", 1)
    assert {layer: find(layer) for layer in before} == before


def test_positions_are_sent_as_small_numbers():
    nodes, _ = show(build(ARM), *LAYERS)
    nodes.move({"two": (.5, .25)})
    for parts in nodes.layers.values():
        for part in parts:
            if part.kind == "copies":
                assert part.node.batched_positions.dtype == part.node.batched_wxyzs.dtype == np.float32
            elif part.kind == "points":
                assert part.node.points.dtype == np.float32 and part.node.points.shape[1:] == (2, 3)
            else:
                assert part.node.position.shape == (3,)


@pytest.mark.parametrize(("count", "labels"), [(10, 10), (11, 0)])
def test_boxes_of_missing_meshes_have_labels_if_they_are_few(count, labels):
    lost = "".join(f'<visual name="v{i}"><geometry><mesh><uri>{i}.stl</uri></mesh></geometry></visual>'
                   for i in range(count))
    nodes, _ = show(build(f'<sdf version="1.11"><model name="m"><link name="l">{lost}</link></model></sdf>'), "visuals")
    kinds = [part.kind for part in nodes.layers["visuals"]]
    assert kinds.count("label") == labels and sum(
        len(part.bodies) for part in nodes.layers["visuals"] if part.kind == "copies") == count


@pytest.mark.parametrize(("count", "labels"), [(19, 20), (20, 1)])
def test_sensors_that_cover_nothing_have_labels_if_they_are_few(count, labels):
    """One camera, and so many others."""
    others = "".join(f'<sensor name="s{i}" type="imu"/>' for i in range(count))
    nodes, _ = show(build(f"""<sdf version="1.11"><model name="m"><link name="l">{others}
      <sensor name="eye" type="camera"><camera/></sensor></link></model></sdf>"""), "sensors")
    axes, lines, *names = nodes.layers["sensors"]
    assert (axes.kind, lines.kind, len(axes.bodies), len(lines.bodies)) == ("copies", "points", count + 1, 24)
    assert len(names) == labels and names[-1].node.text == "eye (camera)"
