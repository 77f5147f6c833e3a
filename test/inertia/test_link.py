"""The inertia of one link, whole: each part of the result, and each finding with its line."""
import pytest

from sdf_frames.inertia.result import CollisionInertia, LinkInertia
from sdf_frames.load import LoadOptions, load_text

IDENTITY = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
UNIT = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
BOX = "<geometry>\n<box><size>1 2 3</size></box></geometry>"
PLANE = "<geometry>\n<plane/></geometry>"
# A box of 1 x 2 x 3 m: 6 m³, moments of 6.5, 5 and 2.5 m⁵.
MOMENTS = (6.5, 5.0, 2.5, 0.0, 0.0, 0.0)


def times(factor, moments=MOMENTS):
    return tuple(factor * m for m in moments)


def load(content, **options):
    return load_text(f'<sdf version="1.12"><model name="m"><link name="l">{content}</link></model></sdf>', None,
                     LoadOptions(**options))


def compute(content, failure="error", **options):
    result = load(content, inertia_failure=failure).inertias(**options)
    (link,) = result.links
    return link, [(d.name, d.line, d.path.rpartition("/")[2].partition("[")[0]) for d in result.diagnostics]


def collide(inside, name="c"):
    return f'\n<collision name="{name}">{inside}</collision>'


@pytest.mark.parametrize("content, link, found", [
    ("", LinkInertia("l", 1.0, IDENTITY, UNIT, False, "default"), []),
    ("<inertial><pose>1 2 3 0 0 0</pose><mass>2</mass></inertial>",
     LinkInertia("l", 2.0, (1, 2, 3, 1, 0, 0, 0), UNIT, False, "declared"), []),
    ("\n<inertial><mass>-2</mass></inertial>", LinkInertia("l", -2.0, IDENTITY, UNIT, False, "declared", False),
     [("inertia-invalid", 2, "inertial")]),
    ('\n<inertial auto="true"><mass>3</mass></inertial>', LinkInertia("l", 1.0, IDENTITY, UNIT, True, "default"),
     [("auto-inertia-no-collision", 2, "inertial")]),
    ('\n<inertial auto="true">\n<pose/>\n<inertia/></inertial>' + collide(f"<density>2</density>{BOX}"),
     LinkInertia("l", 12.0, IDENTITY, times(2), True, "exact", True,
                 (CollisionInertia("l::c", "box", 2.0, "collision", "exact", 12.0, 6.0),)),
     [("auto-inertia-overwrites", 3, "pose"), ("auto-inertia-overwrites", 4, "inertia")]),
    ('<inertial auto="true"/>' + collide(BOX),
     LinkInertia("l", 6000.0, IDENTITY, times(1000), True, "exact", True,
                 (CollisionInertia("l::c", "box", 1000.0, "default", "exact", 6000.0, 6.0),)),
     [("auto-inertia-default-density", 2, "collision")]),
    ('<inertial auto="true"><mass>3</mass></inertial>' + collide(BOX),
     LinkInertia("l", 3.0, IDENTITY, times(.5), True, "exact", True,
                 (CollisionInertia("l::c", "box", 1000.0, "default", "exact", 6000.0, 6.0),)), []),
    ('<inertial auto="true">\n<density>2</density></inertial>' + collide(BOX)
     + collide(f"\n<density>0</density>{BOX}", "d"),
     LinkInertia("l", 12.0, IDENTITY, times(2), True, "exact", True,
                 (CollisionInertia("l::c", "box", 2.0, "link", "exact", 12.0, 6.0),
                  CollisionInertia("l::d", "box", 0.0, "collision"))), [("density-not-positive", 6, "density")]),
    ('<inertial auto="true">\n<density>-2</density></inertial>' + collide(BOX),
     LinkInertia("l", 0.0, IDENTITY, times(0), True, "failed", False, (CollisionInertia("l::c", "box", -2.0, "link"),)),
     [("density-not-positive", 2, "density")]),
    ('<inertial auto="true">\n<mass>0</mass></inertial>' + collide(f"<density>2</density>{BOX}"),
     LinkInertia("l", 12.0, IDENTITY, times(2), True, "exact", True,
                 (CollisionInertia("l::c", "box", 2.0, "collision", "exact", 12.0, 6.0),)),
     [("auto-inertia-mass-not-positive", 2, "mass")]),
    ('<inertial auto="true"/>' + collide(PLANE) + collide("<density>1</density><geometry><box><size>x</size></box>"
                                                          "</geometry>", "d"),
     LinkInertia("l", 0.0, IDENTITY, times(0), True, "failed", False,
                 (CollisionInertia("l::c", "plane", 1000.0, "default"),
                  CollisionInertia("l::d", "", 1.0, "collision"))),
     [("auto-inertia-unsupported-geometry", 3, "plane")]),  # loading has said what cannot be read
    ('<inertial auto="true"/>' + collide("<density>1</density>"),
     LinkInertia("l", 0.0, IDENTITY, times(0), True, "failed", False,
                 (CollisionInertia("l::c", "empty", 1.0, "collision"),)),
     [("auto-inertia-unsupported-geometry", 2, "collision")]),
])
def test_the_whole_result(content, link, found):
    assert compute(content) == (link, found)


def test_two_methods_and_two_bodies():
    """Boxes of 6 and 12 kg at x = 3 and 0: moments of 4 kg at 3 m more about y and z."""
    parts = collide(f"<density>1</density><pose>3 0 0 0 0 0</pose>{BOX}") + collide(f"<density>2</density>{BOX}", "d")
    link, found = compute('<inertial auto="true"/>' + parts)
    assert (link.mass, link.pose, link.method, found) == (18, (1, 0, 0, 1, 0, 0, 0), "exact", [])
    assert link.inertia == pytest.approx((3 * 6.5, 3 * 5 + 36, 3 * 2.5 + 36, 0, 0, 0))
    # And 1 kg with a unit tensor at the origin, wherever the plane is: the centre at 18/19 m.
    plane = collide(f"<pose>0 0 5 0 0 1</pose>{PLANE}", "e")
    link, _ = compute('<inertial auto="true"/>' + parts + plane, "default")
    assert link.method == "exact+default" and [p.method for p in link.collisions] == ["exact", "exact", "default"]
    assert [p.mass for p in link.collisions] == [6, 12, 1] and link.mass == 19
    assert link.pose == pytest.approx((18 / 19, 0, 0, 1, 0, 0, 0))
    across = 6 * 9 - 18 ** 2 / 19
    assert link.inertia == pytest.approx((3 * 6.5 + 1, 3 * 5 + 1 + across, 3 * 2.5 + 1 + across, 0, 0, 0))


def test_a_default_stands_in_with_one_warning_where_the_error_was():
    text = '<inertial auto="true"/>' + collide(PLANE)
    result = load(text, inertia_failure="default").inertias()
    assert [(d.name, d.line, d.column, d.message) for d in result.diagnostics] == [
        ("inertia-default-used", 3, 1, "collision 'l::c': the inertia cannot be computed, so 1 kg and a unit tensor "
         "are used as requested: collision 'l::c': a plane has no volume to compute an inertia from")]
    assert result.links == (LinkInertia("l", 1.0, IDENTITY, UNIT, True, "default", True, (
        CollisionInertia("l::c", "plane", 1000.0, "default", "default", 1.0),)),)
    # What cannot be read is not replaced, nor what is not there.
    assert compute('<inertial auto="true"/>', "default")[1] == [("auto-inertia-no-collision", 1, "inertial")]
    wrong = collide("<geometry><box><size>x</size></box></geometry>")
    link, _ = compute(f'<inertial auto="true"/>{wrong}', "default")
    assert (link.method, link.mass) == ("failed", 0)


@pytest.mark.parametrize("inertial, options, mass, source", [
    ("<inertial><mass>3</mass><pose>9 9 9 0 0 0</pose><inertia/></inertial>", {}, 3, "default"),
    ("<inertial><mass>3</mass></inertial>", {"density": 2.0}, 12, "argument"),
    ("<inertial><mass>0</mass></inertial>", {"density": 2.0}, 12, "argument"),
    ("<inertial><mass>-1</mass></inertial>", {}, 6000, "default"), ("", {"density": 2.0}, 12, "argument"),
    ("<inertial><density>7</density></inertial>", {"density": 2.0}, 42, "link")])
def test_recomputing_what_is_declared(inertial, options, mass, source):
    """A declared pose or tensor is not said to be overwritten: that was asked for."""
    link, found = compute(inertial + collide(BOX), recompute=True, **options)
    assert (link.mass, link.auto, link.method, link.pose) == (mass, False, "exact", IDENTITY)
    assert link.collisions[0].density_from == source
    assert [name for name, *_ in found] == []


def test_without_collisions_nothing_is_recomputed():
    link, _ = compute("<inertial><mass>3</mass></inertial>", recompute=True)
    assert (link.mass, link.method) == (3, "declared")


@pytest.mark.parametrize("w, kept", [("0.9999999", True), ("0.999", False), ("-1.0000002", True), ("2", False)])
def test_a_quaternion_is_kept_as_written_up_to_rounding(w, kept):
    """Its square may differ from one by a millionth."""
    pose = f'<pose rotation_format="quat_xyzw">1 2 3 0 0 0 {w}</pose>'
    link, _ = compute(f"<inertial>{pose}</inertial>")
    assert link.pose == (1, 2, 3, float(w) if kept else 1.0, 0, 0, 0)


def test_a_collision_whose_frame_is_not_known_is_left_out():
    parts = collide(f'<pose relative_to="gone"/><density>1</density>{BOX}') + collide(f"<density>1</density>{BOX}", "d")
    link, _ = compute('<inertial auto="true"/>' + parts)
    assert link.mass == 6 and [p.method for p in link.collisions] == [None, "exact"]


def test_parameters_of_the_collision_come_before_those_of_the_link():
    """A wrong method of either is an error where it stands."""
    def params(method):
        return f"\n<auto_inertia_params><gz:method>{method}</gz:method></auto_inertia_params>"
    for link_params, own, wrong in ((params("a"), "", "a"), (params("a"), params("b"), "b"), ("", params("b"), "b")):
        text = (f'<inertial auto="true">{link_params}</inertial>' + collide(f"<density>1</density>{own}{BOX}"))
        loaded = load_text(f'<sdf version="1.12" xmlns:gz="http://gazebosim.org/schema"><model name="m"><link name="l">'
                           f"{text}</link></model></sdf>")
        (found,) = loaded.inertias().diagnostics
        assert found.name == "inertia-param-invalid" and f"'{wrong}'" in found.message
