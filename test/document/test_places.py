"""Lines and columns of elements and attributes; positions are counted by hand, or by expat."""
from itertools import accumulate, repeat
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sdf_frames.diagnostics import Location, Related, diagnose
from sdf_frames.document import location
from sdf_frames.document.lines import Lines, locate_offset
from sdf_frames.document.location import find_first_lines, first_line_of, path_of, pinpoint, tag_of
from sdf_frames.document.places import (
    copy_document,
    copy_element,
    is_written,
    keep_places,
    make_root,
    place_copy,
    place_like,
    replace_element,
)
from sdf_frames.document.xml_in import file_of, line_of, locate, read_xml
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


def test_a_document_of_our_own_has_a_file_and_no_columns():
    root = make_root("sdf", "r.urdf", None, version="1.7")
    root.sourceline = 7
    assert locate(root) == ("r.urdf", 7, "/sdf", None) and file_of(etree.SubElement(root, "model")) == "r.urdf"


URDF = ("""<robot name="r"><material name="m" /><link name="a"><visual/><visual><geometry><mesh filename="a"/>"""
        """</geometry></visual><inertial><mass value="1"/></inertial></link>^<link name="b">^<inertial/></link>"""
        """^<joint name="a"/><gazebo reference="b"><sensor name="s"/>^<sensor name="t"><pose/></sensor></gazebo>"""
        """</robot>""")


def test_parts_of_a_urdf_on_one_line_are_told_apart_by_their_paths():
    text, marks = cut(URDF)
    root = read_xml(text, "r.urdf")[0].root
    model = etree.SubElement(make_root("sdf", "r.urdf", root), "model", name="r")
    for path, mark in zip(("link[b]", "link[b]/inertial", "joint[a]", "link[b]/sensor[t]/pose"), marks):
        made = model
        for step in path.split("/"):
            tag, _, name = step.rstrip("]").partition("[")
            made = etree.SubElement(made, tag, {"name": name} if name else {})
            made.sourceline = 1
        place = locate(made)
        column = (1, mark[1] + len('<sensor name="t">')) if tag == "pose" else mark
        assert (place.file, (place.line, place.column)) == ("r.urdf", column), path
        finding = diagnose("robot-without-links", Location("r.urdf", 1, place.path), robot="")
        assert [(d.line, d.column) for d in pinpoint([finding], root)] == [column]


def test_findings_on_a_urdf_point_into_it():
    """Of one line, and of tags over several: as read, as lumped, and as converted."""
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="%s"/></inertial></link>'
    text, marks = cut(
        '<robot name="r"><link name="a"><inertial><mass value="1"/>' + inertia % 1 + '<link\n name="b">'
        '^<inertial><mass value="1"/>' + inertia % 9 + '^<joint\n name="j" type="revolute"><parent link="a"/>'
        '<child link="b"/><axis xyz="0 0 1"/><limit effort="-1" velocity="1"/></joint>^<link name="c"/>'
        '<gazebo reference="a"><sensor name="s" type="camera"/><sensor name="t" type="^nose"/></gazebo>'
        '<joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint></robot>')
    found = {d.name: (d.line, d.column) for d in load_text(text, "r.urdf").diagnostics}
    assert found == {"inertia-invalid": marks[0], "joint-value-negative": marks[1], "massless-link-dropped": marks[2],
                     "attribute-invalid": marks[3]}


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


@pytest.mark.parametrize("path, wanted", [
    ('/robot/link[@name="b"]/visual', "b"),  # more steps than any other
    ('/sdf/model[@name="r"]/link[@name="b"]/visual', "b"),
    ('/sdf/link[@name="b"]/visual[@name="v"]', "b"),
    ('/robot[@name="r"]/visual', "a"),  # all have as many: the first
    ('/sdf/model/visual', "a"),  # a step at the end that all have
    ('/sdf/model/visual/geometry[@name="x"]', "a"),  # none
    ('/robot/joint[@name="c"]/visual', "c")])
def test_of_several_elements_on_a_line_the_most_alike_is_meant(path, wanted):
    root = read_xml("<robot name='r'><link name='a'><visual/></link><link name='b'><visual/></link>"
                    "<joint name='c'><visual/></joint></robot>", "r.urdf")[0].root
    assert location.find_written(root, 1, path).getparent().get("name") == wanted


def test_of_elements_with_as_many_steps_of_a_path_that_with_its_end_is_meant():
    root = read_xml("<robot name='r'><link name='a'><group><visual/></group><visual id='direct'/></link>"
                    "<link name='b'><visual/></link></robot>", "r.urdf")[0].root
    assert location.find_written(root, 1, '/robot/link[@name="a"]/visual').get("id") == "direct"
    assert location.find_written(root, 1, '/sdf/link[@name="a"]/group/visual').get("id") is None
    # Steps that hundreds have do not count, but for the end of the path: here two of them.
    root = read_xml("<robot name='r'><link><visual/></link>" + 600 * "<gazebo><visual/></gazebo>" + "</robot>",
                    "r.urdf")[0].root
    assert location.find_written(root, 1, "/sdf/gazebo/visual").getparent().getprevious().tag == "link"
    named = "<link><visual name='v'/>" + 600 * "<visual/>"
    root = read_xml(f"<robot name='r'>{named}</link></robot>", "r.urdf")[0].root
    assert location.find_written(root, 1, "/sdf/model/visual").getprevious().get("name") == "v"


def test_the_name_of_an_element_counts_more_than_what_is_around_it():
    root = read_xml("<robot name='r'><link name='a'><group name='g'><visual name='w'/></group></link>"
                    "<link name='b'><visual name='v'/></link></robot>", "r.urdf")[0].root
    for name in "vw":
        path = f'/robot[@name="r"]/link[@name="a"]/group[@name="g"]/visual[@name="{name}"]'
        assert location.find_written(root, 1, path).get("name") == name


@pytest.mark.parametrize("text, paths", [
    ("<link name='l{}'/>", '/robot[@name="r"]/link[@name="l{}"]'),
    ("<link name='l{}'><visual/></link>", '/sdf/model[@name="r"]/link[@name="l{}"]/visual'),
    ("<gazebo reference='l{}'><a/></gazebo>", '/sdf/model[@name="r"]/a[{}]')])
def test_of_hundreds_of_elements_on_one_line_each_is_looked_at_once(monkeypatch, text, paths):
    """6,000 gazebo blocks on one line made every finding look at the paths of 500 of them: 18 s."""
    looked_at = []
    monkeypatch.setattr(location, "path_of", lambda element, real=location.path_of: (
        looked_at.append(element), real(element))[1])
    root = read_xml("<robot name='r'>" + "".join(text.format(i) for i in range(600)) + "</robot>", "r.urdf")[0].root
    found = [location.find_written(root, 1, paths.format(i)) for i in range(600)]
    if "link[" in paths:
        names = [element.get("name") or element.getparent().get("name") for element in found]
        assert names == [f"l{i}" for i in range(600)]
    assert len(looked_at) <= 600


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


@pytest.mark.parametrize("text, found", [
    ("<a/>", {}), ("<a\n/>", {("a", 2): 1}), ("\n<a\n/>", {("a", 3): 2}),
    ("<a>\n<b\n\n c='1'><d\n/></b>\n<e/>\n<b\n/></a>", {("b", 4): 2, ("d", 5): 4, ("b", 8): 7}),
    ("<!-- <x\n/> --><a><![CDATA[<y\n/>]]><?z\n?></a\n>", {}), ("<p:a xmlns:p='u'\n/>", {("p:a", 2): 1}),
    ("<a\n b='>'\n c=\"'>\"><ä\nd=''/></a>", {("a", 3): 1, ("ä", 4): 3})])
def test_start_tags_on_several_lines(text, found):
    root = read_xml(text)[0].root
    assert find_first_lines(root) == found
    assert {(tag_of(e), e.sourceline): first_line_of(e) for e in root.iter(etree.Element)
            if first_line_of(e) != e.sourceline} == found


def test_start_tags_on_several_lines_of_a_mended_text():
    assert find_first_lines(read_xml("<!-- -- <b\n/> --><a\n>&</a>")[0].root) == {("a", 3): 2}


def test_lines_of_what_is_made_are_not_looked_for():
    assert find_first_lines(etree.fromstring("<a\n/>")) == {}
    made = make_root("sdf", "r.urdf", None)
    made.sourceline = 7
    assert find_first_lines(made) == {} and first_line_of(made) == 7


RELATED = """<robot name="r"><link name="a"/><link name="b"/>
<link name="c"/><link name="d"/></robot>"""


B, D = '/robot[@name="r"]/link[@name="b"]', '/robot[@name="r"]/link[@name="d"]'


@pytest.mark.parametrize("place, pinned", [
    (Location("r.urdf", 1, B), Location("r.urdf", 1, B, 33)),
    # What a document of our own says of an element of the file.
    (Location("r.urdf", 1, '/sdf/model[@name="r"]/link[@name="b"]'), Location("r.urdf", 1, B, 33)),
    # It is known already, or cannot be found.
    *[(place, place) for place in (
        Location("r.urdf", 1, B, 5), Location("other", 1, B), Location("r.urdf", None, B), Location("r.urdf", 1),
        Location("r.urdf", 9, B))]])
def test_findings_are_pinpointed_by_their_line_and_path(place, pinned):
    root = read_xml(RELATED, "r.urdf")[0].root
    (found,) = pinpoint([diagnose("robot-without-links", place, robot="")], root)
    assert (found.file, found.line, found.path, found.column) == pinned
    assert pinpoint([found], None) == (found,)


def test_places_that_take_part_are_pinpointed_too():
    root = read_xml(RELATED, "r.urdf")[0].root
    kept = (Related("other", 2, D, "x"), Related("known", 2, D, None, 7), Related("no line", None, D),
            Related("no path", 2), Related("gone", 9, D))
    found = diagnose("robot-without-links", Location("r.urdf", 1, B), robot="",
                     related=[Related("own", 2, D), Related("named", 2, D, "r.urdf"), *kept])
    (found,) = pinpoint([found], root)
    assert found.related == (Related("own", 2, D, "r.urdf", 17), Related("named", 2, D, "r.urdf", 17), *kept)


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
    made = make_root("sdf", "r.urdf", None)
    child = etree.SubElement(made, "model", name="m")
    assert locate(child) == ("r.urdf", None, '/sdf/model[@name="m"]', None)
    child.sourceline = 5
    link = etree.SubElement(child, "link")
    assert locate(link) == ("r.urdf", 5, '/sdf/model[@name="m"]/link', None)
    assert locate(etree.fromstring("<sdf><a/></sdf>")[0]) == (None, 1, "/sdf/a", None)


def test_only_a_text_tells_what_is_written():
    root = read_xml("<a><b/></a>")[0].root
    keep_places(root)
    made = etree.SubElement(root, "c")
    assert [is_written(e) for e in (root, root[0], made)] == [True, True, False]
    place_like(made, root[0])
    assert is_written(made)
    assert is_written(etree.fromstring("<a/>")) and is_written(make_root("sdf", "r.urdf", None))
