"""Reading XML from strangers: what is forgiven, what is refused, and what must never happen."""
import time

import pytest
import urdf_text
from lxml import etree

from sdf_frames.document.elements import locate, path_of, put_text_first, tag_of, text_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text

GOOD = '<sdf version="1.12"><model name="m"><link name="l"/></model></sdf>'


def read(text):
    """``(root or None, [(name, line), …])``."""
    document, found = read_xml(text, "f.sdf")
    assert (document is None) == any(d.severity == "error" for d in found)
    assert all(d.file == "f.sdf" for d in found)
    return document and document.root, [(d.name, d.line) for d in found]


@pytest.mark.parametrize("text, name, line", [
    ('<sdf version="1.12">\n<a gz:b="1"/>\n</sdf>', "xml-unbound-prefix", 2),
    ('words\n<?xml version="1.0"?>\n<sdf version="1.12"/>', "xml-leading-text", 1),
    (b'<?xml version="1.0" encoding="us-ascii"?>\n<sdf version="1.12"><a>\xc3\xa4</a></sdf>', "xml-invalid-bytes", 2)])
def test_forgiven_with_a_warning(text, name, line):
    root, found = read(text)
    assert tag_of(root) == "sdf" and root.get("version") == "1.12"
    assert found == [(name, line)]


def test_bytes_that_are_not_valid_in_a_declared_encoding():
    """Half a character of Shift JIS; the file is not meant to be UTF-8."""
    text = '<?xml version="1.0" encoding="shift_jis"?>\n<sdf version="1.12"><a>\u8db3'.encode("shift_jis")[:-1]
    (found,) = [d for d in read_xml(text + b"</a></sdf>", "f.sdf")[1] if d.name == "xml-invalid-bytes"]
    assert found.message == "the file contains bytes that are not valid in its encoding; they are replaced"


@pytest.mark.parametrize("reference", ["&#0;", "&#;", "&#1;", "&#xZZ;", "&#12a;", "&#65", "&#xD800;", "&#xFFFE;",
                                       "&#x110000;", "&#99999999999999999999;", "&#8;", "&#11;", "&#12;", "&#14;",
                                       "&#x1F;", "&#xDFFF;"])
def test_a_reference_to_no_character_is_taken_as_it_stands(reference):
    """libsdformat 17 loads all of them: as they stand, cut off at a zero, or as bytes that are no UTF-8."""
    root, found = read(f'<sdf version="1.12">\n<a b="x{reference} y&#65;">x{reference} '
                       f'y&#x0041;&lt;<![CDATA[{reference}]]></a>\n</sdf>')
    assert root[0].get("b") == f"x{reference} yA" and root[0].text == f"x{reference} yA<{reference}"
    assert found == [("xml-character-reference-invalid", 2)]


@pytest.mark.parametrize("text, lines", [
    ('<sdf version="1.12">\n<?foo bar?><a/></sdf>', [2]), ('<sdf version="1.12"><a/></sdf>\n<?foo?>', [2]),
    ('<sdf version="1.12">\n<?foo?>\n<?bar?></sdf>', [2]),
    ('<?xml version="1.0"?>\n<?foo bar?><!-- <a> --><?bar?><sdf version="1.12"/>', []),
    ('<sdf version="1.12"><!-- <?foo?> --><a><![CDATA[<?foo?>]]></a></sdf>', [])])
def test_instructions_behind_the_start_of_the_root(text, lines):
    """libsdformat 17: XML_ERROR_PARSING_DECLARATION where there is one."""
    assert read(text)[1] == [("xml-processing-instruction", line) for line in lines]


@pytest.mark.parametrize("defect, name", [
    ("<!-- ---------- -->\n", "xml-hyphens-in-comment"), ("<a:b/>", "xml-unbound-prefix")])
def test_a_defect_behind_hundreds_of_forgiven_ones_is_not_forgiven(defect, name):
    root, found = read(f'<sdf version="1.12">{defect * 300}<a/></sdf>')
    assert [tag_of(e) for e in root][-1] == "a" and found == [(name, 1)]
    root, found = read(f'<sdf version="1.12">{defect * 300}<a></sdf>')
    assert root is None and ("xml-malformed", defect.count("\n") * 300 + 1) in found


def test_hundreds_of_defects_that_are_not_mended_are_an_error():
    root, found = read('<sdf version="1.12">' + "<a>&nbsp;</a>" * 50 + "</sdf>")
    assert root is not None and found == [("xml-unknown-entity", 1)]
    root, found = read('<sdf version="1.12">' + "<a>&nbsp;</a>" * 300 + "</b>")
    assert root is None and found == [("xml-unknown-entity", 1), ("xml-malformed", 1)]


def test_unclosed_markup_takes_no_quadratic_time():
    for opening in ("<!--", "<![CDATA[", "<?", "&#0", "&#x0000", "]]>"):
        assert in_time('<sdf version="1.12"><?x?><a b="&#0;">]]>' + opening * 200_000).document is None


@pytest.mark.parametrize("declared", ['"1 0 0 0 0 0"', 'SYSTEM "file:///etc/hostname"'])
def test_an_entity_that_the_document_declares_stays_as_written(declared):
    root, found = read(f'<!DOCTYPE sdf [<!ENTITY p {declared}>]>\n<sdf version="1.12"><a>1 &p; 2<b/>3 &p; 4</a></sdf>')
    assert found == [("xml-unknown-entity", 2)]
    assert root[0].text == "1 &p; 2" and root[0][0].tail == "3 &p; 4"


def test_a_file_name_in_another_encoding():
    document, found = read_xml(GOOD, "caf\udce9.sdf")
    assert not found and locate(document.root).file == "caf\udce9.sdf"
    assert load_text(urdf_text.robot(urdf_text.link("a", 1)), "caf\udce9.urdf").valid


@pytest.mark.parametrize("text", [
    "\n\n  " + GOOD, "\ufeff" + GOOD, '<?xml version="1.0"?>\n' + GOOD, '<?xml version="1.0" encoding="UTF-8"?>' + GOOD,
    '\n<?xml version="1.0"?>' + GOOD, '<!DOCTYPE sdf>\n' + GOOD, GOOD + "\n\n",
    '<?xml version="1.0"?><!-- c --><?pi x?>' + GOOD, GOOD.replace("<sdf ", '<sdf xmlns:gz="http://example.org/gz" '),
    GOOD.replace("<sdf ", '<sdf xmlns="http://example.org/" ')])
def test_harmless_ways_to_start_are_no_finding(text):
    root, found = read(text)
    assert found == []
    assert root.tag == "sdf" and root[0].tag == "model"


@pytest.mark.parametrize("text", ["", "   ", "\n", "words", "<", "<sdf", "<sdf>", "<sdf></model>", "<a/><b/>",
                                  '<a b="1" b="2"/>',
                                  "<a b=1/>", "<!-- never ends", "<?xml?>", "{}",
                                  '{"a": 1}\nb & c', "\x00", b"\xff\xfe\x00", b"\x80\x81"])
def test_anything_else_is_one_error(text):
    root, found = read(text)
    assert root is None
    assert [name for name, _ in found if name not in ("xml-leading-text", "xml-invalid-bytes",
                                                      "xml-declaration-malformed")] == ["xml-malformed"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "iso-8859-1"])
def test_declared_encodings(encoding):
    name = {"utf-16-le": "utf-16"}.get(encoding, encoding)
    text = f'<?xml version="1.0" encoding="{name}"?><robot name="Häxa"/>'
    content = text.encode(encoding)
    root, found = read(b"\xff\xfe" + content if encoding == "utf-16-le" else content)
    assert (root.get("name"), found) == ("Häxa", [("xml-encoding-wide", 1)] if name == "utf-16" else [])


@pytest.mark.parametrize("encoding", ["ISO-2022-JP", "iso-2022-jp-2", "iso-2022-kr", "HZ", "hz-gb-2312", "utf-7"])
def test_encodings_with_shifts_are_refused_where_text_is_shifted(encoding):
    """Read as UTF-8, such a name is another one, and an edit would write that."""
    text = f'<?xml version="1.0" encoding="{encoding}"?><robot name="手"/>'
    content = text.encode(encoding)
    assert content.isascii() and read(content) == (None, [("xml-encoding-stateful", 1)])
    assert read(text)[0].get("name") == "手"
    root, found = read(text.replace("手", "a").encode())
    assert (root.get("name"), found) == ("a", [("xml-declaration-malformed", 1)])


def test_a_string_is_unicode_whatever_it_declares():
    root, _ = read('<?xml version="1.0" encoding="iso-8859-1"?><robot name="Häxa 機"/>')
    assert root.get("name") == "Häxa 機"


@pytest.mark.parametrize("declaration", ['<!ENTITY e SYSTEM "file://%s">', '<!ENTITY %% p SYSTEM "file://%s"> %%p;'])
def test_external_entities_are_not_read(tmp_path, declaration):
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    loaded = load_text(f'<!DOCTYPE sdf [{declaration % secret}]><sdf version="1.12"><model name="m"><link name="l"/>'
                       f'<a>&e;</a></model></sdf>')
    assert "hidden" not in "".join(d.message for d in loaded.diagnostics)
    if loaded.document is not None:
        assert "hidden" not in "".join(loaded.document.root.itertext())


def test_an_external_dtd_is_not_read(tmp_path):
    (tmp_path / "x.dtd").write_text('<!ATTLIST model name CDATA "from-dtd">')
    root, _ = read(f'<!DOCTYPE sdf SYSTEM "file://{tmp_path / "x.dtd"}"><sdf version="1.12"><model/></sdf>')
    assert root[0].get("name") is None


def in_time(text):
    """What quadratic time would take hours for, read in less than a minute of the processor's, however busy it is."""
    start = time.process_time()
    loaded = load_text(text)
    loaded.diagnostics, loaded.scopes
    assert time.process_time() - start < 60
    return loaded


@pytest.mark.parametrize("entities, uses", [
    ('<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 20)), "<a>&l19;</a>"),
    (f'<!ENTITY a "{"a" * 50_000}">', "<a>&a;</a>" * 2000)], ids=["billion laughs", "quadratic"])
def test_entities_do_not_blow_up(entities, uses):
    loaded = in_time(f'<!DOCTYPE sdf [{entities}]><sdf version="1.12"><model name="m"><link name="l"/>{uses}</model>'
                     "</sdf>")
    assert loaded.document is None or sum(map(len, loaded.document.root.itertext())) < 10_000


@pytest.mark.parametrize("depth", [300, 20_000])
def test_depth_is_bounded(depth):
    loaded = in_time('<sdf version="1.12">' + "<model name='m'>" * depth + "</model>" * depth + "</sdf>")
    assert not loaded.valid
    assert [d.name for d in loaded.diagnostics] == ["xml-malformed"]


def test_huge_texts_are_read_or_refused_in_time():
    in_time(f'<sdf version="1.12"><model name="{"n" * 6_000_000}"><link name="l"/></model></sdf>')
    in_time(f'<sdf version="1.12"><model name="m"><link name="l"><pose>{"1 " * 1_000_000}</pose></link></model></sdf>')


@pytest.mark.parametrize("text, line", [
    ('<robot name="r">\n<link name="{}"/></robot>', 2), ('<robot name="{}"><link name="a"/></robot>', 1),
    ('<robot name="r"><link name="a"/>\n<gazebo reference="{}"/></robot>', 2),
    ('<sdf version="1.12"><model name="m"><link name="l">\n<sensor name="{}" type="imu"/></link></model></sdf>', 2),
    ('<sdf version="1.12"><world name="w">\n<include><uri>model://m</uri><name>{}</name></include></world></sdf>', 2)])
def test_long_names_are_refused_since_findings_repeat_them(text, line):
    """In a link with a name of 50,000 letters, 20,000 misspelt elements took 3 GB."""
    long = [d for d in load_text(text.format("\N{MAHJONG TILE RED DRAGON}" * 1001)).diagnostics
            if d.name == "limit-exceeded" and d.message.startswith("1001 letters ")]
    assert [(d.severity, d.line) for d in long] == [("error", line)] and len(long[0].path) <= 2001
    assert "limit-exceeded" not in str(load_text(text.format("a" * 1000)).diagnostics)


def test_a_long_path_is_cut_in_the_middle():
    depth = 200
    text = ('<sdf version="1.12">' + "".join(f'<model name="m{i}{"x" * 100}">' for i in range(depth)) +
            '<link name="l"><bad/></link>' + "</model>" * depth + "</sdf>")
    path = next(d.path for d in load_text(text).diagnostics if d.name == "element-unknown")
    assert path.startswith('/sdf/model[@name="m0x') and path.endswith('xx"]/link[@name="l"]/bad')
    assert "…" in path and len(path) == 2001


def test_many_namespaces_take_no_quadratic_time():
    bound = [" ".join(f'xmlns:p{i}="http://example.org/{i}" p{i}:a="1"' for i in range(k, k + 100))
             for k in range(0, 20_000, 100)]
    text = "".join(f'<material name="m{k}" {names}/>' for k, names in enumerate(bound))
    assert in_time(f'<robot name="r"><link name="l"/>{text}</robot>').robot.name == "r"


def test_paths_and_places():
    root, _ = read('<sdf version="1.12">\n<model name="m">\n<link name="l">'
                   '\n<pose/>\n</link>\n<include/>\n<include/>\n<x:y/>\n</model></sdf>')
    model = root[0]
    assert path_of(model[0][0]) == '/sdf/model[@name="m"]/link[@name="l"]/pose'
    assert [path_of(e) for e in model[1:3]] == ['/sdf/model[@name="m"]/include[1]', '/sdf/model[@name="m"]/include[2]']
    assert path_of(model[3]) == '/sdf/model[@name="m"]/x:y'
    assert (locate(model[1]).file, locate(model[1]).line) == ("f.sdf", 6)
    assert text_of(model) == ""


MODEL = '<sdf version="1.9"><model name="m">\n<link name="a">{}</link>\n</model></sdf>'


@pytest.mark.parametrize("text", [b"\x7fELF\x02\0\0", MODEL.encode("utf-16-le"), MODEL.encode("utf-16-be"),
                                  b"\x1f\x8b\x08\0\0", b"\0" * 9])
def test_bytes_that_are_not_text_are_one_error(text):
    document, found = read_xml(text, "x")
    assert document is None and [(d.name, d.line) for d in found] == [("xml-malformed", 1)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_characters_are_read_with_a_warning(encoding):
    document, (finding,) = read_xml(MODEL.encode(encoding), "x")
    assert document.root.tag == "sdf" and (finding.name, finding.severity) == ("xml-encoding-wide", "warning")


@pytest.mark.parametrize("content, read, lines", [
    ("<pose>1 2 <!-- x\n -->3 4</pose>", "1 2", [3]), ("<pose><!-- x -->3 4</pose>", "3 4", []),
    ("<pose>1 2<!-- x --> \n</pose>", "1 2", []), ("<pose>1<!-- > --><!-- y --> 2</pose>", "1", [2]),
    ("<pose><!-- x --><!-- y -->2<!-- z --> 3</pose>", "2", [2]), ("x<!-- x --><pose>3</pose>", "3", []),
    ("<!-- <pose>1 --><pose>3</pose><!-- x -->\n", "3", [])])
def test_libsdformat_reads_a_value_up_to_a_comment(content, read, lines):
    document, found = read_xml(MODEL.format(content).encode(), "x")
    assert document.root.find(".//pose").text.strip() == read
    assert [(d.name, d.line) for d in found] == [("xml-text-behind-comment", line) for line in lines]


@pytest.mark.parametrize("written, first", [
    ("<a><!-- c -->x</a>", "<a>x<!-- c --></a>"), ("<a>x<!-- c --></a>", "<a>x<!-- c --></a>"),
    ("<a>x<?d e?> y <!-- f --></a>", "<a>x y <?d e?><!-- f --></a>"),
    ("<a>x<!-- c -->y<?d e?> z</a>", "<a>x<!-- c -->y<?d e?> z</a>"),
    ("<a><!-- c -->x<!-- d -->y</a>", "<a>x<!-- c --><!-- d -->y</a>"),
    ("<a> <!-- c --> x<b/><!-- d -->y</a>", "<a>  x<!-- c --><b/><!-- d -->y</a>"),
    ("<a><b/><!-- c -->x</a>", "<a><b/><!-- c -->x</a>"), ("<a> <!-- c --> <b/></a>", "<a> <!-- c --> <b/></a>"),
    ("<!-- c --><a>x</a>", "<a>x</a>")])
def test_text_is_put_before_comments(written, first):
    root = read_xml(written, keep_comments=True)[0].root
    put_text_first(root)
    assert etree.tostring(root, encoding="unicode", with_tail=False) == first
