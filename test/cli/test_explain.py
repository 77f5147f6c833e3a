"""What 'explain' prints: words and examples, no templates."""
import json
import re
import sys

import pytest

from sdf_frames.cli import main
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.diagnostics.examples import read_example
from sdf_frames.diagnostics.meanings import MEANINGS
from sdf_frames.load import load_text


def explain(capsys, *arguments):
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def test_an_example_that_breaks_and_one_that_does_not(capsys):
    text = explain(capsys, "f001")
    assert text.startswith("F001 frame-attached-to-unknown (error)\n\n  A frame must be attached to a link, joint,")
    breaks, sound = read_example("F001")
    assert all(f"      {line}" in text.splitlines() for line in (*breaks.split("\n"), *sound.split("\n")))
    # The message and the hint are those that 'check' gives for the example.
    (found,) = [d for d in load_text(breaks).diagnostics if d.code == "F001"]
    said = " ".join(text.split())
    assert f"'check' says: {found.message}" in said and f"What to do: {found.hint}" in said
    assert "libsdformat calls it FRAME_ATTACHED_TO_INVALID." in text


def test_meanings_are_sentences():
    assert set(MEANINGS) <= set(BY_CODE) and len(MEANINGS) >= 60
    assert all(text.endswith(".") and "{" not in text for text in MEANINGS.values())


@pytest.mark.parametrize("code", sorted(BY_CODE))
def test_no_template_is_shown_and_it_fits(code, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    text = explain(capsys, code)
    assert not re.search(r"\{\w*(![rs])?(:[^}]*)?\}", text) and "'check' says: " in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("      ")) <= 80


def test_examples_for_machines(capsys):
    row = json.loads(explain(capsys, "--json", "J009"))
    breaks, sound = read_example("J009")
    assert row["example"] == {"breaks": breaks, "sound": sound}
    assert row["meaning"] == "An axis of length zero has no direction."
    assert json.loads(explain(capsys, "--json", "T006"))["example"] is None
