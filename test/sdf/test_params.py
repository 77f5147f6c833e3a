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


@pytest.mark.parametrize("change", [
    '<visual element_id="arm::skin" action="remove"/>',
    '<link element_id="arm"><visual name="skin" action="remove"/></link>',
    '<visual element_id="arm::skin"><transparency action="add">0.5</transparency></visual>',
    '<link element_id="arm"/>',
    f'<collision element_id="arm" name="shell" action="add">{SHAPE}</collision>',
    '<link element_id="arm"><pose action="add">1 0 0 0 0 0</pose></link>',
    '<plugin element_id="" name="p" filename="f" action="add"/>',
])
def test_valid_changes_have_no_warning(load, change):
    assert load(change).diagnostics == ()


def test_renamed_elements_are_found_by_their_new_name(load):
    """As libsdformat 17 does."""
    rename = '<link element_id="arm" action="modify" name="wing"/>\n'
    loaded = load(rename + '<visual element_id="wing::skin" action="remove"/>')
    assert loaded.diagnostics == ()
    assert [(k.name, k.parts) for k in loaded.root.worlds[0].models[0].links] == [("wing", ())]
    (finding,) = load(rename + '<visual element_id="arm::skin" action="remove"/>').diagnostics
    assert (finding.name, finding.line) == ("params-element-unknown", 7)


def test_the_hint_for_a_name_without_what_it_stands_in_names_it_whole(load):
    """`cap` is nowhere near `forearm::cap` in letters, but it is its last part; `recap` has another one."""
    part = PART.replace('"arm"', '"forearm"')
    part = part.replace("<visual", f'<visual name="recap">{SHAPE}</visual><visual').replace('"skin"', '"cap"')
    (finding,) = load('<visual element_id="cap" action="remove"/>', part).diagnostics
    assert (finding.name, finding.hint) == ("params-element-unknown", "did you mean 'forearm::cap'?")
    (finding,) = load('<visual element_id="nothing" action="remove"/>').diagnostics
    assert (finding.name, finding.hint) == ("params-element-unknown", None)


@pytest.mark.parametrize("given, change", [
    ("<gravity>true</gravity>", '<link element_id="arm" action="modify">^<gravity>no</gravity></link>'),
    ("<pose/>", '<link element_id="arm" action="modify"><pose degrees="^no">1 0 0 0 0 0</pose></link>')])
def test_an_invalid_value_that_params_give_is_reported_in_them(load, given, change):
    (found,) = load(change.replace("^", ""), PART.replace("<visual", f"{given}<visual")).diagnostics
    assert found.name in ("value-invalid", "attribute-invalid") and found.file.endswith("world.sdf")
    assert (found.line, found.column) == (6, change.index("^") + 1)


def test_a_child_without_that_name_is_the_first_of_its_tag(load):
    """As libsdformat 17 does: `modify` of <geometry name="x"> means the one geometry, not what stands before it."""
    change = ('<visual element_id="arm::skin" action="modify"><pose>1 0 0 0 0 0</pose>'
              '<geometry name="x"><sphere name="y"><radius>5</radius></sphere></geometry></visual>')
    text = PART.replace('<visual name="skin">', '<visual name="skin"><pose>0 0 0 0 0 0</pose>')
    loaded = load(change, text)
    (visual,) = loaded.root.worlds[0].models[0].element.iter("visual")
    assert visual.findtext("geometry/sphere/radius") == "5" and visual.findtext("pose") == "1 0 0 0 0 0"


ARM = ('<model name="part"><plugin name="p" filename="f"><cfg>old<a>1</a></cfg></plugin>'
       '<link name="arm"><pose>0 0 0 0 0 0</pose><visual name="skin">'
       '<transparency>0.5</transparency>'
       '<material><ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse></material></visual>'
       '<visual name="shell"/><sensor name="eye" type="camera"/></link><link name="hand"/></model>')


@pytest.fixture
def change():
    """The model after some changes, and the names of findings."""
    def change(text):
        from lxml import etree

        from sdf_frames.sdf.params import apply_params
        model = etree.fromstring(f'<sdf version="1.12">{ARM}</sdf>')[0]
        params = etree.fromstring(f'<p xmlns:a="urn:a">{text}</p>')
        found = []
        apply_params(params, model, found)
        return etree.tostring(model, encoding="unicode"), [d.name for d in found]
    return change


@pytest.mark.parametrize("text, old, new", [
    # Of what is named in an element, only that is removed, however deep; comments name nothing.
    ('<visual element_id="arm::skin" action="remove"><!-- c --><transparency/><material><ambient/></material></visual>',
     "<transparency>0.5</transparency><material><ambient>1 0 0 1</ambient>", "<material>"),
    ('<link element_id="arm" action="remove"><visual name="skin"><material/></visual><visual name="shell"/></link>',
     '<material><ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse></material></visual><visual name="shell"/>',
     "</visual>"),
    ('<visual element_id="arm::shell" action="remove"><!-- c --></visual>', '<visual name="shell"/>', ""),
    # What replaces an element keeps what the element may have.
    ('<sensor element_id="arm::eye" action="replace" name="nose" type="imu" other="1"/>',
     '<sensor name="eye" type="camera"/>', '<sensor name="nose" type="imu"/>'),
    ('<link element_id="arm"><pose action="replace" relative_to="f">1 0 0 0 0 0</pose></link>',
     "<pose>0 0 0 0 0 0</pose>", '<pose relative_to="f">1 0 0 0 0 0</pose>'),
    # Modified is what is said: attributes, texts, and what is deeper.
    ('<sensor element_id="arm::eye" action="modify" type="imu"/>', 'type="camera"', 'type="imu"'),
    # Below a plugin too, where anything may be; an element without a value gets no text.
    ('<plugin element_id="p" action="modify"><cfg><a>2</a></cfg></plugin>', "<a>1</a>", "<a>2</a>"),
    ('<link element_id="hand" action="modify" name="foot">text</link>', '<link name="hand"/>', '<link name="foot"/>'),
    ('<visual element_id="arm::skin" action="modify"><material><diffuse>0 1 0 1</diffuse></material></visual>',
     "<diffuse>1 0 0 1</diffuse>", "<diffuse>0 1 0 1</diffuse>"),
    ('<visual element_id="arm::skin" action="modify"><transparency/></visual>', "<transparency>0.5</transparency>",
     "<transparency>0.0</transparency>"),  # the default
    ('<link element_id="" name="tip" action="add"/>', '<link name="hand"/>', '<link name="hand"/><link name="tip"/>'),
    ('<link element_id="hand"><pose action="add">1 0 0 0 0 0</pose></link>', '<link name="hand"/>',
     '<link name="hand"><pose>1 0 0 0 0 0</pose></link>'),
    ('<a:x element_id="hand" name="y" action="add"/>', '<link name="hand"/>',
     '<link name="hand"><a:x xmlns:a="urn:a" name="y"/></link>')])
def test_a_change_does_what_it_says_and_nothing_else(change, text, old, new):
    assert ARM.count(old) == 1
    assert change(text) == (ARM.replace(old, new), [])
    assert change(f"<!-- c -->{text}") == (ARM.replace(old, new), [])


def test_changes_build_on_each_other(change):
    """Names are found after they were added, renamed, replaced, and not after they were removed."""
    text, found = change('<link element_id="" name="tip" action="add"/><visual element_id="tip" name="v" action="add"/>'
                         '<visual element_id="tip::v" name="w" action="replace"/>'
                         '<visual element_id="tip::w" action="modify"><transparency>1</transparency></visual>'
                         + 2 * '<sensor element_id="arm::eye" action="remove"/>' +
                         '<visual element_id="arm::shell" name="shell" action="replace"><cast_shadows>0</cast_shadows>'
                         '</visual><visual element_id="arm::shell" action="remove"/>')
    # A <transparency> that the visual has not cannot be modified.
    assert found == ["params-element-unknown", "params-element-unknown"]
    assert text == ARM.replace('<visual name="shell"/><sensor name="eye" type="camera"/>', "").replace(
        "</model>", '<link name="tip"><visual name="w"/></link></model>')


@pytest.mark.parametrize("text, names", [
    ('<visual element_id="arm::skin" action="remove"><pose/><transparency/></visual>', ["params-element-unknown"]),
    ('<visual element_id="arm::skin" action="modify"><pose>1 0 0 0 0 0</pose><transparency>1</transparency></visual>',
     ["params-element-unknown"]),
    ('<sensor element_id="arm::eye" action="modify" colour="red" a:own="1" type="imu"/>', ["attribute-unknown"]),
    ('<link element_id="arm"><sensor name="nose" action="add"/><pose action="remove"/></link>', ["attribute-missing"]),
    ('<link element_id="arm"><sensor action="add" type="imu" name=""/><pose action="remove"/></link>',
     ["attribute-empty"]),
    ('<link element_id="arm"><visual name="gone" action="remove"/><pose action="remove"/></link>',
     ["params-element-unknown"]),
    ('<link element_id="arm"><pose/><visual name="skin" action="delete"/><visual name="shell" action="remove"/></link>',
     ["params-without-action", "params-action-invalid"])])
def test_a_failed_change_does_not_hide_the_next(change, text, names):
    after, found = change(text)
    assert found == names and after != ARM


SAID = "<visual> in <experimental:params>"
ACTIONS = "'delete' is not one of add, modify, remove, replace"


@pytest.mark.parametrize("change, message, hint", [
    ('^<link action="modify"/>', "<link> in <experimental:params> has no element_id",
     "name the element of the included model that it changes, in element_id"),
    ('<link element_id="arm">^<visual name="skin"/></link>', f"{SAID} has no action",
     'add action="…" to it, or to the element around it: add, modify, remove or replace'),
    ('<visual element_id="arm::skin">^<transparency>1</transparency></visual>',
     "<transparency> in <experimental:params> has no action",
     'add action="…" to it, or to the element around it: add, modify, remove or replace'),
    ('^<visual element_id="arm::skin" action="Remove"/>', f"{SAID}: {ACTIONS.replace('delete', 'Remove')}", None),
    ('^<visual element_id="arm::skin" action=""/>', f"{SAID}: {ACTIONS.replace('delete', '')}", None),
    ('^<visual element_id="arm::skin" action="delete"/>', f"{SAID}: {ACTIONS}", None),
    ('^<visual element_id="arm::" action="remove"/>', f"{SAID}: element_id 'arm::' ends without a name", None),
    ('<link element_id="arm">^<visual name="skin" action="delete"/></link>', f"{SAID}: {ACTIONS}", None),
    (f'^<visual element_id="arm" name="skin" action="add">{SHAPE}</visual>',
     "<experimental:params> adds <visual> 'skin', which already exists", 'use action="modify" or action="replace"'),
    (f'<link element_id="arm">^<visual name="skin" action="add">{SHAPE}</visual></link>',
     "<experimental:params> adds <visual> 'skin', which already exists", 'use action="modify" or action="replace"'),
    ('^<wheel element_id="arm" name="x" action="add"/>', "<experimental:params>: unknown element <wheel> in <link>",
     None),
    ('<link element_id="arm">^<geometry action="add"/></link>',
     "<experimental:params>: unknown element <geometry> in <link>", None),
    ('^<wheel element_id="arm::skin" name="skin" action="replace"/>',
     "<experimental:params> refers to <wheel> 'arm::skin', which does not exist", None),
    ('^<visual element_id="arm::skim" action="remove"/>',
     "<experimental:params> refers to <visual> 'arm::skim', which does not exist", "did you mean 'arm::skin'?"),
    # Of names to change, those of the same tag; of names to add to, any.
    ('^<link element_id="arm::skim" action="remove"/>',
     "<experimental:params> refers to <link> 'arm::skim', which does not exist", None),
    ('^<geometry element_id="arm::skim" name="x" action="add"/>',
     "<experimental:params> refers to <geometry> 'arm::skim', which does not exist", "did you mean 'arm::skin'?"),
    # The included model has no element_id: an empty one says where to add, not what to change.
    ('^<link element_id="" action="remove"/>', "<experimental:params> refers to <link> '', which does not exist", None),
    *[(f'^<model element_id="" {action}/>', "<experimental:params> refers to <model> '', which does not exist", None)
      for action in ('action="remove"', "", 'action="modify" name="x"', 'action="replace" name="x"')],
    ('^<pose element_id="arm" action="add">1 0 0 0 0 0</pose>', "<pose> has no attribute name, which is required",
     'add elements without a name inside of an element with element_id="arm"'),
    ('^<pose element_id="" action="add">1 0 0 0 0 0</pose>', "<pose> has no attribute name, which is required",
     'add name="…"'),
    ('^<frame element_id="" name="" action="add"/>', "the attribute name of <frame> is empty", "give it a value"),
    ('^<sensor element_id="arm" name="s" action="add"/>', "<sensor> has no attribute type, which is required",
     'add type="…"'),
    ('^<sensor element_id="arm" name="s" type="" action="add"/>', "the attribute type of <sensor> is empty",
     "give it a value"),
    ('<visual element_id="arm::skin" action="modify" colour="^1"/>',
     "unknown attribute colour of <visual>: readers ignore it", None),
    ('<visual element_id="arm::skin" action="modify"><geometry>^<box/></geometry></visual>',
     "<experimental:params> refers to <box> '', which does not exist", None),
    ('<link element_id="arm">^<visual name="skim" action="remove"/></link>',
     "<experimental:params> refers to <visual> 'skim', which does not exist", "did you mean 'skin'?")])
def test_what_is_said_of_a_change_that_cannot_be_done(load, change, message, hint):
    loaded = load(change.replace("^", ""))
    (found,) = loaded.diagnostics
    assert (found.message, found.hint, found.line, found.column) == (message, hint, 6, change.index("^") + 1)
    assert found.file == loaded.file and found.path.startswith(PARAMS)
    assert found.severity == ("warning" if found.name == "attribute-unknown" else "error")


def test_params_need_no_namespace_and_may_stand_anywhere_in_the_include(tmp_path):
    (tmp_path / "part.sdf").write_text(PART)
    declared = 'xmlns:experimental="http://sdformat.org/schemas/experimental"'
    text = WORLD.replace(f" {declared}", "")
    text = (text % '<visual element_id="arm::skin" action="remove"/>').replace(
        "<uri>part.sdf</uri>\n", "<!-- -->").replace("</include>", "<uri>part.sdf</uri></include>")
    (tmp_path / "world.sdf").write_text(text)
    loaded = load_file(tmp_path / "world.sdf")
    (found,) = loaded.diagnostics
    assert found.name == "xml-unbound-prefix" and declared in found.hint
    assert loaded.root.worlds[0].models[0].links[0].parts == ()


@pytest.mark.parametrize("wrong, names", [
    ('<link action="modify"/>', ["params-without-element-id"]),
    ('<visual element_id="arm::" action="remove"/>', ["params-action-invalid"]),
    ('<link element_id="arm" action="delete"/>', ["params-action-invalid"]),
    ('<pose element_id="arm" action="add"/>', ["attribute-missing"]),
    ('<visual element_id="arm" name="skin" action="add"/>', ["params-element-exists"]),
    ('<wheel element_id="arm" name="x" action="add"/>', ["params-element-undefined"]),
    ('<link element_id="gone" action="remove"/>', ["params-element-unknown"]), ('<link element_id="arm"/>', [])])
def test_a_change_that_cannot_be_done_does_not_hide_those_that_follow(change, wrong, names):
    text, found = change(wrong + '<link element_id="hand" action="remove"/>')
    assert text == ARM.replace('<link name="hand"/>', "") and found == names
