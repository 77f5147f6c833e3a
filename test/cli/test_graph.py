"""Trees as text, graphs in DOT and Mermaid, pictures."""
import json
import re
import shutil
from html import unescape

import pytest

from sdf_frames.cli import main
from sdf_frames.diagnostics.render import draw_tree


def test_branches_in_the_order_given():
    assert draw_tree([("a", "b"), ("b", "c"), ("a", "d"), ("x", "y")]) == "a\n├─ b\n│  └─ c\n└─ d\nx\n└─ y\n"
    assert draw_tree([("a", "b")], {"b": "note"}) == "a\n└─ b  (note)\n"


def test_a_tree_of_thirty_two_levels_is_not_split():
    text = draw_tree([(f"l{i}", f"l{i + 1}") for i in range(32)])
    assert text.splitlines() == ["l0", *["   " * i + f"└─ l{i + 1}" for i in range(32)]]


def test_deeper_levels_continue_as_a_separate_tree():
    edges = [(f"l{i}", f"l{i + 1}") for i in range(34)] + [("l31", "side"), ("l0", "m")]
    lines = draw_tree(edges).splitlines()
    assert lines[32:] == ["│  " + "   " * 30 + "├─ l32 …", "│  " + "   " * 30 + "└─ side", "└─ m", "… l32", "└─ l33",
                          "   └─ l34"]


def test_the_drawing_of_a_chain_grows_with_its_length_alone():
    sizes = [len(draw_tree([(f"l{i:05}", f"l{i + 1:05}") for i in range(n)])) for n in (3200, 6400)]
    assert sizes[1] < 2.1 * sizes[0] < 3200 * 200


WORDS = '<sdf version="1.12"><model name="m"><link name="base"/>{}</model></sdf>'
LINKS = '<link name="{0}"/><joint name="j_{0}" type="{1}"><parent>base</parent><child>{0}</child>{2}</joint>'
AXIS = "<axis><xyz>0 0 1</xyz>{}</axis>"
LIMIT = "<limit>{}</limit>"


def graph(tmp_path, capsys, text, *options, status=0):
    path = tmp_path / "m.sdf"
    path.write_text(text)
    assert main(["graph", *options, str(path)]) == status
    return capsys.readouterr().out


KINDS = '<frame name="f" attached_to="base"/><model name="n"><link name="l"/></model>' \
    + LINKS.format("arm", "fixed", "")


def test_kinds_differ_in_shape_and_in_lightness(tmp_path, capsys):
    """So that they can be told apart in grey, too."""
    text = WORDS.format(KINDS)
    rows = [line for line in graph(tmp_path, capsys, text, "--kind", "pose").splitlines() if "shape=" in line]
    found = [re.search(r'label="([^ ]+).*shape=(\w+), fillcolor="#(\w+)"', row).groups() for row in rows]
    seen = {name: (shape, fill) for name, shape, fill in found}
    kinds = [seen[name] for name in ("__model__", "base", "j_arm", "f")]
    assert len({shape for shape, _ in kinds}) == 4 and seen["n"] == seen["__model__"] and seen["arm"] == seen["base"]
    lightness = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (bytes.fromhex(fill) for _, fill in kinds))
    assert min(b - a for a, b in zip(lightness, lightness[1:])) > 5


def test_names_cannot_break_out_of_their_quotes(tmp_path, capsys):
    text = WORDS.format('<link name=\'q"q]\'/><link name="b\\"/><link name="&lt;b&gt;"/>')
    assert r'label="q\"q] (2)"' in graph(tmp_path, capsys, text, "--kind", "frame")
    assert r'label="b\\ (3)"' in graph(tmp_path, capsys, text, "--kind", "frame")
    mermaid = graph(tmp_path, capsys, text, "--kind", "frame", "--format", "mermaid")
    assert '"q#34;q] (2)"' in mermaid and '"#60;b#62; (4)"' in mermaid


def test_pictures_are_made_by_graphviz(tmp_path, capsys, monkeypatch):
    """By a stand-in that keeps what it was given; the next test takes the real one."""
    program = tmp_path / "bin" / "dot"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ncat > {tmp_path}/given\nprintf "<svg $1/>"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    text = WORDS.format(KINDS)
    assert graph(tmp_path, capsys, text, "--kind", "pose", "--format", "svg") == "<svg -Tsvg/>"
    dot = (tmp_path / "given").read_text()
    assert dot == graph(tmp_path, capsys, text, "--kind", "pose")
    assert graph(tmp_path, capsys, text, "-o", str(tmp_path / "out.png")) == ""
    assert (tmp_path / "out.png").read_text() == "<svg -Tpng/>"
    program.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
    graph(tmp_path, capsys, text, "-o", str(tmp_path / "new.svg"), status=1)
    assert not (tmp_path / "new.svg").exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "m.sdf"
    assert main(["graph", "--format", "svg", "--json", str(path)]) == 1
    (finding,) = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["severity"] == "error"]
    assert finding["name"] == "graph-not-drawn" and "install graphviz" in finding["message"]


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz's dot")
@pytest.mark.parametrize("kind", ["tree", "frame", "pose", "kinematic"])
def test_graphviz_draws_every_kind(kind, tmp_path, capsys):
    limit = LIMIT.format("<lower>-1</lower><upper>1</upper>")
    text = WORDS.format(KINDS + LINKS.format("wheel", "revolute", AXIS.format(limit)))
    svg = graph(tmp_path, capsys, text, "--kind", kind, "--format", "svg")
    assert svg.count('class="node"') >= 4 and (kind in ("frame", "pose") or "-1 to 1 rad" in unescape(svg))


def test_a_suffix_that_names_no_format_needs_the_format(tmp_path, capsys):
    """DOT under the name of a PDF would not open."""
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    with pytest.raises(SystemExit, match="2"):
        main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "m.pdf")])
    assert "unknown suffix .pdf; use .dot, .gv, .mmd, .svg, .png, .txt, or --format" in capsys.readouterr().err
    assert not (tmp_path / "m.pdf").exists()
    assert main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "m.pdf"), "--format", "dot"]) == 0


def test_a_missing_folder_is_named_without_an_option_that_graph_lacks(tmp_path, capsys):
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    assert main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "new" / "m.dot")]) == 1
    said = capsys.readouterr().err
    assert f"there is no folder {tmp_path / 'new'}" in said and "--parents" not in said


STARTS = {"text": "l\n", "dot": "digraph {", "mermaid": "graph TD", "svg": "svg by dot", "png": "png by dot"}


@pytest.mark.parametrize(("words", "form"), [
    ("-o x.dot", "dot"), ("-o x.gv", "dot"), ("-o x.mmd", "mermaid"), ("-o x.svg", "svg"), ("-o x.png", "png"),
    ("-o x.PNG", "png"), ("-o x.txt", "text"), ("-o x", "text"), ("", "text"),
    ("-o x --kind pose", "dot"), ("--kind frame", "dot"), ("--kind kinematic", "dot"), ("-o x.svg --format dot", "dot"),
    ("-o x --format png", "png"), ("-o x.pdf --format mermaid --kind pose", "mermaid")])
def test_the_format_is_that_of_the_option_else_of_the_suffix_else_of_the_kind(words, form, tmp_path, capsys,
                                                                              monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sdf_frames.cli.drawing_formats.to_picture", lambda drawing, form: f"{form} by dot".encode())
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    assert main(["graph", *words.split(), "m.sdf"]) == 0
    said = capsys.readouterr().out
    if "-o" in words:
        assert said == ""
        said = (tmp_path / words.split()[1]).read_text()
    assert said.startswith(STARTS[form])


def test_colours_are_for_the_terminal_alone(tmp_path, capsys, monkeypatch):
    from sdf_frames.diagnostics.render import Terminal
    text = WORDS.format(LINKS.format("wheel", "ball", ""))
    plain = graph(tmp_path, capsys, text)
    monkeypatch.setattr("sdf_frames.cli.find_terminal", lambda stream: Terminal(80, True))
    coloured = graph(tmp_path, capsys, text)
    assert "wheel  (j_wheel: ball)" in plain and "wheel\x1b[2m  (j_wheel: ball)\x1b[0m" in coloured
    assert json.loads(graph(tmp_path, capsys, text, "--json"))["graph"] == plain
    assert json.loads(graph(tmp_path, capsys, text, "--json", "-o", str(tmp_path / "x.txt")))["graph"] is None
    assert (tmp_path / "x.txt").read_text() == plain


def test_of_several_worlds_the_first_is_drawn_and_that_is_said(tmp_path, capsys):
    worlds = "".join(f'<world name="{name}"><model name="{name}m"><link name="l"/></model></world>' for name in "vw")
    (tmp_path / "w.sdf").write_text(f'<sdf version="1.9">{worlds}</sdf>')
    assert main(["graph", "--json", str(tmp_path / "w.sdf")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "vm" in answer["graph"] and "wm" not in answer["graph"]
    assert [d["message"] for d in answer["diagnostics"] if d["code"] == "X036"] == [
        "only 'v' is drawn, the first of 2 worlds and models"]
