"""Texts of poses, numbers and vectors in SDFormat: what they mean, what is refused, and that nothing is raised."""
from math import cos, pi, sin, sqrt

import pytest
from readings import judge

from sdf_frames.frames.resolve import count_consequences
from sdf_frames.load import load_text
from sdf_frames.sdf.table import ValueSpec, load_table
from sdf_frames.sdf.values import find_leftover, find_problem, is_sound, read_pose_text, read_value

H = sqrt(0.5)


@pytest.mark.parametrize("text, form, degrees, X", [
    ("", "euler_rpy", "false", (0, 0, 0, 1, 0, 0, 0)),
    (" \n ", "euler_rpy", "true", (0, 0, 0, 1, 0, 0, 0)),
    ("", "quat_xyzw", "false", (0, 0, 0, 1, 0, 0, 0)),
    ("1 2 3 0 0 0", "euler_rpy", "false", (1, 2, 3, 1, 0, 0, 0)),
    ("\n 1\t2\n3   0 0\r\n0 ", "euler_rpy", "false", (1, 2, 3, 1, 0, 0, 0)),
    (f"0 0 0 {pi / 2} 0 0", "euler_rpy", "false", (0, 0, 0, H, H, 0, 0)),
    ("0 0 0 0 90 0", "euler_rpy", "true", (0, 0, 0, H, 0, H, 0)),
    ("0 0 0 0 0 90", "euler_rpy", "1", (0, 0, 0, H, 0, 0, H)),
    ("0 0 0 90 0 90", "euler_rpy", "TRUE", (0, 0, 0, 0.5, 0.5, 0.5, 0.5)),  # Rz90 Rx90
    ("0 0 0 0 0 0.5", "euler_rpy", "0", (0, 0, 0, cos(0.25), 0, 0, sin(0.25))),
    ("1 2 3 0 0 1 0", "quat_xyzw", "false", (1, 2, 3, 0, 0, 0, 1)),
    ("0 0 0 0.1 0.2 0.3 2", "quat_xyzw", "false", (0, 0, 0, 2, 0.1, 0.2, 0.3)),  # as written: not normalised
])
def test_poses(text, form, degrees, X):
    found, problem = read_pose_text(text, form, degrees)
    assert problem is None
    assert found == pytest.approx(X, abs=1e-15)


LINK = '<sdf version="1.12">\n<model name="m">\n<link name="l">\n%s\n</link>\n</model>\n</sdf>'
JOINT = ('<sdf version="1.12">\n<model name="m">\n<link name="l"/>\n<joint name="j" '
         'type="revolute">\n<parent>world</parent>\n'
         "<child>l</child>\n<axis>\n%s\n</axis>\n</joint>\n</model>\n</sdf>")


@pytest.mark.parametrize("text, name", [
    (LINK % '^<pose degrees="false">1 2 3</pose>', "value-invalid"),
    (LINK % "^<gravity>perhaps</gravity>", "value-invalid"),
    *[(LINK % f'<collision name="c">^<max_contacts>{text}</max_contacts></collision>', "value-invalid")
      for text in ("many", "9" * 6000, "0x" + "f" * 6000)],
    (LINK % "^<pose>0x1p99999 0 0 0 0 0</pose>", "value-invalid"), (JOINT % "^<xyz>0 0</xyz>", "value-invalid"),
    (JOINT % "^<xyz>nan inf 1</xyz>", "value-invalid"), (JOINT % "^<xyz>1,5 0 1</xyz>", "value-invalid"),
    (JOINT % "^<xyz>0 0 0</xyz>", "joint-axis-zero"), (JOINT % "^<xyz>0 0.7e-6 0.7e-6</xyz>", "joint-axis-zero")])
def test_a_bad_value_is_one_error_at_its_place(text, name):
    found, marks = judge(text)
    assert [(rule, place) for rule, _, place in found] == [(name, *marks)]


CASE = ('<sdf version="1.9"><model name="m"><static>false</static><link name="a">'
        '<pose degrees="false">1 2 3 0 0 0</pose>'
        "<inertial><mass>5</mass></inertial>"
        '<collision name="c"><geometry><box><size>4 5 6</size></box></geometry></collision>'
        '<visual name="v"><geometry><sphere><radius>7</radius></sphere></geometry>'
        "<material><diffuse>1 0 0 1</diffuse></material></visual></link>"
        '<link name="b"/><joint name="j" type="fixed"><parent>b</parent><child>a</child></joint>'
        '<frame name="f" attached_to="a"/></model></sdf>')


@pytest.mark.parametrize("blank, is_read", [
    (" ", True), ("\t", True), ("\n", True),
    ("\xa0", False), ("\x85", False), ("\u2028", False), ("\u3000", False)])
@pytest.mark.parametrize("before", [
    "<static>", 'degrees="', '<pose degrees="false">', "1 2 ", "<mass>", "<size>", "<radius>", "<diffuse>", 'type="',
    "<parent>", "<child>", 'attached_to="'])
def test_only_white_space_of_xml_separates_values(before, blank, is_read):
    """libsdformat 12.3.0 accepts and refuses the same files."""
    assert CASE.count(before) == 1
    assert load_text(CASE.replace(before, before + blank)).valid is is_read


@pytest.mark.parametrize("version", ["1.²", "1.٧", "1." + "9" * 6000])
def test_versions_of_odd_digits_are_refused(version):
    loaded = load_text(f'<sdf version="{version}"><model name="m"><link name="l"/></model></sdf>')
    assert "version-not-convertible" in [d.name for d in loaded.diagnostics]


@pytest.mark.parametrize("chain, lost", [
    ("1e308 7e307", []), ("1e308 -1e308 1e308", []), ("1.7e308 1", []), ("-1e308 -1e308", [3]),
    ("1e308 1e308 1 -1e308", [3]), ("1e308 1e308 1e308", [3])])
def test_the_first_pose_that_overflows_is_an_error(chain, lost):
    """The largest double is 1.797e308. libsdformat 17 says nothing, and gives poses of NaN."""
    frames = "\n".join(f'<frame name="f{i}" attached_to="f{i - 1}"><pose>{x} 0 0 0 0 0</pose></frame>'
                       for i, x in enumerate(chain.split(), 1))
    loaded = load_text(f'<sdf version="1.12"><model name="m"><link name="f0"/>\n{frames}</model></sdf>')
    assert [(d.code, d.severity, d.line, d.path, d.message) for d in loaded.diagnostics] == [
        ("P005", "error", line, f'/sdf/model[@name="m"]/frame[@name="f{line - 1}"]/pose',
         f"the pose of frame 'f{line - 1}' in the model is too large for a floating-point number") for line in lost]
    assert count_consequences(loaded.graphs[0]) == (len(chain.split()) - 2 if lost else 0)
    assert [f.pose is None for f in loaded.scopes[0].frames[2:]] == [
        bool(lost) and i >= 2 for i, _ in enumerate(chain.split(), 1)]


def test_each_branch_that_becomes_too_large_is_an_error():
    far, farther = ('<pose>1e308 0 0 0 0 0</pose>',
                    '<frame name="%s" attached_to="b"><pose>1e308 0 0 0 0 0</pose></frame>')
    loaded = load_text(
        f'<sdf version="1.12"><model name="m"><link name="a"/><link name="b">{far}</link>'
        f'{farther % "c"}{farther % "d"}</model></sdf>')
    assert [d.path for d in loaded.diagnostics
            if d.name == "pose-overflow"] == [f'/sdf/model[@name="m"]/frame[@name="{name}"]/pose' for name in "cd"]


@pytest.mark.parametrize("xyz, axis",
    [("3 0 4", (0.6, 0, 0.8)), ("1e300 0 0", (1, 0, 0)), ("0 1 0 and more", (0, 1, 0)), ("0 -1e-5 0", (0, -1, 0)),
                                       ("1e-6 0 0", (1, 0, 0)), ("6e-7 8e-7 0", (0.6, 0.8, 0))])
def test_axes_have_length_one(xyz, axis):
    """Those of 1e-6 are the shortest that libsdformat 17 takes."""
    (scope,) = load_text(JOINT % f"<xyz>{xyz}</xyz>").scopes
    assert scope.joints[0].axes == ((0, pytest.approx(axis)),)


def test_an_axis_as_short_as_the_largest_zero_has_no_direction():
    """That is 1e-6 as a float of 32 bits, to which libsdformat compares the length."""
    loaded = load_text(JOINT % "<xyz>0 0 9.999999974752427e-07</xyz>")
    assert loaded.scopes[0].joints[0].axes == ()
    assert "joint-axis-zero" in [d.name for d in loaded.diagnostics]


@pytest.mark.parametrize("text, sound", [
    ("1e-300", True), ("2.2250738585072014e-308", True), ("0e-400", True), ("-0.0E-999", True), ("inf", True),
    ("-INF", True),
    ("1e-310", False), ("-4.94E-324", False), ("1e-400", False), ("1e400", False), ("-1e400", False)])
def test_doubles_that_stod_refuses(text, sound):
    """Recorded from libsdformat 17: std::stod throws for what overflows and for what is nearer to zero than
    2.2e-308."""
    assert (find_problem(text, ValueSpec("double", "0", "0")) is None) == sound
    if "inf" not in text.lower():
        assert (read_pose_text(f"{text} 0 0 0 0 0")[1] is None) == sound


@pytest.mark.parametrize("kind, text, sound", [
    ("vector3", "1,5 2 3", False), ("vector3", "1 2 3 and more", True), ("vector2d", "0x1 2", False),
    ("vector2d", "1-2", True),
    ("time", "1 2", True), ("time", "1-2", True), ("time", "1 2.5", True), ("time", "1.5 2", False),
    ("time", "1", False), ("time", "1e5 2", False),
    ("color", "nan 0 0", True), ("color", "1.1 0 0", False)])
def test_other_types(kind, text, sound):
    """Recorded from libsdformat 17."""
    assert (find_problem(text, ValueSpec(kind, "0 0 0", "0")) is None) == sound


@pytest.mark.parametrize("inside", [
    *[f"<limit>^<{tag}>nan</{tag}></limit>" for tag in (
        "lower", "upper", "effort", "velocity", "stiffness", "dissipation")],
    *[f"<dynamics>^<{tag}>NaN</{tag}></dynamics>" for tag in (
        "damping", "friction", "spring_reference", "spring_stiffness")]])
def test_nan_is_no_number(inside):
    """libsdformat reads it by std::stod, without a message; inf is a default of the specification."""
    text = JOINT % f"<xyz>0 0 1</xyz>{inside}"
    found, marks = judge(text)
    assert [(rule, place) for rule, _, place in found] == [("value-undefined", *marks)]
    assert load_text(text.replace("^", "")).valid


@pytest.mark.parametrize("quaternion, rules", [
    ("0 0 0 0", ["rotation-undefined"]), ("-0 0.0 0e5 0", ["rotation-undefined"]), ("0 0 0 1e-6", []), ("0 0 0 2", [])])
def test_a_quaternion_of_zeros_is_no_rotation(quaternion, rules):
    """Drake 1.51 refuses it; with libsdformat 12, a frame at 3 m from one with this pose is at 0 m from it."""
    text = LINK % f'^<pose rotation_format="quat_xyzw">1 0 0 {quaternion}</pose>'
    found, marks = judge(text)
    assert [(rule, place) for rule, _, place in found] == [(rule, mark) for rule in rules for mark in marks]
    loaded = load_text(text.replace("^", ""))
    assert loaded.valid and [d.severity for d in loaded.judge(["drake"])] == ["error" for _ in rules]


def test_infinite_limits_are_numbers():
    limits = "".join(f"<{tag}>{text}</{tag}>" for tag, text in (
        ("lower", "-inf"), ("upper", "inf"), ("effort", "inf"), ("velocity", "Infinity")))
    assert not load_text(JOINT % f"<xyz>0 0 1</xyz><limit>{limits}</limit>").diagnostics


def test_every_type_of_number_knows_nan():
    specs, kinds = [load_table()], set()
    for spec in specs:
        specs += [child for child in spec.children.values() if child not in specs]
        kinds |= {value.type for value in (spec.value, *spec.attributes.values()) if value is not None}
    numbers = {"double": 1, "float": 1, "int": 1, "unsigned int": 1, "vector3": 3, "vector2d": 2, "vector2i": 2,
               "color": 4, "pose": 6, "time": 2}
    assert kinds - {"string", "bool"} <= {*numbers}
    assert not any(is_sound(" ".join(["nan"] * count), ValueSpec(kind, "0", "0")) for kind, count in numbers.items())


COLOUR = LINK % ('<visual name="v"><geometry><box/></geometry><material><diffuse>%s</diffuse></material></visual>')


NO_COLOUR, OUTSIDE = "is not a colour of 3 or 4 numbers", "has a colour component outside 0 … 1"


@pytest.mark.parametrize("text, words", [
    *[(text, NO_COLOUR) for text in ("1 0", "1 0 0 1 0", "red", "1 x 0", "1 0 x 1")],
    *[(text, OUTSIDE) for text in ("1 0 -0.1 1", "1 1.5 0", "255 0 0 1")],
    *[(text, None) for text in ("0 0 0", "1 1 1 1", "0.5 0 1 0", " 1\n0 0 ")]])
def test_colours(text, words):
    found = [d for d in load_text(COLOUR % text).diagnostics if d.severity != "info"]
    assert [(d.name, d.line) for d in found] == [("value-invalid", 4)] * (words is not None)
    assert words is None or words in found[0].message


def test_a_text_is_judged_once_for_each_type(monkeypatch):
    from sdf_frames.sdf import values
    values.is_sound.cache_clear()
    judged = []
    monkeypatch.setattr(values, "find_problem", lambda text, value: judged.append(text) or find_problem(text, value))
    links = "".join(f'<link name="l{i}"><inertial><mass>4.25</mass></inertial></link>' for i in range(50))
    wrong = "".join(f'<link name="w{i}"><inertial><mass>heavy</mass></inertial></link>' for i in range(3))
    loaded = load_text(f'<sdf version="1.12"><model name="m">{links}{wrong}</model></sdf>')
    assert judged.count("4.25") == 1
    assert [d.name for d in loaded.diagnostics].count("value-invalid") == 3  # each at its own place


def value(kind, least="", most=""):
    return ValueSpec(kind, "", "1", least, most)


@pytest.mark.parametrize("kind, text, problem", [
    ("double", "1.5", None), ("double", "-inf", None), ("double", "x", "'x' is not a number"),
    ("float", "1e30", None), ("float", "1e39", "1e39 is more than single precision holds"),
    ("float", "-1e39", "-1e39 is more than single precision holds"), ("float", "1e-39", "1e-39 is more than single"),
    ("float", "0", None), ("float", "inf", None), ("float", "3.4e38", None), ("float", "1.2e-38", None),
    # The largest and the least normal number of single precision, in the digits that name them.
    ("float", "-3.4028235e38", None), ("float", "1.17549435e-38", None),
    ("bool", "true", None), ("bool", "1", None), ("bool", "yes", "'yes' is neither true nor false"),
    ("int", "7", None), ("int", "-7", None), ("int", "+7", None), ("int", "0x1F", None), ("int", "true", None),
    ("int", "FALSE", None), ("int", "x", "'x' is not a whole number"), ("int", "0x", "'0x' is not a whole number"),
    *[("int", text, f"{text!r} is not a whole number") for text in ("-", "+", "--7", ".7", "0xg", "-0x")],
    ("int", "2147483647", None), ("int", "-2147483648", None),
    ("int", "2147483648", "2147483648 is outside -2147483648 … 2147483647"),
    ("int", "-2147483649", "-2147483649 is outside -2147483648 … 2147483647"), ("unsigned int", "9000000000", None),
    ("vector3", "1 2 3", None), ("vector3", "1 2", ""), ("vector2d", "1 2", None), ("vector2i", "1", ""),
    ("time", "1 2", None), ("time", "1.5", "'1.5' is not two whole numbers"), ("string", "x", None),
    ("something else", "x", None)])
def test_texts_of_each_type(kind, text, problem):
    found = find_problem(text, value(kind))
    assert found is None if problem is None else found is not None and problem in found


@pytest.mark.parametrize("kind", ["double", "float", "int", "unsigned int"])
@pytest.mark.parametrize("text, problem", [
    ("-1", "-1 is below the least allowed value 0"), ("0", None), ("1", None), ("10", None),
    ("11", "11 is above the greatest allowed value 10"), ("true", None), ("0x0B", "11 is above the greatest")])
def test_bounds_are_allowed_themselves(kind, text, problem):
    found = find_problem(text, value(kind, "0", "10"))
    assert found is None if problem is None else found is not None and problem in found
    if text in ("-1", "11", "0x0B"):
        assert find_problem(text, value(kind)) is None


@pytest.mark.parametrize("text, one", [("true", "1"), ("TRUE", "1"), ("false", "0"), ("0x0a", "10"), ("-0x0A", "-10"),
                                       ("12 apples", "12"), ("50.0", "50"), ("+3", "3"), ("7.9", "7"), ("007", "7"),
                                       ("1_0", "1"), ("7 99999999999", "7"), ("7x99999999999", "7"),
                                       ("0x7 ffffffffff", "7"), ("0x7gffffffffff", "7")])
def test_texts_of_whole_numbers(text, one):
    """As C's stoi reads them, which ends at the first other character; by bounds just kept and just broken."""
    number = int(one)
    assert find_problem(text, value("int", str(number), str(number))) is None
    assert "below" in find_problem(text, value("int", str(number + 1)))
    assert "above" in find_problem(text, value("int", "", str(number - 1)))


@pytest.mark.parametrize("kind, text, numbers, left", [
    ("double", "7 kg", "7", "kg"), ("double", "7", "7", ""), ("double", "true", "true", ""),
    ("float", "7,8", "7", ",8"), ("int", "7 8", "7", "8"), ("int", "50.0", "50.0", ""), ("int", "50.000", "50.000", ""),
    ("int", "50.5", "50", ".5"), ("int", "True", "True", ""), ("int", "0x1F m", "0x1F", "m"),
    ("vector3", "1 2 3 4", "1 2 3", "4"), ("vector2d", "1 2 x", "1 2", "x"), ("vector3", "1 2 3", "1 2 3", ""),
    ("bool", "true x", "true x", ""), ("string", "a b", "a b", ""),
    ("pose", "0 1,5 0  90deg 0 0", "0 1 0 90 0 0", ",5"), ("pose", "0 0x1 0 0 1. -.5", "0 0x1 0 0 1. -.5", ""),
    ("color", "1 0,5 0", "1 0 0", ",5"), ("color", "1 .5 0 1", "1 .5 0 1", "")])
def test_text_after_the_numbers_is_found(kind, text, numbers, left):
    assert find_leftover(text, value(kind)) == (numbers, left)


@pytest.mark.parametrize("text, form, degrees, problem", [
    ("1 2 3", "", "", "'1 2 3' is not six finite numbers x y z roll pitch yaw"),
    *[(text, "", "", f"{text!r} is not six finite numbers x y z roll pitch yaw") for text in (
        "1 2 3 4 5 6 7", "1 2 3 4 5 x", "1 2 3 4 5 nan", "inf 2 3 4 5 6")],
    ("1 2 3", "quat_xyzw", "0", "'1 2 3' is not seven finite numbers x y z qx qy qz qw"),
    ("1 2 3", "rpy", "", "rotation_format is 'rpy', neither euler_rpy nor quat_xyzw"),
    ("1 2 3", "", "no", "degrees is 'no', neither true nor false"),
    ("1 2 3 0 0 0 1", "quat_xyzw", "true", "a quaternion cannot be in degrees"),
    ("", "quat_xyzw", "1", "a quaternion cannot be in degrees"),
    ("1 2 3 0 0 1e-310", "", "", "'1 2 3 0 0 1e-310' is not six finite numbers x y z roll pitch yaw"),
    ("1 2 3 0 0 1E-310", "euler_rpy", "false", "'1 2 3 0 0 1E-310' is not six finite numbers x y z roll pitch yaw"),
    ("1 2 3 0 0 1E-300", "", "", None), ("", "", "", None), ("", "euler_rpy", "true", None)])
def test_reasons_why_a_text_is_not_a_pose(text, form, degrees, problem):
    assert read_pose_text(text, form, degrees)[1] == problem


@pytest.mark.parametrize("kind, text, sound", [
    ("double", " 1.5\n", True), ("double", "1.5 m", False), ("double", "x", False), ("double", " ", False),
    ("pose", " 1 2 3 0 0 0 ", True), ("pose", "1 2 3", False)])
def test_a_required_text_is_sound_if_all_of_it_is_of_its_type(kind, text, sound):
    assert is_sound(text, value(kind)) == sound
    assert is_sound(" ", ValueSpec(kind, "0", "0"))  # what may be left out may be empty


@pytest.mark.parametrize("text, number", [
    ("1.5", 1.5), (" TRUE\n", 1), ("false", 0), ("7 kg", 7), ("yes", None), ("", None), ("truely", None)])
def test_numbers_may_be_truth_values(text, number):
    assert read_value(text) == number
