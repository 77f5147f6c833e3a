"""Run the commands and programs in Markdown pages, as a reader would, and compare what they print.

    python tools/run_snippets.py docs/tutorial.md README.md

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
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```\n(?:\n?^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
_NEEDS = re.compile(r"# needs (.+)")
#: A module of each extra.
EXTRAS = {"sdf_frames[view]": "viser", "sdf_frames[png]": "pyvista", "sdf_frames[batch]": "pyarrow"}
_CUBE = (
    (0, 2, 1),
    (1, 2, 3),
    (4, 5, 6),
    (5, 7, 6),
    (0, 1, 4),
    (1, 5, 4),
    (2, 6, 3),
    (3, 6, 7),
    (0, 4, 2),
    (2, 4, 6),
    (1, 3, 5),
    (3, 7, 5),
)


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, text and first line, what it prints (None: not said), what it needs."""

    language: str
    text: str
    line: int
    output: str | None
    needs: str | None


def read_blocks(page: str) -> Iterator[Block]:
    """The blocks of a page that can be run, in order."""
    for match in _BLOCK.finditer(page):
        needs = _NEEDS.match(match[2])
        wanted = needs[1] if needs and not (needs[1] in EXTRAS and find_spec(EXTRAS[needs[1]])) else None
        yield Block(match[1], match[2], page.count("\n", 0, match.start()) + 2, match[3], wanted)


def prepare_folder(folder: Path) -> None:
    """Put the files that the pages take for granted into a folder."""
    shutil.copytree(TOP / "robots", folder / "robots")
    source = folder / "robots" / "mobile_manipulator"
    shutil.copytree(source / "meshes", folder / "meshes")
    urdf = (source / "mobile_manipulator.urdf").read_text(encoding="utf-8")
    (folder / "my_robot.urdf").write_text(
        urdf.replace("package://sdf_frames/robots/mobile_manipulator/", ""), encoding="utf-8"
    )
    corners = [" ".join(str(0.1 * (number >> axis & 1)) for axis in range(3)) for number in range(8)]
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {corners[i]}\n" for i in face) + "endloop\nendfacet\n"
        for face in _CUBE
    )
    (folder / "part.stl").write_text(f"solid cube\n{facets}endsolid cube\n")


def make_repository(folder: Path) -> None:
    """Put the folder under git, as a reader's project is, where there is git."""
    if git := shutil.which("git"):
        identity = ("-c", "user.name=reader", "-c", "user.email=reader@example.com")
        for words in (("init", "--quiet"), ("add", "my_robot.urdf"), ("commit", "--quiet", "--message", "A robot")):
            subprocess.run([git, *identity, *words], cwd=folder, check=True)


def make_environment(folder: Path, python: str, sources: bool) -> dict[str, str]:
    """Variables for the blocks: `sdf_frames` is on the path, from the sources or as `python` has it installed."""
    commands = folder / ".bin"
    commands.mkdir()
    command = commands / "sdf_frames"
    command.write_text(f'#!/bin/sh\nexec "{python}" -m sdf_frames "$@"\n')
    command.chmod(0o755)
    environment = dict(
        os.environ,
        TMPDIR=str(commands),
        NO_COLOR="1",
        PATH=f"{commands}{os.pathsep}{os.environ.get('PATH', '')}",
        COLUMNS="120",
    )
    environment.pop("AMENT_PREFIX_PATH", None)
    environment.pop("PYTHONPATH", None)
    return dict(environment, PYTHONPATH=str(TOP)) if sources else environment


def run_block(block: Block, before: str, folder: Path, python: str, environment: dict[str, str]) -> tuple[int, str]:
    """Status and output of a block; `before` is the Python of the page so far, whose output is left out."""
    place = folder / ".bin" / "place"
    if block.language == "sh":
        command = ["bash", "-eu", "-o", "pipefail", "-c", f'{block.text}\npwd > "{place}"']
    else:
        mark = "-" * 20 + "output" + "-" * 20
        command = [python, "-c", f"{before}\nprint({mark!r}, flush=True)\n{block.text}"]
    here = place.read_text(encoding="utf-8").strip() if place.exists() else folder
    done = subprocess.run(
        command,
        cwd=here,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout if block.language == "sh" else done.stdout.rpartition(f"{mark}\n")[2]


def matches(expected: str, output: str) -> bool:
    """Whether the lines of an output are those that a page shows, but for white space at their ends."""
    lines = [line.rstrip() for line in expected.strip("\n").split("\n")]
    pattern = "".join("(?:.*\n)*?" if line.strip() in ("…", "...") else re.escape(line) + "\n" for line in lines)
    said = "".join(line.rstrip() + "\n" for line in output.strip("\n").split("\n"))
    return re.fullmatch(pattern, said) is not None


def run_page(page: Path, python: str = sys.executable, sources: bool = True) -> tuple[int, list[str], list[str]]:
    """Run all blocks of a page.

    Returns
    -------
    count, problems, skipped
        How many blocks were run; what failed, a text each; what those that were not run need.
    """
    count, problems, skipped, before = 0, [], [], ""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare_folder(folder)
        if "git " in text:
            make_repository(folder)
        environment = make_environment(folder, python, sources)
        if "my_robot.sdf" in text:
            subprocess.run(
                ["sdf_frames", "convert", "my_robot.urdf", "-o", "my_robot.sdf"],
                cwd=folder,
                env=environment,
                check=True,
            )
        for block in read_blocks(text):
            if block.needs:
                skipped.append(f"{page.name}:{block.line} needs {block.needs}")
                continue
            count += 1
            status, output = run_block(block, before, folder, python, environment)
            if status:
                problems.append(f"{page.name}:{block.line}: status {status}\n{block.text}\nprinted:\n{output}")
            elif block.output is not None and not matches(block.output, output):
                problems.append(
                    f"{page.name}:{block.line}: prints something else\n{block.text}\n"
                    f"expected:\n{block.output}\nprinted:\n{output}"
                )
            before += block.text if block.language == "python" else ""
    return count, problems, skipped


def main() -> int:
    failed = False
    for name in sys.argv[1:]:
        count, problems, skipped = run_page(Path(name))
        print(
            f"{name}: {count} blocks run, {len(problems)} failed, {len(skipped)} not run",
            *skipped,
            *problems,
            sep="\n  ",
        )
        failed |= bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
