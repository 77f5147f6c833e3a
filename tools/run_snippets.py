"""Run the commands and programs in Markdown pages, as a reader would, and compare what they print.

    python tools/run_snippets.py docs/tutorial.md README.md
    python tools/run_snippets.py --installed PAGE ...          with sdf_frames as this Python has it installed

All blocks marked ```sh and ```python are run, those of one page in one new folder, in their order. Each Python block
follows those before it on its page. The folder holds what a reader has: `my_robot.urdf` with its `meshes/` and
`my_robot.sdf` (the bundled robot), `part.stl` (a cube of 10 cm), and `robots/` as in a checkout. A ```text block right
behind is what the block before it prints; a line of … stands for any lines. A block whose first line is `# needs ROS 2`
(or Gazebo, a network, …) is not run; one that is `# needs sdf_frames[view]` (or another extra) is run where that is
installed. A block starts in the folder in which the one before it ended. Status 1 where a block fails or prints
something else.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import trimesh

TOP = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```\n(?:\n?^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
_MARK = f"{'-' * 20}output{'-' * 20}"
#: A module of each extra.
EXTRAS = {"sdf_frames[view]": "viser", "sdf_frames[png]": "pyvista", "sdf_frames[batch]": "pyarrow"}


class Block(NamedTuple):
    """A block of a page: its language, text and first line, its output (None: not shown), and its requirement."""

    language: str
    text: str
    line: int
    output: str | None
    needs: str | None


def read_blocks(page: str) -> list[Block]:
    """Return the blocks of a page that can be run, in order."""
    blocks = []
    for match in _BLOCK.finditer(page):
        needs = re.match("# needs (.+)", match[2])
        wanted = needs[1] if needs and not (needs[1] in EXTRAS and find_spec(EXTRAS[needs[1]])) else None
        blocks.append(Block(match[1], match[2], page.count("\n", 0, match.start()) + 2, match[3], wanted))
    return blocks


def prepare_folder(folder: Path, page: str, sources: bool) -> dict[str, str]:
    """Put the files that the pages use into a folder; return the environment of the blocks."""
    shutil.copytree(TOP / "robots", folder / "robots")
    source = folder / "robots" / "mobile_manipulator"
    shutil.copytree(source / "meshes", folder / "meshes")
    urdf = (source / "mobile_manipulator.urdf").read_text(encoding="utf-8")
    (folder / "my_robot.urdf").write_text(urdf.replace("package://sdf_frames/robots/mobile_manipulator/", ""), "utf-8")
    trimesh.creation.box(bounds=([0, 0, 0], [0.1, 0.1, 0.1])).export(folder / "part.stl", file_type="stl_ascii")
    commands = folder / ".bin"
    commands.mkdir()
    (commands / "sdf_frames").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sdf_frames "$@"\n')
    (commands / "sdf_frames").chmod(0o755)
    environment = dict(os.environ, TMPDIR=str(commands), NO_COLOR="1", COLUMNS="120",
                       PATH=f"{commands}{os.pathsep}{os.environ.get('PATH', '')}")
    for name in ("AMENT_PREFIX_PATH", "PYTHONPATH"):
        environment.pop(name, None)
    environment |= {"PYTHONPATH": str(TOP)} if sources else {}
    if "git " in page and shutil.which("git"):  # the project of a reader is in git
        script = "git init -q && git add my_robot.urdf && git -c user.name=r -c user.email=r@e.com commit -qm R"
        subprocess.run(script, shell=True, cwd=folder, check=True)
    if "my_robot.sdf" in page:
        subprocess.run([commands / "sdf_frames", "convert", "my_robot.urdf", "-o", "my_robot.sdf"], cwd=folder,
                       env=environment, check=True)
    return environment


def run_block(block: Block, before: str, folder: Path, environment: dict[str, str]) -> str:
    """Return the problem of a block, or ""; `before` is the Python of the page so far, whose output is left out."""
    place = folder / ".bin" / "place"
    if block.language == "sh":
        command = ["bash", "-eu", "-o", "pipefail", "-c", f'{block.text}\npwd > "{place}"']
    else:
        command = [sys.executable, "-c", f"{before}\nprint({_MARK!r}, flush=True)\n{block.text}"]
    here = place.read_text(encoding="utf-8").strip() if place.exists() else folder
    done = subprocess.run(command, cwd=here, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False, timeout=300)
    output = done.stdout.rpartition(f"{_MARK}\n")[2]
    if done.returncode:
        return f"status {done.returncode}\n{block.text}\nprinted:\n{done.stdout}"
    if block.output is not None and not matches(block.output, output):
        return f"prints something else\n{block.text}\nexpected:\n{block.output}\nprinted:\n{output}"
    return ""


def matches(expected: str, output: str) -> bool:
    """Return whether an output has the lines that a page shows, except for white space at their ends."""
    lines = [line.rstrip() for line in expected.strip("\n").split("\n")]
    pattern = "".join("(?:.*\n)*?" if line.strip() in ("…", "...") else re.escape(line) + "\n" for line in lines)
    said = "".join(line.rstrip() + "\n" for line in output.strip("\n").split("\n"))
    return re.fullmatch(pattern, said) is not None


def run_page(page: Path, sources: bool = True) -> tuple[int, list[str], list[str]]:
    """Run all blocks of a page.

    Returns
    -------
    count, problems, skipped
        How many blocks were run; what failed, a text each; what those that were not run need.
    """
    count, problems, skipped, before = 0, [], [], ""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        environment = prepare_folder(Path(name), text, sources)
        for block in read_blocks(text):
            if block.needs:
                skipped.append(f"{page.name}:{block.line} needs {block.needs}")
                continue
            count += 1
            if problem := run_block(block, before, Path(name), environment):
                problems.append(f"{page.name}:{block.line}: {problem}")
            before += block.text if block.language == "python" else ""
    return count, problems, skipped


def main() -> int:
    failed = False
    for name in sys.argv[1:]:
        if name != "--installed":
            count, problems, skipped = run_page(Path(name), "--installed" not in sys.argv)
            said = f"{name}: {count} blocks run, {len(problems)} failed, {len(skipped)} not run"
            print(said, *skipped, *problems, sep="\n  ")
            failed |= bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
