"""Loops, loose links, several parents, odd sizes: found, and never errors."""

import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_text


def model(links: str, joints: str, **poses: str) -> str:
    parts = "".join(f'<link name="{n}"><pose>{poses.get(n, "0 0 0 0 0 0")}</pose></link>' for n in links)
    parts += "".join(
        f'<joint name="{a}{b}" type="revolute"><parent>{a}</parent><child>{b}</child><axis><xyz>0 0 1</xyz></axis>'
        f'</joint>'
                     for a, b in joints.split())
    return f'<sdf version="1.10"><model name="m">{parts}</model></sdf>'


def findings(text: str) -> list[tuple[str, str]]:
    loaded = load_text(text)
    assert loaded.valid
    return [(d.name, d.message) for d in loaded.diagnostics]


def test_a_chain_is_without_findings():
    assert findings(model("abc", "ab bc")) == []


def test_a_four_bar_linkage_has_one_loop_and_one_link_with_two_parents():
    found = dict(findings(model("abcd", "ab bc cd ad")))
    assert set(found) == {"link-with-several-parents", "kinematic-loops"}
    assert "link 'd' is the child of joint 'ad' and of joint 'cd'" in found["link-with-several-parents"]
    assert "1 kinematic loop, closed by 'ad'" in found["kinematic-loops"]


def test_a_loop_is_closed_by_the_joint_that_urdf_leaves_out():
    """Cassie's pitch rod: the chain that completes the loop comes later in the file, and is kept."""
    text = model("abc", "ab cb ac")
    assert "1 kinematic loop, closed by 'cb'" in dict(findings(text))["kinematic-loops"]
    assert 'joint name="cb"' not in sf.loads(text).to_urdf()


def test_an_axis_of_length_zero_in_a_urdf_is_reported_at_its_attribute():
    zero = '\n<axis\n  xyz="0 0 0"/>'
    loaded = load_text(robot(link("a", 1), link("b", 1), joint("j", "continuous", "a", "b", zero)))
    assert [(d.name, d.line, d.column, d.hint) for d in loaded.diagnostics] == [
        ("joint-axis-zero", 3, 8, "write the direction of the axis as xyz, such as 0 0 1")]


@pytest.mark.parametrize("kind, limit, said", [
    ("revolute", "<lower>1</lower>\n<upper>-1</upper>", ["1 above its upper limit -1"]),
    ("prismatic", "<upper>-0.5</upper>\n<lower>0.25</lower>", ["0.25 above its upper limit -0.5"]),
    ("revolute", "<lower>1</lower>\n<upper>1</upper>", []), ("revolute", "<lower>1</lower>", []),
    ("continuous", "<lower>1</lower>\n<upper>-1</upper>", [])])  # it has no limits
def test_a_lower_limit_above_the_upper_one_is_a_warning_at_the_limit(kind, limit, said):
    """DART ends the simulation there: gazebosim/gz-physics issue 846."""
    text = model("ab", "ab").replace('type="revolute"', f'type="{kind}"').replace(
        "</xyz></axis>", f"</xyz><limit>\n{limit}</limit></axis>")
    loaded = load_text(text)
    assert loaded.valid
    assert [(d.name, d.line, d.message.split(" limit ", 1)[1].split(";")[0]) for d in loaded.diagnostics] == [
        ("joint-limits-reversed", 2 if limit.startswith("<lower>") else 3, words) for words in said]


def test_a_link_that_no_joint_holds_is_named():
    assert [m for n, m in findings(model("abz", "ab"))] == ["no joint connects link 'z' to the rest of its model"]
    # Without any joint a model is a heap of links on purpose.
    assert findings(model("abz", "")) == []


@pytest.mark.parametrize("attributes, more, loose", [
    ("", "", "z"),
    # Which link stands for the model makes no difference.
    (' canonical_link="z"', "", "z"),
    ("", "<parent>world</parent><child>z</child>", None),
    ("", "<parent>z</parent><child>a</child>", None),
    ("", "<parent>b</parent><child>f</child>", None)])
def test_a_link_is_held_by_any_joint_to_it_or_its_frames(attributes, more, loose):
    joint = '<joint name="%s" type="fixed">%s</joint>'
    found = load_text(
        f'<sdf version="1.10"><model name="m"{attributes}>\n<link name="a"/>\n<link name="b"/>\n<link name="z"/>\n'
                      '<model name="s"><static>true</static><link name="q"/></model>'  # held, as in Drake 1.51.1
                      '<frame name="f" attached_to="z"/>' + joint % ("j", "<parent>a</parent><child>b</child>")
                      + (joint % ("k", more) if more else "") + "</model></sdf>").diagnostics
    assert [(d.name, d.severity, d.line, d.path) for d in found] == (
        [("link-unjoined", "info", 4, f'/sdf/model[@name="m"]/link[@name="{loose}"]')] if loose else [])


def test_an_unknown_canonical_link_of_a_static_model_names_what_was_meant():
    """Of a nested model, too, whose names are looked for in that model."""
    inner = '<model name="n" canonical_link="bse"><static>true</static><link name="base"/></model>'
    loaded = load_text(
        f'<sdf version="1.12"><model name="m" canonical_link="bace"><static>true</static><link name="bake"/>{inner}'
        f'</model></sdf>')
    found = [(d.severity, d.hint) for d in loaded.diagnostics if d.name == "canonical-link-unknown"]
    assert found == [("error", "did you mean 'bake'?"), ("warning", "did you mean 'base'?")]


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_a_link_that_a_joint_of_a_urdf_leaves_free_is_one_finding(kind):
    """The conversion warns about the joint."""
    text = robot(*[link(name, 1) for name in "abcd"], *[joint(name, type_, *name) for name, type_ in (
        ("ab", kind), ("ac", "continuous"), ("cd", kind))])
    names = [d.name for d in load_text(text).diagnostics]
    assert names == ["joint-without-counterpart"] * 2


def turn(tip: str, kind: str = "revolute", more: str = "", base: str = "1 1 1", pose: str = "0 0 0 0 0 0") -> list[str]:
    """Names of joints that turn no inertia: `tip` is tensor and centre of mass of a link that turns about z."""
    def weigh(text: str) -> str:
        ixx, iyy, izz, *com = text.split()
        return (f"<inertial><pose>{' '.join(com or '000')} 0 0 0</pose><mass>1</mass><inertia><ixx>{ixx}</ixx>"
                f"<iyy>{iyy}</iyy><izz>{izz}</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>")
    axis = "" if kind == "fixed" else "<axis><xyz>0 0 1</xyz></axis>"
    loaded = load_text(
        f'<sdf version="1.10"><model name="m"><link name="a">{weigh(base)}</link><link name="b"><pose>{pose}</pose>'
        f'{weigh(tip)}</link><joint name="ab" type="{kind}"><parent>a</parent><child>b</child>{axis}</joint>'
        f"{more.replace('POINT', weigh('0 0 0')).replace('BODY', weigh('1 1 1'))}</model></sdf>")
    return [d.message.split("'")[1] for d in loaded.diagnostics if d.name == "joint-turns-no-inertia"]


WELDED = ('<link name="c"><pose>0 0 2 0 0 0</pose>{}</link><joint name="bc" type="fixed"><parent>b</parent>'
          "<child>c</child></joint>")


# DART of Debian (libignition-physics5) ends on the robots that are named, and on no other one here; Drake 1.51 stops.
@pytest.mark.parametrize("case, named", [
    ({"tip": "0 0 0"}, ["ab"]), ({"tip": "1 1 0"}, ["ab"]), ({"tip": "0 0 0 0 0 3"}, ["ab"]),
    ({"tip": "0 0 0 1 0 0"}, []), ({"tip": "0 1 1"}, []), ({"tip": "1e-20 1e-20 1e-20"}, []),
    ({"tip": "0 0 0", "kind": "fixed"}, []), ({"tip": "0 0 0", "kind": "prismatic"}, []),
    ({"tip": "1 1 1", "base": "0 0 0"}, []),
    ({"tip": "0 1 0", "pose": "1 0 0 0 1.5707963267948966 0"}, ["ab"]),  # the axis is z of the link
    ({"tip": "1 1 0", "pose": "3 2 1 0.3 0.2 0.1"}, ["ab"]),
    ({"tip": "0 0 0", "more": WELDED.format("POINT")}, ["ab"]), ({"tip": "0 0 0", "more": WELDED.format("BODY")}, []),
    ({"tip": "0 0 0", "more": WELDED.format("POINT").replace("0 0 2", "0 1 2")}, [])])
def test_joints_that_turn_no_inertia(case, named):
    assert turn(**case) == named


@pytest.mark.parametrize("static", ["", "<static>true</static>"])
@pytest.mark.parametrize("around, inside", [
    ("", ""), ('<world name="w">', ""), ("", '<model name="n">'), ('<world name="w">', '<model name="n">')])
def test_a_static_model_turns_nothing(around, inside, static):
    start = f'{around}<model name="m::o">{static}{inside}'
    text = model("ab", "ab").replace('<model name="m">', start).replace("</model>", "</model>" * (1 + bool(inside)))
    text = text.replace("</sdf>", f"{'</world>' * bool(around)}</sdf>").replace("1.10", "1.5")  # allows ::
    zeros = "<inertial><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia></inertial>"
    found = dict(findings(text.replace("<pose>0 0 0 0 0 0</pose>", zeros)))
    assert ("joint-turns-no-inertia" in found) is not bool(static)
