"""Findings as text: what is one entry, how places are listed, counts, and colours."""
from collections import Counter

import pytest

from sdf_frames.cli.files import Sources
from sdf_frames.cli.findings_text import group_findings, render_findings, render_statistics, show_path, summarise
from sdf_frames.diagnostics import Diagnostic, Related
from sdf_frames.diagnostics.render import Terminal, count_findings

PLAIN, COLOURED = Terminal(), Terminal(80, True)


def make(name="a", line=1, message="link '{}' is odd", severity="warning", code="S003", file="m.sdf", column=5, **more):
    more.setdefault("path", f'/sdf/link[@name="{name}"]')
    return Diagnostic(code, "rule", severity, message.format(name), file, line, column=column, **more)


def read(found):
    return [[d.line for d in group] for group in group_findings(found)]


def test_three_findings_that_differ_in_names_and_numbers_are_one():
    same = [make(name, line) for line, name in enumerate("abc", 1)]
    assert read(same) == [[1, 2, 3]] and read(same[:2]) == [[1], [2]]
    numbers = [make("l", i, f"{i}.5 is above -{i}e-3") for i in range(3)]
    assert read(numbers) == [[0, 1, 2]]
    lists = [make("l", i, f"{['x'] * i} [{'y' * i}]") for i in range(1, 4)]
    assert read(lists) == [[1, 2, 3]]


@pytest.mark.parametrize("other", [
    {"code": "S004"}, {"severity": "error"}, {"file": "n.sdf"}, {"message": "link '{}' is even"}])
def test_findings_that_differ_in_anything_else_are_several(other):
    assert read([make("a", 1), make("b", 2), make("c", 3, **other)]) == [[1], [2], [3]]
    assert read([make("a", 1), make("b", 2), make("x", 3, **other), make("c", 4), make("y", 5, **other)]) == [
        [1, 2, 4], [3], [5]]


def test_names_without_quotes_are_told_by_the_path_the_longest_first():
    found = [make(name, line, "{} is odd in m", path=f'/sdf/model[@name="m"]/link[@name="{name}"]')
             for line, name in enumerate(("mm", "mn", "x"), 1)]
    assert read(found) == [[1, 2, 3]]
    assert read([make("", line, "is odd") for line in range(3)]) == [[0, 1, 2]]  # a name that is empty


def test_names_in_findings_without_a_place_are_all_told():
    assert len(read([make(name, None, path=None) for name in "abc"])) == 3
    assert len(read([make("a", None, path=None)] * 3)) == 1


def test_groups_stand_where_their_first_finding_is():
    found = [make("a", 1), make("z", 2, "other"), make("b", 3), make("c", 4), make("y", 5, "another")]
    assert read(found) == [[1, 3, 4], [2], [5]]


HEAD = "m.sdf:1:5: warning S003 rule: link 'a' is odd"
PATH = '    at /sdf/link[@name="a"]\n'


@pytest.mark.parametrize(("more", "listed"), [
    (2, "2:5 'b', 3:5 'c'"), (5, "2:5 'b', 3:5 'c', 4:5 'd', 5:5 'e', 6:5 'f'"),
    (6, "2:5 'b', 3:5 'c', 4:5 'd', 5:5 'e', 6:5 'f', and 1 more (--concise lists all)"),
    (9, "2:5 'b', 3:5 'c', 4:5 'd', 5:5 'e', 6:5 'f', and 4 more (--concise lists all)")])
def test_other_places_are_listed_behind_the_first(more, listed):
    found = [make(name, line, hint="look") for line, name in enumerate("abcdefghij"[:more + 1], 1)]
    names = listed.replace(" '", " link '")
    assert render_findings(found, PLAIN) == (f"{HEAD} [{more + 1} places]\n{PATH}    also at {names}\n    hint: look\n")


@pytest.mark.parametrize(("hints", "said"), [
    ("xyz", "    hint: x\n    also at 2:5 link 'b': y\n    also at 3:5 link 'c': z\n"),
    ("xyx", "    also at 3:5 link 'c'\n    hint: x\n    also at 2:5 link 'b': y\n"),
    ("x-y", "    hint: x\n    also at 2:5 link 'b'\n    also at 3:5 link 'c': y\n"),
    ("-xx", "    also at 2:5 link 'b', 3:5 link 'c': x\n"),
    # Of seven other places, five are printed: a second hint is among them wherever its place is.
    ("xxxxxxxy", "    also at 2:5 link 'b', 3:5 link 'c', 4:5 link 'd', 5:5 link 'e'\n    hint: x\n"
                 "    also at 8:5 link 'h': y\n    and 2 more (--concise lists all, --json also their hints)\n"),
    ("stuvwxyz", "    hint: s\n" + "".join(f"    also at {line}:5 link '{name}': {hint}\n" for line, name, hint in (
        (2, "b", "t"), (3, "c", "u"), (4, "d", "v"), (5, "e", "w"), (6, "f", "x")))
     + "    and 2 more (--concise lists all, --json also their hints)\n")])
def test_each_place_has_its_own_hint(hints, said):
    """A dash stands for a finding without a hint."""
    found = [make("abcdefgh"[i], i + 1, hint=None if hint == "-" else hint) for i, hint in enumerate(hints)]
    assert render_findings(found, PLAIN) == f"{HEAD} [{len(hints)} places]\n{PATH}{said}"


@pytest.mark.parametrize(("other", "place"), [
    ({"column": None}, "9 link 'b'"), ({"line": None}, "link 'b'"), ({"path": None}, "9:5 'b'"),
    ({"path": "/sdf", "line": None}, "'b'"), ({"name": "a", "path": "/sdf", "line": None}, "?"),
    ({"name": "a/b]", "path": '/sdf/model[@name="m"]/link[@name="a/b]"]'}, "9:5 link 'a/b]'"),
    ({"path": '/sdf/model[@name="m"]/pose'}, "9:5 model 'm' 'b'")])
def test_how_a_place_is_called(other, place):
    found = [make("a", 1), make(**{"name": "b", "line": 9, **other}), make("c", 3)]
    assert f"    also at {place}, 3:5 link 'c'\n" in render_findings(found, PLAIN)


def test_other_places_have_the_names_of_their_messages():
    found = [make("w", i, f"'model://{name}' is not found", path='/sdf/world[@name="w"]/include')
             for i, name in enumerate(["sun", "sun", "tree"], 1)]
    assert "    also at 2:5 world 'w', 3:5 world 'w' 'model://tree'\n" in render_findings(found, PLAIN)


def test_the_source_line_is_quoted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text("<sdf>\n  <link/>\n</sdf>\n")
    found = [make("a", line) for line in (1, 2)]
    assert render_findings(found[1:], PLAIN) == f"{HEAD.replace(':1:', ':2:')}\n    | <link/>\n{PATH}"
    sources = Sources()
    sources.keep("m.sdf", b"<other>")
    assert render_findings(found[:1], PLAIN, sources=sources) == f"{HEAD}\n    | <other>\n{PATH}"
    assert "|" not in render_findings([make(file=None), make(line=None), make(file="gone.sdf"), make("a", 9)], PLAIN)


def test_one_line_each_if_asked_for():
    found = [make(name, line, hint="look") for line, name in enumerate("abc", 1)]
    assert render_findings(found, PLAIN, concise=True) == "".join(
        f"m.sdf:{line}:5: warning S003 rule: link '{name}' is odd\n" for line, name in enumerate("abc", 1))


def test_colours():
    found = [make("a", 1, hint="look")]
    head = ("\x1b[1mm.sdf:1:5\x1b[0m: \x1b[1;33mwarning\x1b[0m \x1b[1mS003\x1b[0m rule: link 'a' is odd\n")
    assert render_findings(found, COLOURED, concise=True) == head
    sources = Sources()
    sources.keep("m.sdf", b"<link/>")
    assert render_findings(found, COLOURED, sources=sources) == (
        head + "\x1b[2m    | <link/>\x1b[0m\n\x1b[2m" + PATH.rstrip() + "\x1b[0m\n    hint: look\n")
    nowhere = Diagnostic("F001", "rule", "error", "wrong")
    assert render_findings([nowhere], COLOURED) == "error F001 rule: wrong\n"
    two_lines = make("a\nb", 1, "x\ny: error F001 z: w")
    assert render_findings([two_lines], COLOURED, concise=True).startswith("\x1b[1mm.sdf:1:5\x1b[0m: \x1b[1;33mwarning")


def test_paths_from_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside, beside = str(tmp_path / "a" / "m.sdf"), f"{tmp_path}b/m.sdf"
    assert (show_path(inside), show_path(beside), show_path("x/m.sdf")) == ("a/m.sdf", beside, "x/m.sdf")
    related = (Related("there", 1, None, str(tmp_path / "n.sdf")), Related("here", 2))
    found = make(file=inside, related=related, path=None)
    assert render_findings([found], PLAIN) == (
        "a/m.sdf:1:5: warning S003 rule: link 'a' is odd\n    see there (n.sdf, line 1)\n    see here (line 2)\n")


@pytest.mark.parametrize(("severities", "said"), [
    ("", ""), ("i", ""), ("e", "1 error"), ("ew", "1 error, 1 warning"), ("wweei", "2 errors, 2 warnings"),
    ("ww", "2 warnings")])
def test_counts(severities, said):
    words = {"e": "error", "w": "warning", "i": "info"}
    assert count_findings(make(severity=words[letter]) for letter in severities) == said


def test_statistics_have_the_most_frequent_first():
    counts = Counter({("S003", "warning"): 2, ("F001", "error"): 2, ("I001", "error"): 11, ("S003", "error"): 2})
    assert render_statistics(counts) == """11  I001  error    inertia-invalid
 2  F001  error    frame-attached-to-unknown
 2  S003  error    element-unknown
 2  S003  warning  element-unknown
"""
    assert render_statistics(Counter()) == ""


def test_the_summary():
    counts = Counter({("S003", "warning"): 2, ("F001", "error"): 3, ("S003", "error"): 2, ("K001", "info"): 9})
    assert summarise(2, 1, counts, PLAIN) == "3 files: 2 valid, 1 with errors; S003 x 4, F001 x 3\n"
    assert summarise(2, 0, Counter(), PLAIN) == "2 files: 2 valid\n"
    assert summarise(0, 2, Counter(), PLAIN) == "2 files: 2 with errors\n"
    assert summarise(1, 1, Counter(), COLOURED) == "2 files: \x1b[1;32m1 valid\x1b[0m, \x1b[1;31m1 with errors\x1b[0m\n"
    codes = [f"F00{i}" for i in range(1, 10)]
    nine = Counter({(code, "error"): 1 for code in codes})
    assert summarise(1, 1, nine, PLAIN).endswith(f"; {', '.join(f'{c} x 1' for c in codes[:8])}, 1 more codes\n")
    del nine[codes[8], "error"]
    assert summarise(1, 1, nine, PLAIN).endswith("F007 x 1, F008 x 1\n")
