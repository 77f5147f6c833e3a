"""One meaning in every command, for random documents of 1.2 to 1.12.

``frames(x)`` = ``frames(upgrade(x, version))`` = ``frames(print(x))`` = forward kinematics of ``to-urdf(x)``, and all
of them what the document means by its own words (``old_documents.py``). ``check --fix`` changes no pose.
"""
import contextlib
import io
import xml.etree.ElementTree as ElementTree
from random import Random

import pytest
from document_maker import VERSIONS, Maker
from hypothesis import given, settings
from hypothesis import strategies as st
from old_documents import (
    MOMENTS,
    axis_in_world,
    body,
    ends,
    every,
    leader,
    number,
    place,
    place_inertial,
    turn,
    walk,
    write,
)
from written_text import convert_to_urdf, upgrade_text

from sdf_frames.cli import main
from sdf_frames.load import load_file, load_text
from sdf_frames.spatial.pose import IDENTITY, compose, pose_from_rpy, rotate


def same(X, Y):
    turned = abs(sum(a * b for a, b in zip(X[3:], Y[3:])))
    return X[:3] == pytest.approx(Y[:3], abs=1e-8) and turned == pytest.approx(1, abs=1e-9)


def errors(loaded):
    return [d.message for d in loaded.diagnostics if d.severity == "error"]


def assert_means(loaded, root):
    """What was read is what the document says."""
    (scope,) = loaded.scopes
    rows = {f.name: f for f in scope.frames}
    joints = {j.name: j for j in scope.joints}
    X_WS = IDENTITY if root.kind == "world" else place(root)
    names = {node: name for name, node in walk(root)}
    # A flattened model of a world becomes a model of its own, which is a frame more.
    flattened = any("::" in node.name and node.rules < (1, 8) for node in names)
    for node, name in names.items():
        row = rows[name]
        assert row.kind == node.kind, name
        assert same(compose(X_WS, row.pose), place(node)), name
        assert row.link == ("world" if body(node).kind == "world" else names[body(node)]), name
        if node.kind == "joint":
            parent, child, _ = ends(node)
            assert joints[name].parent == ("world" if parent is None else names[body(parent)]), name
            assert joints[name].child == names[body(child)], name
            if node.axis:
                assert joints[name].axes[0][1] == pytest.approx(turn(place(node), axis_in_world(node)), abs=1e-9), name
            mimic = mimics(loaded)[name]
            assert mimic == (names[leader(node)] if node.mimic else None), name
    merged = [node for _, node in every(root) if node.merged]
    assert flattened or len(rows) == len(names) + 1 + len(merged)
    inertias = {link.name: link for link in loaded.inertias().links}
    for node, name in names.items():
        if node.kind == "link" and node.inertial:
            assert (inertias[name].mass, inertias[name].inertia) == (2, (*MOMENTS, 0, 0, 0)), name
            assert same(compose(X_WS, compose(rows[name].pose, inertias[name].pose)), place_inertial(node)), name


def mimics(loaded):
    """By joint, the joint that it mimics."""
    (graph,) = loaded.graphs
    found = {}
    for vertex, prefix in graph.joints:
        mimic = next((axis.mimic for axis in graph.joint(vertex).axes), None)
        found[graph.names[vertex]] = prefix + mimic.joint if mimic else None
    return found


def signature(loaded):
    """Everything resolved but names: kinds, poses, poses of bodies; joints with the poses of their ends, and axes."""
    (scope,) = loaded.scopes
    poses = {f.name: f.pose for f in scope.frames}
    places = [(f.kind, f.pose, poses[f.link]) for f in scope.frames]
    # The inertial frame, or a link of that name.
    parents = [None if j.parent == "world" else poses[j.parent] for j in scope.joints]
    leaders = mimics(loaded)
    joints = [(j.type, X, poses[j.child], j.axes, leaders[j.name] and poses[leaders[j.name]])
              for j, X in zip(scope.joints, parents)]
    return places, joints, [(link.mass, link.pose, poses[link.name]) for link in loaded.inertias().links]


def assert_same(one, other, plain):
    """Two readings are one, names too if they are `plain`."""
    assert errors(other) == []
    for a, b in zip(*(signature(x) for x in (one, other)), strict=True):
        for row, again in zip(a, b, strict=True):
            for x, y in zip(row, again, strict=True):
                if None in (x, y):
                    assert x is y or not plain
                elif isinstance(x, tuple) and len(x) == 7:
                    assert same(x, y)
                elif isinstance(x, tuple):
                    assert [v for _, xyz in x for v in xyz] == pytest.approx([v for _, xyz in y for v in xyz], abs=1e-9)
                else:
                    assert x == y
    if plain:
        assert [f.name for f in one.scopes[0].frames] == [f.name for f in other.scopes[0].frames]
        assert [(j.name, j.parent, j.child) for j in one.scopes[0].joints] == [
            (j.name, j.parent, j.child) for j in other.scopes[0].joints]


def assert_urdf_means(loaded, root):
    """Links, and the joints that a URDF can hold, stand where the document puts them."""
    conversion = convert_to_urdf(loaded)
    assert conversion.text is not None, [d.message for d in conversion.diagnostics if d.severity == "error"]
    robot = ElementTree.fromstring(conversion.text)
    joints = {j.get("name"): j for j in robot.iter("joint")}
    parents = {j.find("child").get("link"): j for j in joints.values()}

    def origin(joint):
        given = joint.find("origin")
        texts = ("0 0 0", "0 0 0") if given is None else (given.get("xyz"), given.get("rpy"))
        return pose_from_rpy(*(float(v) for text in texts for v in text.split()))

    def locate(link):
        joint = parents.get(link)
        return IDENTITY if joint is None else compose(locate(joint.find("parent").get("link")), origin(joint))

    def welded_above(link):
        while (joint := parents.get(link)) is not None and joint.get("type") == "fixed":
            link = joint.find("parent").get("link")
            yield link

    (top,) = {link.get("name") for link in robot.iter("link")} - set(parents)
    told = [d.message.split("'") for d in conversion.diagnostics if d.name == "urdf-name-taken"]
    of_world = {words[1]: words[3] for words in told if "a part of the model" in words[-1]}
    renamed = {(words[0].strip(), words[1]): words[3] for words in told if "a part of the model" not in words[-1]}
    base = root if root.kind == "model" else root.of("model")[0]
    prefix = "" if base is root else next(name for name, n in walk(root) if n is base) + "::"
    urdf = {}
    for name, node in walk(root):
        if name.startswith(prefix) and name != prefix[:-2] and (base is root or inside(node, base)):
            name = name[len(prefix):]
            urdf[node] = renamed.get((node.kind, name), name.replace("::", "/"))
        elif node.kind == "frame" and node.scope is root and inside(body(node), base):  # a part of the model
            urdf[node] = of_world.get(name, renamed.get((node.kind, name), name.replace("::", "/")))
    X_WT = IDENTITY if top == "world" else place(next(n for n in urdf if urdf[n] == top and n.kind == "link"))
    dropped = {row.name for row in conversion.rows if row.action == "dropped" and row.element != "mimic"}
    cut = {row.name for row in conversion.rows if row.action == "to-frame" and row.element == "joint"}  # of a loop
    free = {row.name for row in conversion.rows if row.action == "dropped" and row.element == "mimic"}
    links = {link.get("name"): link for link in robot.iter("link")}
    for node, name in urdf.items():
        if node.kind == "link" and node.inertial:
            X_LI = origin(links[name].find("inertial"))
            assert same(compose(compose(X_WT, locate(name)), X_LI), place_inertial(node)), name
        if node.kind == "link" or (node.kind in ("frame", "model") and name not in dropped):
            # A frame that stands for a lumped joint is that joint, where its child is.
            link = name if name in links else joints[name].find("child").get("link")
            assert same(compose(X_WT, locate(link)), place(node)), name
        elif node.kind == "joint" and name not in dropped | cut:
            joint = joints[name]
            parent, child, _ = ends(node)
            # A frame that became a link is welded to its body.
            given, wanted = joint.find("parent").get("link"), "world" if parent is None else urdf[body(parent)]
            assert given == wanted or (given == urdf[parent] and wanted in welded_above(given))
            assert joint.find("child").get("link") in (urdf[body(child)], f"{name}_frame", f"{name}_frame0")
            mimic = joint.find("mimic")
            assert name in free or (mimic is None) == (not node.mimic), name
            assert mimic is None or mimic.get("joint") == urdf[leader(node)], name
            if node.axis:
                X = compose(compose(X_WT, locate(joint.find("parent").get("link"))), origin(joint))
                xyz = tuple(float(v) for v in joint.find("axis").get("xyz").split())
                assert rotate(X[3:], xyz) == pytest.approx(axis_in_world(node), abs=1e-8)


def inside(node, model):
    while node is not None and node is not model:
        node = node.scope
    return node is model


def run(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(list(arguments))
    return out.getvalue()


def assert_law(seed, folder, versions):
    """The law for the document of one seed."""
    maker = Maker(Random(seed))
    root = maker.make()
    for name, model in maker.files.items():
        (folder / f"{name}.sdf").write_text(write(model))
    file, text = folder / "x.sdf", write(root)
    file.write_text(text)
    read = load_file(file)
    assert errors(read) == []
    assert_means(read, root)
    held = not any("::" in n.name or n.name == "world" for _, n in walk(root))
    for version in (v for v in versions if number(v) >= root.rules):
        upgraded, found = upgrade_text(text, str(file), version)
        assert upgraded is not None, found
        assert_same(read, load_text(upgraded, str(file)), held or number(version) < (1, 7))
    for options in ((), ("-i",)):
        assert_same(read, load_text(run("print", *options, str(file)), str(file)), held)
    if root.kind == "model" or len(root.of("model")) == 1:
        assert_urdf_means(read, root)
    run("check", "--fix", str(file))
    assert_same(read, load_file(file), held)


@given(st.integers(0, 2**32))
@settings(max_examples=2 * settings.default.max_examples)
def test_every_command_finds_the_same_meaning(tmp_path, seed):
    chance = Random(seed)
    assert_law(seed, tmp_path, chance.sample(VERSIONS, 3))
