"""What is forgiven is decided by the text alone, not by libxml2; once mended, it is well-formed for expat, too."""
import xml.parsers.expat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sdf_frames.document.elements import file_of, tag_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.document.xml_scan import COLON, mend_text, read_attributes, tokenize

PIECES = ["<a>", "</a>", "<a/>", "<gz:b c='1'>", "</gz:b>", ' d="<"', "<e f='1'g=\"2\"/>", "<h xmlns:gz='u'>", "</h>",
          "x", " & ", "&y;", "&lt;",
          "&#65;", "&#0;", "]]>", "<!-- i -- j -->", "<!-- k --->", "<![CDATA[ <l> & ]]>", "<?m n?>",
          "<?xml version='1.0'?>", "\n", "é", "\x01",
          "<!DOCTYPE o>", "<!DOCTYPE p [<!ENTITY y '1'>]>", "<", ">", "'", '"', "-->", "=", ":", "<q r='&y;' r='2'/>",
          "<s\n t='1'\n/>", "/>"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map(lambda pieces: f"<a>{''.join(pieces)}</a>")


def takes(text: bytes) -> bool:
    """Whether expat, which knows no namespaces here, takes a text."""
    parser = xml.parsers.expat.ParserCreate("utf-8")
    try:
        parser.Parse(text, True)
    except xml.parsers.expat.ExpatError:
        return False
    return True


@given(TEXTS)
def test_a_text_is_read_if_it_is_well_formed_after_mending(text):
    document, _ = read_xml(text)
    assert (document is not None) == takes(mend_text(text.encode(), keep_types=False).text)


@given(TEXTS)
def test_a_text_that_another_parser_accepts_is_not_mended(text):
    if takes(text.encode()) and "<!DOCTYPE" not in text:
        assert {d.name for d in mend_text(text.encode(), keep_types=False).defects} <= {"xml-unbound-prefix"}


@given(TEXTS)
def test_mending_keeps_every_line_and_is_done_once(text):
    mended = mend_text(text.encode(), keep_types=False)
    assert mended.text.count(b"\n") == mended.bare.count(b"\n") == text.count("\n")
    again = mend_text(mended.text, keep_types=False)
    assert again.text == mended.text and {d.name for d in again.defects} <= {"xml-unbound-prefix"}


def test_tokens_follow_each_other_up_to_what_is_malformed():
    text = b"x<!-- < --><a b='>'>y<![CDATA[<]]></a><?p?><!DOCTYPE q [<!ENTITY r '>'> ]><s t=1><u/>"
    spans = list(tokenize(text))
    assert [kind for kind, _, _ in spans] == ["text", "comment", "start", "text", "section", "end", "instruction",
                                              "type"]
    assert [start for _, start, _ in spans[1:]] == [end for _, _, end in spans[:-1]]
    assert text[spans[-1][2]:] == b"<s t=1><u/>"


@pytest.mark.parametrize("bound, names", [
    ('<r xmlns:p="u"><p:a/></r>', []), ('<r><p:a xmlns:p="u" p:b="1"/></r>', []), ('<r xml:lang="en"/>', []),
    ('<r><a xmlns:p="u"/>\n<p:a/></r>', [2]), ('<r><a xmlns:p="u"><b/></a>\n<p:a/></r>', [2]),
    ('<r xmlns:p="u"><a xmlns:p="u"/><p:a/></r>', []),
    ('<r xmlns:p=""/>', [1]), ("<r xmlns:p='u'><p:a:b/></r>", [1]), ("<r>\n<:a/></r>", [2]), ("<r>\n<a:/></r>", [2]),
])
def test_prefixes_are_bound_within_an_element(bound, names):
    text = (bound + "\n&").encode()
    found = mend_text(text, keep_types=False).defects
    assert [text.count(b"\n", 0, d.offset) + 1 for d in found if d.name == "xml-unbound-prefix"] == names


def test_unbound_prefixes_stay_in_names_and_make_attributes_different():
    document, found = read_xml("<sdf gz:version='2' version='1.12' ignition:version='3'><gz:a/></sdf>")
    assert dict(document.root.attrib) == {"gz:version": "2", "version": "1.12", "ignition:version": "3"}
    assert tag_of(document.root[0]) == "gz:a" and [d.name for d in found] == ["xml-unbound-prefix"]
    assert read_xml("<sdf gz:a='1' gz:a='2'/>")[0] is None


def test_entities_of_a_document_type_mean_nothing_anywhere():
    document, found = read_xml("<!DOCTYPE a [<!ENTITY b '1'><!ATTLIST a d CDATA 'given'>]>\n<a c='&b;'>&b;</a>")
    assert dict(document.root.attrib) == {"c": "&b;"} and document.root.text == "&b;"
    assert [(d.name, d.line) for d in found] == [("xml-unknown-entity", 2)]


def test_comments_and_cdata_sections_are_not_mended():
    document, found = read_xml("<a><!-- & &b; &#0; ]]> <c d:e=1> -->\n<f>&<![CDATA[ & &b; &#0; <c d:e=1> ]]></f></a>")
    assert document.root[0].text == "& & &b; &#0; <c d:e=1> "
    assert [(d.name, d.line) for d in found] == [("xml-bare-ampersand", 2)]


def test_comments_that_are_kept_are_kept_as_written():
    text = "<!-- a -- b --><a><!----- c -----><!--d--><b:e/></a>"
    document, _ = read_xml(text + "<!-- -- -->", keep_comments=True)
    written = etree.tostring(document.root.getroottree(), encoding="unicode")
    assert "".join(written.split("\n")).replace("  ", "") == text + "<!-- -- -->"


@pytest.mark.parametrize("encoding, byte, character", [
    ("iso-8859-1", b"\xe4", "ä"), ("ISO-8859-15", b"\xa4", "€"), ("latin1", b"\xe4", "ä"),
    ("windows-1252", b"\x80", "€"), ("us-ascii", b"a", "a"), ("koi8-r", b"\xc1", "а"), ("euc-jp", b"\xbc\xea", "手"),
    ("Shift_JIS", b"\x94\x5c", "能"), ("cp932", b"\x87\x40", "①"), ("euc-kr", b"\xbc\xd5", "손"),
    ("big5", b"\xb3\x5c", "許"), ("gb2312", b"\xca\xd6", "手"), ("gbk", b"\x95\x5c", "昞"),
    ("gb18030", b"\x81\x30\x81\x30", "\x80"),
])
def test_encodings_of_bytes(encoding, byte, character):
    text = b'<?xml version="1.0" encoding="%b"?>\n<a b="%b">%b & %b</a>' % (encoding.encode(), byte, byte, byte)
    document, found = read_xml(text)
    assert (document.root.get("b"), document.root.text) == (character, f"{character} & {character}")
    assert [(d.name, d.line) for d in found] == [("xml-bare-ampersand", 2)]


@pytest.mark.parametrize("file", ["/a/100%25 %41 b%.sdf", "a b.sdf", "é%e9.sdf", "file:///c%20d.sdf", "C:\\d\\e.sdf",
                                  "-"])
def test_a_document_knows_its_file_as_it_was_named(file):
    assert file_of(read_xml("<a/>", file)[0].root) == file


@pytest.mark.parametrize("reference", ["&#9;", "&#10;", "&#13;", "&#x20;", "&#xD7FF;", "&#xE000;", "&#xFFFD;",
                                       "&#x10000;", "&#x10FFFF;"])
def test_references_to_the_characters_that_xml_has(reference):
    """Production 2 of XML 1.0: each is the first or last of a range."""
    text = f"<a b='&'>{reference}</a>".encode()
    mended = mend_text(text, keep_types=False)
    assert [d.name for d in mended.defects] == ["xml-bare-ampersand"] and reference.encode() in mended.text


def blank(text):
    """The same with a blank for every visible byte."""
    return "".join(c if c == "\n" else " " * len(c.encode()) for c in text)


TYPE, DECLARATION = "<!DOCTYPE a [\n<!ENTITY b ']>'> <!-- ]> --> <?x ]>?> ]>", "<?xml\nversion='1'?>"


@pytest.mark.parametrize("text, mended, defects", [
    # What is not of the text itself is blanked, line for line.
    (f"{TYPE}<a/>", f"{blank(TYPE)}<a/>", []), (f"<a/>{DECLARATION}", f"<a/>{blank(DECLARATION)}",
                                               [("xml-late-declaration", 4)]),
    ("<?XML?><a/>", "       <a/>", [("xml-late-declaration", 0)]), ("<?xmls?><a/>", "<?xmls?><a/>", []),
    ("<!DOCTYPE a><a/>", f"{blank('<!DOCTYPE a>')}<a/>", []), ("<!DOCTYPE a [ <a/>", blank("<!DOCTYPE a [ <a/>"), []),
    # Each kind is noted where it is first.
    ("<a>&&x;]]></a>", "<a>&amp;&amp;x;]]&gt;</a>",
     [("xml-bare-ampersand", 3), ("xml-unknown-entity", 4), ("xml-section-end-in-text", 7)]),
    ("<a>1]]>&#0;&#0;</a>", "<a>1]]&gt;&amp;#0;&amp;#0;</a>",
     [("xml-section-end-in-text", 4), ("xml-character-reference-invalid", 7)]),
    ("<a b='1<2'c=\"&\"/>", "<a b='1&lt;2' c=\"&amp;\"/>",
     [("xml-bare-less-than", 7), ("xml-attributes-unspaced", 10), ("xml-bare-ampersand", 13)]),
    ("<!--a--b---->", "<!--a  b  -->", [("xml-hyphens-in-comment", 5)]),
    ("<!--a---><!----->", "<!--a -->" + "<!-- -->", [("xml-hyphens-in-comment", 5)]),
    ("<a>\x01é\x08</a>", "<a>?é?</a>", [("xml-invalid-bytes", 3)]), ("<a>\ufffe\t\r</a>", "<a>?\t\r</a>",
                                                                [("xml-invalid-bytes", 3)]),
    ("<a>&<? b?></a>", "<a>&amp;<? b?></a>", [("xml-bare-ampersand", 3)]),  # an instruction without a name
    # Predefined, or a character.
    ("<a b='&lt;&gt;&amp;&quot;&apos;&#x41;&#65;'>&lt;&#10;</a>",) * 2 + ([],),
    # From what is malformed on, nothing is touched.
    ("<a>&<b c=1>&</b></a>", "<a>&amp;<b c=1>&</b></a>", [("xml-bare-ampersand", 3)])])
def test_what_becomes_of_a_text(text, mended, defects):
    found = mend_text(text.encode(), keep_types=False)
    assert found.text.decode() == found.bare.decode() == mended
    assert [(d.name, d.offset) for d in found.defects] == defects


def test_a_document_type_stays_in_a_file_that_is_rewritten():
    text = f"{TYPE}<a>&</a>".encode()
    assert mend_text(text, keep_types=True).text == text.replace(b"&<", b"&amp;<")


def test_names_with_prefixes_have_another_letter_in_the_bare_text():
    found = mend_text(b"<p:a q:b='c:d'xmlns:q='u'><e/>f:g</p:a>", keep_types=False)
    assert found.text == b"<p:a q:b='c:d' xmlns:q='u'><e/>f:g</p:a>"
    assert found.bare.decode() == found.text.decode().replace("p:", f"p{COLON}").replace("q:b", f"q{COLON}b").replace(
        "xmlns:", f"xmlns{COLON}")
    assert [d.name for d in found.defects] == ["xml-unbound-prefix", "xml-attributes-unspaced"]


@pytest.mark.parametrize("text, comments", [
    ("<!--a--><a><!-- b -- --></a>", ("a", " b -- ")), ("<!--a--><a><!-- b --></a>", ())])
def test_comments_are_remembered_if_one_was_mended(text, comments):
    assert mend_text(text.encode(), keep_types=True).comments == comments


@pytest.mark.parametrize("text, problem", [
    ("<r><a:b/></r>", "a on b"), ("<r><b c:d='1' e:f='2'/></r>", "c for d on b"),
    ("<r><a:b c:d='1'/></r>", "c for d on a:b"), ("<r xmlns:c='u'><a:b c:d='1'/></r>", "a on b"),
    ("<r><?a:b c?></r>", "a on b"), ("<r><a:b:c/></r>", "a on b:c")])
def test_the_first_name_whose_prefix_is_not_bound(text, problem):
    (found,) = mend_text(text.encode(), keep_types=False).defects
    assert found.problem == f"Namespace prefix {problem} is not defined"


@pytest.mark.parametrize("tag, attributes", [
    ("<a/>", {}), ("<a b='1'/>", {"b": "'1'"}),
    ("<a b='1'c = \"2\"\n d='>'>", {"b": "'1'", "c": '"2"', "d": "'>'"}),
    ("<a b='1' c>", {"b": "'1'"}), ("< a b='1'>", {}), ("<a", {})])
def test_attributes_of_a_tag_are_read_as_far_as_they_are_well_formed(tag, attributes):
    assert {a[2].decode(): a[4].decode() for a in read_attributes(f"x{tag}".encode(), 1)} == attributes
