"""The program of the README's library section, run from a checkout as it stands there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_program_of_the_readme_runs(monkeypatch, capsys):
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(program, "README.md", "exec"), {})
    assert "base_footprint Limits(lower=" in capsys.readouterr().out
