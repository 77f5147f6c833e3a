"""`make corpus`, with a repository of our own in place of GitHub: the files of the manifest, at its commits."""

import csv
import gzip
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from real_files import RECORDS, TOP

TOOL = TOP / "tools" / "fetch_corpus.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="not run from the source tree")


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("fetch_corpus", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(folder, *words):
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def server(tmp_path):
    """A repository with two commits; the first is the one of the manifest."""
    folder = tmp_path / "server" / "acme" / "robots"
    (folder / "urdf").mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    for content in ("first", "second"):
        for name in ("urdf/a.urdf", "urdf/b.urdf", "LICENSE"):
            (folder / name).write_text(f"{content} {name}")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", content)
    return folder


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_files_of_the_manifest_are_fetched_at_its_commit(tool, server, tmp_path, monkeypatch, capsys):
    commit = git(server, "rev-parse", "HEAD~1")
    manifest = tmp_path / "manifest.tsv"
    rows = [("file", "repository", "commit", "path", "licence"),
            ("acme+robots/urdf/a.urdf", "acme/robots", commit, "urdf/a.urdf", "MIT"),
            ("acme+robots/LICENSE", "acme/robots", commit, "LICENSE", "MIT"),
            ("acme+robots/xacro_expanded/c.urdf", "acme/robots", commit, "c.urdf", "MIT"),
            ("other+gone/x.urdf", "other/gone", commit, "x.urdf", "BSD")]
    manifest.write_text("".join("\t".join(row) + "\n" for row in rows))
    monkeypatch.setattr(tool, "MANIFEST", manifest)
    target = tmp_path / "corpus"
    monkeypatch.setattr(sys, "argv", ["fetch_corpus", "--server", server.parents[1].as_uri(), "--to", str(target)])
    assert tool.main() == 1, "one repository is not there"
    assert {p.relative_to(target).as_posix(): p.read_text() for p in target.rglob("*") if p.is_file()} == {
        "acme+robots/urdf/a.urdf": "first urdf/a.urdf",
        "acme+robots/LICENSE": "first LICENSE",
    }
    said = capsys.readouterr()
    assert "acme/robots: 2 files, MIT" in said.out and "other/gone: not fetched" in said.err
    assert f"2 files in {target}; 1 that xacro made are in no repository" in said.out
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--only", "acme"])
    assert tool.main() == 0, "nothing is fetched twice"


def test_the_manifest_names_every_recorded_file_once_with_commit_and_licence():
    with (RECORDS / "manifest.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    files = [row["file"] for row in rows]
    assert len(files) == len(set(files)) == 1345
    for row in rows:
        assert len(row["commit"]) == 40 and row["licence"] and row["path"] and row["repository"].count("/") == 1
        assert row["file"].startswith(row["repository"].replace("/", "+") + "/")
        assert row["file"].endswith("/" + row["path"])
        assert ".." not in Path(row["file"]).parts
    with gzip.open(RECORDS / "libsdformat.jsonl.gz", "rt", encoding="utf-8") as stream:
        recorded = [json.loads(line)["file"] for line in stream]
    assert len(recorded) == 908 and set(recorded) <= set(files)
