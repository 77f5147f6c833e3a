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


def test_what_no_edge_has_stands_alone(tmp_path, monkeypatch, capsys):
    assert draw_tree([("a", "b")], ["c", "b"], {"c": "note"}) == "a\n└─ b\nc  (note)\n"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/></model></sdf>')
    assert main(["graph", "m.sdf", "--depth", "0"]) == 0
    assert capsys.readouterr().out == "a (+2)\n"


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


@pytest.mark.parametrize("kind, limit, said", [
    ("revolute", "<lower>-1.5707963</lower><upper>0.5</upper>", "revolute, -1.571 to 0.5 rad"),
    ("revolute", "", "revolute"),
    ("prismatic", "<lower>0</lower><upper>0.3</upper>", "prismatic, 0 to 0.3 m"),
    ("prismatic", "<upper>0.3</upper>", "prismatic, up to 0.3 m"),
    ("revolute", "<lower>-2</lower>", "revolute, from -2 rad"),
    ("continuous", "<lower>-1</lower><upper>1</upper>", "continuous")])
def test_a_link_that_moves_has_its_joint_with_type_and_limits(kind, limit, said, tmp_path, capsys):
    text = WORDS.format(LINKS.format("arm", kind, AXIS.format(LIMIT.format(limit) if limit else "")))
    assert f"─ arm  (j_arm: {said})" in graph(tmp_path, capsys, text)
    assert f'  0 -> 1 [label="j_arm\\n{said}"];' in graph(tmp_path, capsys, text, "--kind", "kinematic").splitlines()
    assert f'  n0 -->|"j_arm<br>{said}"| n1' in graph(
        tmp_path, capsys, text, "--kind", "kinematic", "--format", "mermaid").splitlines()


def test_fixed_joints_are_dashed_and_have_no_note(tmp_path, capsys):
    text = WORDS.format(LINKS.format("cap", "fixed", ""))
    assert "(" not in graph(tmp_path, capsys, text)
    assert '0 -> 1 [label="j_cap\\nfixed", style=dashed];' in graph(tmp_path, capsys, text, "--kind", "kinematic")
    assert 'n0 -.->|"j_cap<br>fixed"| n1' in graph(tmp_path, capsys, text, "--kind", "kinematic", "--format", "mermaid")


def test_a_urdfs_joints_keep_their_words(tmp_path, capsys):
    """The conversion makes of a continuous joint a revolute one."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r"><link name="a">{inertial}</link><link name="w">{inertial}</link>'
                    f'<link name="v">{inertial}</link>'
                    '<joint name="j" type="continuous"><parent link="a"/><child link="w"/></joint>'
                    '<joint name="k" type="continuous"><parent link="a"/>'
                    '<child link="v"/><mimic joint="j"/></joint>'
                    '</robot>')
    assert main(["graph", str(path)]) == 0
    out = capsys.readouterr().out
    assert "w  (j: continuous)" in out and "v  (k: continuous, mimics j)" in out
    assert main(["graph", "--kind", "kinematic", str(path)]) == 0
    assert '"j\\ncontinuous"' in capsys.readouterr().out


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
    mermaid = graph(tmp_path, capsys, text, "--kind", "pose", "--format", "mermaid")
    assert 'n0[["__model__ (0)"]]:::model' in mermaid and '"]:::link' in mermaid
    assert '{{"j_arm' in mermaid and '(["f' in mermaid


def test_cycles_and_what_does_not_exist_are_red(tmp_path, capsys):
    text = WORDS.format('<frame name="a" attached_to="b"/><frame name="b" attached_to="a"/>'
                        '<frame name="c" attached_to="nowhere"/><frame name="sound" attached_to="base"/>')
    dot = graph(tmp_path, capsys, text, "--kind", "frame", status=1).splitlines()
    red = {line.split("[")[0].strip() for line in dot if "#cc0000" in line}
    number = {re.search('label="([^ "]+)', line)[1]: line.split()[0] for line in dot if "shape=" in line}
    a, b, c, nowhere = (number[name] for name in ("a", "b", "c", "nowhere"))
    assert red == {a, b, nowhere, f"{a} -> {b}", f"{b} -> {a}", f"{c} -> {nowhere}"}
    mermaid = graph(tmp_path, capsys, text, "--kind", "frame", "--format", "mermaid", status=1)
    assert mermaid.count(":::broken") == 3 and '>"nowhere"]:::broken' in mermaid
    arrows = [line for line in dot if "->" in line]
    broken = ",".join(str(i) for i, line in enumerate(arrows) if "#cc0000" in line)
    assert broken.count(",") == 2 and len(arrows) == 5 and f"  linkStyle {broken} stroke:#cc0000" in mermaid
    joint = WORDS.format(LINKS.format("arm", "fixed", "").replace("base", "bse"))
    kinematic = graph(tmp_path, capsys, joint, "--kind", "kinematic", status=1).splitlines()
    assert any('label="bse"' in line and "#cc0000" in line for line in kinematic)
    assert any("->" in line and "#cc0000" in line for line in kinematic)


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


def test_depth_folds_every_form(tmp_path, capsys):
    text = WORDS.format(LINKS.format("arm", "fixed", "") + LINKS.format("hand", "fixed", "").replace(
        "<parent>base", "<parent>arm"))
    assert graph(tmp_path, capsys, text, "--depth", "1").splitlines() == ["base", "├─ m", "└─ arm (+3)"]
    assert 'label="arm (+1)"' in graph(tmp_path, capsys, text, "--depth", "1", "--kind", "kinematic")
    with pytest.raises(SystemExit, match="2"):
        main(["graph", "--depth", "-1", str(tmp_path / "m.sdf")])


def test_page_is_a_tree_that_folds(tmp_path, capsys):
    limit = LIMIT.format("<lower>-1</lower><upper>1</upper>")
    text = WORDS.format('<frame name="&lt;b&gt;"/>' + LINKS.format("wheel", "revolute", AXIS.format(limit)))
    page = graph(tmp_path, capsys, text, "--format", "html")
    assert page.count("<details") == page.count("</details>") == 3  # base, wheel, and the model
    assert '<summary><b class="link">wheel</b> <small>j_wheel: revolute, -1 to 1 rad</small></summary>' in page
    assert '<b class="frame">&lt;b&gt;</b>' in page and "<b>" not in page
    assert graph(tmp_path, capsys, text, "-o", str(tmp_path / "tree.html")) == ""
    assert (tmp_path / "tree.html").read_text() == page


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz's dot")
@pytest.mark.parametrize("kind", ["tree", "frame", "pose", "kinematic"])
def test_graphviz_draws_every_kind(kind, tmp_path, capsys):
    limit = LIMIT.format("<lower>-1</lower><upper>1</upper>")
    text = WORDS.format(KINDS + LINKS.format("wheel", "revolute", AXIS.format(limit)))
    svg = graph(tmp_path, capsys, text, "--kind", kind, "--format", "svg")
    assert svg.count('class="node"') >= 4 and (kind in ("frame", "pose") or "-1 to 1 rad" in unescape(svg))


@pytest.mark.parametrize("arguments", [["--kind", "pose", "--format", "text"], ["--format", "png"],
                                       ["-o", "x", "second.sdf"], ["-o", "x.pdf"]])
def test_formats_that_do_not_fit_the_graph_are_wrong_usage(arguments, tmp_path):
    with pytest.raises(SystemExit, match="2"):
        main(["graph", str(tmp_path / "m.sdf"), *arguments])


def test_links_are_drawn_as_links_and_ends_that_do_not_exist_as_missing():
    from sdf_frames.cli.drawing import MISSING, draw_kinematic
    from sdf_frames.load import load_text
    loaded = load_text(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
                       "<parent>a</parent><child>b</child></joint><joint name='k' type='fixed'><parent>world</parent>"
                       "<child>a</child></joint></model></sdf>")
    drawing = draw_kinematic(loaded.scopes[0])
    assert [(v.label, v.kind) for v in drawing.vertices][:2] == [("a", "link"), ("b", "link")]
    assert MISSING not in [v.kind for v in drawing.vertices]


def test_a_suffix_that_names_no_format_needs_the_format(tmp_path, capsys):
    """DOT under the name of a PDF would not open."""
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    with pytest.raises(SystemExit, match="2"):
        main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "m.pdf")])
    assert "unknown suffix .pdf; use .dot, .gv, .mmd, .svg, .png, .txt, .html, or --format" in capsys.readouterr().err
    assert not (tmp_path / "m.pdf").exists()
    assert main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "m.pdf"), "--format", "dot"]) == 0


def test_a_missing_folder_is_named_without_an_option_that_graph_lacks(tmp_path, capsys):
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    assert main(["graph", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "new" / "m.dot")]) == 1
    said = capsys.readouterr().err
    assert f"there is no folder {tmp_path / 'new'}" in said and "--parents" not in said


STARTS = {"text": "l\n", "dot": "digraph {", "mermaid": "graph TD", "html": "<!doctype html>", "svg": "svg by dot",
          "png": "png by dot"}


@pytest.mark.parametrize(("words", "form"), [
    ("-o x.dot", "dot"), ("-o x.gv", "dot"), ("-o x.mmd", "mermaid"), ("-o x.svg", "svg"), ("-o x.png", "png"),
    ("-o x.PNG", "png"), ("-o x.txt", "text"), ("-o x.html", "html"), ("-o x", "text"), ("", "text"),
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


@pytest.mark.parametrize(("kind", "title"), [
    ("tree", "m: TF tree"), ("frame", "m: attached_to"), ("pose", "m: relative_to"),
    ("kinematic", "m: links and joints")])
def test_the_title_of_a_page(kind, title, tmp_path, capsys):
    page = graph(tmp_path, capsys, WORDS.format(KINDS), "--kind", kind, "--format", "html")
    assert f"<title>{title}</title>" in page and f"<h1>{title}</h1>" in page


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
