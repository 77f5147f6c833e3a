"""The budget of one description: every limit is stated once, can be changed everywhere, and is one finding when
exceeded."""
import io
import json
import pickle
import re
from pathlib import Path

import pytest
from urdf_text import link, robot

from sdf_frames.cli import main
from sdf_frames.diagnostics import Location
from sdf_frames.document import budget
from sdf_frames.document.budget import (
    BOUNDS,
    Budget,
    LimitExceeded,
    Spending,
    read_bounded,
    read_limits,
    report_exceeded,
)
from sdf_frames.load import LoadOptions, load_file, load_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"
MODEL = '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/></model></sdf>'


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_the_page_states_every_limit_and_no_other():
    rows = re.findall(r"^\| `(\w+)` \| ([\d,.]+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(name, f"{default:,}", BOUNDS[name]) for name, default in zip(Budget._fields, Budget())]


def test_elements_are_counted_to_the_last():
    assert load_text(MODEL, options=LoadOptions(budget=Budget(elements=4))).diagnostics == ()
    loaded = load_text(MODEL, options=LoadOptions(budget=Budget(elements=3)))
    (found,) = loaded.diagnostics
    assert (found.code, found.severity, found.message) == ("X024", "error", "4 XML elements; the limit is 3")
    assert "--limit elements=N" in found.hint and loaded.root is None


def test_time_is_looked_at_whenever_something_is_spent(monkeypatch):
    """The limit is reached, and not yet exceeded; then it is."""
    now = iter([10, 12, 12.25, 13, 14])
    monkeypatch.setattr(budget, "monotonic", lambda: next(now))
    spending = Spending(Budget(seconds=2))
    assert spending.spend("bytes", 1) and not spending.spend("bytes", 1) and not spending.spend("bytes", 1)
    (found,) = spending.report(None)
    assert found.message.startswith("2.2 ") and found.message.endswith(" is 2") and spending.report(None) == ()
    with pytest.raises(LimitExceeded):
        spending.demand("faces", 1)


@pytest.mark.parametrize("command", ["check", "frames", "inertia", "print", "to-urdf", "upgrade", "graph"])
def test_the_command_line_changes_a_limit(command, tmp_path, capsys):
    path = tmp_path / "m.sdf"
    path.write_text(MODEL)
    assert main([command, str(path)]) == 0
    assert main([command, "--limit", "elements=3", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out + err).count("X024") == 1
    with pytest.raises(SystemExit) as stop:
        main([command, "--limit", "speed=3", str(path)])
    assert stop.value.code == 2 and "there is no limit 'speed'" in capsys.readouterr().err


def test_a_urdf_is_converted_within_the_budget(tmp_path, capsys):
    path = tmp_path / "r.urdf"
    path.write_text(robot(link("a", 1)))
    assert main(["convert", "--json", str(path)]) == 0
    assert main(["convert", "--json", "--limit", "elements=4", str(path)]) == 1
    _, answer = map(json.loads, capsys.readouterr().out.splitlines())
    assert [d["code"] for d in answer["diagnostics"]] == ["X024"]


def test_includes_that_are_followed_are_counted(tmp_path):
    (tmp_path / "m.sdf").write_text(MODEL)
    path = tmp_path / "w.sdf"
    path.write_text('<sdf version="1.12"><world name="w">' + "".join(
        f"<include><uri>m.sdf</uri><name>m{i}</name></include>" for i in range(5)) + "</world></sdf>")
    assert len(load_file(path, LoadOptions(budget=Budget(includes=5))).root.worlds[0].models) == 5
    loaded = load_file(path, LoadOptions(budget=Budget(includes=3)))
    assert [d.code for d in loaded.diagnostics] == ["X024"] and len(loaded.root.worlds[0].models) == 3
    # 17 elements of the world, 4 of the model each time.
    assert load_file(path, LoadOptions(budget=Budget(elements=37))).diagnostics == ()
    (found,) = load_file(path, LoadOptions(budget=Budget(elements=36))).diagnostics
    assert found.name == "include-too-large" and "has 37 elements; the limit is 36" in found.message


LIMITS = ", ".join(Budget._fields)


@pytest.mark.parametrize("word, said", [
    ("element=1", f"there is no limit 'element'; the limits are {LIMITS}"),
    ("elements", "the limit elements must be a positive number, not ''"),
    ("elements=1.5", "the limit elements must be a positive number, not '1.5'"),
    ("elements=0", "the limit elements must be a positive number, not 0"),
    ("faces=-1", "the limit faces must be a positive number, not -1"),
    *[(f"seconds={word}", f"the limit seconds must be a positive number, not {word}") for word in ("inf", "nan")],
    ("bytes=1e6", "the limit bytes must be a positive number, not '1e6'"),
    ("seconds=soon", "the limit seconds must be a positive number, not 'soon'")])
def test_messages_about_invalid_limits(word, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        read_limits([word])


def test_limits_are_read_in_order():
    assert read_limits(["elements=5", "seconds=1e-9", "elements=1"]) == Budget(elements=1, seconds=1e-9)
    assert read_limits([]) == Budget()


def test_spent_amounts_are_counted_and_the_rest_is_known():
    spending = Spending(Budget(faces=5, voxels=7))
    assert spending.spend("faces", 2) and spending.spend("faces", 3) and spending.spend("voxels", 7)
    assert (spending.left("faces"), spending.left("voxels"), spending.exceeded) == (0, 0, None)
    assert not spending.spend("voxels", 1) and not spending.spend("faces", 9)
    assert (spending.left("faces"), spending.left("mesh_nodes"), spending.exceeded) == (0, 50_000, "voxels")
    (found,) = spending.report(None)
    assert found.message.startswith("8 ") and found.message.endswith(" is 7") and spending.report(None) == ()
    with pytest.raises(LimitExceeded) as raised:
        spending.demand("faces", 1)
    assert (raised.value.name, raised.value.counted) == ("voxels", 8)
    assert Spending().report(None) == ()


@pytest.mark.parametrize("name, file, rule, words", [
    ("bytes", None, "xml-too-large", "more than 10 bytes"), ("bytes", "m.stl", "limit-exceeded", "11 bytes"),
    ("elements", "m.sdf", "include-too-large", "m.sdf"),
    ("elements", None, "limit-exceeded", "11 XML elements; the limit is 10"),
    ("mesh_bytes", "m.stl", "mesh-too-large", "m.stl"), ("include_depth", None, "include-too-deep", "10"),
    ("model_depth", None, "nesting-too-deep", "10"),
    ("includes", None, "limit-exceeded", "11 <include> elements that are followed; the limit is 10")])
def test_each_limit_has_its_finding(name, file, rule, words):
    found = report_exceeded(name, 11, Budget(**{name: 10}), Location("w.sdf", 3), file)
    assert (found.name, found.file, found.line) == (rule, "w.sdf", 3) and words in found.message
    assert found.hint == (
        f"raise the limit with --limit {name}=N (in Python: limits={{'{name}': N}}); docs/limits.md lists all limits")


def test_one_byte_more_than_the_limit_is_read():
    assert read_bounded(io.BytesIO(b"12345"), 3) == b"1234" and read_bounded(io.BytesIO(b"123"), 3) == b"123"


def test_an_exceeded_limit_can_be_sent_to_another_process():
    sent = pickle.loads(pickle.dumps(LimitExceeded("faces", 7)))
    assert (sent.name, sent.counted) == ("faces", 7)
