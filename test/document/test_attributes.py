"""How many attributes one element may have (docs/limits.md), whatever version of libxml2 reads it."""
import pytest

from sdf_frames.document import xml_in
from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.xml_in import read_xml


def many(n, value="1", blank=" "):
    return "".join(f'{blank}a{i}="{value}"' for i in range(n))


def read(text, **limits):
    return read_xml(text, "f.sdf", spending=Spending(Budget(**limits)))


@pytest.fixture
def unread(monkeypatch):
    """What libxml2 is given."""
    given, real = [], xml_in._parse

    def note(text, *rest):
        given.append(text)
        return real(text, *rest)
    monkeypatch.setattr(xml_in, "_parse", note)
    return given


@pytest.mark.parametrize("limit", [1, 7, 256])
@pytest.mark.parametrize("blank", [" ", "\n  "])
def test_attributes_are_counted_to_the_last(limit, blank):
    document, found = read(f"<sdf>\n<b/><a{many(limit, blank=blank)}/></sdf>", attributes=limit)
    assert document is not None and found == ()
    document, (found,) = read(f"<sdf>\n<b/><a{many(limit + 1, blank=blank)}/></sdf>", attributes=limit)
    assert document is None and (found.code, found.severity, found.file, found.line) == ("X024", "error", "f.sdf", 2)
    assert found.message == f"{limit + 1} attributes of one XML element; the limit is {limit}"
    assert "--limit attributes=N" in found.hint


def test_the_default_limit_is_256_attributes():
    assert read_xml(f"<a{many(256)}/>")[0] is not None and read_xml(f"<a{many(257)}/>")[0] is None


@pytest.mark.parametrize("text", [
    "<sdf><a{0}/></sdf>", "<sdf><a{0}></a></sdf>", "<sdf{0}/>", "<!-- < --><sdf><b/>\n<a{0}/></sdf>",
    "<sdf><b></c><a{0}/></sdf>", "<sdf><a{0}",
    "<sdf><b c='<'/><a{0}/></sdf>", "<!DOCTYPE sdf><sdf><a{0}/></sdf>"])
def test_libxml2_is_not_asked(unread, text):
    """Well-formed, malformed before the element, and without an end."""
    document, found = read(text.format(many(5000)))
    assert document is None and [d.code for d in found if d.severity == "error"] == ["X024"] and unread == []


def test_values_that_must_be_mended_do_not_hide_them(unread):
    """libxml2 gives up at the first bare ``<``; what is mended of it has none."""
    document, found = read(f"<sdf><a{many(5000, '<')}/></sdf>")
    assert document is None and [d.code for d in found if d.severity == "error"] == ["X024"] and len(unread) == 1


@pytest.mark.parametrize("text", [
    "<sdf><!-- <a{0}/> --></sdf>", "<sdf><b><![CDATA[<a{0}/>]]></b></sdf>", "<sdf><b>a{0}</b></sdf>",
    "<sdf><b c='a {1}'/></sdf>",
    "<sdf><b/>" + 2000 * " " + "<c/></sdf>"])
def test_only_attributes_count(text):
    document, found = read(text.format(many(5000), many(5000, "").replace('"', "")))
    assert document is not None and found == ()


def test_tags_in_comments_take_no_quadratic_work(monkeypatch):
    """Each might be one: the text is divided into tokens once."""
    from sdf_frames.document import xml_scan
    passes = []
    monkeypatch.setattr(xml_scan, "tokenize", lambda text, real=xml_scan.tokenize: (passes.append(text), real(text))[1])
    document, found = read("<sdf>" + f"<!-- <a{many(300)}/> -->" * 50 + "</sdf>")
    assert document is not None and found == () and len(passes) == 1
