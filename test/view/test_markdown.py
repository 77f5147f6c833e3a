"""Texts as Markdown: whatever a file says is only shown. markdown-it-py, another reader of CommonMark, judges."""
import ast
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("viser")
markdown_it = pytest.importorskip("markdown_it")

import sdf_frames.view  # noqa: E402
from sdf_frames.diagnostics.render import escape_controls  # noqa: E402
from sdf_frames.view.markdown import Markdown, escape, join, write  # noqa: E402

READER = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
SYNTAX = st.lists(st.sampled_from([*"<>&'\"`*_~[](){}!|#-+=:;\\/.$\n\t  1aB²é\u202e\0", "```", "&lt;", "import x",
                                   "export ", "<script>alert(1)</script>", "http://a.b", "{x}", "</td>"])).map("".join)


def show(text):
    """HTML that shows a text, with control characters as other outputs show them."""
    plain = escape_controls(text.replace("\n", " ")).replace("&", "&amp;")
    return plain.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


@pytest.mark.parametrize("pattern", ["{}", "**{}**", "- {}", "x {}: y"])
@given(st.text() | SYNTAX)
@example(" a ")
@example("export const x = 1")
@example("a\\")
def test_a_text_is_shown_as_it_is_and_is_nothing_else(pattern, text):
    """A paragraph, list item or bold text with the letters of the text."""
    if text:
        element = pattern.format("\0").replace("**\0**", "<strong>\0</strong>")
        element = f"<ul>\n<li>{element[2:]}</li>\n</ul>" if element.startswith("- ") else f"<p>{element}</p>"
        assert READER.render(write(pattern, text)) == element.replace("\0", show(text)) + "\n"


@given(st.text() | SYNTAX)
def test_a_text_stays_in_its_cell_of_a_table(text):
    rendered = READER.render(join([write("| | |\n| --- | --- |"), write("| {} | b |", text)]))
    assert rendered.count("<td>") == 2 and f"<td>{show(text)}</td>" in rendered


@given(st.text() | SYNTAX)
def test_no_letter_is_left_that_markdown_or_mdx_takes_for_syntax(text):
    """MDX, which viser 1.1.0 uses, also runs blocks that begin with `import` and `export`: none begins so."""
    escaped = escape(text)
    assert all(c.isalnum() or c in "&#; " for c in escaped) and escaped[:1] in ("", "&") and escaped.isprintable()


def test_markdown_of_our_own_is_kept():
    assert write("{} {}", write("**{}**", 1), "*") == "**&#49;** &#42;"
    assert isinstance(write("a"), Markdown) and join([write("a"), write("b")]) == "a\nb"


def test_nothing_else_hands_markdown_or_callbacks_to_viser():
    """What makes it so for every text and callback: Markdown passes `write` and `Paragraph`, a callback `listen`."""
    folder = Path(sdf_frames.view.__file__).parent
    made, unguarded, patterns = set(), [], []
    for path in [*folder.glob("*.py"), folder.parent / "ros" / "viewing.py", folder.parent / "cli" / "view.py"]:
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        calls = [(node, node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
                 for node in nodes if isinstance(node, ast.Call)]
        made |= {(path.name, name) for _, name in calls if name in ("add_markdown", "add_html", "Markdown")}
        unguarded += [(path.name, node.lineno) for node, name in calls
                      if re.fullmatch("on_(click|update|upload|submit|client_.*|pointer_.*|drag_.*)", name)
                      and ast.unparse(node.func) != "self.on_click"]  # what SceneNodes is given, called by its listener
        patterns += [node.args[0] for node, name in calls if name == "write" and isinstance(node.func, ast.Name)]
    assert made == {("markdown.py", "add_markdown"), ("markdown.py", "Markdown")} and unguarded == []
    branches = [part for p in patterns for part in ([p.body, p.orelse] if isinstance(p, ast.IfExp) else [p])]
    assert len(patterns) > 15 and {type(part) for part in branches} <= {ast.Constant, ast.Name}
