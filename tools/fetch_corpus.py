"""Clone the real robots and worlds that the tests use into .corpus: what `make corpus` does.

    python tools/fetch_corpus.py                          all of them
    python tools/fetch_corpus.py --only ros2/urdf PR2     only repositories whose name holds one of these
    python tools/fetch_corpus.py --server file:///mirror  from elsewhere

test/records/manifest.tsv names each file, with its repository, commit, path and licence. Only these files are fetched,
at these commits, by git. The files belong to their authors: they are for reading and testing, and are never committed
here. Files that were made by xacro are in no repository; they are counted, and tests that need them are skipped.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
MANIFEST = TOP / "test" / "records" / "manifest.tsv"
EXPANDED = "xacro_expanded"


def read_manifest(words: list[str]) -> tuple[dict[tuple[str, str], list[dict]], int]:
    """The rows by repository and commit, of repositories that hold one of the words; and how many files xacro made."""
    with MANIFEST.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t")
                if not words or any(word in row["repository"] for word in words)]
    groups: dict[tuple[str, str], list[dict]] = {}
    fetched = [row for row in rows if row["file"].split("/")[1] != EXPANDED]
    for row in fetched:
        groups.setdefault((row["repository"], row["commit"]), []).append(row)
    return groups, len(rows) - len(fetched)


def fetch(server: str, repository: str, commit: str, rows: list[dict], target: Path) -> None:
    """Fetch the files of one repository, and put them where the manifest says.

    Raises
    ------
    subprocess.CalledProcessError
        git cannot fetch them.
    """
    environment = dict(os.environ, GIT_TERMINAL_PROMPT="0", GIT_LFS_SKIP_SMUDGE="1")

    def git(*words: str, text: str | None = None) -> None:
        subprocess.run(["git", "-C", folder, *words], check=True, env=environment, input=text, text=True,
                       capture_output=True)

    with tempfile.TemporaryDirectory() as folder:
        git("init", "--quiet")
        git("remote", "add", "origin", f"{server}/{repository}")
        git("config", "remote.origin.promisor", "true")
        git("config", "remote.origin.partialclonefilter", "blob:none")
        git("fetch", "--quiet", "--depth", "1", "--filter", "blob:none", "origin", commit)
        git("sparse-checkout", "set", "--no-cone", "--stdin", text="".join(f"/{row['path']}\n" for row in rows))
        git("checkout", "--quiet", "--detach", commit)
        for row in rows:
            path = target / row["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(folder, row["path"]), path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only repositories that hold a word")
    parser.add_argument("--server", default="https://github.com", metavar="URL", help="where the repositories are")
    parser.add_argument("--to", type=Path, default=TOP / ".corpus", metavar="DIR", help="(default: .corpus)")
    args = parser.parse_args()
    groups, expanded = read_manifest(args.only)
    failed = False
    for (repository, commit), rows in groups.items():
        if all((args.to / row["file"]).exists() for row in rows):
            continue
        try:
            fetch(args.server, repository, commit, rows, args.to)
            print(f"{repository}: {len(rows)} files, {', '.join(sorted({row['licence'] for row in rows}))}", flush=True)
        except (subprocess.CalledProcessError, OSError) as error:
            failed = True
            said = getattr(error, "stderr", None) or str(error)
            print(f"{repository}: not fetched: {said.strip().splitlines()[-1]}", file=sys.stderr, flush=True)
    there = sum((args.to / row["file"]).exists() for rows in groups.values() for row in rows)
    print(f"{there} files in {args.to}; {expanded} that xacro made are in no repository")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
