"""Visuals and collisions: which is which, and what differs between the two."""
import pytest

import sdf_frames as sf
from sdf_frames.diff import shapes
from sdf_frames.diff.shapes import compare_shapes

BOX = "<box><size>{} 2 3</size></box>"
SPHERE = "<sphere><radius>{}</radius></sphere>"


def link(*shapes, name="l"):
    """A link whose shapes are (visual or collision, name, geometry, x)."""
    inside = "".join(f'<{kind} name="{shape}"><pose>{x} 0 0 0 0 0</pose><geometry>{geometry}</geometry></{kind}>'
                     for kind, shape, geometry, x in shapes)
    text = f'<sdf version="1.11"><model name="m"><link name="{name}">{inside}</link></model></sdf>'
    return sf.loads(text).links[name]


def rows(a, b, tolerance=1e-6):
    return [(c.subject, c.name, c.what, c.text) for c in compare_shapes(a, b, tolerance)]


def test_shapes_with_a_name_are_compared_with_their_namesakes():
    a = link(("visual", "v", BOX.format(1), 0), ("visual", "w", BOX.format(4), 0))
    b = link(("visual", "w", BOX.format(4), 0), ("visual", "v", BOX.format(5), 0), name="k")
    assert rows(a, b) == [("visual", "l::v", "geometry", "box size 1 2 3 -> box size 5 2 3")]


def test_without_a_name_in_common_what_they_are_counts_then_their_order():
    box, other, sphere = BOX.format(1), BOX.format(4), SPHERE.format(1)
    a = link(("visual", "a", box, 0), ("visual", "b", box, 1), ("visual", "c", other, 0), ("visual", "d", sphere, 0))
    # The boxes by their places, the sphere although it moved; what is left in order.
    b = link(("visual", "s", sphere, 9), ("visual", "y", box, 1), ("visual", "x", box, 0),
             ("visual", "z", SPHERE.format(7), 0))
    assert rows(a, b) == [("visual", "l::d", "pose", "moved 9000 mm, turned 0 deg"),
                          ("visual", "l::c", "geometry", "box size 4 2 3 -> sphere radius 7")]
    # More of them in one than in the other.
    assert [row[1:3] for row in rows(a, link(("visual", "x", box, 0)))] == [
        ("l::b", "removed"), ("l::c", "removed"), ("l::d", "removed")]
    assert [row[1:3] for row in rows(link(("visual", "x", box, 0)), a)] == [
        ("l::b", "added"), ("l::c", "added"), ("l::d", "added")]


@pytest.mark.parametrize(("old", "new", "tolerance", "differs"), [
    (0.1, 0.11, 0.02, False), (0.1, 0.13, 0.02, True), (50, 50.9, 0.02, False), (50, 51.1, 0.02, True),
    (1, 1, 0, False), (1, 1.02, 0.02, True)])
def test_dimensions_within_the_tolerance_are_equal(old, new, tolerance, differs):
    """Absolute up to a metre, relative beyond. (1.02 - 1 is a little more than 0.02 in doubles.)"""
    for geometry in (BOX, SPHERE):
        a, b = (link(("collision", "c", geometry.format(size), 0)) for size in (old, new))
        assert bool(rows(a, b, tolerance)) == differs


def polyline(*heights, points=((0, 0), (1, 0), (1, 1))):
    return "".join("<polyline>{}<height>{}</height></polyline>".format(
        "".join(f"<point>{x} {y}</point>" for x, y in points), height) for height in heights)


@pytest.mark.parametrize(("old", "new", "text"), [
    (polyline(1, 2), polyline(1, 3), "prisms points 0 0 1 0 1 1 height 1 points 0 0 1 0 1 1 height 2 -> polyline"),
    (polyline(1), polyline(1, 2), "polyline prisms points 0 0 1 0 1 1 height 1 -> polyline prisms"),
    (polyline(1), polyline(1, points=((0, 0), (1, 0), (1, 2), (0, 2))),
     "-> polyline prisms points of 4 parts height 1"),
    ("<plane><normal>0 0 1</normal><size>1 2</size></plane>", "<plane><normal>1 0 0</normal><size>1 2</size></plane>",
     "plane normal 0 0 1 size 1 2 -> plane normal 1 0 0 size 1 2"),
    ("<cylinder><radius>1</radius><length>2</length></cylinder>", "<cone><radius>1</radius><length>2</length></cone>",
     "cylinder radius 1 length 2 -> cone radius 1 length 2"),
    (BOX.format("?"), BOX.format(1), "unreadable -> box size 1 2 3"), ("<empty/>", BOX.format(1), "empty -> box")])
def test_every_dimension_of_a_geometry_counts(old, new, text):
    a, b = link(("visual", "v", old, 0)), link(("visual", "v", new, 0))
    ((subject, name, what, said),) = rows(a, b)
    assert (subject, name, what) == ("visual", "l::v", "geometry")
    assert text in said
    assert len(rows(b, a)) == 1 and rows(a, a) == rows(b, b) == []


MESH = "<mesh><uri>{}</uri><scale>{} 1 1</scale></mesh>"


@pytest.mark.parametrize(("old", "new", "text"), [
    ("model://p/a.stl", "model://p/b.stl", "URI model://p/a.stl -> model://p/b.stl"),
    ("package://p/a.stl", "model://p/a.stl", None),
    ("model://p/a.stl", "package://p/package://a.stl", "URI model://p/a.stl -> package://p/package://a.stl")])
def test_a_uri_is_the_same_with_the_scheme_of_the_other_format(old, new, text):
    a, b = (link(("visual", "v", MESH.format(uri, 1), 0)) for uri in (old, new))
    assert rows(a, b) == ([] if text is None else [("visual", "l::v", "uri", text)])


def test_two_uris_of_one_file_do_not_differ(tmp_path):
    (tmp_path / "a.stl").write_text("solid a\nendsolid a\n")
    (tmp_path / "b.stl").write_text("solid b\nendsolid b\n")
    one, same, other = (link(("visual", "v", MESH.format(uri, 1), 0)) for uri in (
        f"{tmp_path}/a.stl", f"file://{tmp_path}/a.stl", f"{tmp_path}/b.stl"))
    assert rows(one, same) == []
    assert [row[2] for row in rows(one, other)] == ["uri"]
    (tmp_path / "b.stl").write_text("solid a\nendsolid a\n")
    assert rows(one, other) == [], "the same content"


def test_many_shapes_without_a_match_are_looked_at_once_each(monkeypatch):
    counted = []
    describe = shapes._describe
    monkeypatch.setattr(shapes, "_describe", lambda shape: counted.append(shape) or describe(shape))

    def count(n: int) -> int:
        counted.clear()
        a, b = (link(*[("visual", f"{name}{k}", form.format(k + 1), k) for k in range(n)])
                for name, form in (("a", BOX), ("b", SPHERE)))
        assert len(rows(a, b)) == n
        return len(counted)

    assert count(40) == 2 * count(20)


def test_two_uris_of_one_folder_are_matched(tmp_path, monkeypatch):
    (tmp_path / "scripts").mkdir()
    monkeypatch.chdir(tmp_path)
    script = ("<sdf version='1.11'><model name='m'><link name='l'><visual name='v'><geometry><sphere><radius>1</radius>"
              "</sphere></geometry><material><script><uri>{}</uri><name>n</name></script></material></visual></link>"
              "</model></sdf>")
    (tmp_path / "a.sdf").write_text(script.format("scripts"))
    (tmp_path / "b.sdf").write_text(script.format("./scripts"))
    assert not sf.diff(sf.load("a.sdf"), sf.load("b.sdf"))


@pytest.mark.parametrize("sizes, change", [
    ((1, 2), "l::visual[2]: box size 1 1 1 -> box size 2 1 1"), ((1,), "l::visual[2]: box size 1 1 1"),
    ((1, 1, 1), "l::visual[3]: box size 1 1 1")])
def test_of_equal_shapes_without_names_each_has_its_own_place(sizes, change):
    def load(*sizes):
        shapes = [f'<visual><geometry><box size="{size} 1 1"/></geometry></visual>' for size in sizes]
        return sf.loads(f'<robot name="r"><link name="l">{"".join(shapes)}</link></robot>')  # also of one line
    assert [f"{c.name}: {c.text}" for c in sf.diff(load(1, 1), load(*sizes))] == [change]
