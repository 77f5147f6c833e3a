"""Real files, written as 1.12 and read again: the same frames, and the same verdict for the same reasons."""
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from real_files import CORPUS, MISSING, STEP, resource_paths, some_files
from written_text import upgrade_file

from sdf_frames.load import LoadOptions, load_file, load_text

# What older versions allow is said of them as a warning; upgrading renames it.
RENAMED = {("name-renamed", "warning"), ("name-shared-aside", "warning"), ("name-reserved", "warning"),
           ("joint-child-is-world", "warning"), ("feature-of-later-version", "warning")}


def counts(loaded) -> Counter:
    return Counter((d.name, d.severity) for d in loaded.diagnostics)


def frames(loaded, renamed: bool):
    """Everything resolved; poses without names where upgrading had to choose others."""
    if renamed:
        return [(s.kind, s.name, sorted((f.kind, f.pose or ()) for f in s.frames)) for s in loaded.scopes]
    return [(s.kind, s.name, s.frames, s.joints) for s in loaded.scopes]


def test_upgraded_files_say_what_the_originals_say():
    files = some_files("*.sdf", "*.world")
    if not files:
        pytest.skip(MISSING)
    wrong, compared = [], 0
    for path in files:
        text, found = upgrade_file(str(path), "1.12")
        name = str(path.relative_to(CORPUS))
        options = LoadOptions(resource_paths=resource_paths(name))
        one = load_file(path, options)
        if one.kind is None:  # the root <gazebo> of SDFormat 1.2, which only `upgrade` takes
            continue
        if text is None:
            if one.valid:
                wrong.append((name, "valid, and not upgraded", found))
            continue
        other = load_text(text, str(path), options)
        compared += 1
        gone, new = counts(one) - counts(other), counts(other) - counts(one)
        # The new version knows the feature, and says of a joint on the world what it says of any.
        for name in ("feature-of-later-version", "joint-child-is-world"):
            del gone[name, "warning"]
        renamed = bool(found)
        if new or set(gone) - (RENAMED if renamed else set()) or one.valid != other.valid:
            wrong.append((name, gone, new))
        elif frames(one, renamed) != frames(other, renamed):
            wrong.append((name, "frames"))
    assert wrong == [] and compared >= 700 // STEP


def test_each_disagreement_with_a_recorded_answer_has_its_row():
    tool = Path(__file__).resolve().parents[2] / "tools" / "list_disagreements.py"
    if not CORPUS.is_dir() or not tool.exists():
        pytest.skip(MISSING)
    done = subprocess.run([sys.executable, str(tool)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
