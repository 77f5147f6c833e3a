"""How what is on the page looks: colours, sizes over that of the scene, labels, and what can be seen through."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
trimesh = pytest.importorskip("trimesh")

from test_nodes import ARM, Notes  # noqa: E402

from sdf_frames.view.build_scene import build_scene  # noqa: E402
from sdf_frames.view.nodes import SceneNodes, show_layers  # noqa: E402


def build(text, **change):
    robot = sf.loads(text)
    return replace(build_scene(robot, robot.inertias()), **change)


def show(scene, *layers):
    """The page's nodes, and the nodes of some layers, by their names without the root's."""
    server = Notes()
    nodes = SceneNodes(server, "/0", scene)
    show_layers([nodes], layers)
    return nodes, {name.removeprefix("/0/"): node for name, node in server.nodes.items()}


def test_moves_are_lines_that_are_always_seen():
    scene = build(ARM, moves=np.array([(0., 0, 0), (1, 1, 1), (1, 1, 1), (2, 3, 4)]))
    _, nodes = show(scene)
    lines = nodes["moves"]
    assert (lines.kind, lines.color, lines.thickness) == ("lines", (200, 0, 160), 3)
    assert lines.points.tolist() == [[[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [2, 3, 4]]]
    assert "moves" not in show(build(ARM))[1]


def test_what_is_clicked_by_default_is_ignored():
    _, nodes = show(build(ARM), "frames")
    nodes["frames/0"].clicks[0](SimpleNamespace(instance_index=0))


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
