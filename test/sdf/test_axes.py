"""``<use_parent_model_frame>`` of 1.6 as the frame that ``expressed_in`` of 1.7 names."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.old_joints import express_axes, find_xyz
from sdf_frames.sdf.scopes import Included, build_scope


def express(body, world=False):
    """``expressed_in`` of each axis that the body's joint has, the flags that are left, and the findings."""
    inner = f'<world name="w">{body}</world>' if world else f'<model name="m">{body}</model>'
    root = read_xml(f'<sdf version="1.6">\n{inner}</sdf>')[0].root
    found = express_axes(root)
    return ([xyz.get("expressed_in") for xyz in root.iter("xyz")],
            [e.text for e in root.iter("use_parent_model_frame")], found)


AXIS = "<{0}><xyz>1 0 0</xyz><use_parent_model_frame>{1}</use_parent_model_frame></{0}>"
LINKS = ('<link name="a"/><link name="b"/>'
         '<model name="n"><link name="x"/><model name="o"><link name="y"/></model></model>')


def joint(parent, child, axes=AXIS.format("axis", "true")):
    return f'<joint name="j" type="revolute"><parent>{parent}</parent><child>{child}</child>{axes}</joint>'


@pytest.mark.parametrize("parent, child, frame", [
    ("a", "b", "__model__"), ("n::x", "b", "n"), ("n::o::y", "b", "n::o"), ("b", "n::x", "__model__"),
    (" a ", "b", "__model__"),
    # The frame of the world is the child's model; without either, the model around.
    ("world", "n::x", "n"), ("world", "b", "__model__"), ("world", "world", "__model__"), ("", "", "__model__"),
    # What does not exist is where its name says.
    ("gone", "b", "__model__"), ("q::r::s", "b", "q::r"), ("n::o", "b", "n::o"), ("n", "b", "n"),
    ("n::__model__", "b", "n::__model__")])
def test_the_model_of_the_parent_link(parent, child, frame):
    assert express(LINKS + joint(parent, child)) == ([frame], [], [])


@pytest.mark.parametrize("parent, frame", [
    ("i::x", "i"), ("i::o::x", "i::o"), ("i::o::p::x", "i::o::p"), ("i", "i"), ("i::__model__", "i::__model__"),
    ("n::o::y", "n::o")])
def test_the_model_of_a_parent_link_in_a_file_that_is_not_read(parent, frame):
    include = "<include><uri>none</uri><name>i</name></include>"
    assert express(LINKS + include + joint(parent, "b")) == ([frame], [], [])


def test_joints_of_included_files_are_left_alone():
    """They are judged when the file is read, though its names are known."""
    other = read_xml(f'<model name="i">{LINKS}{joint("n::x", "b", AXIS.format("axis", "yes"))}</model>')[0].root
    include = "<include><uri>i.sdf</uri><name>i</name></include>"
    root = read_xml(f'<sdf version="1.6"><model name="m">{LINKS}{include}{joint("i::n::x", "b")}</model></sdf>')[0].root
    assert express_axes(root, lambda include, wanted: Included("i", build_scope(other))) == []
    assert root.find(".//xyz").get("expressed_in") == "i::n" and other.find(".//xyz").get("expressed_in") is None


def test_a_link_called_world_is_a_link():
    assert express(LINKS + '<model name="p"><link name="world"/>' + joint("world", "z") + "</model>") == (
        ["__model__"], [], [])


def test_each_axis_of_each_joint_says_so_for_itself():
    both = AXIS.format("axis", "false") + AXIS.format("axis2", " 1 ")
    body = LINKS + joint("n::x", "b", both) + f'<model name="q"><link name="z"/>{joint("z", "z")}</model>'
    assert express(body) == ([None, "n", "__model__"], ["false"], [])
    in_world = f'<model name="m">{LINKS}{joint("n::x", "b", both)}</model>'
    assert express(in_world, world=True) == ([None, "n"], ["false"], [])


@pytest.mark.parametrize("text, left, is_found", [
    ("true", [], False), ("True", [], False), ("TRUE", [], False), ("1", [], False), ("false", ["false"], False),
    ("fAlse", ["fAlse"], False), ("0", ["0"], False), ("", [None], False), ("yes", ["yes"], True),
    ("tRue", ["tRue"], True), ("TRue", ["TRue"], True)])
def test_values_that_are_neither_true_nor_false(text, left, is_found):
    frames, flags, found = express(LINKS + joint("n::x", "b", AXIS.format("axis", text)))
    assert (frames, flags) == ([None] if left else ["n"], left)
    assert [(d.name, d.severity, d.line, d.message, d.hint) for d in found] == [
        ("value-invalid", "warning", 2, f"invalid <use_parent_model_frame>: {text!r} is neither true nor false",
         "write true or false; it is read as false")] * is_found


def test_an_axis_without_a_direction_gets_the_default_first():
    root = read_xml("<axis>\n <use_parent_model_frame>1</use_parent_model_frame></axis>", keep_comments=True)[0].root
    xyz = find_xyz(root)
    assert (root[0] is xyz, xyz.text, xyz.tail) == (True, "0 0 1", "\n ") and find_xyz(root) is xyz
    assert express(LINKS + joint("n::x", "b", "<axis><use_parent_model_frame>1</use_parent_model_frame></axis>")) == (
        ["n"], [], [])
