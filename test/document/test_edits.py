"""Changes of a tree as edits of its text: what changes, and that every other character stays."""
import tracemalloc

import pytest
from lxml import etree

from sdf_frames.diagnostics import Edit
from sdf_frames.document import edits
from sdf_frames.document.edits import (
    Watch,
    append_element,
    append_sibling,
    append_text,
    apply_edits,
    apply_to_text,
    edit_attributes,
    edit_out,
    edit_tag,
    insert_elements,
    read_written,
)
from sdf_frames.document.elements import locate
from sdf_frames.document.places import replace_element
from sdf_frames.document.xml_in import read_xml


def change(text, make, encoding="utf-8"):
    """The text after `make` has changed its tree, and the changes."""
    content = text.encode(encoding)
    root = read_xml(content, "f.sdf", keep_comments=True)[0].root
    watch = Watch(root)
    make(root)
    changes = watch.find_changes()
    return apply_edits(content, [c.edit for c in changes]).decode(encoding), changes


TEXT = """<?xml version="1.0"?>
<!-- ä > --><sdf  a = 'x'
   b="&lt;1"><m>
    <p> one </p><p>two</p>
  </m><q/></sdf>
"""


def test_nothing_changes_if_nothing_was_changed():
    assert change(TEXT, lambda root: None) == (TEXT, [])


def test_attributes_and_texts_are_changed_in_place_and_in_order():
    def make(root):
        root.set("b", 'a"<b')
        root.set("a", "it's")
        root[0][0].text = "1 & 2"
        root[0][1].text = "zwei"
    text, changes = change(TEXT, make)
    assert text == (TEXT.replace("'x'", "'it&apos;s'").replace("&lt;1", "a&quot;&lt;b").replace(" one ", " 1 &amp; 2 ")
                    .replace("two", "zwei"))
    assert [(c.element.tag, c.old, c.new) for c in changes] == [
        ("sdf", "x", "it's"), ("sdf", "<1", 'a"<b'), ("p", "one", "1 & 2"), ("p", "two", "zwei")]
    assert changes[1].edit == Edit(3, 7, 3, 12, "a&quot;&lt;b") and changes[3].edit == Edit(4, 20, 4, 23, "zwei")


def test_a_text_with_much_white_space_in_it_is_changed():
    """Square time would take hours."""
    text, blanks = "<sdf><p> a{} </p></sdf>", " " * 1_000_000
    changed, _ = change(text.format(blanks + "b"), lambda root: setattr(root[0], "text", "c"))
    assert changed == "<sdf><p> c </p></sdf>"


def test_neither_white_space_around_a_text_nor_an_attribute_that_is_new_or_gone_is_a_change():
    def make(root):
        root[0][0].text = "one"
        root[0][1].text = "\n two"
        root.set("c", "1")
        del root.attrib["a"]
    assert change(TEXT, make) == (TEXT, [])


@pytest.mark.parametrize("before, after", [
    ("<m>\n  <p/></m>", "<m>\n  <n>1 &lt; 2</n>\n  <p/></m>"), ("<m><p/></m>", "<m><n>1 &lt; 2</n><p/></m>"),
    ("<m>word<p/></m>", "<m><n>1 &lt; 2</n>word<p/></m>")])
def test_a_first_child_is_put_on_a_line_of_its_own_if_its_siblings_are(before, after):
    def make(root):
        made = etree.Element("n")
        made.text = "1 < 2"
        root[0].insert(0, made)
    text, (made,) = change(f"<sdf>{before}</sdf>", make)
    assert text == f"<sdf>{after}</sdf>"
    assert (made.element.tag, made.old, made.new) == ("n", "", "1 < 2")


def test_an_empty_element_is_inserted():
    text, (made,) = change("<sdf><m> </m></sdf>", lambda root: root[0].insert(0, etree.Element("n")))
    assert text == "<sdf><m> <n></n> </m></sdf>" and made.new == ""


@pytest.mark.parametrize("written, after", [
    ("a", "b &amp; c"), ("  a\n", "  b &amp; c\n"), ("<![CDATA[a]]>", "b &amp; c"), (" <![CDATA[ a]]> ", " b &amp; c "),
    ("&#x61;", "b &amp; c"), ("a<!-- -->", "b &amp; c<!-- -->"), ("&quot;", "b &amp; c"),
    ("<![CDATA[a]]>a", "b &amp; c"), (" a <?p?><![CDATA[ ]]>/a ", " b &amp; c<?p?> "),
    ("<?p?>a", "<?p?>b &amp; c"), ("<!-- 1 -->a<!-- 2 -->x<!-- 3 -->", "<!-- 1 -->b &amp; c<!-- 2 -->x<!-- 3 -->"),
    ("a<c/>a", "b &amp; c<c/>a"), ("", "b &amp; c")])
def test_ways_to_write_a_text(written, after):
    """A text in pieces becomes one; what stands behind a comment in it, which no reader reads, stays."""
    def make(root):
        root[0].text = "b & c"
    text = "<sdf><p>{}</p></sdf>"
    assert change(text.format(written), make)[0] == text.format(after)


def test_an_element_without_an_end_tag_gets_a_text():
    def make(root):
        root[0].text = "b & c"
    assert change("<sdf><q a='1' /></sdf>", make)[0] == "<sdf><q a='1' >b &amp; c</q></sdf>"


def test_elements_of_another_text_cannot_be_changed():
    root = read_xml("<sdf><p>a</p></sdf>", "f.sdf")[0].root
    replace_element(root[0], read_xml("<sdf><p b='1'/></sdf>", "g.sdf")[0].root[0])
    watch = Watch(root)
    root[0].set("b", "2")
    with pytest.raises(ValueError, match="<p> is not in the text"):
        watch.find_changes()


def test_an_attribute_that_was_made_cannot_be_changed():
    root = read_xml("<sdf><p>a</p></sdf>", "f.sdf")[0].root
    root[0].set("b", "1")
    watch = Watch(root)
    root[0].set("b", "2")
    with pytest.raises(ValueError, match="<p> has no attribute b in the text"):
        watch.find_changes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_edits_apply_to_any_encoding_from_the_last_to_the_first(encoding):
    name = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?><a ä="1"\nb="2">ü</a>'
    start = text.index('"1"\n') + 2
    edits = [Edit(1, start, 1, start + 1, "one"), Edit(2, 4, 2, 5, "zwei"), Edit(2, 7, 2, 8, ""), Edit(2, 1, 2, 1, "+")]
    assert apply_edits(text.encode(encoding), edits).decode(encoding) == (
        f'<?xml version="1.0" encoding="{name}"?><a ä="one"\n+b="zwei"></a>')


@pytest.mark.parametrize("declared, broken, count", [
    ("utf-8", b"\xff", 1), ("utf-8", b"\xe2\x82", 1), ("utf-8", b"\xe2\x82\xe2\x82", 2), ("utf-8", b"\xf0\x80", 2),
    ("us-ascii", "é".encode(), 1), ("us-ascii", b"\xff\xc3", 2), ("windows-1252", b"\x81\xe9", 2)])
def test_bytes_that_are_broken_stay_and_count_as_in_findings(declared, broken, count):
    """`count` of U+FFFD or sound characters stand for them where the document is read."""
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<a>'.encode() + broken + b"<b name='old'/>" + broken + b"</a>"
    document, _ = read_xml(text)
    place = locate(document.root[0], "name")
    assert (place.line, place.column) == (2, 4 + count + len("<b name='"))
    edit = Edit(2, place.column, 2, place.column + 3, "new")
    assert apply_edits(text, [edit]) == text.replace(b"old", b"new")
    assert apply_edits(b"\n<a>1</a>", [Edit(2, 4, 2, 5, "ž")]).decode() == "\n<a>ž</a>"
    latin = b"<?xml version='1.0' encoding='iso-8859-1'?>\n<a>1</a>"
    assert apply_edits(latin, [Edit(2, 4, 2, 5, "ž")]) == latin.replace(b"1</a>", b"&#382;</a>")
    assert apply_edits(b"\xff\xff1\n" + text[text.index(b"<a>"):], [Edit(1, 3, 1, 4, "2")])[:4] == b"\xff\xff2\n"


def test_half_a_surrogate_in_a_string_stays_and_counts_as_in_findings():
    text = "<a>ä\ud800<b name='old'/></a>"
    document, _ = read_xml(text)
    place = locate(document.root[0], "name")
    edit = Edit(1, place.column, 1, place.column + 3, "new")
    assert apply_to_text(text, [edit]) == "<a>ä\ud800<b name='new'/></a>"


ODD = """<a x='1' y = "2>3"
   ><!-- <a> --><a><![CDATA[</a>]]></a ></a ><a y='2'/>"""


def edit(change):
    """Both elements of the odd text, changed."""
    text = f"<r>{ODD}</r>"
    root = read_xml(text, None)[0].root
    edits = [e for element in root.iterchildren("a") for e in change(element)]
    return apply_to_text(text, edits)[3:-4]


@pytest.mark.parametrize("change, expected", [
    (lambda e: edit_attributes(e, {"y": ("z", "0")}), ODD.replace('y = "2>3"', 'z = "0"').replace("y='2'", "z='0'")),
    (lambda e: edit_attributes(e, {"y": None}), ODD.replace(' y = "2>3"', "").replace(" y='2'", "")),
    (lambda e: edit_attributes(e, {"z": ("z", "0"), "w": None}),
     ODD.replace('2>3"', '2>3" z="0"').replace("y='2'", "y='2' z=\"0\"")),
    (lambda e: edit_tag(e, "bc"), ODD.replace("<a x", "<bc x").replace("</a ></a >", "</a ></bc >").replace(
        "<a y", "<bc y")),
    (lambda e: [append_sibling(e, ["<b/>", "<c/>"])], ODD.replace("</a ></a >", "</a ></a ><b/><c/>") + "<b/><c/>")])
def test_an_element_is_edited_however_it_is_written(change, expected):
    assert edit(change) == expected


@pytest.mark.parametrize("line", ["\n", "\r\n"])
def test_a_sibling_gets_the_line_and_the_indentation_of_the_element(line):
    text = line.join(["<r>", "\t<a>", "\t</a>", "</r>"])
    (a,) = read_xml(text, None)[0].root
    assert read_written(a) == line.join(["<a>", "\t</a>"])
    assert apply_to_text(text, [append_sibling(a, ["<b/>"])]) == line.join(["<r>", "\t<a>", "\t</a>", "\t<b/>", "</r>"])


@pytest.mark.parametrize(("before", "expected"), [
    (None, "<r>\n  <n/>\n  <m/>\n  <a/>\n  <b/>\n</r>"), (0, "<r>\n  <a/>\n  <n/>\n  <m/>\n  <b/>\n</r>"),
    (1, "<r>\n  <a/>\n  <b/>\n  <n/>\n  <m/>\n</r>")])
def test_inserted_elements_stand_on_lines_of_their_own(before, expected):
    root = etree.fromstring("<r>\n  <a/>\n  <b/>\n</r>")
    insert_elements(root, None if before is None else root[before], [etree.Element("n"), etree.Element("m")])
    assert etree.tostring(root).decode() == expected


def test_an_element_is_appended_to_an_empty_one_and_to_others():
    root = etree.fromstring("<r>\n</r>")
    for name in ("n", "m"):
        append_element(root, etree.Element(name))
    assert etree.tostring(root).decode() == "<r>\n<n/>\n<m/>\n</r>"


def test_an_element_goes_with_the_white_space_before_it():
    text = "<robot><!-- ä -->\r\n\r\n  <link a='>'><x/></link>\n  <link b='1' /> <link c='/'/></robot>"
    links = read_xml(text, "f.urdf")[0].root.findall("link")
    assert apply_to_text(text, [edit_out(links[0])]) == (
        "<robot><!-- ä -->\n  <link b='1' /> <link c='/'/></robot>")
    assert apply_to_text(text, [edit_out(links[n]) for n in (0, 1)]) == "<robot><!-- ä --> <link c='/'/></robot>"
    assert apply_to_text(text, map(edit_out, links)) == "<robot><!-- ä --></robot>"


@pytest.mark.parametrize("edit", [edit_out, lambda link: append_text(link, "<a/>")])
def test_an_edit_does_not_copy_the_text_before_it(edit):
    """Many edits of a long text would take quadratic time."""
    text = f"<robot><!--{' x' * 500_000}--> <link><b/></link> </robot>"
    link = read_xml(text, "f.urdf")[0].root.find("link")
    edit(link)  # the places of elements are found once
    tracemalloc.start()
    edit(link)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(text) / 10


@pytest.mark.parametrize("encoding", ["shift_jis", "cp932", "euc-jp", "gbk", "gb18030", "big5", "euc-kr"])
def test_edits_between_characters_of_many_bytes(encoding):
    """Of 許 and 功, some have bytes that mean a backslash or a letter alone."""
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n<!--功許--><a b="許功許">功<c d="1"/>許</a>'.encode(encoding)
    document, found = read_xml(text, keep_comments=True)
    first, second = (locate(element, name) for element, name in ((document.root, "b"), (document.root[0], "d")))
    assert found == () and document.root.get("b") == "許功許"
    edits = [Edit(2, place.column, 2, place.column + length, new)
             for place, length, new in ((first, 3, "功x許"), (second, 1, "许é"))]
    new = "许é".encode(encoding, "xmlcharrefreplace")
    assert apply_edits(text, edits) == text.replace("許功許".encode(encoding), "功x許".encode(encoding)).replace(
        b'd="1"', b'd="' + new + b'"')


@pytest.mark.parametrize("encoding, letter", [
    ("utf-8", "é"), ("utf-8", "e"), ("utf-8", "🤖"), ("iso-8859-1", "é"), ("shift_jis", "能"), ("gb18030", "é")])
def test_a_line_with_many_edits_is_decoded_once(encoding, letter, monkeypatch):
    skipped = []
    monkeypatch.setattr(edits, "_skip_characters", lambda *given: skipped.append(given))
    head = f"<?xml version='1.0' encoding='{encoding}'?>\n"
    changes = [Edit(2, 3 * k + 2, 2, 3 * k + 3, "x") for k in range(100)]
    assert apply_edits((head + f"-{letter}-" * 100).encode(encoding), changes).decode(encoding) == head + "-x-" * 100
    assert skipped == []
