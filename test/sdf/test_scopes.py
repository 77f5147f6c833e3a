"""Which element a reference means, in one scope and through models and included files."""
import pytest
from lxml import etree

from sdf_frames.sdf.scopes import Included, Member, PathSearch, build_scope, build_scopes, divide

MODEL = """<model name="m"><link name=" l "/><frame name="l"/><joint name="j"/><visual name="v"/><link/>
<model name="n"><link name="x"/><model name="o"><link name="y"/></model></model><link name="n::x"/><link name="n::z"/>
<model name="n::o"><link name="w"/></model></model>"""


def find(scope, reference, kind=""):
    """Kinds and names on the way, and the rest."""
    path = scope.find(reference, kind)
    return path and ([(m.kind, m.name) for m in path[0]], path[1])


@pytest.mark.parametrize("reference, kind, path", [
    ("l", "", (["link l"], "")), ("l", "frame", (["frame l"], "")), ("l", "joint", None), ("j", "", (["joint j"], "")),
    ("v", "", None), ("", "", None), ("m", "", None), ("n", "", (["model n"], "")), ("n", "link", None),
    # A path into a model comes before a name with delimiters.
    ("n::x", "", (["model n", "link x"], "")), ("n::z", "", (["link n::z"], "")), ("n::q", "", None),
    ("n::x", "model", None), ("n::o", "", (["model n", "model o"], "")),
    ("n::o::w", "", (["model n::o", "link w"], "")), ("n::o::y", "", (["model n", "model o", "link y"], "")),
    ("n::o::y", "link", (["model n", "model o", "link y"], "")),
    ("n::__model__", "", (["model n"], "__model__")), ("n::o::__model__", "", (["model n", "model o"], "__model__")),
    ("l::x", "", None), ("::x", "", None), ("n::", "", None)])
def test_what_a_reference_means(reference, kind, path):
    wanted = path and ([tuple(word.split(" ")) for word in path[0]], path[1])
    assert find(build_scope(etree.fromstring(MODEL)), reference, kind) == wanted


def test_scopes_of_a_document():
    root = etree.fromstring(f'<sdf><light name="a"/><world name="w">{MODEL}</world>{MODEL}<!-- --></sdf>')
    first, second = build_scopes(root)
    assert (first.element.tag, second.element.tag) == ("world", "model")
    assert [(m.kind, m.name, m.new) for m in first.members()] == [("model", "m", "m")]
    assert [s.element.get("name") for s in second.nested()] == ["n", "n::o"]
    assert find(first, "m::n::x") == ([("model", "m"), ("model", "n"), ("link", "x")], "")


@pytest.mark.parametrize("reference, ways", [
    ("a", []), ("a::b", [("a", "b")]), ("a::b::c", [("a", "b::c"), ("a::b", "c")]), ("::a", []), ("a::", [("a", "")]),
    ("a:::b", [("a", ":b"), ("a:", "b")])])
def test_ways_to_divide_a_reference(reference, ways):
    assert list(divide(reference)) == ways


@pytest.mark.parametrize("kind, rank", [
    ("link", 0), ("model", 1), ("joint", 2), ("frame", 3), ("collision", 0), ("world", 0), ("visual", 4), ("", 4)])
def test_ranks(kind, rank):
    assert Member(etree.Element("a"), kind, "a", "a").rank == rank


def inner(text, look_into=None):
    return build_scope(etree.fromstring(f'<model name="file">{text}</model>'), look_into)


class Files:
    """Stands for the files of includes: what each brings, by its URI, and what was asked for."""

    def __init__(self, unchanged=(), **texts):
        self.texts, self.unchanged, self.asked = texts, unchanged, []

    def __call__(self, include, wanted):
        uri = include.findtext("uri")
        self.asked.append((uri, wanted))
        if uri not in self.texts or (uri in self.unchanged and not wanted):
            return None
        return Included(f"model_{uri}", inner(self.texts[uri], self))


def include(uri, name="", merge=""):
    return f"<include{merge}><uri>{uri}</uri>{f'<name> {name} </name>' if name else ''}</include>"


NAMED, UNNAMED, MERGED = include("a", "p"), include("a"), include("a", "", ' merge="1"')
PART = '<link name="x"/><model name="n"><link name="y"/></model>'


@pytest.mark.parametrize("body, reference, path", [
    (NAMED, "p", (["model p"], "")), (NAMED, "p::x", (["model p", "link x"], "")), (NAMED, "p::z", None),
    (NAMED, "p::n::y", (["model p", "model n", "link y"], "")), (NAMED, "p::__model__", (["model p"], "__model__")),
    (NAMED, "x", None), (UNNAMED, "model_a::x", (["model model_a", "link x"], "")), (UNNAMED, "x", None),
    (MERGED, "x", (["link x"], "")), (MERGED, "n::y", (["model n", "link y"], "")), (MERGED, "z", None),
    ('<link name="x"/>' + MERGED, "x", (["link x"], ""))])
def test_references_lead_into_files(body, reference, path):
    scope = inner(body, Files(a=PART))
    wanted = path and ([tuple(word.split(" ")) for word in path[0]], path[1])
    assert find(scope, reference) == wanted == find(scope, reference)


@pytest.mark.parametrize("body, reference, path, asked", [
    # What is in a file without new names need not be known: the rest of the reference stays as it is.
    (NAMED, "p::x", (["model p"], "x"), [("a", False)]), (NAMED, "p", (["model p"], ""), []),
    (UNNAMED, "model_a::x", None, [("a", False)]), (MERGED, "x", None, [("a", False)]),
    # Of two models that a path may lead into, it must be known.
    (include("a", "p") + include("b", "p"), "p::x", (["model p", "link x"], ""), [("a", True)]),
    (include("b", "p") + include("a", "p"), "p::x", (["model p", "link x"], ""), [("b", True), ("a", True)])])
def test_files_are_read_only_if_need_be(body, reference, path, asked):
    files = Files(unchanged=("a", "b"), a=PART, b='<link name="q"/>')
    wanted = path and ([tuple(word.split(" ")) for word in path[0]], path[1])
    assert find(inner(body, files), reference) == wanted and files.asked == asked


def test_a_file_that_is_not_there_hides_nothing_else():
    scope = inner(include("gone", "p") + include("gone") + '<model name="n"><link name="x"/></model>', Files())
    assert find(scope, "p::x") == ([("model", "p")], "x") and find(scope, "q") is None
    assert find(scope, "n::x") == ([("model", "n"), ("link", "x")], "")


@pytest.mark.parametrize("body, name, leads", [
    # `name` belongs to the last element of the body.
    ('<model name="n"><link name="x"/></model><link name="n::x"/>', "n::x", True),
    ('<model name="n"><link name="x"/></model><link name="n::z"/>', "n::z", False),
    ('<link name="n"/><link name="n::x"/>', "n::x", False),
    ('<model name="n::x"><link name="x"/></model>', "n::x", False),
    ('<model name="n"><link name="x"/></model><model name="n::__model__"/>', "n::__model__", True),
    ('<model name="n"><model name="o"><link name="x"/></model></model><frame name="n::o::x"/>', "n::o::x", True),
    ('<model name="n"><link name="o::x"/></model><frame name="n::o::x"/>', "n::o::x", True),
    ('<model name="n"><link name="o::x"/></model><frame name="n::o"/>', "n::o", False),
    # With what is in it, a model's name can be such a path too.
    ('<model name="n"><link name="o::x"/></model><model name="n::o"><link name="x"/></model>', "n::o", True),
    ('<model name="n"><link name="o::x"/></model><model name="n::o"><link name="z"/></model>', "n::o", False),
    ('<model name="n"><model name="o::p"><link name="x"/></model></model><model name="n::o"><model name="p">'
     '<link name="x"/></model></model>', "n::o", True),
    (include("a", "n") + '<link name="n::x"/>', "n::x", True),
    (include("a", "n") + '<link name="n::z"/>', "n::z", False),
    (include("a") + '<link name="model_a::n::y"/>', "model_a::n::y", True),
    (MERGED + '<link name="n::y"/>', "n::y", True), (MERGED + '<link name="n::z"/>', "n::z", False)])
def test_names_that_are_also_paths(body, name, leads):
    scope = inner(body, Files(a=PART))
    *_, member = (m for m in scope.members() if m.name == name and m.element is scope.element[-1])
    assert PathSearch().lead_into_another(scope, name, member) is leads
