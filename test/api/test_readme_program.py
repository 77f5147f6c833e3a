"""The program of the README, run as it stands there, beside the folder of `sdf_frames demo --to demo`."""

import re
from pathlib import Path

from sdf_frames.cli import main

ROOT = Path(__file__).parents[2]


def test_the_program_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--to", "demo"]) == 0
    exec(compile(program, "README.md", "exec"), {})
    assert "base_footprint Limits(lower=" in capsys.readouterr().out
