"""Laws of frames: what no change of writing may change."""
from dataclasses import replace

import pytest
from frame_models import compose_poses, find_bodies, models, near, rename_items, walk, write_bare_model, write_model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdf_frames.load import LoadOptions, load_text
from sdf_frames.spatial.pose import compose, invert, pose_from_rpy

X_OF = pose_from_rpy
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])

NUMBERS = st.floats(-3, 3, allow_subnormal=False)


def resolve(text, options=LoadOptions()):
    """``{name: row}`` of a document with one scope and no error."""
    loaded = load_text(text, options=options)
    assert [d for d in loaded.diagnostics if d.severity == "error"] == []
    (scope,) = loaded.scopes
    return {f.name: f for f in scope.frames}


@given(models())
@QUICK
def test_poses_are_the_products_along_the_references(items):
    found, expected = resolve(write_model(items)), compose_poses(items)
    assert set(found) == set(expected)
    assert all(near(found[name].pose, expected[name]) for name in expected)


@given(models())
@QUICK
def test_bodies_are_the_links_at_the_end_of_attached_to(items):
    assert {name: f.link for name, f in resolve(write_model(items)).items()} == find_bodies(items)


@given(models(), st.randoms(use_true_random=False))
@QUICK
def test_the_order_of_elements_changes_nothing(items, chance):
    shuffled = list(items)
    chance.shuffle(shuffled)
    one, other = resolve(write_model(items)), resolve(write_model(shuffled))
    assert {n: f.link for n, f in one.items()} == {n: f.link for n, f in other.items()}
    assert all(near(one[n].pose, other[n].pose, 1e-12) for n in one)


# Two blanks in a row are one in the text of an element and two in an attribute: libsdformat, too, does not find such a
# name.
NAMES = st.text("abcXYZäß機Ⅷ0129_-. /", min_size=1, max_size=8).map(str.strip).filter(
    lambda n: n and n != "world" and "  " not in n and not (n.startswith("__") and n.endswith("__")))


@given(models(), st.data())
@QUICK
def test_names_are_names_only(items, data):
    """Also strange ones; they only must differ."""
    new = data.draw(st.lists(NAMES, min_size=len(items), max_size=len(items), unique=True))
    names = {x.name: n for x, n in zip(items, new)} | {"__model__": "__model__"}
    one = resolve(write_model(items))
    other = resolve(write_model(rename_items(items, names), canonical=names["n0"]))
    assert set(other) == {names[n] for n in one}
    assert all(one[n].pose == other[names[n]].pose and names[one[n].link] == other[names[n]].link for n in one)


@given(models(), st.data())
@QUICK
def test_a_pose_in_a_frame_does_not_depend_on_the_path(items, data):
    """Through the model frame or straight along the references: X_AB is one."""
    found = resolve(write_model(items))
    a, b = data.draw(st.sampled_from(sorted(found))), data.draw(st.sampled_from(sorted(found)))
    assert near(compose(invert(found[a].pose), found[b].pose), walk(items, a, b))


@given(models(most=6), models(most=6), st.tuples(*[NUMBERS] * 6), st.tuples(*[NUMBERS] * 6))
@QUICK
def test_a_nested_model_is_the_model_moved(outer, inner, X_MN, X_WM):
    """In a world, model in model: every pose is moved by the poses of the models around it."""
    pose = f"<pose>{' '.join(map(repr, X_WM))}</pose>"
    nested = write_bare_model(inner, "N", pose=f"<pose>{' '.join(map(repr, X_MN))}</pose>")
    text = write_bare_model(outer, "M", pose=pose).replace("</model>", nested + "</model>")
    found = resolve(f'<sdf version="1.12"><world name="w">{text}</world></sdf>')
    X_WM, X_WN = X_OF(*X_WM), compose(X_OF(*X_WM), X_OF(*X_MN))
    for prefix, items, X in (("M", outer, X_WM), ("M::N", inner, X_WN)):
        bodies = find_bodies(items)
        for name, pose in compose_poses(items).items():
            row = found[prefix if name == "__model__" else f"{prefix}::{name}"]
            assert near(row.pose, compose(X, pose))
            assert row.link == f"{prefix}::{bodies[name]}"


@given(models(most=8), st.tuples(*[NUMBERS] * 6))
@QUICK
def test_an_included_model_is_the_model_written_in_its_place(tmp_path, items, X):
    (tmp_path / "part.sdf").write_text(write_model(items, "part"))
    pose = f"<pose>{' '.join(map(repr, X))}</pose>"
    world = '<sdf version="1.12"><world name="w">%s<frame name="F" attached_to="other"/></world></sdf>'
    inlined = resolve(world % write_bare_model(items, "other", pose=pose))
    included = resolve(world % f"<include><uri>part.sdf</uri><name>other</name>{pose}</include>",
                       LoadOptions(resource_paths=(str(tmp_path),)))
    assert included == inlined


@given(models(most=8), st.tuples(*[NUMBERS] * 6), st.data())
@QUICK
def test_a_placement_frame_stands_where_the_pose_says(tmp_path, items, X, data):
    placed = data.draw(st.sampled_from([x.name for x in items]))
    (tmp_path / "part.sdf").write_text(write_model(items, "part"))
    found = resolve(
        f'<sdf version="1.12"><world name="w"><include><uri>part.sdf</uri><placement_frame>{placed}</placement_frame>'
                    f"<pose>{' '.join(map(repr, X))}</pose></include></world></sdf>",
        LoadOptions(resource_paths=(str(tmp_path),)))
    assert near(found[f"part::{placed}"].pose, X_OF(*X))
    inside = compose_poses(items)
    assert near(compose(invert(found["part"].pose), found[f"part::{placed}"].pose), inside[placed])


def test_two_thousand_frames_in_a_circle_are_one_finding():
    frames = "".join(f'<frame name="f{i}" attached_to="f{(i + 1) % 2000}"/>' for i in range(2000))
    loaded = load_text(f'<sdf version="1.12"><model name="m"><link name="l"/>{frames}</model></sdf>')
    (only,) = [d for d in loaded.diagnostics if d.severity == "error"]
    assert only.name == "frame-attached-to-cycle"
    assert len(only.related) == 1999
    assert all(f.pose is None for f in loaded.scopes[0].frames if f.kind == "frame")


def test_nested_models_go_deep():
    """Two hundred, one in the other, each 1 m along x from its parent."""
    text = '<link name="l"/>'
    for i in reversed(range(200)):
        text = f'<model name="m{i}"><pose>1 0 0 0 0 0</pose>{text}</model>'
    found = resolve(f'<sdf version="1.12"><model name="m">{text}</model></sdf>')
    deepest = "::".join(f"m{i}" for i in range(200)) + "::l"
    assert found[deepest].pose == (200, 0, 0, 1, 0, 0, 0)
    assert found["__model__"].link == deepest


@given(models(most=5))
@QUICK
def test_writing_what_is_the_default_changes_nothing(items):
    """``relative_to`` and ``attached_to`` spelt out give the poses and bodies that leaving them out gives."""
    spelt = [replace(x, relative_to=x.reference, on=x.on or ("__model__" if x.kind == "frame" else "")) for x in items]
    one, other = resolve(write_model(items)), resolve(write_model(spelt))
    assert all((one[n].pose, one[n].link) == (other[n].pose, other[n].link) for n in one)


@pytest.mark.parametrize("first, body", [
    ('<model name="n"><static>true</static><link name="l"/></model>', "n::l"),
    ('<model name="n"><static>true</static></model>', "n::__model__"),
    ('<model name="n"><model name="o"><link name="l"/></model></model>', "n::o::l"),
])
def test_the_first_nested_model_carries_one_without_links(first, body):
    """Static or not (spec/frames.md section 4; `gz sdf -g frame` draws the same edges)."""
    second = '<model name="second"><link name="l"/></model>'
    loaded = load_text(f'<sdf version="1.9"><model name="m">{first}{second}</model></sdf>')
    frames = {frame.name: frame for frame in loaded.scopes[0].frames}
    assert not loaded.diagnostics
    assert frames["__model__"].link == body
