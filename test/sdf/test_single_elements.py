"""What may stand once and stands twice, and what stands behind a number: read as libsdformat does, with a warning."""
from math import pi

import pytest

import sdf_frames as sf
from sdf_frames.document.numbers import find_number_end, find_vector_end
from sdf_frames.load import load_text
from sdf_frames.sdf.table import load_table


def found(body, version="1.12", name=None):
    loaded = load_text(f'<sdf version="{version}">{body}</sdf>')
    return [d for d in loaded.diagnostics if name in (None, d.name)]


LINKS = '<link name="a"/><link name="b"/>'
JOINT = "<parent>a</parent><child>b</child>"


@pytest.mark.parametrize("body, parent, tag, count", [
    (f'<model name="m">{LINKS}<pose>1 0 0 0 0 0</pose><pose>2 0 0 0 0 0</pose></model>', "model", "pose", 2),
    (f'<model name="m">{LINKS}<static>1</static><static>0</static><static>0</static></model>', "model", "static", 3),
    (f'<model name="m">{LINKS}<joint name="j" type="fixed">{JOINT}<parent>a</parent></joint></model>',
     "joint", "parent", 2),
    (f'<model name="m">{LINKS}<joint name="j" type="fixed">{JOINT}<child>b</child></joint></model>',
     "joint", "child", 2),
    (f'<model name="m">{LINKS}<joint name="j" type="revolute">{JOINT}<axis><xyz>1 0 0</xyz><xyz>0 1 0</xyz></axis>'
     '</joint></model>', "axis", "xyz", 2),
    (f'<model name="m">{LINKS}<joint name="j" type="revolute">{JOINT}<axis/><axis/></joint></model>', "joint", "axis",
     2),
    (f'<model name="m">{LINKS}<joint name="j" type="screw">{JOINT}<thread_pitch>1</thread_pitch>'
     '<thread_pitch>2</thread_pitch></joint></model>', "joint", "thread_pitch", 2),
    ('<model name="m"><link name="a"><inertial/><inertial/></link></model>', "link", "inertial", 2),
    ('<world name="w"><include><uri>x</uri><uri>y</uri></include></world>', "include", "uri", 2)])
def test_messages_about_repeated_elements_name_the_first(body, parent, tag, count):
    text = body.replace("</", "\n</")
    (finding,) = found(text, name="element-repeated")
    assert finding.message == f"<{parent}> contains <{tag}> {count} times; only the first is used"
    first = finding.related[0]
    assert finding.severity == "warning" and (first.line, first.column) < (finding.line, finding.column)


def test_the_first_one_counts():
    model = load_text(f'<sdf version="1.12"><model name="m">{LINKS}<pose>1 0 0 0 0 0</pose><pose>2 0 0 0 0 0</pose>'
                      f'<joint name="j" type="revolute">{JOINT}<child>a</child><axis><xyz>1 0 0</xyz><xyz>0 1 0</xyz>'
                      '</axis></joint></model></sdf>').root.model
    assert model.pose.X[0] == 1 and model.joints[0].child == "b" and model.joints[0].axes[0].xyz == (1, 0, 0)


def test_every_element_of_the_table_that_is_there_once():
    """The issue's examples, and how many rules there are: the table says, not a list."""
    single, stack, seen = set(), [load_table()], set()
    while stack:
        spec = stack.pop()
        if spec.number not in seen:
            seen.add(spec.number)
            single |= {(spec.tag, tag) for tag in spec.single}
            stack += spec.children.values()
    assert len(single) > 400
    assert {("model", "pose"), ("joint", "parent"), ("joint", "child"), ("joint", "axis"), ("axis", "xyz"),
            ("model", "static"), ("inertial", "mass")} <= single
    assert not {("model", "link"), ("link", "visual"), ("world", "physics"), ("sdf", "model")} & single


@pytest.mark.parametrize("text, fine", [("50", True), ("50.0", True), ("50.", True), ("50.5", False), ("50 x", False)])
def test_whole_numbers_may_have_a_fraction_of_nothing(text, fine):
    body = f'<world name="w"><physics type="ode"><ode><solver><iters>{text}</iters></solver></ode></physics></world>'
    assert (found(body, name="text-after-number") == []) == fine


def test_ends_of_numbers():
    assert [find_number_end(t) for t in ("7 kg", "x", " 7", "1e5e")] == [1, 1, 2, 3]
    assert [find_vector_end(t, 3) for t in ("1 2 3", "1 2 3 4", "1-2.5.5x", "1 2")] == [5, 5, 7, 3]


def test_the_old_pitch_of_a_screw_is_replaced_by_the_value_that_its_hint_gives():
    body = f'<model name="m">{LINKS}<joint name="j" type="screw">{JOINT}%s<axis><xyz>0 0 1</xyz></axis></joint></model>'
    old = body % "<thread_pitch>-400</thread_pitch>"
    (finding,) = found(old, name="element-deprecated")
    assert finding.hint == "from SDFormat 1.10 on, write <screw_thread_pitch>, which is -2π divided by this value"
    new = body % f"<screw_thread_pitch>{-2 * pi / -400!r}</screw_thread_pitch>"
    heights = [sf.loads(f'<sdf version="1.12">{text}</sdf>').pose("b", positions={"j": 1.0}).xyz[2]
               for text in (old, new)]
    assert heights == pytest.approx([1 / 400, 1 / 400])
