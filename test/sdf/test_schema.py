"""Elements held against the table of SDFormat: each child is judged, whatever stands before it."""

import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text
from sdf_frames.sdf.schema import check_schema


def judge(body, version="1.12"):
    loaded = load_text(f'<sdf version="{version}" xmlns:a="urn:a">\n{body}</sdf>')
    return [
        (d.name, d.severity, d.line) for d in loaded.diagnostics if d.severity != "info" and d.name != "uri-not-found"
    ]


@pytest.mark.parametrize("before", ["<a:b/>", "<!-- -->", '<plugin name="p" filename="f"/>'])
def test_in_an_include_what_follows_somebody_elses_child_is_judged(before):
    include = f"<include>{before}<uri>model://n</uri>\n<name>x::y</name>\n<static>maybe</static></include>"
    assert judge(f'<world name="w">{include}</world>') == [
        ("name-with-delimiter", "error", 3),
        ("value-invalid", "error", 4),
    ]


@pytest.mark.parametrize("before", ["<!-- -->", "<?note?>"])
@pytest.mark.parametrize("parent", ['<model name="m"><link name="l"/>{}</model>', '<world name="w">{}</world>'])
def test_what_follows_a_comment_that_is_kept_is_judged(before, parent):
    document = read_xml(f'<sdf version="1.12">{parent.format(before + "<foo/>")}</sdf>', keep_comments=True)[0]
    found = []
    check_schema(document.root, found, delimiter_banned=True)
    assert [d.name for d in found] == ["element-unknown"]


def test_names_with_delimiters_are_refused_below_unknown_elements_of_any_depth():
    body = (
        '<model name="m"><link name="l"/>\n<foo name="a::b">\n<plugin name="c::d"/>'
        '<a:x name="e::f"/>\n<bar>\n<baz name="g::h"/>'
        "</bar></foo></model>"
    )
    assert [(n, line) for n, _, line in judge(body) if n == "name-with-delimiter"] == [
        ("name-with-delimiter", 3),
        ("name-with-delimiter", 6),
    ]


@pytest.mark.parametrize(
    "version, one, other, expected",
    [
        ("1.12", "link", "link", ("name-duplicate", "error")),
        ("1.12", "link", "frame", ("name-shared", "error")),
        ("1.12", "link", "joint", ("name-shared", "error")),
        ("1.12", "link", "gripper", ("name-shared-aside", "error")),
        ("1.6", "link", "gripper", ("name-shared-aside", "warning")),
        ("1.6", "link", "link", ("name-duplicate", "error")),
        ("1.6", "link", "model", ("name-renamed", "warning")),
    ],
)
def test_two_siblings_of_one_name(version, one, other, expected):
    inside = {
        "joint": "<parent>world</parent><child>x</child>",
        "model": '<link name="l"/>',
        "gripper": "<gripper_link>x</gripper_link><palm_link>x</palm_link>",
    }
    text = (
        f'<model name="m">\n<link name="x"/>\n<{other} name="x"'
        + (' type="fixed"' if other == "joint" else "")
        + f">{inside.get(other, '')}</{other}></model>"
    )
    found = [(n, s) for n, s, line in judge(text, version) if n.startswith("name-") and line == 4]
    assert found[:1] == [expected], one


@pytest.mark.parametrize("tag, more", [("light", ' type="point"'), ("actor", ""), ("model", "")])
def test_a_document_holds_one_entity_of_a_kind(tag, more):
    """Whatever the second one is called."""
    inside = {"model": '<link name="l"/>', "actor": "", "light": ""}[tag]
    text = "".join(f'\n<{tag} name="{name}"{more}>{inside}</{tag}>' for name in "ab")
    found = load_text(f'<sdf version="1.12">{text}</sdf>').diagnostics
    assert [d.line for d in found if d.severity == "error" and f"<{tag}>" in d.message] == [3]
