"""Included files that descriptions share are read once, and mean the same as if each description read them."""
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from sdf_frames.convert import urdf_to_sdf
from sdf_frames.convert.expand_includes import expand_includes
from sdf_frames.document.budget import Budget
from sdf_frames.document.memory import Memory
from sdf_frames.load import LoadOptions, load_text
from sdf_frames.sdf import included_tree

FLAT = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>"
FILES = {
    "plain.sdf": '<sdf version="1.12" xmlns:x="y"><model name="plain"><link name="l"/><frame name="f" attached_to="l" '
                 'x:one="1" x:two="2"><pose>1 2 3 0 0 0</pose></frame></model></sdf>',
    # Upgrading drops <use_parent_model_frame>. The inertia breaks the triangle inequality.
    "old.sdf": f"""<sdf version='1.4'>
<model name='old'>
  <joint name='l' type='revolute'><parent>l</parent><child>m</child><axis><xyz>1 0 0</xyz>
    <use_parent_model_frame>true</use_parent_model_frame></axis></joint>
  <link name='l'>
    {FLAT}</link>
  <link name='m'><pose frame='l'>0 0 1 0 0 0</pose><gravity>perhaps</gravity></link>
</model></sdf>""",
    "wrong.sdf": """<sdf version='1.12'>

<model name=' wrong '><link name='l'><pose>1 2</pose><colour/></link>
<link name='l'/></model></sdf>""",
    "several.sdf": '<sdf version="1.9"><light name="l" type="point"/><model name="a"/><model name="b"/></sdf>',
    "light.sdf": '<sdf version="1.9"><light name="l" type="point"/></sdf>',
    "divided.sdf": '<sdf version="1.6"><model name="d"><link name="a::b"/></model></sdf>',
    "broken.sdf": '<sdf version="1.6"><model name="d">',
    "mended.sdf": '<sdf version="1.6"><!-- a -- b --><model name="d"><link name="l"/><x:y/></model></sdf>',
    "unversioned.sdf": '<sdf><model name="d"><link name="l"/></model></sdf>',
    "nested.sdf": '<sdf version="1.7"><model name="n"><include><uri>old.sdf</uri></include><include><name>o</name>'
                  '<uri>plain.sdf</uri></include></model></sdf>',
    "joined.sdf": """<sdf version='1.9'>
<model name='j'><include><name>o</name><uri>old.sdf</uri></include>
  <include merge='true'><uri>nested.sdf</uri></include>
  <link name='base'/><joint name='x' type='fixed'><parent>base</parent><child>o::m</child></joint></model></sdf>""",
    # SDFormat 1.6 lets a link and a model share a name: names in included files are looked up.
    "elder.sdf": """<sdf version='1.6'><model name='e'><link name='o'/>
<include><name>o</name><uri>nested.sdf</uri></include><include><uri>plain.sdf</uri></include></model></sdf>""",
    "outer.sdf": """<sdf version='1.10'><model name='u'><include><uri>nested.sdf</uri></include>
<include><uri>wrong.sdf</uri></include><include><uri>none.sdf</uri></include></model></sdf>""",
    "circle.sdf": """<sdf version='1.10'><model name='c'><link name='l'/>
<include><uri>circle.sdf</uri></include><include><uri>robot.urdf</uri></include></model></sdf>""",
    "robot.urdf": '<robot name="r"><link name="l"/><link name="m">'
                  '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial>'
                  '</link><joint name="j" type="continuous"><parent link="l"/><child link="m"/></joint></robot>',
}
FILES["copy.sdf"] = FILES["old.sdf"]
PARAMS = ('<experimental:params><visual element_id="l" action="add" name="v"><geometry><empty/></geometry></visual>'
          "</experimental:params>")
INCLUDES = st.tuples(
    st.sampled_from([*FILES, "none.sdf"]), st.sampled_from(["", "<name>a</name>", "<name>b</name>"]),
    st.sampled_from(["", "<pose>0 0 1 0 0 0</pose>", "<static>true</static>", PARAMS]), st.booleans())
WORLDS = st.tuples(st.lists(INCLUDES, min_size=1, max_size=4), st.sampled_from(["1.6", "1.12"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("included")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def write_world(includes, version="1.12"):
    return f'<sdf version="{version}" xmlns:experimental="e">\n<world name="w">' + "\n".join(
        f'<include merge="{str(merge).lower()}"><uri>{uri}</uri>{name}{more}</include>'
        for uri, name, more, merge in includes) + "</world></sdf>"


def tell(loaded):
    """All that a description says: findings, frames, and the text with its includes in place."""
    return (loaded.diagnostics, [(f.name, f.kind, f.link, f.pose) for scope in loaded.scopes for f in scope.frames],
            None if loaded.root is None else etree.tostring(expand_includes(loaded.root, loaded.resolver)))


OPTIONS = st.tuples(st.booleans(), st.sampled_from(["frame", "error"]), st.integers(4, 30), st.integers(200, 2000),
                    st.sampled_from([3, 256])).map(lambda given: LoadOptions(
                        confined=given[0], massless=given[1],
                        budget=Budget(elements=given[2], bytes=given[3], attributes=given[4])))
PLAIN, OLD, COPY, DIVIDED, MENDED, ROBOT, NESTED, JOINED, OUTER, CIRCLE = [
    (name, "", "", False) for name in ("plain.sdf", "old.sdf", "copy.sdf", "divided.sdf", "mended.sdf", "robot.urdf",
                                       "nested.sdf", "joined.sdf", "outer.sdf", "circle.sdf")]


@example([([OLD], "1.12"), ([PLAIN, COPY, OLD], "1.12")], LoadOptions())
@example([([DIVIDED], "1.12"), ([DIVIDED], "1.6"), ([DIVIDED], "1.12")], LoadOptions())
@example([([OLD], "1.12"), ([("old.sdf", "", PARAMS, False), OLD], "1.12"), ([OLD], "1.12")], LoadOptions())
@example([([PLAIN], "1.12"), ([PLAIN], "1.12")], LoadOptions(confined=True))
@example([([PLAIN], "1.12"), ([PLAIN], "1.12")], LoadOptions(budget=Budget(attributes=3)))  # a <frame> has four
@example([([PLAIN], "1.12"), ([PLAIN], "1.12")], LoadOptions(budget=Budget(elements=8)))  # 4 and 5
@example([([PLAIN], "1.12"), ([PLAIN], "1.12")], LoadOptions(budget=Budget(bytes=250)))  # less than 130, more than 170
@example([([MENDED], "1.12"), ([MENDED], "1.12")], LoadOptions(budget=Budget(elements=7)))  # after a warning
@example([([ROBOT], "1.12"), ([ROBOT], "1.12")], LoadOptions(massless="error"))
@example([([NESTED], "1.12"), ([JOINED, OUTER], "1.12"), ([OUTER, NESTED], "1.6")], LoadOptions())
@example([([CIRCLE, OUTER], "1.12"), ([("outer.sdf", "", PARAMS, True), CIRCLE], "1.12")], LoadOptions())
@example([([OUTER], "1.12"), ([OUTER], "1.12")], LoadOptions(budget=Budget(includes=3)))
@example([([OUTER], "1.12"), ([OUTER], "1.12")], LoadOptions(budget=Budget(include_depth=2)))
@settings(max_examples=150, deadline=None)
@given(st.lists(WORLDS, min_size=2, max_size=4), OPTIONS)
def test_a_description_is_the_same_with_a_warm_memory(folder, worlds, later):
    """The first description is loaded with the default options."""
    memory = Memory()
    for number, (includes, version) in enumerate(worlds):
        text, file = "\n" * number + write_world(includes, version), str(folder / "world.sdf")
        options = later if number else LoadOptions()
        alone = load_text(text, file, options)
        for _ in range(2):
            assert tell(load_text(text, file, options._replace(memory=memory))) == tell(alone)


@pytest.fixture
def prepared(monkeypatch):
    """Files that were upgraded and checked, each time that they were."""
    files, real = [], included_tree.prepare_document

    def note(document, *others):
        files.append(document.file.rpartition("/")[2])
        return real(document, *others)
    monkeypatch.setattr(included_tree, "prepare_document", note)
    return files


def test_a_urdf_is_converted_once_for_all_descriptions_with_the_same_options(folder, monkeypatch):
    converted = []

    def convert(robot, options, convert=urdf_to_sdf.convert_robot):
        converted.append((robot.file.rpartition("/")[2], options.massless))
        return convert(robot, options)
    monkeypatch.setattr(urdf_to_sdf, "convert_robot", convert)

    def load(massless, memory):
        text = write_world([("robot.urdf", "", "", False)])
        return tell(load_text(text, str(folder / "w.sdf"), LoadOptions(massless=massless, memory=memory)))
    alone = {massless: load(massless, None) for massless in ("frame", "keep")}
    assert alone["frame"] != alone["keep"]
    converted.clear()
    memory = Memory()
    for massless in ("frame", "frame", "keep", "frame", "keep"):
        assert load(massless, memory) == alone[massless]
    assert converted == [("robot.urdf", "frame"), ("robot.urdf", "keep")]
    small = Memory(1000)
    assert load("frame", small) == load("frame", small) == alone["frame"] and len(converted) == 4


APART = '<sdf version="1.6"><model name="i"><link name="x"/></model></sdf>'
# In SDFormat 1.6 a link keeps the name 'x' that it shares with a joint, which is called 'x_joint' then.
SHARED = APART.replace("</model>", '<joint name="x" type="fixed"><parent>x</parent><child>y</child></joint>'
                                   '<link name="y"/></model>')
MIDDLE = ('<sdf version="1.9"><model name="m"><include><uri>inner.sdf</uri></include><link name="l"/>'
          '<plugin name="p" filename="f"><joint>i::x</joint></plugin></model></sdf>')
MERGING = '<sdf version="1.9"><model name="i"><include merge="true"><uri>deep.sdf</uri></include></model></sdf>'
CONFIG = "<model><sdf>{}.sdf</sdf></model>"


@pytest.mark.parametrize("states", [
    [({"inner.sdf": APART}, "i::x"), ({"inner.sdf": SHARED}, "i::x_joint"), ({"inner.sdf": APART}, "i::x")],
    [({}, "i::x"), ({"inner.sdf": SHARED}, "i::x_joint"), ({"inner.sdf": None}, "i::x")],
    [({"inner.sdf": MERGING, "deep.sdf": SHARED}, "i::x_joint"), ({"deep.sdf": APART}, "i::x"),
     ({"deep.sdf": None}, "i::x")],
    [({"inner.sdf/model.config": CONFIG.format("a"), "inner.sdf/a.sdf": SHARED, "inner.sdf/b.sdf": APART},
      "i::x_joint"),
     ({"inner.sdf/model.config": CONFIG.format("b")}, "i::x"), ({"inner.sdf/model.config": None}, "i::x")],
], ids=["content", "existence", "deeper", "model.config"])
def test_a_reference_follows_a_name_that_changed_in_another_file(tmp_path, states):
    (tmp_path / "middle.sdf").write_text(MIDDLE)
    memory = Memory()
    for files, wanted in states:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).unlink() if text is None else (tmp_path / name).write_text(text)
        for _ in range(2):
            loaded = load_text(write_world([("middle.sdf", "", "", False)]), str(tmp_path / "world.sdf"),
                               LoadOptions(memory=memory))
            assert loaded.root.worlds[0].models[0].element.findtext("plugin/joint") == wanted


def test_a_smaller_budget_is_one_for_looking_ahead_too(tmp_path):
    """Three files are included, and names in them are looked up five times."""
    (tmp_path / "plain.sdf").write_text(FILES["plain.sdf"])
    (tmp_path / "inner.sdf").write_text(SHARED)
    frames = "".join(f'<frame name="{name}" attached_to="plain::l"/>' for name in "abcd")
    (tmp_path / "middle.sdf").write_text(MIDDLE.replace(
        "<include>", f"{frames}<include><name>plain</name><uri>plain.sdf</uri></include><include><name>i</name>"))
    options = LoadOptions(memory=Memory())
    for budget, wanted in ((Budget(), "i::x_joint"), (Budget(includes=4), "i::x")):
        loaded = load_text(write_world([("middle.sdf", "", "", False)]), str(tmp_path / "w.sdf"),
                           options._replace(budget=budget))
        assert loaded.root.worlds[0].models[0].element.findtext("plugin/joint") == wanted


@pytest.mark.parametrize("include", [PLAIN, OUTER], ids=["included", "included there"])
def test_a_file_that_changed_is_read_again(tmp_path, include):
    """One that the description includes, or one that this includes."""
    memory = Memory()
    (tmp_path / "outer.sdf").write_text(FILES["outer.sdf"].replace("nested.sdf", "plain.sdf"))
    for name in ("a", "b", "a"):
        (tmp_path / "plain.sdf").write_text(FILES["plain.sdf"].replace('"plain"', f'"{name}"'))
        loaded = load_text(write_world([include]), str(tmp_path / "w.sdf"), LoadOptions(memory=memory))
        (model,) = loaded.root.worlds[0].models
        assert [*model.models, model][0].name == name


def test_a_file_larger_than_the_memory_is_read_each_time(folder, prepared):
    for _ in range(2):
        load_text(write_world([PLAIN]), str(folder / "world.sdf"), LoadOptions(memory=Memory(1000)))
    assert prepared == ["plain.sdf"] * 2


def test_a_file_counts_with_those_in_which_its_names_were_looked_up(tmp_path, prepared):
    (tmp_path / "middle.sdf").write_text(MIDDLE)
    for blanks, times in ((0, 1), (9000, 2)):
        (tmp_path / "inner.sdf").write_text(APART + " " * blanks)
        memory = Memory(9000)  # an element counts 400
        for _ in range(2):
            load_text(write_world([("middle.sdf", "", "", False)]), str(tmp_path / "w.sdf"), LoadOptions(memory=memory))
        assert prepared.count("middle.sdf") == times
        prepared.clear()


def test_no_description_sees_what_another_one_changes(folder):
    memory, text = Memory(), write_world([OLD])
    before = tell(load_text(text, str(folder / "world.sdf")))
    for _ in range(3):
        loaded = load_text(text, str(folder / "world.sdf"), LoadOptions(memory=memory))
        assert tell(loaded) == before
        tree = loaded.root.worlds[0].models[0].element.getroottree().getroot()
        for element in [*tree.iter()]:
            element.set("name", "changed")
            element.text = "changed"
        tree.clear()


def test_threads_share_a_memory(folder):
    memory, text = Memory(), write_world([OLD, PLAIN, ("wrong.sdf", "", "", False)])
    alone = tell(load_text(text, str(folder / "world.sdf")))
    with ThreadPoolExecutor(4) as pool:
        for told in pool.map(lambda _: tell(load_text(text, str(folder / "world.sdf"), LoadOptions(memory=memory))),
                             range(60)):
            assert told == alone
