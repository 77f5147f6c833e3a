"""Comments that suppress codes: which stretch of a file each is about. Places are (line, column), the end excluded."""
import json
from io import BytesIO
from types import SimpleNamespace

import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli import main
from sdf_frames.cli.files import Sources
from sdf_frames.cli.known import drop_suppressed, find_spans
from sdf_frames.diagnostics import Diagnostic

S003, F001 = "<!-- sdf_frames: ignore S003 -->", "<!-- sdf_frames: ignore F001 -->"


def read(text):
    spans, found = find_spans(text.encode(), "x.sdf")
    assert found == []
    return sorted((*sorted(span.codes), span.start, span.end) for span in spans)


@pytest.mark.parametrize(("text", "spans"), [
    (f"<a>\n{S003}\n<b/>\n<c/></a>", [("S003", (3, 1), (3, 5))]),
    (f"<a>\n{S003}\n<b>\n<c/></b>\n<d/></a>", [("S003", (3, 1), (4, 9))]),
    (f"<a>\n{S003}{F001}\n<b/></a>", [("F001", (3, 1), (3, 5)), ("S003", (3, 1), (3, 5))]),
    (f"<a>\n{S003}<b>\n{F001}<c/></b>\n</a>", [("F001", (3, 33), (3, 37)), ("S003", (2, 33), (3, 41))]),
    (f"<a>\n<b/>{S003}\n</a>", [("S003", (1, 1), (3, 5))]),  # with no element behind it: about the one around
    (f"<a>\n<b><c/>{S003}</b>\n<d/></a>", [("S003", (2, 1), (2, 44))]),
    (f"<a>\n<b>{S003}</b>\n<d>{F001}</d></a>", [("F001", (3, 1), (3, 40)), ("S003", (2, 1), (2, 40))]),
    (f"<a>{S003}\ntext<?x?><!-- else -->\n<b/></a>", [("S003", (3, 1), (3, 5))]),
    ("<a><!--sdf_frames:ignore S003,\n F001,frame-attached-to-cycle--><b/></a>",
     [("F001", "F002", "S003", (2, 33), (2, 37))]),
    ("<a><!-- else: ignore S003 --><b/></a>", [])])
def test_what_a_comment_is_about(text, spans):
    assert read(text) == spans


@pytest.mark.parametrize("text", [f"{S003}<a>\n</a>", f"<?xml version='1.0'?>\n{S003}\n<a/>", f"<a/>{S003}"])
def test_outside_of_the_root_it_is_about_the_whole_file(text):
    assert read(text) == [("S003", (1, 1), (len(text) + 2, 1))]


@pytest.mark.parametrize(("comment", "problem"), [
    ("hide S003", "'hide' is unknown; write 'sdf_frames: ignore CODE'"),
    ("", "'' is unknown; write 'sdf_frames: ignore CODE'"),
    ("ignore", "no code is named; write 'sdf_frames: ignore CODE'"),
    ("ignore S003 Z999", "unknown code 'Z999'; 'sdf_frames explain' lists all")])
def test_what_is_wrong_with_a_comment(comment, problem):
    spans, (found,) = find_spans(f"<a>\n <!-- sdf_frames: {comment} --><b/></a>".encode(), "x.sdf")
    assert spans == [] and (found.name, found.file, found.line, found.column) == ("suppression-wrong", "x.sdf", 2, 2)
    assert problem in found.message


def make(line, column, code="S003", file="m.sdf"):
    return Diagnostic(code, "n", "warning", "m", file, line, column=column)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text(f"<a>\n{S003}\n <b>\n</b><c/></a>")
    (tmp_path / "whole.sdf").write_text(f"{F001}\n<a/>")
    (tmp_path / "wrong.sdf").write_text("<a><!-- sdf_frames: hide S003 --></a>")
    (tmp_path / "folder").mkdir()


@pytest.mark.parametrize(("found", "kept"), [
    (make(3, 2), False), (make(3, 1), True), (make(3, 3), False), (make(4, 4), False), (make(4, 5), True),
    (make(3, 2, "F001"), True), (make(3, None), True), (make(4, None), False), (make(None, None), True),
    (make(None, None, "F001", "whole.sdf"), False), (make(1, 1, "F001", "whole.sdf"), False),
    (make(3, 2, file=None), True), (make(3, 2, file="gone.sdf"), True), (make(3, 2, file="folder"), True)])
def test_findings_within_are_dropped(found, kept, folder):
    assert drop_suppressed([found], Sources().read) == ([found] if kept else [])


def test_wrong_comments_of_every_file_follow_once(folder):
    given = [make(1, 1, file="wrong.sdf"), make(3, 2), make(2, 1, file="wrong.sdf"), make(9, 9, file=None)]
    *kept, wrong = drop_suppressed(given, Sources().read)
    assert kept == [given[0], given[2], given[3]] and (wrong.name, wrong.file) == ("suppression-wrong", "wrong.sdf")


@pytest.mark.parametrize("inner, outer", [(S003, S003), (S003, F001), (S003 + F001, S003)])
def test_elements_in_each_other_are_left_out_as_a_whole(tmp_path, inner, outer):
    """<b> has two children; a comment in front of it covers all of it, also behind the child with one of its own."""
    path = tmp_path / "m.sdf"
    path.write_text(f"<a>\n{outer}\n<b>\n{inner}\n<c/>\n<d/>\n</b>\n{inner}\n<e/></a>")
    for line in range(1, 10):
        for code, comment in (("S003", S003), ("F001", F001)):
            known = comment in outer and 3 <= line <= 7 or comment in inner and line in (5, 9)
            found = make(line, 1, code, str(path))
            assert drop_suppressed([found], Sources().read) == ([] if known else [found])


MAIN = """<sdf version="1.12"><world name="w"><include><uri>part.sdf</uri></include><include><name>q</name>
<uri>part.sdf</uri></include><!-- sdf_frames: ignore S003 --><odd/><other/></world></sdf>"""


def test_comments_of_standard_input_count(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(MAIN.encode())))
    assert main(["check", "-", "--json"]) == 1  # the include is not found
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert ["other" in d["message"] for d in found if d["code"] == "S003"] == [True]


@pytest.mark.parametrize("marked, status", [("", 1), ("a", 1), ("b", 1), ("ab", 0)])
def test_a_comment_before_one_element_hides_no_other(marked, status, tmp_path):
    """One finding stands for both elements."""
    mark = "<!-- sdf_frames: ignore R029 -->"
    links = "".join([(mark if name in marked else "") + link(name, 1, "<foo/>") for name in "ab"])
    (tmp_path / "r.urdf").write_text(robot(links, joint("j", "fixed", "a", "b")))
    assert main(["check", "--strict", str(tmp_path / "r.urdf")]) == status
