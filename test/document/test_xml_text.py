"""What stands before and around the XML of a text: how it is found, and that every character keeps its place."""
import pytest
from lxml import etree

from sdf_frames.document.elements import locate
from sdf_frames.document.xml_in import read_xml
from sdf_frames.document.xml_text import find_encoding, wide_encoding


def judge(text):
    """Rule and place of each finding on a text without its marks ``^``, in UTF-8, and the places of the marks."""
    marks = [(number, len("".join(line.split("^")[:i + 1])) + 1)
             for number, line in enumerate(text.split("\n"), 1) for i in range(line.count("^"))]
    document, found = read_xml(text.replace("^", "").encode("utf-8", "surrogateescape"), "f.sdf")
    return document, [(d.name, (d.line, d.column)) for d in found], marks


@pytest.mark.parametrize("text, rule, inside", [
    ("<sdf>\n ä^\udcff\udcfe</sdf>", "xml-invalid-bytes", "\n ä��"),
    ("<sdf>ä <!-- c -->^ b</sdf>", "xml-text-behind-comment", "ä   "),
    ("<sdf>ä <!-- c -->^ b<!-- d --> e</sdf>", "xml-text-behind-comment", "ä     "),
    ("<sdf>\n ä^<?foo?></sdf>", "xml-processing-instruction", "\n ä"),
    ("<sdf>ä <b/>ö^&</sdf>", "xml-bare-ampersand", "ä "), ("<sdf>ä^&x;</sdf>", "xml-unknown-entity", "ä&x;"),
    ("<sdf>ä<!--ö ^-- --></sdf>", "xml-hyphens-in-comment", "ä"), ("<sdf a='ä^<'/>", "xml-bare-less-than", None),
    ("<sdf a='ä'^b='1'/>", "xml-attributes-unspaced", None), ("<sdf>ä ^]]></sdf>", "xml-section-end-in-text", "ä ]]>"),
    ("<sdf>^]]>ä]]></sdf>", "xml-section-end-in-text", "]]>ä]]>"), ("<sdf a='^<ä<'/>", "xml-bare-less-than", None),
    ("<sdf>ä^&#0;</sdf>", "xml-character-reference-invalid", "ä&#0;"),
    ("<!-- ä -->^<?xml version='1.0'?><sdf/>", "xml-late-declaration", None),
    ("<sdf>ä<b/>^<a:b/></sdf>", "xml-unbound-prefix", "ä")])
def test_defects_that_are_mended_have_a_column(text, rule, inside):
    document, found, marks = judge(text)
    assert found == [(rule, *marks)] and document.root.text == inside


@pytest.mark.parametrize("text, rule", [
    ("^words <sdf/>", "xml-leading-text"), ("\ufeff ^words\n<sdf/>", "xml-leading-text"),
    ("\n ^ä words <sdf/>", "xml-leading-text"), ("^<?xml VERSION='1.0'?><sdf/>", "xml-declaration-malformed"),
    (" ^<?xml version='1.0' encoding='iso-2022-jp'?><sdf/>", "xml-declaration-malformed"),
    ("^<?xml version='1.0' encoding='iso-8859-99'?><sdf/>", "xml-declaration-malformed"),
    ("\n^<?xml version='1.0' encoding='utf-16'?><sdf/>", "xml-declaration-malformed")])
def test_defects_before_the_first_tag_have_a_column(text, rule):
    document, found, ((line, column),) = judge(text)
    assert found == [(rule, (line, column - text.startswith("\ufeff")))] and document.root.tag == "sdf"
    place, text = locate(document.root), text.replace("^", "")
    before = text.removeprefix("\ufeff")
    before = before[:before.index("<sdf")]
    assert (place.line, place.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


@pytest.mark.parametrize("declaration", [
    "<?xml version='1.0'?>", '<?xml version="1.1" ?>', "<?xml\nversion = '1.0'\tencoding='UTF8'?>",
    "<?xml version='1.0' standalone='yes'?>",
    "<?xml version='1.0' encoding='utf-8' standalone='no'?>", "<?xml version='1.0' encoding='US-ASCII'?>",
    "<?xml version='1.0' encoding='latin-1'?>", "<?xml version='1.0' encoding='ISO8859-15'?>",
    "  <?xml version='1.0'?>",
    "\ufeff<?xml version='1.0'?>", "<?xmls version='2'?>"])
def test_declarations_that_are_no_finding(declaration):
    document, found, _ = judge(f"{declaration}\n<sdf/>")
    assert found == [] and locate(document.root).line == declaration.count("\n") + 2


@pytest.mark.parametrize("declaration", [
    "<?xml version='2.0'?>", "<?xml version='1.0\"?>", "<?xml version='1.0' encoding='utf-8\"?>", "<?xml?>",
    "<?xml version='1.0' standalone='maybe'?>", "<?xml encoding='utf-8'?>", "<?xml version='1.0'encoding='utf-8'?>"])
def test_declarations_that_are_malformed(declaration):
    document, (found,) = read_xml(f"{declaration}\n<sdf>ä</sdf>", "f.sdf")
    assert (found.name, found.line, document.root.text) == ("xml-declaration-malformed", 1, "ä")
    assert declaration in found.message


@pytest.mark.parametrize("encoding", ["utf-7", "foo", "cp1251", "utf-16"])
def test_a_declaration_of_an_unsupported_encoding_says_so_and_what_to_write(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><sdf/>'
    _, (found,) = read_xml(text.encode(), "f.sdf")
    assert "unsupported encoding" in found.message and "UTF-8" in found.hint
    assert read_xml(text.replace(f' encoding="{encoding}"', "").encode())[1] == ()


@pytest.mark.parametrize("text, encoding", [
    (b"<a/>", "utf-8"), (b"", "utf-8"), (b"\xef\xbb\xbf<a/>", "utf-8"),
    (b"<?xml version='1.0' encoding='latin1'?>", "latin1"),
    (b"\xef\xbb\xbf<?xml version='1.0' encoding='ascii'?>", "ascii"),
    (b"\n <?xml version='1.0' encoding='latin1'?>", "latin1"), (b"x<?xml version='1.0' encoding='latin1'?>", "utf-8"),
    (b"<?xml version='1.0' encoding='utf-16'?>", "utf-8"), (b"<?xml version='1.0'", "utf-8"),
    *[("\ufeff<a/>".encode(name), name) for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")]])
def test_the_encoding_of_a_file(text, encoding):
    assert find_encoding(text) == encoding
    assert (wide_encoding(text) or "") == (encoding[:6] if encoding.startswith(("utf-16", "utf-32")) else "")


@pytest.mark.parametrize("length, read", [(900, "é"), (1100, "�")])
def test_a_declaration_is_looked_for_in_the_first_thousand_bytes(length, read):
    text = f"<?xml version='1.0' encoding='latin1'{' ' * length}?><sdf>é</sdf>"
    assert read_xml(text.encode("latin1"))[0].root.text == read


@pytest.mark.parametrize("end", ["\0", "\0\0\0", "\0\r\n\0 \t"])
@pytest.mark.parametrize("encoded", [str.encode, str])
def test_nul_bytes_behind_a_document_are_no_error(end, encoded):
    """Programs in C write the one that ends a string; libsdformat and urdfdom stop reading there."""
    document, found = read_xml(encoded("<sdf>ä\n</sdf>\n" + end), "f.sdf")
    assert document.root.text == "ä\n"
    assert [(d.name, d.severity, d.line, d.column) for d in found] == [("xml-trailing-nul", "warning", 3, 1)]
    document, found = read_xml(encoded("<sdf>" + end))
    assert document is None and found[-1].name == "xml-malformed"


@pytest.mark.parametrize("text, place, problem", [
    (b"a\0b", (1, 2), "it contains a NUL byte, so it is not text, or its encoding is unknown"),
    ("<sdf>ä\n ö\0</sdf>".encode(), (2, 3), "it contains a NUL byte, so it is not text, or its encoding is unknown"),
    (b"", (1, None), "Document is empty"),
    (b"<sdf>\n <a>\n</sdf>", (2, 2), "<a> is not closed before </sdf>"),
    (b"<a:sdf><b></a:sdf>", (1, 8), "<b> is not closed before </a:sdf>"),
    (b"<sdf>\n<a/>\n<!-- </sdf> -->", (1, 1), "<sdf> is not closed"),
    (b"<sdf>\n<a></b></sdf>", (2, 4), "</b> does not match the open element <a>")])
def test_errors_of_malformed_xml_have_a_place(text, place, problem):
    document, found = read_xml(text, "f.sdf")
    assert document is None
    assert (found[-1].name, (found[-1].line, found[-1].column)) == ("xml-malformed", place)
    assert found[-1].message.startswith(f"not well-formed XML: {problem}")
    assert ("'sdf_frames inertia' also reads meshes" in found[-1].hint) is (b"\0" in text)


@pytest.mark.parametrize("text", [b"", b" \n"])
def test_of_an_empty_file_no_line_is_to_be_corrected(text):
    _, (found,) = read_xml(text, "f.sdf")
    assert found.hint == "give the text of a URDF or SDFormat file"


def test_an_element_that_is_not_closed_is_reported_where_it_begins():
    _, (found,) = read_xml('<robot name="r">\n<link name="a">\n<visual/>\n<link name="b"/>\n</robot>', "f.urdf")
    assert (found.line, found.column, [(r.message, r.line) for r in found.related]) == (2, 1, [("</robot>", 5)])
    assert found.hint == "write </link> where the element ends, or correct the name in </robot>"
    _, (found,) = read_xml("<sdf>\n<link>\n</lnk></sdf>", "f.sdf")
    assert (found.line, [(r.message, r.line) for r in found.related]) == (3, [("<link>", 2)])
    assert found.hint == "remove </lnk>, or write </link> in its place"


@pytest.mark.parametrize("text, words", [
    ("v 0 0 0\nf 1 2 3\n", "name a URDF"), ("import os\nif 1 < 2:\n    print('<a>')\n", "name a URDF"),
    ("def f():\n    return '<robot name=\"x\">'\n", "this file only quotes"),
    ('XML = """\n<robot name="x"><link name="a"/></robot>\n"""\n', "this file only quotes"),
    ('# Page\n```xml\n<robot name="x"><link name="a"/></robot>\n```\n', "this file only quotes"),
    ("<!DOCTYPE html>\n<html><head><meta></head></html>", "this is a web page"),
    ("\ufeff<HTML><br></HTML>", "this is a web page")])
def test_of_a_file_that_is_no_description_it_is_said_what_to_name(text, words):
    _, (found,) = read_xml(text, "f")
    assert (found.name, found.hint.startswith(words)) == ("xml-malformed", True)


@pytest.mark.parametrize("text", ["note\n<sdf version='1.9'><model></sdf>", "<a>&</a", "<robot"])
def test_of_a_description_with_a_defect_no_other_file_is_to_be_named(text):
    _, found = read_xml(text, "f")
    assert found[-1].name == "xml-malformed" and "name a" not in found[-1].hint


def test_a_quotation_mark_that_is_missing_is_reported_where_the_next_tag_begins():
    _, found = read_xml('<sdf>\n<a b="1/>\n ä <c d="2"/></sdf>')
    assert [(d.name, d.line, d.message) for d in found] == [
        ("xml-malformed", 3, "not well-formed XML: Unescaped '<' not allowed in attributes values")]


@pytest.mark.parametrize("text", [
    "<a>1 <!-- x --><b/>2</a>", "<a><!-- x -->1</a>", "<a>1<!-- x --></a>", "<a> <b/> <!-- x --> 1</a>",
    "<a>1<b/><!-- x -->2</a>"])
def test_texts_that_no_comment_splits(text):
    document, found = read_xml(text)
    assert found == () and etree.tostring(document.root) == etree.tostring(etree.fromstring(
        text, etree.XMLParser(remove_comments=True, remove_blank_text=True)))


def test_text_behind_a_comment_is_kept_if_the_file_is_rewritten():
    document, found = read_xml("<a>1<!-- x -->2</a>", keep_comments=True)
    assert found == () and etree.tostring(document.root) == b"<a>1<!-- x -->2</a>"


def test_a_declaration_of_bytes_that_are_no_utf_8_is_quoted_all_the_same():
    _, (found,) = read_xml(b"<?xml version='1.0' by='\xe4'?><sdf/>")
    assert "by='�'" in found.message


def test_half_a_surrogate_in_a_string_is_no_character():
    document, (found,) = read_xml("<sdf>ä\ud800</sdf>")
    assert (found.name, found.line, found.column) == ("xml-invalid-bytes", 1, 7)
    assert document.root.text.startswith("ä�")


@pytest.mark.parametrize("text, line", [
    ('<robot name="r">\n<link name="a"/>\n<link name="b"\n\n<joint name="j">\n</joint></robot>', 3),
    ('<robot name="r">\n<link name="a"/\n<link name="b"/>\n</robot>', 2), ('<robot name="r"\n</robot>', 1)])
def test_a_tag_without_its_end_is_named(text, line):
    document, found = read_xml(text)
    assert document is None and [(d.name, d.line, d.hint) for d in found] == [
        ("xml-malformed", line, "write > or /> in front of the next tag")]
