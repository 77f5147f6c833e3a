"""What 'explain' prints: words and examples, no templates."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import main
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.load import load_text

TOP = Path(__file__).resolve().parents[2]


def explain(capsys, *arguments):
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def test_an_example_that_breaks_and_one_that_does_not(capsys):
    text = explain(capsys, "f001")
    assert text.startswith("F001 frame-attached-to-unknown (error)\n\n  A frame must be attached to a link, joint,")
    breaks, sound = BY_CODE["F001"].example
    assert all(f"      {line}" in text.splitlines() for line in (*breaks.split("\n"), *sound.split("\n")))
    # The message and the hint are those that 'check' gives for the example.
    (found,) = [d for d in load_text(breaks).diagnostics if d.code == "F001"]
    said = " ".join(text.split())
    assert f"'check' says: {found.message}" in said and f"What to do: {found.hint}" in said
    assert "libsdformat calls it FRAME_ATTACHED_TO_INVALID." in text


def test_no_template_is_shown_and_it_fits(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    for code, rule in BY_CODE.items():
        text = explain(capsys, code)
        own = text.replace("{name}", "").replace("{model}", "")  # S025 has these
        assert not re.search(r"\{\w*(![rs])?(:[^}]*)?\}", own), code
        assert rule.message_in_words.isupper() or ("'check' says: " if rule.example else "The message: ") in text, code
        assert max(len(line) for line in text.splitlines() if not line.startswith("      ")) <= 80, code


def test_examples_for_machines(capsys):
    row = json.loads(explain(capsys, "--json", "J009"))
    breaks, sound = BY_CODE["J009"].example
    assert row["example"] == {"breaks": breaks, "sound": sound}
    assert row["meaning"].startswith("An axis of length zero has no direction; ")
    assert json.loads(explain(capsys, "--json", "T006"))["example"] is None


@pytest.mark.parametrize("line, wanted", [
    ("sdf_frames explain F00", {"F001", "F002", "F003"}),
    ("sdf_frames explain frame-attached-to-c", {"frame-attached-to-cycle"}),
    ("sdf_frames check --ignore X00", {"X001", "X002", "X004"}),
    ("sdf_frames check --error inertia-inv", {"inertia-invalid"})])
def test_the_shell_completes_codes_and_names(line, wanted, tmp_path):
    """In a process of its own, which writes the words to file descriptor 8."""
    pytest.importorskip("argcomplete")
    shell = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n",
             "WORDS": str(tmp_path / "words")}
    subprocess.run(["sh", "-c", 'exec "$0" -m sdf_frames 8>"$WORDS"', sys.executable], cwd=TOP, env=os.environ | shell,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert wanted <= {word.strip() for word in (tmp_path / "words").read_text().split("\n")}


F003 = """F003 model-without-link (error)

  A model needs at least one link, in the model itself or in a nested model. A static model does not
  need a link.

  this causes it:

      <sdf version="1.12">
        <model name="arm">
          <frame name="camera"/>
        </model>
      </sdf>

  this does not:

      <sdf version="1.12">
        <model name="arm">
          <link name="base"/>
          <frame name="camera"/>
        </model>
      </sdf>

  'check' says: model 'arm' has no link and no nested model

  What to do: add a link, or make the model static

  libsdformat calls it MODEL_WITHOUT_LINK.

  Source: pose frame semantics 2.1

"""


def test_the_whole_text(capsys, monkeypatch):
    assert explain(capsys, "F003") == explain(capsys, "f003") == explain(capsys, "Model-Without-Link") == F003
    assert explain(capsys, "F003", "F003") == F003 * 2
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", "60"), ("NO_COLOR", ""), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)
    first, _, *meaning = explain(capsys, "F003").splitlines()[:5]
    assert first == "\x1b[1mF003\x1b[0m model-without-link (\x1b[1;31merror\x1b[0m)"
    assert meaning == ["  A model needs at least one link, in the model itself or in",
                       "  a nested model. A static model does not need a link.", ""]


def test_fields_of_a_message_without_an_example_are_in_capitals(capsys):
    """Only TF can show it: there is no text that breaks it."""
    assert explain(capsys, "T006").startswith("T006 tf-two-parents (error)\n\n  In TF, a frame has one parent. ")
    assert "\n\n  The message: frame NAME has several parents in TF: PARENTS\n\n" in explain(capsys, "T006")


@pytest.mark.parametrize(("code", "said"), [
    ("T003", "frame NAME is not in TF"), ("T010", "frame NAME is on both /tf and /tf_static: listeners see it jump"),
    ("G028", "mesh FILE encloses no volume (method METHOD)")])
def test_fields_that_only_some_findings_have_are_left_out(capsys, code, said):
    assert f"  The message: {said}\n" in explain(capsys, code)


def test_a_message_or_hint_that_is_only_fields_is_left_out(capsys):
    assert "WHAT; BECOMES" not in explain(capsys, "L050")
    assert explain(capsys, "M002") == "M002 frame-unknown (error)\n\n  The message: there is no KIND FRAME\n\n"
    assert "What to do: use one of: KNOWN" in explain(capsys, "I008")


def test_the_list_of_all(capsys):
    lines = explain(capsys).splitlines()
    assert lines[:3] == ["C001  warning  massless-link-dropped", "C002  error    massless-link-refused",
                         "C003  info     massless-link-kept"]
    assert [line.split()[0] for line in lines] == sorted(BY_CODE)
    rows = list(map(json.loads, explain(capsys, "--json").splitlines()))
    assert [row["code"] for row in rows] == sorted(BY_CODE)


def test_json_has_every_field(capsys):
    row = json.loads(explain(capsys, "--json", "F003"))
    example = row.pop("example")
    assert row == {"code": "F003", "name": "model-without-link", "severity": "error",
                   "message": "model {name!r} has no link and no nested model",
                   "hint": "add a link, or make the model static", "sdformat": "MODEL_WITHOUT_LINK",
                   "reference": "pose frame semantics 2.1",
                   "meaning": "A model needs at least one link, in the model itself or in a nested model. A static "
                              "model does not need a link.",
                   "consumers": {"gazebo": "error", "drake": "error"}, "since": {}}
    assert set(example) == {"breaks", "sound"}
    assert json.loads(explain(capsys, "--json", "L030"))["since"] == {"pinocchio": "since 4.0"}
    bare = json.loads(explain(capsys, "--json", "I008"))
    assert (bare["meaning"], bare["example"]) == (None, None)


def test_unknown_codes_do_not_keep_the_others_from_being_explained(capsys):
    assert main(["explain", "F999", "F003", "model-without-lnk"]) == 2
    out, err = capsys.readouterr()
    assert out == F003 and err.splitlines() == [
        "unknown code 'F999'; 'sdf_frames explain' lists all",
        "unknown code 'model-without-lnk'; did you mean 'model-without-link'?"]


def test_several_programs_each_have_a_title_and_codes_are_refused(capsys):
    text = explain(capsys, "--for", "mujoco,drake")
    mujoco, drake = text.removeprefix("MuJoCo:\n").split("Drake:\n")
    assert "lost         fixed-joint: " in mujoco and "joint-friction: the friction is ignored\n" in drake
    assert text == f"MuJoCo:\n{explain(capsys, '--for', 'mujoco')}Drake:\n{explain(capsys, '--for', 'drake')}"
    with pytest.raises(SystemExit) as stop:
        main(["explain", "F001", "--for", "mujoco"])
    assert stop.value.code == 2 and "leave out one of the two" in capsys.readouterr().err


def test_a_program_without_known_changes_says_so(capsys):
    """An empty answer could also mean that nothing was looked up."""
    assert main(["explain", "--for", "gazebo"]) == 0
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("no change is known for Gazebo; 'sdf_frames check --for gazebo FILE'")
