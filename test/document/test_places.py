"""Lines and columns of elements and attributes; positions are counted by hand, or by expat."""
from itertools import accumulate, repeat
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sdf_frames.document.elements import file_of, line_of, locate, path_of
from sdf_frames.document.places import (
    Starts,
    copy_document,
    copy_element,
    copy_made,
    keep_places,
    make_root,
    place_copy,
    place_like,
    replace_element,
)
from sdf_frames.document.xml_in import read_xml
from sdf_frames.document.xml_text import Lines, locate_offset
from sdf_frames.load import load_file, load_text


def places(text, file=None):
    """Tag, line and column of each element."""
    document, _ = read_xml(text, file)
    return [(e.tag, *at(e)) for e in document.root.iter(etree.Element)]


def at(element, attribute=None):
    place = locate(element, attribute)
    return place.line, place.column


@pytest.mark.parametrize("text, expected", [
    ("<a><b/><b/></a>", [("a", 1, 1), ("b", 1, 4), ("b", 1, 8)]),
    ('<a\n  x="1"\n><b\ny="2"/></a>', [("a", 1, 1), ("b", 3, 2)]),
    ("<a>\n\t<b/>\r\n <c/></a>", [("a", 1, 1), ("b", 2, 2), ("c", 3, 2)]),
    ("<a>äöü機𝄞<b/></a>", [("a", 1, 1), ("b", 1, 9)]),
    ('<?xml version="1.0"?><a><b/></a>', [("a", 1, 22), ("b", 1, 25)]),
    ('<?xml\nversion="1.0"?>  <a/>', [("a", 2, 18)]),
    ("\ufeff<a><b/></a>", [("a", 1, 1), ("b", 1, 4)]),
    ("a word <a/>", [("a", 1, 8)]),
    ("ä\nöü <a/>", [("a", 2, 4)]),
    ("<!-- <x> --><a><!-- <b> --><![CDATA[<c>]]><b/><?x <d>?></a>", [("a", 1, 13), ("b", 1, 43)]),
    ('<!DOCTYPE a [<!ENTITY e "<x>">]><a><b/></a>', [("a", 1, 33), ("b", 1, 36)]),
    ('<a b="<x>"><c/></a>', [("a", 1, 1), ("c", 1, 12)]),
    ('<a>&nbsp; & <b/></a>', [("a", 1, 1), ("b", 1, 13)]),
    ("<a>1<!-- c -->äö<b/></a>", [("a", 1, 1), ("b", 1, 17)]),
])
def test_a_start_tag_is_where_its_bracket_is(text, expected):
    assert places(text) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_columns_count_characters_whatever_the_encoding(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><r n="äöü"><a/></r>'
    start = len(text) - len('<r n="äöü"><a/></r>')
    assert places(text.encode(encoding)) == [("r", 1, start + 1), ("a", 1, start + 12)]


def test_more_lines_than_libxml2_can_count():
    text = "<r>" + "\n" * 70_000 + '<a/>\n  <b\nx="1"/>\n<c/></r>'
    assert places(text) == [("r", 1, 1), ("a", 70_001, 1), ("b", 70_002, 3), ("c", 70_004, 1)]


def test_one_line_of_many_characters_costs_no_more_than_many_lines():
    text = "<r>" + "ä<a/>" * 50_000 + "</r>"
    document, _ = read_xml(text)
    assert [at(e) for e in document.root] == list(zip(repeat(1), accumulate(repeat(5, 49_999), initial=5)))


@pytest.mark.parametrize("tag, attribute, expected", [
    ('<a b="1" cd=\'2\'/>', "cd", (1, 14)), ('<a b="1"\n  cd = "2"/>', "cd", (2, 9)), ('<a b="" cd="2"/>', "b", (1, 7)),
    ('<a cd="b" b="1"/>', "b", (1, 14)), ('<a x:cd="1" cd="2"/>', "cd", (1, 17)), ('<a c="ä" b="1"/>', "b", (1, 13)),
    ('<a b=">"c="1"/>', "c", (1, 12)), ('<a b="1"/>', "c", (1, 1)), ("<a/>", "c", (1, 1))])
def test_an_attribute_is_where_its_value_is(tag, attribute, expected):
    document, _ = read_xml(tag)
    assert at(document.root, attribute) == expected


names = st.sampled_from(["a", "bc", "ä", "d-e"])
blanks = st.text(" \t\n", max_size=3)
values = st.text("x<>'ü&;\n", max_size=4).map(lambda v: v.replace("&", "&amp;").replace("<", "&lt;"))
attributes = st.lists(st.tuples(names, values), max_size=3, unique_by=lambda pair: pair[0])
between = st.sampled_from(["", "text\n ü", "<!-- <a>\n> -->", "<![CDATA[<a>]]>", "<?p <a\n>?>"])


@st.composite
def elements(draw, depth=3):
    tag, inside = draw(names), ""
    written = "".join(f' {draw(blanks)}{n}{draw(blanks)}={draw(blanks)}"{v}"' for n, v in draw(attributes))
    written += draw(blanks)
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        inside += draw(between) + draw(elements(depth - 1)) + draw(between)
    return f"<{tag}{written}>{inside}</{tag}>" if inside or draw(st.booleans()) else f"<{tag}{written}/>"


@given(elements())
def test_places_are_those_of_expat(text):
    expected = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: expected.append(
        (tag, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
    parser.Parse(text, True)
    assert places(text) == expected


def test_elements_keep_their_places_when_they_move():
    a, _ = read_xml("<a>\n<b><c/></b>\n<d/></a>", "a.xml")
    keep_places(a.root)
    b, d = a.root
    d.append(b)
    made = etree.SubElement(b, "made")
    assert [at(e) for e in (b, b[0], d, made)] == [(2, 1), (2, 4), (3, 1), (2, 1)]
    place_like(made, d)
    assert at(made) == (3, 1)


def test_elements_of_other_documents_keep_their_files():
    a, _ = read_xml("<a>\n<include/></a>", "a.xml")
    b, _ = read_xml("<b> <c><d/></c></b>", "b.xml")
    replace_element(a.root[0], b.root[0])
    copy = copy_element(a.root[0])
    assert file_of(copy) is None
    a.root.append(copy)
    place_copy(copy, a.root[0])
    for c in a.root:
        assert (file_of(c), at(c), file_of(c[0]), at(c[0])) == ("b.xml", (1, 5), "b.xml", (1, 8))
    assert (file_of(a.root), at(a.root)) == ("a.xml", (1, 1))


def test_what_was_made_of_an_element_is_located_there():
    """Also of its attribute, in what is around it, in a copy, and where it is brought into another document."""
    text, marks = cut('<robot name="r">^<link name="a"/>^<link\n name="b"><mesh filename="^m"/></link>'
                      '<gazebo>^<sensor name="^s">^<pose/></sensor></gazebo></robot>')
    urdf = read_xml(text, "r.urdf")[0].root
    starts: Starts = {}
    root = make_root("sdf", "r.urdf", starts)
    starts[root], model = urdf, etree.SubElement(root, "model")
    link, other = etree.SubElement(model, "link"), etree.SubElement(model, "link")
    uri = etree.SubElement(other, "uri")
    starts.update({link: urdf[0], other: urdf[1], uri: (urdf[1][0], "filename")})
    sensor = copy_made(urdf[2][0], starts)
    assert file_of(sensor) is None  # until it stands in a document
    model.append(sensor)
    etree.SubElement(link, "pose")

    def look(model):
        made = [*model, model[0][0], model[1][0], model[2][0]]
        assert {file_of(e) for e in made} == {"r.urdf"} and at(model[2], "name") == marks[4]
        assert locate(model[1]).path == '/robot[@name="r"]/link[@name="b"]'
        return [at(e) for e in made]

    wanted = [*marks[:2], marks[3], marks[0], marks[2], marks[5]]
    copy, world = copy_document(root)[0], read_xml("<sdf>\n<include/></sdf>", "w.sdf")[0].root
    assert look(model) == look(copy) == wanted and at(root) == at(model) == (1, 1)
    replace_element(world[0], copy)
    assert look(world[0]) == wanted


def cut(text):
    """A text without its marks ``^``, and the line and column of each."""
    marks = []
    for number, line in enumerate(text.split("\n"), 1):
        marks += [(number, len("".join(line.split("^")[:i + 1])) + 1) for i in range(line.count("^"))]
    return text.replace("^", ""), marks


@pytest.mark.parametrize("text, names", [
    # Attributes have other names by then.
    ('<sdf version="1.6"><model name="m"><link name="l"/>\n<link name="k"><pose\n frame="^nope"/></link>'
     '<joint name="j" type="fixed"><parent>l</parent>^<child>what</child></joint></model></sdf>',
     {"pose-relative-to-unknown": 1, "joint-child-unknown": 1}),
    # Links are in another order, and nested.
    ('<sdf version="1.7"><model name="m"><link name="l"/><frame name="n::__model__" attached_to="n::k"/>\n'
     '<link name="n::k"/><frame name="n::f" attached_to="^n::x"/>\n</model></sdf>', {"frame-attached-to-unknown": 1}),
])
def test_an_upgraded_document_is_located_as_it_was_written(text, names):
    text, marks = cut(text)
    found = load_text(text).diagnostics
    assert sorted((d.line, d.column) for d in found) == sorted(marks)
    assert {d.name: sum(e.name == d.name for e in found) for d in found} == names


def test_changes_by_an_include_are_located_in_the_including_file(tmp_path):
    (tmp_path / "part.sdf").write_text('<sdf version="1.12"><model name="p"><link name="l"/>\n<link name="k"/></model>'
                                       '</sdf>')
    text, marks = cut(
        '<sdf version="1.12"><world name="w">\n'
        '  <include><uri>part.sdf</uri><pose relative_to="^nope">0 0 0 0 0 0</pose></include>\n'
        '  <include><uri>part.sdf</uri><name>q</name>^<experimental:params><link element_id="" action="add" name="k2">'
        '^<pose relative_to="^ä">x</pose></link><link element_id="k" action="modify">^<pose relative_to="b"/></link>'
        '</experimental:params></include>\n'
        '</world></sdf>')
    main, part = tmp_path / "main.sdf", str(tmp_path / "part.sdf")
    main.write_text(text)
    loaded = load_file(main)
    assert all(d.file == str(main) for d in loaded.diagnostics)
    names = ("pose-relative-to-unknown", "xml-unbound-prefix", "value-invalid", "pose-relative-to-unknown",
             "params-element-unknown")
    assert sorted((d.line, d.column, d.name) for d in loaded.diagnostics) == [
        (*mark, name) for mark, name in zip(marks, names)]
    assert file_of(loaded.root.worlds[0].models[1].links[1].element) == part


def test_findings_on_a_text_that_is_mended_have_columns():
    text, marks = cut('<sdf version="1.12" a="^<"^b="1">\nä ^& ^<x:y/> ^&nbsp; <!--^--- --></sdf>')
    assert [(d.line, d.column) for d in read_xml(text)[1]] == marks


@pytest.mark.parametrize("count", [2, 31, 32, 33, 60])
def test_siblings_that_are_added_are_counted_too(count):
    """The numbers of very many siblings are kept."""
    root = read_xml(f"<a>{'<b/>' * count}<c/></a>")[0].root
    parents = [root, *(etree.SubElement(root, "d") for _ in range(12))]
    for parent in parents[1:]:
        parent.extend([etree.Element("b") for _ in range(count)])
    for number, parent in [*enumerate(parents), *enumerate(parents)]:
        above = f"/a/d[{number}]" if number else "/a"
        assert path_of(parent.findall("b")[-1]) == f"{above}/b[{len(parent.findall('b'))}]"
        made = etree.SubElement(parent, "b")
        assert path_of(made) == f"{above}/b[{len(parent.findall('b'))}]"
    assert path_of(root.find("c")) == "/a/c"


@pytest.mark.parametrize("text", [
    "", "a", "a\n", "\n\nab\n", "aä\r\nö𝄞b\n\tc", "ab\n" * 1500, "ä\n" * 2100, "𝄞ä" * 1100 + "\n" + "é" * 9000 + "\nx"])
def test_every_character_has_its_line_and_column(text):
    lines, offset, line, column = Lines(text.encode()), 0, 1, 1
    for character in text:
        assert lines.place(offset) == (line, column)
        offset += len(character.encode())
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    assert lines.place(offset) == (line, column)
    assert locate_offset("f.sdf", text.encode(), offset) == ("f.sdf", line, None, column)


def test_an_attribute_that_had_another_name_is_found_by_its_value():
    """Of those with the value, the first; an empty value tells nothing."""
    root = read_xml('<a x="1" y=" 2 " z="2" e=""/>')[0].root
    for value, column in (("2", 13), ("3", 1), ("", 1)):
        root.set("new", value)
        assert at(root, "new") == (1, column)


@pytest.mark.parametrize("text", [
    "<r xmlns:p='u'\n a='1'><p:a b='2' p:c='3'/>text<b/>\n<d><b/></d></r>",
    "<!-- a -- b\n <c> --><r a='1'>\n<a/><b/><d p:a='2'/></r>"])  # two defects, which are mended
@pytest.mark.parametrize("changed", [False, True])
def test_a_copy_of_a_document_is_written_where_the_document_is(text, changed):
    def read():
        root = read_xml(text, "r.xml")[0].root
        if changed:
            keep_places(root)
            root.remove(root[0])
            root.append(root.makeelement("made"))
        return root
    root, copy = read(), copy_document(read())
    assert etree.tostring(copy) == etree.tostring(root) and file_of(copy) == "r.xml"
    keep_places(copy)
    copy.remove(copy[0])
    found = [(locate(e), locate(e, "a"), line_of(e)) for e in copy.iter()]
    assert found == [(locate(e), locate(e, "a"), line_of(e)) for e in root.iter() if e is not root[0]]


def test_what_was_made_of_nothing_has_a_file_at_most():
    made = make_root("sdf", "r.urdf")
    child = etree.SubElement(made, "model", name="m")
    assert locate(child) == ("r.urdf", None, '/sdf/model[@name="m"]', None) and file_of(child) == "r.urdf"
    assert locate(etree.fromstring("<sdf><a/></sdf>")[0]) == (None, 1, "/sdf/a", None)
    assert locate(None) == (None, None, None, None) and line_of(None) is None


def test_gazebo_elements_are_named_and_counted_by_their_reference():
    root = read_xml('<robot><gazebo/><gazebo reference="a"/><gazebo reference="b"/><gazebo reference="a"/><gazebo/>'
                    "</robot>")[0].root
    assert [path_of(e).removeprefix("/robot/gazebo") for e in root] == [
        "[1]", '[@reference="a"][1]', '[@reference="b"]', '[@reference="a"][2]', "[5]"]
