"""What is wrong with ``<experimental:params>`` of an include, and what just is not; verdicts are those of
libsdformat."""
import pytest

from sdf_frames.load import load_file

PART = """<sdf version="1.12"><model name="part"><link name="arm">
<visual name="skin"><geometry><sphere><radius>1</radius></sphere></geometry></visual>
</link></model></sdf>"""
# The change is on line 6.
WORLD = """<sdf version="1.12" xmlns:experimental="http://sdformat.org/schemas/experimental">
<world name="w">
<include>
<uri>part.sdf</uri>
<experimental:params>
%s
</experimental:params>
</include>
</world>
</sdf>"""
PARAMS = '/sdf/world[@name="w"]/include/experimental:params/'
SHAPE = "<geometry><sphere><radius>1</radius></sphere></geometry>"


@pytest.fixture
def load(tmp_path):
    def load(change, part=PART):
        (tmp_path / "part.sdf").write_text(part)
        (tmp_path / "world.sdf").write_text(WORLD % change)
        return load_file(tmp_path / "world.sdf")
    return load


@pytest.mark.parametrize("change, code, line, path", [
    ('<link action="modify"/>', "params-without-element-id", 6, "link"),
    ('<link element_id="arm">\n<visual name="skin"/></link>', "params-without-action", 7, 'link/visual[@name="skin"]'),
    ('<visual element_id="arm::skin"><transparency>1</transparency></visual>', "params-without-action", 6,
     "visual/transparency"),
    ('<visual element_id="arm::skin" action="delete"/>', "params-action-invalid", 6, "visual"),
    ('<visual element_id="arm::skin" action="Remove"/>', "params-action-invalid", 6, "visual"),
    ('<visual element_id="arm::skin" action=""/>', "params-action-invalid", 6, "visual"),
    ('<visual element_id="arm::" action="remove"/>', "params-action-invalid", 6, "visual"),
    ('<link element_id="arm">\n<visual name="skin" action="delete"/></link>', "params-action-invalid", 7,
     'link/visual[@name="skin"]'),
    (f'<visual element_id="arm" name="skin" action="add">{SHAPE}</visual>', "params-element-exists", 6,
     'visual[@name="skin"]'),
    (f'<link element_id="arm">\n<visual name="skin" action="add">{SHAPE}</visual></link>', "params-element-exists", 7,
     'link/visual[@name="skin"]'),
    ('<wheel element_id="arm" name="x" action="add"/>', "params-element-undefined", 6, 'wheel[@name="x"]'),
    ('<link element_id="arm">\n<geometry action="add"/></link>', "params-element-undefined", 7, "link/geometry"),
    ('<visual element_id="arm::shell" action="remove"/>', "params-element-unknown", 6, "visual"),
    # The included model has no element_id: an empty one says where to add, not what to change.
    *[(f'<{tag} element_id="" {action}/>', "params-element-unknown", 6, f"{tag}{name}") for tag, action, name in (
        ("link", 'action="remove"', ""), ("model", 'action="remove"', ""), ("model", "", ""),
        ("model", 'action="modify" name="x"', '[@name="x"]'), ("model", 'action="replace" name="x"', '[@name="x"]'))],
    ('<pose element_id="arm" action="add">1 0 0 0 0 0</pose>', "attribute-missing", 6, "pose"),
    ('<frame element_id="" name="" action="add"/>', "attribute-empty", 6, 'frame[@name=""]'),
])
def test_what_cannot_be_done_is_reported_where_it_is_asked_for(load, change, code, line, path):
    loaded = load(change)
    assert [(d.name, d.severity, d.line, d.path, d.file) for d in loaded.diagnostics] == [
        (code, "error", line, PARAMS + path, loaded.file)]


@pytest.mark.parametrize("change", [
    '<visual element_id="arm::skin" action="remove"/>',
    '<link element_id="arm"><visual name="skin" action="remove"/></link>',
    '<visual element_id="arm::skin"><transparency action="add">0.5</transparency></visual>',
    '<link element_id="arm"/>',
    f'<collision element_id="arm" name="shell" action="add">{SHAPE}</collision>',
    '<link element_id="arm"><pose action="add">1 0 0 0 0 0</pose></link>',
    '<plugin element_id="" name="p" filename="f" action="add"/>',
])
def test_what_can_be_done_is_without_findings(load, change):
    assert load(change).diagnostics == ()


@pytest.mark.parametrize("change, left", [
    ('<link element_id="arm" action="remove"/>', []),
    ('<link element_id="arm" action="remove"><visual name="skin"/></link>', [("arm", 0)]),
    ('<visual element_id="arm::skin" action="remove"/>', [("arm", 0)]),
    ('<link element_id="arm"/>', [("arm", 1)]),
])
def test_what_is_removed_is_gone_and_nothing_else(load, change, left):
    """As libsdformat 17 does: an element, or what is named in it."""
    assert [(k.name, len(k.parts)) for k in load(change).root.worlds[0].models[0].links] == left


def test_what_was_given_another_name_goes_by_it_from_then_on(load):
    """As libsdformat 17 does."""
    rename = '<link element_id="arm" action="modify" name="wing"/>\n'
    loaded = load(rename + '<visual element_id="wing::skin" action="remove"/>')
    assert loaded.diagnostics == ()
    assert [(k.name, k.parts) for k in loaded.root.worlds[0].models[0].links] == [("wing", ())]
    (finding,) = load(rename + '<visual element_id="arm::skin" action="remove"/>').diagnostics
    assert (finding.name, finding.line) == ("params-element-unknown", 7)


def test_the_hint_for_an_addition_without_a_name_names_the_element_around_it(load):
    (finding,) = load('<pose element_id="arm" action="add">1 0 0 0 0 0</pose>').diagnostics
    assert finding.hint == 'add what bears no name inside of an element with element_id="arm"'


def test_the_hint_for_a_name_without_what_it_stands_in_names_it_whole(load):
    """`skin` is nowhere near `arm::skin` in letters, but it is its last part."""
    (finding,) = load('<visual element_id="skin" action="remove"/>').diagnostics
    assert (finding.name, finding.hint) == ("params-element-unknown", "did you mean 'arm::skin'?")
    (finding,) = load('<visual element_id="nothing" action="remove"/>').diagnostics
    assert (finding.name, finding.hint) == ("params-element-unknown", None)


def test_a_child_without_that_name_is_the_first_of_its_tag(load):
    """As libsdformat 17 does: `modify` of <geometry name="x"> means the one geometry, not what stands before it."""
    change = ('<visual element_id="arm::skin" action="modify"><pose>1 0 0 0 0 0</pose>'
              '<geometry name="x"><sphere name="y"><radius>5</radius></sphere></geometry></visual>')
    text = PART.replace('<visual name="skin">', '<visual name="skin"><pose>0 0 0 0 0 0</pose>')
    loaded = load(change, text)
    (visual,) = loaded.root.worlds[0].models[0].element.iter("visual")
    assert visual.findtext("geometry/sphere/radius") == "5" and visual.findtext("pose") == "1 0 0 0 0 0"
