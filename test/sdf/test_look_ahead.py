"""Names of included files, read ahead: each file once, and only if a name may change."""
import pytest

from sdf_frames.document.budget import DEFAULT, Budget
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text
from sdf_frames.sdf.look_ahead import LookAhead

OLD = '<sdf version="1.6"><model name="old"><link name="a"/><frame name="a"/></model></sdf>'
NEW = '<sdf version="1.12"><model name=" new "><link name="a"/></model></sdf>'


@pytest.fixture
def look(tmp_path):
    """Names of what an include of a file brings."""
    def look(text, name="part.sdf", wanted=True, budget=DEFAULT):
        if text is not None:
            (tmp_path / name).write_text(text)
        world = tmp_path / "world.sdf"
        world.write_text(f'<sdf version="1.12"><world name="w"><include><uri>{name}</uri></include></world></sdf>')
        document, _ = read_xml(world.read_bytes(), str(world))
        ahead = LookAhead(Resolver(), budget)
        (include,) = document.root.iter("include")
        found = ahead(include, wanted)
        assert ahead(include, wanted) is found  # known from the first time
        return None if found is None else (found.name, [(m.kind, m.name, m.new) for m in found.inside.members()])
    return look


def test_names_of_a_model(look):
    assert look(NEW) == ("new", [("link", "a", "a")])
    assert look(OLD, "old.sdf") == ("old", [("link", "a", "a"), ("frame", "a", "a_frame")])


def test_names_of_a_model_that_the_file_itself_includes(look):
    look(OLD, "old.sdf")
    text = '<sdf version="1.6"><include><uri>old.sdf</uri>{}</include></sdf>'
    names = [("link", "a", "a"), ("frame", "a", "a_frame")]
    assert look(text.format(""), "mid.sdf") == ("old", names)
    assert look(text.format("<name>new</name>"), "named.sdf") == ("new", names)


@pytest.mark.parametrize(("text", "read"), [
    (OLD, True), (NEW, False), (NEW.replace("</model>", "<include/></model>"), True), ("<robot name='r'/>", False),
    ("<sdf><model name='m'/></sdf>", False),
    pytest.param("<sdf " * 1_000_000, False, id="hours in square time")])
def test_without_need_only_files_are_read_whose_names_may_change(look, text, read):
    assert (look(text, wanted=False) is not None) == read


@pytest.mark.parametrize(("name", "text"), [
    ("gone.sdf", None), ("empty.sdf", ""), ("bent.sdf", "<sdf"),
    ("world2.sdf", '<sdf version="1.6"><world name="x"/></sdf>'),
    ("light.sdf", '<sdf version="1.6"><light name="x" type="point"/></sdf>')])
def test_a_file_without_a_model_brings_no_names(look, name, text):
    assert look(text, name) is None


def test_a_robot_brings_its_name_alone(look):
    assert look('<robot name="r"><link name="a"/></robot>', "r.urdf") == ("r", [])


def test_a_file_that_includes_itself_is_read_once(look):
    text = OLD.replace("</model>", "<include><uri>part.sdf</uri></include></model>")
    assert look(text)[0] == "old"


def test_looking_ahead_has_its_own_budget(tmp_path):
    (tmp_path / "part.sdf").write_text(OLD)
    world = tmp_path / "world.sdf"
    world.write_text('<sdf version="1.12"><world name="w">' + 3 * "<include><uri>part.sdf</uri></include>"
                     + "</world></sdf>")
    document, _ = read_xml(world.read_bytes(), str(world))
    ahead = LookAhead(Resolver(), Budget(includes=2))
    assert [ahead(include, True) is not None for include in document.root.iter("include")] == [True, True, False]


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one"), ("two",)])
def test_what_is_found_in_a_file_does_not_depend_on_files_before_it(tmp_path, order):
    """To settle the names of one.sdf, those of part.sdf are read, though none changes. two.sdf does not need them."""
    (tmp_path / "part.sdf").write_text(NEW)
    (tmp_path / "one.sdf").write_text(
        '<sdf version="1.6"><model name="one"><link name="new"/><include><uri>part.sdf</uri></include></model></sdf>')
    (tmp_path / "two.sdf").write_text(
        '<sdf version="1.7"><model name="two"><link name="l"/><include><name>p</name><uri>part.sdf</uri></include>'
        '<joint name="j" type="fixed"><parent>l</parent><child>p::none</child></joint></model></sdf>')
    world = '<sdf version="1.12"><world name="w">{}</world></sdf>'.format("".join(
        f"<include><uri>{name}.sdf</uri></include>" for name in order))
    found = load_text(world, str(tmp_path / "world.sdf")).diagnostics
    assert [d.name for d in found if d.file == str(tmp_path / "two.sdf")] == [
        "feature-of-later-version", "joint-child-unknown"]
