"""The hook for pre-commit and the action for GitHub, as far as they run without those services."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import build_parser
from sdf_frames.cli.inputs import SUFFIXES

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[1]
GOOD = '<sdf version="1.12"><model name="m"><link name="l"/></model></sdf>'
BAD = GOOD.replace("</model>", '<frame name="f" attached_to="g"/></model>')


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "worlds").mkdir()
    (tmp_path / "good.sdf").write_text(GOOD)
    (tmp_path / "worlds" / "bad.world").write_text(BAD)
    return tmp_path


def environment(**more):
    paths = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])  # an empty one is the working directory
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


def test_the_hook_takes_what_a_search_of_folders_takes():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert all(re.search(hook["files"], f"a/robot{suffix}") for suffix in SUFFIXES)
    assert not any(re.search(hook["files"], name) for name in ("macro.xacro", "a.urdf.orig", "sdf", "a.xml"))
    assert hook["language"] == "python"  # pre-commit installs this repository as a package


def test_the_hook_fails_on_errors_and_prints_them(folder):
    """pre-commit splits the entry into words and appends the files."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, *words = shlex.split(hook["entry"])
    assert program == "sdf_frames"
    results = [subprocess.run([sys.executable, "-m", program, *words, *files], cwd=folder, env=environment(),
                              capture_output=True, text=True, timeout=100)
               for files in (["good.sdf"], ["good.sdf", "worlds/bad.world"])]
    assert [r.returncode for r in results] == [0, 1] and results[0].stdout == ""
    assert results[1].stdout.startswith("worlds/bad.world:1:") and "F001" in results[1].stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("inputs, status, said", [
    ({}, 1, "::error file=worlds/bad.world,line=1,"), ({"paths": "good.sdf"}, 0, ""),
    ({"arguments": "--ignore F001"}, 0, ""), ({"arguments": "--exclude worlds"}, 0, ""),
    ({"paths": "good.sdf\nworlds\n"}, 1, "::error file=worlds/bad.world,line=1,"),
    ({"paths": "\n"}, 1, "::error file=worlds/bad.world,line=1,"),
    ({"paths": "*.sdf"}, 0, "1 file: 1 valid\n"), ({"paths": "**/*.world"}, 1, "::error file=worlds/bad.world,line=1,"),
    ({"paths": "-*.sdf good.sdf"}, 1, "::error file=--ignore=F001.sdf,"),
    ({"paths": "*.urdf"}, 1, "::error file=*.urdf,title=X001 file-unreadable"),
    ({"paths": "worlds", "arguments": "--strict\n--ignore F001\n"}, 0, ""),
    ({"paths": "r.urdf.xacro"}, 1, "::error file=r.urdf.xacro,title=X001 file-unreadable::cannot read r.urdf.xacro: "
     "a .xacro file runs Python code, which --untrusted does not allow%0Aif you trust its author, check without "
     '--untrusted (the GitHub Action: untrusted: "false")'),
    ({"paths": "$(touch made) `touch made` ;touch made"}, 1, ""),
    ({"paths": "{folder}/link.sdf"}, 1, "::error file=link.sdf,title=X001 file-unreadable"),
    ({"paths": "link.sdf", "untrusted": "false"}, 0, "")])
def test_the_last_step_of_the_action_checks_and_annotates(inputs, status, said, folder, tmp_path_factory):
    """With the inputs put into its environment, as the runner does, and with the program as pip installs it.

    Nothing in the repository is imported.
    """
    programs = tmp_path_factory.mktemp("programs")
    program = programs / "sdf_frames"
    program.write_text(f"#!{sys.executable}\nfrom sdf_frames.cli import main\nraise SystemExit(main())")
    program.chmod(0o755)
    (programs / "good.sdf").write_text(GOOD)
    if "-*.sdf" in inputs.get("paths", ""):
        (folder / "--ignore=F001.sdf").write_text(BAD)  # a name of a file is no option
    if any("link" in value for value in inputs.values()):
        (folder / "link.sdf").symlink_to(programs / "good.sdf")
    for name in ("sdf_frames", "lxml", "argparse"):
        (folder / f"{name}.py").write_text("raise RuntimeError")
    inputs = {name: value.replace("{folder}", str(folder)) for name, value in inputs.items()}
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    given = {name: inputs.get(name, row["default"]) for name, row in action["inputs"].items()}
    step = action["runs"]["steps"][-1]
    put = {name: re.sub(r"\$\{\{ inputs\.(\S+) \}\}", lambda m: given[m[1]], value)
           for name, value in step["env"].items()}
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=folder, capture_output=True,
                          text=True, env=environment(PATH=path, **put), timeout=100)
    assert done.returncode == status and done.stdout.startswith(said), done.stderr
    assert not (folder / "made").exists()


def test_no_step_of_the_action_puts_an_input_into_a_command():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite" and all("${{" not in step.get("run", "") for step in steps)
    assert all(step["shell"] == "bash" for step in steps if "run" in step)  # composite steps must name one
    words = shlex.split(steps[-1]["run"].strip().splitlines()[-1])
    assert words[:4] == ["sdf_frames", "check", "--format", "github"]
    build_parser("check").parse_args([*words[1:4], "--untrusted", "a.sdf"])
    assert all("working-directory" in step for step in steps if "python -m" in step.get("run", ""))


def test_the_page_shows_both():
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert "id: sdf-frames-check" in page and "uses: " in page
