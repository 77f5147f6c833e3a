"""Mutation testing: mutmut puts one small fault at a time into a copy of the package, and sees whether a test notices.

    python tools/mutate.py --base main              functions that have changed since a commit
    python tools/mutate.py --only sdf/names.py      files whose path holds that
    python tools/mutate.py --sample 3 --seed 1      a seeded sample of files

mutmut records which tests run which function, and runs only these for a mutant of it. Asked are the tests in the folder
of the file, or those of --tests. A mutant that was judged stays so until its function changes; those that live on are
printed, and docs/project/mutation.md lists equivalent ones. Status 1 if less than 95 % are killed.
"""
from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PLACE = TOP / ".mutate"
PACKAGE = "sdf_frames"
LEFT_OUT = ("sdf_frames/ros/", "sdf_frames/diagnostics/catalogue/")  # needs a sourced ROS 2; a table of words
# It waits for a browser, which fails on a busy machine; these two read the sources, which mutmut has changed.
IGNORED = ("--ignore=test/view/test_browser.py", "--ignore=test/test_layers.py", "--ignore=test/document/test_door.py")
WANTED = 0.95


def list_changes(base: str) -> dict[str, list[str]]:
    """Globs of mutants in the functions that differ from a commit, by file."""
    text = subprocess.run(["git", "diff", "-U0", base, "--", PACKAGE], cwd=TOP, check=True, capture_output=True,
                          text=True).stdout
    found: dict[str, list[str]] = {}
    for part in re.split(r"^diff ", text, flags=re.MULTILINE)[1:]:
        name = re.search(r"^\+\+\+ b/(.+\.py)$", part, re.MULTILINE)
        if not name:
            continue
        lines = {int(start) + i for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))?", part, re.MULTILINE)
                 for i in range(int(count or 1))}
        for node in ast.walk(ast.parse((TOP / name[1]).read_bytes())):
            if isinstance(node, ast.FunctionDef) and lines.intersection(range(node.lineno, node.end_lineno + 1)):
                found.setdefault(name[1], []).append(f"{name_module(name[1])}.x*{node.name}__mutmut_*")
    return found


def name_module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def prepare(files: list[str], tests: list[str]) -> None:
    """Copy what git knows to a folder, without ../shared, with the configuration of mutmut."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=TOP, check=True, capture_output=True,
                            text=True).stdout.splitlines()
    for name in listed:
        if (TOP / name).is_file():
            (PLACE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, PLACE / name)
    with (PLACE / "setup.cfg").open("a", encoding="utf-8") as stream:
        lists = {"only_mutate": files, "pytest_add_cli_args_test_selection": tests, "pytest_add_cli_args": IGNORED,
                 "also_copy": sorted({name.split("/")[0] for name in listed} - {PACKAGE})}
        stream.write(f"\n[mutmut]\nsource_paths = {PACKAGE}\nuse_git_change_detection = false\n")
        stream.writelines(f"{name} =\n    " + "\n    ".join(values) + "\n" for name, values in lists.items())


def mutmut(*words: str, quiet: bool = True) -> str:
    """What a command of mutmut prints."""
    command = [sys.executable, "-W", "ignore", "-m", "mutmut", *words]
    return subprocess.run(command, cwd=PLACE, check=True, text=True, stdout=subprocess.PIPE if quiet else None).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", metavar="COMMIT", help="only functions that differ from it")
    parser.add_argument("--only", action="append", metavar="PART", help="only files whose path holds it (repeatable)")
    parser.add_argument("--sample", type=int, default=3, metavar="N", help="files, where neither of these is given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", action="append", metavar="PATH", help="ask these tests (repeatable)")
    args = parser.parse_args()
    changes = list_changes(args.base) if args.base else {}
    files = [name for path in sorted((TOP / PACKAGE).rglob("*.py"))
             if not (name := path.relative_to(TOP).as_posix()).startswith(LEFT_OUT)
             and (name in changes if args.base else True) and (not args.only or any(p in name for p in args.only))]
    if not args.base and not args.only:
        files = random.Random(args.seed).sample(files, min(args.sample, len(files)))
    if not files:
        print("nothing to mutate")
        return 0
    folders = {Path("test", Path(name).parent.relative_to(PACKAGE)).as_posix() for name in files}
    tests = args.tests or sorted(folders - {"test"}) + ([f.relative_to(TOP).as_posix() for f in TOP.glob(
        "test/test_*.py")] if "test" in folders else [])
    prepare(files, tests)
    names = [glob for name in files for glob in changes.get(name, [f"{name_module(name)}.x*"])]
    mutmut("run", *names, quiet=False)
    rows = re.findall(r"^ +(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE)
    prefixes = tuple(f"{name_module(name)}.x" for name in files)
    judged = [(name, status) for name, status in rows if name.startswith(prefixes) and status != "not checked"]
    counts = Counter(status for _, status in judged)
    for name, status in judged:
        if status not in ("killed", "timeout"):
            print(mutmut("show", name))
    count = counts["killed"] + counts["timeout"]
    print(f"{count} of {len(judged)} killed ({count / max(1, len(judged)):.1%}), {dict(counts)}")
    return 0 if count >= WANTED * len(judged) else 1


if __name__ == "__main__":
    sys.exit(main())
