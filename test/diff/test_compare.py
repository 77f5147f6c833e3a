"""What differs between two descriptions: each kind of change in each of its forms, and what is none."""
from dataclasses import astuple
from math import nextafter, pi, radians

import pytest
import urdf_text
from urdf_text import joint, link

import sdf_frames as sf

LINKS = '<link name="a"/><link name="b"/><link name="c"/>'
LEVER = ('<joint name="lever" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>{}</axis>'
         "</joint>")


def in_model(inside, name="m"):
    return sf.loads(f'<sdf version="1.11"><model name="{name}">{inside}</model></sdf>')


def in_worlds(*insides, names="vwxyz"):
    return sf.loads('<sdf version="1.11">{}</sdf>'.format("".join(
        f'<world name="{name}">{inside}</world>' for name, inside in zip(names, insides))))


def rows(found):
    return [(c.subject, c.name, c.what, c.text) for c in found]


def test_the_type_of_a_joint_and_how_many_axes_it_has():
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    text = LINKS + '<joint name="j" type="{}"><parent>a</parent><child>b</child>{}</joint>'
    one = in_model(text.format("revolute", axis))
    two = in_model(text.format("universal", axis + "<axis2><xyz>1 0 0</xyz></axis2>"))
    assert rows(sf.diff(one, two)) == [("joint", "j", "type", "type revolute -> universal"),
                                       ("joint", "j", "axes", "axes 1 -> 2")]
    assert [(c.what, c.old, c.new) for c in sf.diff(two, one)] == [("type", "universal", "revolute"), ("axes", 2, 1)]


@pytest.mark.parametrize("kind", ["universal", "gearbox"])  # the second has no motion of its own
def test_the_second_axis_is_compared_as_the_first_is(kind):
    text = LINKS + LEVER.format("") + (
        f'<joint name="j" type="{kind}"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis>'
        "<axis2><xyz>{}</xyz>{}</axis2></joint>")
    old = in_model(text.format("1 0 0", ""))
    new = in_model(text.format("0 1 0", "<limit><lower>-1</lower></limit>"
                                        '<mimic joint="lever"><multiplier>2</multiplier><offset>0.5</offset></mimic>'))
    assert rows(sf.diff(old, new)) == [
        ("joint", "j", "axis2", "axis2 1 0 0 -> 0 1 0 (90 deg)"), ("joint", "j", "lower2", "lower2 -inf -> -1 rad"),
        ("joint", "j", "mimic2", "mimics nothing -> lever (2 q + 0.5)")]
    assert rows(sf.diff(new, old))[1:] == [
        ("joint", "j", "lower2", "lower2 -1 -> -inf rad"),
        ("joint", "j", "mimic2", "mimics lever (2 q + 0.5) -> nothing")]


MIMIC = LINKS + LEVER + ('<joint name="follower" type="revolute"><parent>b</parent><child>c</child><axis>'
                         '<xyz>0 0 1</xyz><mimic joint="{}"><multiplier>{}</multiplier><offset>{}</offset></mimic>'
                         "</axis></joint>")


@pytest.mark.parametrize(("multiplier", "offset", "text"), [
    (3, 0.5, "mimics lever (2 q + 0.5) -> lever (3 q + 0.5)"), (2, 1, "mimics lever (2 q + 0.5) -> lever (2 q + 1)"),
    (2.0000001, 0.5, None), (2, 0.5000001, None)])
def test_multiplier_and_offset_of_a_mimic(multiplier, offset, text):
    a, b = (in_model(MIMIC.format("", "lever", *numbers)) for numbers in ((2, 0.5), (multiplier, offset)))
    assert [c.text for c in sf.diff(a, b)] == ([] if text is None else [text])
    assert [c.text for c in sf.diff(a, b, tolerance=0)] != []


def test_a_leader_with_another_name_is_the_same_leader():
    a = in_model(MIMIC.format("", "lever", 2, 0))
    b = in_model(MIMIC.format("", "crank", 2, 0).replace('name="lever"', 'name="crank"'))
    assert rows(sf.diff(a, b)) == [("joint", "lever", "renamed", "renamed to crank")]


def test_ends_of_a_joint_by_what_they_are_called_in_the_other():
    text = LINKS + '<joint name="j" type="fixed"><parent>{}</parent><child>{}</child></joint>'
    assert rows(sf.diff(in_model(text.format("a", "b")), in_model(text.format("c", "a")))) == [
        ("joint", "j", "parent", "parent a -> c"), ("joint", "j", "child", "child b -> a")]
    both = in_model((text.format("a", "b") + LEVER.format("")).replace('"a"', '"x"').replace(">a<", ">x<"))
    assert rows(sf.diff(in_model(text.format("a", "b") + LEVER.format("")), both)) == [
        ("link", "a", "renamed", "renamed to x")]


def robot(kinds):
    """Links of one kilogram, one on the other by joints of these types."""
    links = [link(f"l{i}", 1) for i in range(len(kinds) + 1)]
    joints = [joint(f"j{i}", kind, f"l{i}", f"l{i + 1}") for i, kind in enumerate(kinds)]
    return sf.loads(urdf_text.robot(*links, *joints))


def test_a_lumped_joint_differs_in_type_in_both_directions():
    """A link and joint that were lumped are plain frames in SDF; beside a URDF, they are what they are in it."""
    moving, fixed = robot(["continuous"] * 2), robot(["fixed"] * 2)
    assert rows(sf.diff(moving, fixed)) == [("joint", f"j{i}", "type", "type continuous -> fixed") for i in (0, 1)]
    assert rows(sf.diff(fixed, moving)) == [("joint", f"j{i}", "type", "type fixed -> continuous") for i in (0, 1)]

    def kinds(found):
        assert {c.what for c in found} <= {"kind", "com", "mass", "moments"}
        return [(c.subject, c.name, c.old, c.new, c.text) for c in found if c.what == "kind"]
    sdf = sf.loads(moving.to_sdf())
    assert kinds(sf.diff(sdf, fixed)) == [
        (subject, f"{subject[0]}{i}", subject, "frame", f"{subject} -> frame")
        for subject, numbers in (("link", (1, 2)), ("joint", (0, 1))) for i in numbers]
    assert kinds(sf.diff(fixed, sdf)) == [
        (subject, f"{subject[0]}{i}", "frame", subject, f"frame -> {subject}")
        for subject, numbers in (("link", (1, 2)), ("joint", (0, 1))) for i in numbers]


def arm(wrist=1.0, tip=1.0, height=0.1, shape=""):
    """A tip that is welded to a wrist, which moves on a base."""
    return sf.loads(urdf_text.robot(
        link("base", 1), link("wrist", wrist), link("tip", tip, shape), joint("turn", "continuous", "base", "wrist"),
        joint("weld", "fixed", "wrist", "tip", xyz=f"0 0 {height}")))


SHAPE = "<visual{}><geometry><mesh filename='package://p/{}.stl'/></geometry></visual>"


@pytest.mark.parametrize(("a", "b", "found"), [
    (arm(), arm(tip=2.0), [("inertia", "tip", "mass", "mass 1 -> 2 kg (+100 %)")]),
    # Only the joint has another origin, and with it the mass, which is not said again.
    (arm(), arm(height=0.3), [("frame", "tip", "pose", "moved 200 mm, turned 0 deg in wrist (joint weld)")]),
    (arm(shape=SHAPE.format(" name='shell'", "a")), arm(shape=SHAPE.format(" name='shell'", "b")),
     [("visual", "tip::shell", "uri", "URI package://p/a.stl -> package://p/b.stl")]),
    # Those without a name are told apart by what they are.
    (arm(shape=SHAPE.format("", "a") + SHAPE.format("", "c")),
     arm(shape=SHAPE.format("", "b") + SHAPE.format("", "a") + SHAPE.format("", "c")),
     [("visual", "tip::visual[1]", "added", "mesh scale 1 1 1 package://p/b.stl")])])
def test_two_urdfs_are_compared_by_their_own_links_joints_and_shapes(a, b, found):
    assert rows(sf.diff(a, b)) == found


def test_a_radius_of_zero_is_said():
    """In an SDF, libsdformat would take a radius of 1 m."""
    ball = "<collision><geometry><sphere radius='{}'/></geometry></collision>"
    zero, one = (arm(shape=ball.format(radius)) for radius in (0, 1))
    assert "sphere radius 0 -> sphere radius 1" in [c.text for c in sf.diff(zero, one)]


def test_mass_that_moves_within_a_body_is_no_difference():
    """As in a robot that went to SDFormat and back."""
    robot = arm(wrist=3.0, tip=2.0)
    back = sf.loads(sf.loads(robot.to_sdf()).to_urdf())
    assert (robot.links["tip"].mass, back.links["tip"].mass) == (2.0, 0.0)
    assert not [*sf.diff(robot, back)]


def test_models_are_added_removed_and_renamed_as_models():
    one = '<model name="{}"><pose>{} 0 0 0 0 0</pose><link name="l"/></model>'
    m, both = in_worlds(one.format("m", 0)), in_worlds(one.format("m", 0) + one.format("n", 5))
    assert rows(sf.diff(m, both)) == [("model", "n", "added", ""), ("link", "n::l", "added", "")]
    assert rows(sf.diff(both, m)) == [("model", "n", "removed", ""), ("link", "n::l", "removed", "")]
    assert rows(sf.diff(m, in_worlds(one.format("n", 0)))) == [
        ("model", "m", "renamed", "renamed to n"), ("link", "m::l", "renamed", "renamed to n::l")]


def test_a_single_world_is_compared_whatever_its_name():
    m = '<model name="m"><link name="l"><inertial><mass>{}</mass></inertial></link></model>'
    a, b = in_worlds(m.format(1)), in_worlds(m.format(2), names="w")
    assert rows(sf.diff(a, b)) == [("description", "v", "renamed", "renamed to w"),
                                   ("inertia", "m::l", "mass", "mass 1 -> 2 kg (+100 %)")]


def test_worlds_that_only_one_has():
    """One beside two is compared by name; so are two beside two others."""
    a, b = in_worlds("", names="v"), in_worlds("", "", names="wv")
    assert rows(sf.diff(a, b)) == [("description", "w", "added", "world added")]
    assert rows(sf.diff(b, a)) == [("description", "w", "removed", "world removed")]
    a, b = in_worlds("", "", names="ab"), in_worlds("", "", names="cd")
    assert [(c.name, c.what, c.old, c.new) for c in sf.diff(a, b)] == [
        ("a", "removed", "a", None), ("b", "removed", "b", None), ("c", "added", None, "c"), ("d", "added", None, "d")]


def test_models_and_worlds_have_nothing_in_common():
    model, world = in_model(LINKS), in_worlds("")
    assert rows(sf.diff(model, world)) == [("description", "m", "content", "one model -> worlds")]
    assert rows(sf.diff(world, model)) == [("description", "v", "content", "worlds -> one model")]


def test_masses_without_a_share_and_centres_and_moments_in_both_directions():
    text = ("<link name='l'><inertial><pose>{} 0 0 0 0 0</pose><mass>{}</mass>"
            "<inertia><ixx>{}</ixx><iyy>4</iyy><izz>4</izz></inertia></inertial></link>")
    a, b = in_model(text.format(0, 2, 4)), in_model(text.format(0.5, 1, 3))
    assert [(c.what, c.text) for c in sf.diff(a, b)] == [
        ("mass", "mass 2 -> 1 kg (-50 %)"), ("com", "centre of mass moved 500 mm"),
        ("moments", "moments differ by 25 % of the largest")]
    assert [(c.old, c.new) for c in sf.diff(a, b)] == [
        (2, 1), ([0, 0, 0], [0.5, 0, 0]), (*([[x, 0, 0], [0, 4, 0], [0, 0, 4]] for x in (4, 3)),)]


def test_a_link_without_inertia_does_not_hide_the_next():
    """A link of a static model has none that counts."""
    text = "<link name='l0'/><link name='l'><inertial><mass>{}</mass></inertial></link>"
    still = '<model name="still"><static>true</static><link name="l"/></model>'
    a, b = in_model(still + text.format(1)), in_model(still + text.format(3))
    assert rows(sf.diff(a, b)) == [("inertia", "l", "mass", "mass 1 -> 3 kg (+200 %)")]


def test_the_pose_of_a_moved_frame_is_given_in_its_reference_frame():
    """The second frame moves with the first, which moves with its model; the child of a joint is in its parent."""
    text = ('<link name="a"/><link name="b"><pose>0 0 {b} 0 0 0</pose></link>'
            '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
            '<model name="n"><pose>{n} 0 0 0 0 0</pose><link name="k"/>'
            '<frame name="f"><pose>0 {f} 0 0 0 0</pose></frame>'
            '<frame name="g" attached_to="f"><pose>0 0 0 0 0 {g}</pose></frame></model>')
    still = in_model(text.format(b=0, n=0, f=0, g=0))

    def moved(**places):
        found = sf.diff(still, in_model(text.format(**{"b": 0, "n": 0, "f": 0, "g": 0, **places})))
        assert all(c.what == "pose" for c in found)
        return [(c.name, c.text) for c in found]
    assert moved(b=1) == [("b", "moved 1000 mm, turned 0 deg in a")]
    assert moved(n=2) == [("n", "moved 2000 mm, turned 0 deg in __model__")]
    assert moved(f=0.5) == [("n::f", "moved 500 mm, turned 0 deg in n")]
    assert moved(g=radians(30)) == [("n::g", "moved 0 mm, turned 30 deg in n::f")]
    assert len(moved(b=1, n=2, f=0.5, g=radians(30))) == 4


@pytest.mark.parametrize("tolerance", [0, 0.4])
def test_a_frame_that_resolves_in_one_file_only_does_not_hide_others(tolerance):
    text = LINKS + '<frame name="f" attached_to="{}"/><frame name="g"><pose>{} 0 0 0 0 0</pose></frame>'
    a, b = in_model(text.format("a", 0)), in_model(text.format("nowhere", 0.5))
    poses = [(c.name, c.text) for c in sf.diff(a, b, tolerance=tolerance) if c.what == "pose"]
    assert poses == [("f", "resolved -> not resolved"), ("g", "moved 500 mm, turned 0 deg in __model__")]
    assert [c.text for c in sf.diff(b, a) if c.what == "pose"][0] == "not resolved -> resolved"


def test_changed_poses_that_neither_file_resolves_are_listed():
    """Of frames in a circle, of links and nested models relative to them, and of sensors and shapes."""
    text = ('<frame name="f" attached_to="g"><pose>{f}</pose></frame><frame name="g" attached_to="f"/>'
            '<link name="k"/><link name="l"><pose {r}>{l}</pose><sensor name="s" type="imu"><pose relative_to="f">{s}'
            '</pose></sensor><visual name="v"><pose relative_to="f">{v}</pose><geometry><sphere><radius>1</radius>'
            '</sphere></geometry></visual></link><model name="n"><pose relative_to="f">{n}</pose><link name="a"/>'
            "</model>")
    given = {**dict.fromkeys("flsvn", "1 0 0 0 0 0"), "r": 'relative_to="g"'}
    for key, subject, name, what in (
            ("f", "frame", "f", "pose"), ("l", "link", "l", "pose"), ("s", "sensor", "l::s", "pose"),
            ("v", "visual", "l::v", "pose"), ("n", "model", "n", "pose"), ("r", "link", "l", "pose/relative_to")):
        old, new = ("g", "f") if key == "r" else (given[key], "2 0 0 0 0 0")
        changed = {**given, key: 'relative_to="f"' if key == "r" else new}
        assert rows(sf.diff(in_model(text.format(**given)), in_model(text.format(**changed)))) == [
            (subject, name, what, f"{what} {old} -> {new}")]
    assert not sf.diff(in_model(text.format(**given)), in_model(text.format(**given)))


def test_a_pose_that_one_file_resolves_is_told_of_sensors_and_shapes_without_a_distance():
    text = ('<frame name="f" attached_to="{}"/><link name="l">'
            '<sensor name="s" type="imu"><pose relative_to="f"{}</sensor>'
            '<visual name="v"><pose relative_to="f">1 0 0 0 0 0</pose><geometry><sphere><radius>1</radius></sphere>'
            "</geometry></visual></link>")
    lost, found = in_model(text.format("f", ">1 0 0 0 0 0</pose>")), in_model(text.format("l", ">1 0 0 0 0 0</pose>"))
    assert [(c.subject, c.text) for c in sf.diff(lost, found) if c.subject in ("sensor", "visual")] == [
        ("visual", "not resolved -> resolved"), ("sensor", "not resolved -> resolved")]
    empty, zero = (in_model(text.format("f", end)) for end in ("/>", ">0 0 0 0 0 0</pose>"))
    assert not sf.diff(empty, zero)


def test_errors_and_warnings_are_counted_and_notes_are_not_compared():
    one, three = (in_model(f'<link name="l">{"<colour/>" * n}</link>') for n in (1, 3))
    assert rows(sf.diff(one, three)) == [
        ("finding", "S003", "added", "warning: unknown element <colour> in <link>: libsdformat ignores it (2 times)")]
    (gone,) = sf.diff(one, in_model('<link name="l"/>'))
    said = "unknown element <colour> in <link>: libsdformat ignores it"
    assert (gone.what, gone.old, gone.new, gone.text) == ("removed", said, None, f"warning: {said}")
    loose, joined = in_model(LINKS + LEVER.format("")), in_model(MIMIC.format("", "lever", 2, 0))
    assert [d.severity for d in loose.findings] == ["info"]  # no joint holds link c
    assert "finding" not in {c.subject for c in sf.diff(loose, joined)}


def test_findings_of_two_formats_are_not_compared():
    a = sf.loads('<robot name="m"><link name="l"><colour/><inertial><mass value="1"/>'
                 '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
    assert [d.severity for d in a.findings] == ["warning"]
    assert not sf.diff(a, sf.loads(a.to_sdf()))


@pytest.mark.parametrize("order", [1, -1])
def test_both_must_be_descriptions(order):
    with pytest.raises(TypeError, match="not str"):
        sf.diff(*[in_model(LINKS), "robot.urdf"][::order])


def test_inertias_are_compared_in_every_world():
    link_text = "<link name='l'><inertial><mass>{}</mass></inertial></link>"
    a, b = (in_worlds(*[f'<model name="m">{link_text.format(mass)}</model>' for mass in masses])
            for masses in ((1, 2, 3), (1, 4, 3)))
    assert rows(sf.diff(a, b)) == [("inertia", "m::l", "mass", "mass 2 -> 4 kg (+100 %)")]
    assert [round(world.inertias().total.mass) for world in b.worlds.values()] == [1, 4, 3]


def test_long_ways_are_written_out():
    text = '<link name="l"/><frame name="f"><pose>{} 0 0 0 0 0</pose></frame>'
    (change,) = sf.diff(in_model(text.format(0)), in_model(text.format(12.3456)))
    assert change.text == "moved 12346 mm, turned 0 deg in __model__"


@pytest.mark.parametrize("inside", ["", '<mimic joint="k" offset="1"/>'])
def test_a_continuous_joint_is_the_revolute_one_that_it_is_converted_to(inside):
    """Also where the limits lock it, because it mimics a fixed joint."""
    a = sf.loads(urdf_text.robot(link("a", 1), link("b", 1), link("c", 1), joint("j", "continuous", "a", "b", inside),
                                 joint("k", "fixed", "a", "c")))
    b = sf.loads(a.to_sdf())
    assert (a.joints["j"].type, b.joints["j"].type) == ("continuous", "revolute")
    assert [c for c in sf.diff(a, b) if c.subject == "joint" and c.name == "j"] == []
    c = sf.loads(urdf_text.robot(link("a", 1), link("b", 1), joint("j", "revolute", "a", "b",
                                 '<limit lower="0" upper="1" effort="1" velocity="1"/>')))
    assert "type continuous -> revolute" in [change.text for change in sf.diff(a, c)]


def test_a_mass_that_only_one_of_two_robots_states():
    """A root link without mass cannot be converted; what the others state counts all the same."""
    text = urdf_text.robot("{}", link("arm", 1), joint("j", "continuous", "base", "arm"))
    a, b = (sf.loads(text.format(part)) for part in (link("base", 2), link("base")))
    assert [(c.name, c.text) for c in sf.diff(a, b) if c.subject == "inertia"] == [("base", "mass 2 kg -> none")]
    assert [c[1:5] for c in map(astuple, sf.diff(b, a)) if c[0] == "inertia"] == [("base", "mass", None, 2)]


INERTIA = ("<link name='l'><inertial><mass>{}</mass><inertia><ixx>{}</ixx><iyy>4</iyy><izz>4</izz></inertia></inertial>"
           "</link>")


@pytest.mark.parametrize("link", [INERTIA.format(1, 4), '<link name="l"/>'])
@pytest.mark.parametrize("within", ["__model__", "n"])
def test_a_model_that_becomes_static_has_no_inertia_to_compare(within, link):
    """That is one change, of the model; its links have no mass that counts, before or after."""
    content = "<static>{}</static>" + link
    text = content if within == "__model__" else f'<link name="k"/><model name="n">{content}</model>'
    still, loose = in_model(text.format("true")), in_model(text.format("false"))
    for a, b in ((still, loose), (loose, still)):
        assert [(c.subject, c.what) for c in sf.diff(a, b) if c.subject != "finding"] == [("model", "static")]


def test_shapes_of_a_renamed_link_are_compared():
    text = ('<link name="{0}"><visual name="{1}"><geometry><sphere><radius>1</radius></sphere></geometry>'
            "<transparency>{2}</transparency></visual></link>")
    a, b = in_model(text.format("l", "v", 0.5)), in_model(text.format("k", "w", 0.25))
    assert rows(sf.diff(a, b)) == [("link", "l", "renamed", "renamed to k"),
                                   ("visual", "l::v", "transparency", "transparency 0.5 -> 0.25")]


def test_the_canonical_link_of_a_nested_model():
    model = '<model name="n" canonical_link="{}"><link name="a"/><link name="b"/></model>'
    a, b = (in_model('<link name="l"/>' + model.format(name)) for name in "ab")
    assert [(c.subject, c.name, c.what, c.old, c.new, c.text) for c in sf.diff(a, b)] == [
        ("model", "n", "canonical_link", "n::a", "n::b", "canonical link n::a -> n::b")]


def test_a_nested_model_and_a_frame_of_the_same_name():
    """As after a conversion to URDF, which has no models."""
    model = in_model('<link name="base"/><model name="n"><link name="a"/></model>')
    frame = in_model('<link name="base"/><frame name="n" attached_to="base"/>')
    moved = [(c.old, c.new, c.text) for c in sf.diff(model, frame) if c.name == "n" and c.what == "attached_to"]
    assert moved == [("n::a", "base", "attached to n::a -> base")]
    moved = [(c.old, c.new) for c in sf.diff(frame, model) if c.name == "n" and c.what == "attached_to"]
    assert moved == [("base", "n::a")]


@pytest.mark.parametrize(("old", "new", "text"), [
    ("0 0 1", "0 0 2", None), ("0 0 1", "0 1 0", "axis 0 0 1 -> 0 1 0 (90 deg)"),
    ("0 0 1", "0 0 -1", "axis 0 0 1 -> 0 0 -1 (180 deg)"),
    ("1 0 0", "1 1 0", "axis 1 0 0 -> 0.707107 0.707107 0 (45 deg)")])
def test_directions_of_an_axis(old, new, text):
    a, b = (in_model(LINKS + LEVER.replace("0 0 1", xyz).format("")) for xyz in (old, new))
    assert [c.text for c in sf.diff(a, b)] == ([] if text is None else [text])


@pytest.mark.parametrize(("tolerance", "count"), [(0.02, 0), (0.005, 1)])
def test_the_tolerance_of_an_axis_is_an_angle(tolerance, count):
    a, b = (in_model(LINKS + LEVER.replace("0 0 1", xyz).format("")) for xyz in ("1 0 0", "1 0.01 0"))
    assert len(sf.diff(a, b, tolerance=tolerance)) == count


def test_of_a_joint_to_the_world_the_child_moves_in_the_world():
    text = '<link name="a"/><link name="b"><pose>{} 0 0 0 0 0</pose></link><joint name="j" type="fixed">' \
        "<parent>world</parent><child>b</child></joint>"
    a, b = in_model(text.format(0)), in_model(text.format(1))
    assert [(c.name, c.text) for c in sf.diff(a, b)] == [("b", "moved 1000 mm, turned 0 deg in world")]


def lever(axis, inside=""):
    return LINKS + LEVER.replace("0 0 1", axis).format(inside)


LIMIT = "<limit><lower>{}</lower></limit>"
COM = '<link name="l"><inertial><pose>{} 0 0 0 0 0</pose><mass>1</mass></inertial></link>'
FRAME = '<link name="l"/><frame name="f"><pose>{} 0 0 0 0 {}</pose></frame>'


@pytest.mark.parametrize(("old", "new", "tolerance", "what"), [
    (lever("0 0 1", LIMIT.format(-0.5)), lever("0 0 1", LIMIT.format(-0.75)), 0.25, "lower"),
    (lever("0 0 1", LIMIT.format(-8)), lever("0 0 1", LIMIT.format(-10)), 0.25, "lower"),
    (lever("0 0 1"), lever("0 1 0"), pi / 2, "axis"),
    (INERTIA.format(3, 4), INERTIA.format(4, 4), 0.25, "mass"),
    (INERTIA.format(4, 4), INERTIA.format(3, 4), 0.25, "mass"),
    (INERTIA.format(1, 4), INERTIA.format(1, 3), 0.25, "moments"), (COM.format(0), COM.format(0.25), 0.25, "com"),
    (FRAME.format(0, 0), FRAME.format(-0.25, 0), 0.25, "pose"), (FRAME.format(0, 0), FRAME.format(0, pi), pi, "pose")])
def test_what_differs_by_exactly_the_tolerance_is_equal(old, new, tolerance, what):
    """All of these differences are exact in floating point."""
    a, b = in_model(old), in_model(new)
    assert [c.what for c in sf.diff(a, b, tolerance=tolerance) if c.subject != "finding"] == []
    assert [c.what for c in sf.diff(a, b, tolerance=nextafter(tolerance, 0)) if c.subject != "finding"] == [what]


def test_a_joint_without_a_frame_does_not_hide_what_moved():
    """A link has its name, and the place of that is no number. The cup, which is lumped, is compared after it."""
    def load(height):
        return sf.loads(urdf_text.robot(
            link("base", 1), link("hub"), link("tip"), link("cup"),
            joint("tip", "continuous", "base", "hub", xyz="1e308 0 0"),
            joint("weld", "fixed", "hub", "tip", xyz="1e308 0 0"),
            joint("glue", "fixed", "base", "cup", xyz=f"0 0 {height}")))
    assert [(c.name, c.text) for c in sf.diff(load(1), load(2))] == [
        ("cup", "moved 1000 mm, turned 0 deg in base (joint glue)")]


def test_without_its_parent_a_link_moves_in_the_model():
    hand, arm = link("hand", 1), urdf_text.robot(link("arm", 1), link("hand", 1), joint(
        "wrist", "continuous", "arm", "hand", xyz="0 0 1"))
    assert ("frame", "hand", "pose", "moved 1000 mm, turned 0 deg in __model__") in rows(
        sf.diff(sf.loads(arm), sf.loads(urdf_text.robot(hand))))


def test_a_static_model_does_not_hide_the_canonical_link_of_the_next():
    models = ('<link name="k"/><model name="s"><static>true</static><link name="l"/></model>'
              '<model name="n" canonical_link="{}"><link name="a"/><link name="b"/></model>')
    a, b = (in_model(models.format(name)) for name in "ab")
    assert [(c.subject, c.name, c.what, c.text) for c in sf.diff(a, b)] == [
        ("model", "n", "canonical_link", "canonical link n::a -> n::b")]


def test_a_frame_on_the_same_body_by_another_way():
    """The link is called z in the second, where f is attached to it; in the first, f is attached to a frame on it."""
    model = ('<link name="{0}"/><link name="b"><pose>1 0 0 0 0 0</pose></link><joint name="j" type="fixed"><parent>{0}'
             '</parent><child>b</child></joint><frame name="g" attached_to="{0}"/><frame name="f" attached_to="{1}"/>')
    changes = sf.diff(in_model(model.format("a", "g")), in_model(model.format("z", "z")))
    assert [(c.subject, c.name, c.what, c.new) for c in changes] == [("link", "a", "renamed", "z")]


def test_the_lumped_parent_of_a_joint_that_the_sdf_leaves_out_is_its_body():
    """`simplify` writes the body as the parent: the robot is the same."""
    parts = (link("a", 1), link("b", 1), joint("f", "fixed", "a", "b", xyz="1 0 0"))
    robot, other = (sf.loads(urdf_text.robot(*parts, link("d", 1), joint("g", "continuous", "a", "d"), link("c"),
                                             joint("t", "continuous", parent, "c"))) for parent in "bd")
    assert rows(sf.diff(robot, robot.simplify())) == []
    assert ("joint", "t", "parent", "parent b -> d") in rows(sf.diff(robot, other))


def test_a_sensor_of_a_lumped_link_is_compared_by_its_body():
    """Where it is fixed is no difference, but where it stands is one."""
    parts = (link("base", 1), link("mast", 1), joint("f", "fixed", "base", "mast", xyz="0 0 1"))
    one, same, other = (sf.loads(urdf_text.robot(*parts, urdf_text.gazebo(
        name, f'<sensor name="imu" type="imu"><pose>0 0 {z} 0 0 0</pose></sensor>')))
        for name, z in (("mast", 0), ("base", 1), ("base", 0)))
    assert rows(sf.diff(one, same)) == []
    assert [row[:2] for row in rows(sf.diff(one, other))] == [("sensor", "base::imu")]


@pytest.mark.parametrize("kind", ["continuous", "fixed"])
def test_a_link_of_the_sdf_that_the_urdf_leaves_out_is_a_difference(kind):
    """The SDF gives the arm, massless in the URDF, 7 kg; the conversion leaves out the arm and all that it carries."""
    urdf = sf.loads(urdf_text.robot(link("a", 1), link("arm"), link("hand"), joint("j", "continuous", "a", "arm"),
                                    joint("k", kind, "arm", "hand")))
    body, hinge = '<link name="{}"><inertial><mass>{}</mass></inertial></link>', (
        '<joint name="{}" type="{}"><parent>{}</parent><child>{}</child><axis><xyz>1 0 0</xyz></axis></joint>')
    sdf = in_model(body.format("a", 1) + body.format("arm", 7) + body.format("hand", 1)
                   + hinge.format("j", "revolute", "a", "arm") + hinge.format("k", "prismatic", "arm", "hand"))
    left = {("link", "arm", "link", "left out"), ("link", "hand", "link", "left out")}
    for found, step in ((sf.diff(sdf, urdf), 1), (sf.diff(urdf, sdf), -1)):
        assert {(c.subject, c.name, *(c.old, c.new)[::step]) for c in found if c.subject == "link"} == left
        assert {(c.what, *(c.old, c.new)[::step]) for c in found if c.subject == "joint"} == {
            ("type", "prismatic", "continuous") if kind == "continuous" else ("kind", "joint", "left out")}


ODD = ("a", "a::b", "a__b", "__q__", "world", "a_joint", " x ")
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def chain(base="base", arm="arm", hand="hand", elbow="elbow", wrist="wrist", kind="revolute", inside=LIMIT):
    """Three links in a row with a shape each; `inside` the second joint, `{}` is the name of the first."""
    shape = '<visual name="s"><geometry><sphere radius="1"/></geometry></visual>'
    return sf.loads(urdf_text.robot(
        *[link(name, 1, shape) for name in (base, arm, hand)], joint(elbow, "continuous", base, arm, xyz="0 0 1"),
        joint(wrist, kind, arm, hand, inside.format(elbow), xyz="0 1 0"),
        urdf_text.gazebo(arm, '<sensor name="imu" type="imu"/>'), name=base))


@pytest.mark.parametrize("kind", ["revolute", "fixed", "floating"])
@pytest.mark.parametrize("part", ["arm", "hand", "elbow", "wrist"])
def test_names_that_sdf_does_not_allow_are_compared_as_in_the_urdfs(part, kind):
    """The conversion renames them, some to the name that the part has in the other file, some beside a namesake."""
    inside = LIMIT + '<mimic joint="{}"/>' * (kind == "revolute")
    for old, new in zip(ODD, ODD[1:] + ODD[:1]):
        a, b = (chain(kind=kind, inside=inside, **{part: name}) for name in (old, new))
        for found, pair in ((sf.diff(a, b), (old, new)), (sf.diff(b, a), (new, old))):
            assert [(c.name, c.what, c.old, c.new, c.text) for c in found if c.subject != "finding"] == [
                (pair[0], "renamed", *pair, f"renamed to {pair[1]}")]
    twins = chain(arm="a", elbow="a", kind=kind), chain(arm="a", elbow="b", kind=kind)
    assert [row for row in rows(sf.diff(*twins)) if row[0] != "finding"] == [("joint", "a", "renamed", "renamed to b")]


def test_texts_have_the_names_of_the_urdfs():
    a, b = chain(base="a::b", arm="__q__", elbow="__j__"), chain(base="a::c", arm="__q__", elbow="__j__")
    assert [row for row in rows(sf.diff(a, b)) if row[0] != "finding"] == [
        ("description", "a::b", "renamed", "renamed to a::c"), ("link", "a::b", "renamed", "renamed to a::c")]
    text = a.to_urdf().replace("0 0 1", "0 0 2").replace('radius="1"', 'radius="2"', 1).replace('"imu"', '"eye"', 1)
    assert [row for row in rows(sf.diff(a, sf.loads(text))) if row[0] != "finding"] == [
        ("frame", "__q__", "pose", "moved 1000 mm, turned 0 deg in a::b (joint __j__)"),
        ("visual", "a::b::s", "geometry", "sphere radius 1 -> sphere radius 2"),
        ("sensor", "__q__::imu", "renamed", "renamed to __q__::eye")]


def test_a_link_of_a_model_in_gazebo_is_compared_by_its_own_name():
    more = urdf_text.gazebo("", '<model name="m"><link name="l"><gravity>{}</gravity></link></model>')
    a, b = (sf.loads(urdf_text.robot(link("a::b", 1), more.format(gravity))) for gravity in (0, 1))
    assert [row[:3] for row in rows(sf.diff(a, b))] == [("link", "m::l", "gravity")]


def test_a_link_world_that_becomes_the_root_stays_a_link():
    """The link is in both files; the SDF of the first has to rename it."""
    a, b = (sf.loads(urdf_text.robot(link("world"), link("a", 1), joint("j", "fixed", *ends)))
            for ends in (("a", "world"), ("world", "a")))
    for found, (old, new) in ((sf.diff(a, b), ("a", "world")), (sf.diff(b, a), ("world", "a"))):
        assert [row for row in rows(found) if row[0] != "finding"] == [
            ("joint", "j", "parent", f"parent {old} -> {new}")]


@pytest.mark.parametrize(("old", "new", "texts"), [
    ("-1", "-2", ["lower -1 -> -2 rad"]),
    ('joint="f"', 'joint="f" multiplier="5"', ["mimics f (1 q + 0.3) -> f (5 q + 0.3)"]),
    ('<mimic joint="f" offset="0.3"/>', "", ["mimics f (1 q + 0.3) -> nothing"])])
def test_a_joint_that_mimics_a_fixed_one_has_its_own_limits(old, new, texts):
    """In the SDF, it is locked at 0.3."""
    text = urdf_text.robot(link("a", 1), link("b", 1), link("c", 1), joint("f", "fixed", "a", "b"), joint(
        "k", "revolute", "a", "c", LIMIT + '<mimic joint="f" offset="0.3"/>'))
    found = sf.diff(sf.loads(text), sf.loads(text.replace(old, new)))
    assert [c.text for c in found if c.subject != "finding"] == texts
