"""List the differences between this project and the recorded answers of libsdformat, with rows of docs/differences.md.

    python tools/list_disagreements.py

The answers are in test/records; `make corpus` clones their files. For each file, the verdict, the frames (names, kinds,
bodies, poses), the joints (types, ends, axes) and the inertias of links are compared. Each difference is one line: the
id of the row, the kind of difference, the file, and both sides in short. If all recorded files exist,
docs/project/disagreements.md is also written. A row of docs/differences.md has its id (`D12`) in its first cell, and
explains the files that a line `- D12: path or pattern, …` lists, anywhere in the page. (Findings cannot select the row,
because a file may have several.) Exit status 1 if a difference has no row.
"""
from __future__ import annotations

import csv
import fnmatch
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import ANY

import numpy as np
from transforms3d.quaternions import quat2mat

ROOT = Path(__file__).resolve().parent.parent
DIFFERENCES, PAGE = ROOT / "docs" / "differences.md", ROOT / "docs" / "project" / "disagreements.md"
sys.path[:0] = [str(ROOT), str(ROOT / "test")]
RECORDED = 908


def find_disagreements(record: dict, loaded) -> Iterator[tuple[str, str]]:
    """Yield each difference from one recorded answer: its kind, and both sides in short."""
    check = record.get("check")
    if check is not None and check["ok"] != loaded.valid:
        yield "verdict", "there {}; here {}".format(*describe_verdicts(record, loaded))
    if not (check and check["ok"]) or record.get("frames_errors"):
        return
    for what, (there, here), tolerance in (
            ("frames", read_frames(record, loaded), 1e-9), ("joints", read_joints(record, loaded), 1e-9),
            ("inertia", read_inertias(record, loaded, automatic=False), 1e-9),
            # libsdformat rounds mesh vertices to single precision.
            ("inertia", read_inertias(record, loaded, automatic=True), 1e-6)):
        for name in {**there, **here}:
            if not is_alike(there.get(name), here.get(name), tolerance):
                yield what, f"{name}: {there.get(name)} there, {here.get(name)} here"
                break


def describe_verdicts(record: dict, loaded) -> tuple[str, str]:
    """Return both verdicts on a file: `valid`, or the errors."""
    ours = sorted({d.code + " " + d.name for d in loaded.diagnostics if d.severity == "error"})
    return ", ".join(record["check"]["codes"]) or "valid", ", ".join(ours) or "valid"


def _local(scope: dict, name: str | None) -> str | None:
    """Return a name relative to a root model, as sdf_frames writes it; the record has absolute names."""
    prefix = scope["name"] + "::" if scope["root"] == "model" else ""
    return name.removeprefix(prefix) if name and name != prefix else name


def read_frames(record: dict, loaded) -> tuple[dict, dict]:
    """Return kind, body and pose of each frame, of both sides; a body that the record lacks equals any."""
    there = {}
    for scope in record.get("frames", []):
        for name, (kind, body, pose) in scope["frames"].items():
            told = _local(scope, body) if body and not body.endswith("__model__") else ANY
            there[scope["name"], name] = kind, told, _without_sign(pose)
    return there, {(s.name, f.name): (f.kind, f.link, _without_sign(f.pose)) for s in loaded.scopes for f in s.frames}


def read_joints(record: dict, loaded) -> tuple[dict, dict]:
    """Return type, ends and axes of each joint, of both sides."""
    there = {(s["name"], _local(s, n)): (kind, _local(s, parent), _local(s, child), [(i, p or ANY) for i, p in axes])
             for s in record.get("frames", []) for n, (kind, parent, child, axes) in s["joints"].items()}
    return there, {(s.name, j.name): (j.type, j.parent, j.child, j.axes) for s in loaded.scopes for j in s.joints}


def read_inertias(record: dict, loaded, automatic: bool) -> tuple[dict, dict]:
    """Return mass, centre and tensor in the link's frame of each link of the record; `automatic`: computed ones."""
    if not record.get("inertia") or record.get("inertia_errors"):
        return {}, {}
    scopes = record["frames"]
    single = len(scopes) == 1 and scopes[0]["root"] == "model"
    there = {_local(scopes[0], name) if single else name: (mass, pose[:3], _tensor(pose, moments))
             for name, (mass, pose, moments, auto) in record["inertia"].items() if auto == automatic}
    return there, {row.name: (row.mass, row.pose[:3], _tensor(row.pose, row.inertia))
                   for row in loaded.inertias().links if row.name in there}


def _tensor(pose, moments) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = moments
    R = quat2mat(pose[3:])
    return R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T


def _without_sign(pose) -> tuple | None:
    """Return the position, and the outer product of the quaternion, which is the same for both signs."""
    return pose and (pose[:3], np.outer(pose[3:], pose[3:]))


def is_alike(one, other, tolerance: float) -> bool:
    """Return whether two values differ at most by rounding, relative to each number or a matrix's largest number."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.abs(one - other).max() <= 60 * tolerance * max(np.abs(one).max(), np.abs(other).max(), 1e-300)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(is_alike(a, b, tolerance) for a, b in zip(one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return one == other


def read_rows(page: Path) -> dict[str, list[str]]:
    """Return the patterns of files by the id of the row that explains them, for ids with a row."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    known = set(re.findall(r"^\|\s*`?([A-Z]+\d+)`?\s*\|", text, re.M))
    rows: dict[str, list[str]] = {}
    for row, patterns in re.findall(r"^[-*]\s*`?([A-Z]+\d+)`?:\s*(.+(?:\n +.+)*)$", text, re.M):
        if row in known:
            rows.setdefault(row, []).extend(p.strip().strip("`") for p in patterns.split(",") if p.strip())
    return rows


def write_page(rows: list[tuple[str, ...]], compared: int) -> None:
    """Write the page of disagreements: one row for each, with a link to the file at the recorded commit."""
    from real_files import RECORDS
    with (RECORDS / "manifest.tsv").open(encoding="utf-8", newline="") as stream:
        sources = {row["file"]: row for row in csv.DictReader(stream, delimiter="\t")}
    lines = [
        "# Files on which sdf_frames and libsdformat disagree", "",
        f"libsdformat 17 and sdf_frames read {compared} robots and worlds of public repositories. This table lists",
        "the files for which the results differ: in the verdict, a frame, a joint or an inertia. The last",
        "column is the row of [Differences](../differences.md) that gives the reason. `make corpus` clones",
        "the files, and `python tools/list_disagreements.py` writes this page.", "",
        "| file | libsdformat 17 | sdf_frames | differs in | row |", "| --- | --- | --- | --- | --- |"]
    for row, what, file, there, here in rows:
        source = sources[file]
        # Files from xacro are in no repository.
        made = file.split("/")[1] == "xacro_expanded"
        repository, path = source["repository"], source["path"]
        place = f"tree/{source['commit']}" if made else f"blob/{source['commit']}/{path}"
        name = f"{repository}: {path}{', by xacro' if made else ''}"
        lines.append(f"| [{name}](https://github.com/{repository}/{place}) | {there} | {here} | {what} | {row} |")
    PAGE.write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> int:
    from real_files import CORPUS, MISSING, read_records, resource_paths

    from sdf_frames.load import LoadOptions, load_file
    records = read_records()
    if not records:
        print(MISSING, file=sys.stderr)
        return 2
    explained = read_rows(DIFFERENCES)
    found = []
    for record in records:
        file = record["file"]
        loaded = load_file(CORPUS / file, LoadOptions(resource_paths=resource_paths(file)))
        for what, sides in find_disagreements(record, loaded):
            rows = (r for r, patterns in explained.items() if any(fnmatch.fnmatch(file, p) for p in patterns))
            row = next(rows, "no row")
            found.append((row, what, file, *describe_verdicts(record, loaded)))
            print(f"{row:8s} {what:8s} {file}\n{'':18s}{sides}")
    if len(records) == RECORDED:
        write_page(found, len(records))
    unexplained = sum(row == "no row" for row, *_ in found)
    print(f"{len(found)} disagreements, {unexplained} without a row in {DIFFERENCES.name}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
