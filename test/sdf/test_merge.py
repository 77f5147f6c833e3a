"""What ``<include merge="true">`` makes of each kind of entity: where it stood in ``__model__``, it stands in the proxy
frame."""
import pytest

from sdf_frames.load import load_file

PROXY = "_merged__part__model__"
MERGE = '<include merge="true"><uri>part.sdf</uri>{}</include>'


@pytest.fixture
def merge(tmp_path):
    """The model (or world) that merges a model of this content, and its findings by name and message."""
    def merge(part, more="", around='<model name="m">{}</model>'):
        (tmp_path / "part.sdf").write_text(f'<sdf version="1.12"><model name="part">{part}</model></sdf>')
        main = tmp_path / "main.sdf"
        main.write_text(f'<sdf version="1.12">{around.format(MERGE.format(more))}</sdf>')
        loaded = load_file(main)
        return loaded.root.model or loaded.root.worlds[0], [(d.name, d.message) for d in loaded.diagnostics]
    return merge


def pose(frame):
    return "" if frame is None else f'<pose relative_to="{frame}">1 0 0 0 0 0</pose>'


# A name in the file, and what it is once merged: in a part of an entity, and in an entity, where none means the model.
NAMES = [(None, "", PROXY), ("__model__", PROXY, PROXY), ("f", "f", "f")]
FRAME = '<frame name="f" attached_to="l"/>'


@pytest.mark.parametrize("name, nested, whole", NAMES)
def test_poses_of_a_merged_link_and_of_what_is_in_it(merge, name, nested, whole):
    box = "<geometry><box/></geometry>"
    model, found = merge(f'<link name="l">{pose(name if name != "f" else "g")}'
                         f'<collision name="c">{pose(name)}{box}</collision><collision name="d">{pose(name)}{box}'
                         f'</collision><visual name="v">{pose(name)}{box}</visual>'
                         f'<sensor name="s" type="imu">{pose(name)}</sensor></link>{FRAME}'
                         '<link name="k"/><frame name="g" attached_to="k"/>')
    assert found == []
    link = model.links[0]
    assert link.pose.relative_to == (whole if name != "f" else "g")
    assert [c.pose.relative_to for c in link.collisions] == [nested] * 2
    assert [p.pose.relative_to for p in link.parts] == [nested] * 2


@pytest.mark.parametrize("name, nested, whole", NAMES)
def test_a_merged_model_and_frame(merge, name, nested, whole):
    attached = "" if name is None else f' attached_to="{name}"'
    model, found = merge(f'<link name="l"/>{FRAME}<frame name="g"{attached}>{pose(name)}</frame>'
                         f'<model name="n">{pose(name)}<link name="l"/></model>')
    assert found == []
    frame = model.frames[2]
    assert (frame.name, frame.attached_to, frame.pose.relative_to) == ("g", whole, nested)
    assert model.models[0].pose.relative_to == whole
    assert model.models[0].links[0].pose.relative_to == ""


@pytest.mark.parametrize("name, nested, whole", NAMES)
def test_a_merged_joint(merge, name, nested, whole):
    expressed = "" if name is None else f' expressed_in="{name}"'
    axis = f"<xyz{expressed}>1 0 0</xyz>"
    model, found = merge(f'<link name="l"/>{FRAME}<link name="k"/><joint name="j" type="universal">{pose(name)}'
                         f"<parent>{name or 'l'}</parent><child>k</child><axis>{axis}</axis><axis2>{axis}</axis2>"
                         f'<sensor name="s" type="force_torque">{pose(name)}</sensor></joint>')
    assert found == []
    (joint,) = model.joints
    assert (joint.parent, joint.child) == (whole if name else "l", "k")
    assert joint.pose.relative_to == nested and [s.pose.relative_to for s in joint.sensors] == [nested]
    assert [a.expressed_in for a in joint.axes] == [nested] * 2


def test_a_merged_joint_whose_child_is_the_model_frame(merge):
    model, _ = merge('<link name="l"/><link name="k"/><joint name="j" type="fixed"><parent>k</parent>'
                     '<child>__model__</child></joint>')
    assert (model.joints[0].parent, model.joints[0].child) == ("k", PROXY)


@pytest.mark.parametrize("more, proxy_pose, placement", [
    ("", ((0, 0, 0), "__model__"), ""),
    ("<pose>1 2 3 0 0 0</pose>", ((1, 2, 3), "__model__"), ""),
    ('<pose relative_to="p">1 2 3 0 0 0</pose><placement_frame>l</placement_frame>', ((1, 2, 3), "p"), "l"),
    ("<pose>1 2 3 0 0 0</pose><placement_frame>__model__</placement_frame>", ((1, 2, 3), "__model__"), ""),
])
def test_the_proxy_stands_where_the_model_frame_stood(merge, more, proxy_pose, placement):
    model, found = merge('<link name="l"/><link name="k"/>', more, '<model name="m"><link name="p"/>{}</model>')
    assert found == []
    (proxy,) = model.frames
    assert [e.name for e in model.order] == ["p", PROXY, "l", "k"]
    assert (proxy.name, proxy.attached_to, proxy.proxy, proxy.merged.name) == (PROXY, "l", True, "part")
    assert ((proxy.pose.X[:3], proxy.pose.relative_to), proxy.placement_frame) == (proxy_pose, placement)


def test_into_a_world_a_model_without_links_is_merged(merge):
    world, found = merge('<model name="n"><link name="l"/></model><frame name="f" attached_to="n"/>', "",
                         '<world name="w">{}</world>')
    assert found == []
    assert [e.name for e in world.order] == [PROXY, "n", "f"]
    assert (world.frames[0].attached_to, world.frames[0].pose.relative_to) == ("n::l", "world")


@pytest.mark.parametrize("count, listed", [
    (1, "'l0';"), (5, "'l0', 'l1', 'l2', 'l3', 'l4';"), (6, "'l0', 'l1', 'l2', 'l3', 'l4' …;")])
def test_into_a_world_no_links_are_merged(merge, count, listed):
    world, found = merge("".join(f'<link name="l{i}"/>' for i in range(count)), "", '<world name="w">{}</world>')
    assert world.order == ()
    assert [name for name, _ in found] == ["merge-unsupported"]
    assert f"a world cannot hold links, and this model has {listed} merge models without" in found[0][1]


def test_a_model_is_not_merged_where_none_is_allowed(merge):
    _, found = merge('<link name="l"/>', "", '{}<model name="m"><link name="p"/></model>')
    assert [name for name, _ in found] == ["merge-unsupported"]
    assert "<sdf> cannot hold a merged model" in found[0][1]


@pytest.mark.parametrize("name", ["world", "__root__", "__x__"])
@pytest.mark.parametrize("around, content", [
    ('<model name="m">{}</model>', '<link name="l"/>'),
    ('<world name="w">{}</world>', '<model name="n"><link name="l"/></model>')])
def test_a_merged_model_has_no_reserved_name(tmp_path, name, around, content):
    """Verdicts of libsdformat 12: the name that counts is that of the include, if it gives one."""
    for file_name, more, file in ((name, "", "p.sdf"), (name, "<name>q</name>", None), ("p", "", None),
                                  ("p", f"<name>{name}</name>", "main.sdf"), (name, "<name>_x_</name>", None)):
        (tmp_path / "p.sdf").write_text(f'<sdf version="1.12"><model name="{file_name}">{content}</model></sdf>')
        include = f'<include merge="true"><uri>p.sdf</uri>{more}</include>'
        (tmp_path / "main.sdf").write_text(f'<sdf version="1.12">{around.format(include)}</sdf>')
        found = load_file(tmp_path / "main.sdf").diagnostics
        assert [(d.name, d.message, d.file) for d in found] == ([] if file is None else [
            ("name-reserved", f"the model name {name!r} is reserved", str(tmp_path / file))])
