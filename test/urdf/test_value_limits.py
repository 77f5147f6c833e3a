"""Values that urdfdom takes and nobody can mean."""
import pytest
from test_read import ENDS, one_joint, one_link, read

LIMIT = '<limit effort="{}" velocity="{}"/>'


def said(found):
    return [(d.name, d.severity, d.message) for d in found]


NOT_POSITIVE = "is not positive: libsdformat 17 uses {} instead, libsdformat 12 keeps it"


@pytest.mark.parametrize("geometry, message", [
    ('<sphere radius="-1"/>', f'radius="-1" of a sphere {NOT_POSITIVE.format(1)}'),
    ('<sphere radius="-0"/>', f'radius="0" of a sphere {NOT_POSITIVE.format(1)}'),
    ('<box size="1 -2 3"/>', f'size="1 -2 3" of a box {NOT_POSITIVE.format("1 1 1")}'),
    ('<box size="1e-9 0.0 0e0"/>', f'size="1e-09 0 0" of a box {NOT_POSITIVE.format("1 1 1")}'),
    ('<cylinder radius="0" length="0.5"/>', f'radius="0" of a cylinder {NOT_POSITIVE.format(0.5)}'),
    ('<cylinder radius="0.5" length="-0.5"/>', f'length="-0.5" of a cylinder {NOT_POSITIVE.format(1)}'),
    ('<capsule radius="-1e-9" length="1"/>', f'radius="-1e-09" of a capsule {NOT_POSITIVE.format(0.5)}'),
    ('<mesh filename="m" scale="1 0 1"/>', 'scale="1 0 1" of a mesh flattens the mesh'),
])
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_sizes(tag, geometry, message):
    robot, found = one_link(f"<{tag}><geometry>{geometry}</geometry></{tag}>")
    assert robot is not None and said(found) == [("shape-size-impossible", "warning", f"link 'a': {message}")]
    shape = geometry[1:geometry.index(" ")]
    assert found[0].path == f'/robot[@name="r"]/link[@name="a"]/{tag}/geometry/{shape}'


@pytest.mark.parametrize("geometry", ['<sphere radius="1e-9"/>', '<mesh filename="m" scale="-1 1 1"/>'])
def test_small_shapes_and_mirrored_meshes_are_fine(geometry):
    assert one_link(f"<visual><geometry>{geometry}</geometry></visual>")[1] == ()


@pytest.mark.parametrize("part, message", [
    (LIMIT.format(-1, 2), "<limit> has a negative effort -1: SDF reads it as unlimited"),
    (LIMIT.format(-1, -0.5), "<limit> has a negative effort -1 and velocity -0.5: SDF reads it as unlimited"),
    ('<dynamics friction="-2"/>', "<dynamics> has a negative friction -2: it accelerates the joint"),
])
def test_joint_values(part, message):
    robot, found = one_joint(content=ENDS + part)
    assert robot is not None and said(found) == [("joint-value-negative", "warning", f"joint 'j': {message}")]


def test_no_effort_and_no_velocity_are_fine():
    assert one_joint(content=ENDS + LIMIT.format(0, 0))[1] == ()


@pytest.mark.parametrize("leaders, circles", [
    ("bca", ["a -> b -> c -> a"]), ("ba", ["a -> b -> a"]), ("bab", ["a -> b -> a"]), ("bcb", ["b -> c -> b"]),
    ("badc", ["a -> b -> a", "c -> d -> c"]), ("a", []), ("x", []), ("bcd.", []), ("....", []),
])
def test_mimic_circles(leaders, circles):
    """The n-th joint mimics the n-th letter."""
    joints = "".join(
        f'<link name="l{n}"/><joint name="{"abcd"[n]}" type="continuous"><parent link="base"/><child link="l{n}"/>'
        + ("" if leader == "." else f'<mimic joint="{leader}"/>') + "</joint>" for n, leader in enumerate(leaders))
    robot, found = read(f'<robot name="r"><link name="base"/>{joints}</robot>')
    assert robot is not None
    assert said(found) == [("mimic-cycle", "warning", f"mimic joints form a cycle: {c}") for c in circles]


def test_a_mimic_circle_is_placed_at_its_first_mimic_and_names_the_others():
    joints = "".join(f'<link name="l{name}"/>\n<joint name="{name}" type="continuous"><parent link="base"/><child '
                     f'link="l{name}"/>\n<mimic joint="{leader}"/></joint>' for name, leader in zip("abc", "bca"))
    (found,) = read(f'<robot name="r"><link name="base"/>{joints}</robot>')[1]
    path = '/robot[@name="r"]/joint[@name="{}"]/mimic'.format
    assert (found.line, found.path) == (3, path("a"))
    assert [(r.message, r.line, r.path) for r in found.related] == [
        ("joint 'b'", 5, path("b")), ("joint 'c'", 7, path("c"))]
