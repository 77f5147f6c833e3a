"""Where this project and the recorded answers of libsdformat differ, beside the rows of docs/differences.md.

    python tools/list_disagreements.py           print them
    python tools/list_disagreements.py --page    also write docs/project/disagreements.md

The answers are in test/records; the files they are about are where `make corpus` puts them. Compared are, for each
file: the verdict, the frames (names, kinds, bodies, poses), the joints (types, ends, axes) and the inertias of links. A
line each: the id of the row, what differs, the file, both sides in short. A row of docs/differences.md has its id
(`D12`) in its first cell, and explains the files that a line `- D12: path or pattern, …` lists, anywhere in the page.
(That a file has a finding which a row names would prove nothing: it may have several.) Exit status 1 if a disagreement
has no row.
"""
from __future__ import annotations

import argparse
import csv
import fnmatch
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from transforms3d.quaternions import quat2mat

ROOT = Path(__file__).resolve().parent.parent
DIFFERENCES, PAGE = ROOT / "docs" / "differences.md", ROOT / "docs" / "project" / "disagreements.md"
sys.path[:0] = [str(ROOT), str(ROOT / "test")]
RECORDED = 908


def find_disagreements(record: dict, loaded) -> Iterator[tuple[str, str]]:
    """(what, both sides in short) for everything in which we differ from one recorded answer."""
    check = record.get("check")
    if check is not None and check["ok"] != loaded.valid:
        yield "verdict", "there {}; here {}".format(*describe_verdicts(record, loaded))
    if not (check and check["ok"]) or record.get("frames_errors"):
        return
    for what, compare in (("frames", compare_frames), ("joints", compare_joints), ("inertia", compare_inertias)):
        if problem := compare(record, loaded):
            yield what, problem


def describe_verdicts(record: dict, loaded) -> tuple[str, str]:
    """What both say of a file: `valid`, or the errors."""
    ours = sorted({d.code + " " + d.name for d in loaded.diagnostics if d.severity == "error"})
    return ", ".join(record["check"]["codes"]) or "valid", ", ".join(ours) or "valid"


def _local(scope: dict, name: str | None) -> str | None:
    """Name relative to a root model, as ours are; the record's are absolute where it names other things."""
    prefix = scope["name"] + "::" if scope["root"] == "model" else ""
    return name.removeprefix(prefix) if name and name != prefix else name


def compare_frames(record: dict, loaded) -> str | None:
    want = {(s["name"], n): (kind, _local(s, body), pose) for s in record.get("frames", [])
            for n, (kind, body, pose) in s["frames"].items()}
    have = {(s.name, f.name): (f.kind, f.link, f.pose) for s in loaded.scopes for f in s.frames}
    if problem := _compare_names(want, have):
        return problem
    for key, (kind, body, pose) in want.items():
        row = have[key]
        if kind != row[0] or body is not None and body != row[1] and not body.endswith("__model__"):
            return f"{key[1]}: {kind} on {body} there, {row[0]} on {row[1]} here"
        if not same_pose(pose, row[2]):
            return f"{key[1]}: pose {pose} there, {row[2]} here"
    return None


def compare_joints(record: dict, loaded) -> str | None:
    want = {(s["name"], _local(s, n)): (kind, _local(s, parent), _local(s, child), axes)
            for s in record.get("frames", []) for n, (kind, parent, child, axes) in s["joints"].items()}
    have = {(s.name, j.name): (j.type, j.parent, j.child, j.axes) for s in loaded.scopes for j in s.joints}
    if problem := _compare_names(want, have):
        return problem
    for key, joint in want.items():
        row = have[key]
        same = len(joint[3]) == len(row[3]) and all(
            i == j and (not p or all(abs(a - b) <= 1e-9 for a, b in zip(p, q)))
            for (i, p), (j, q) in zip(joint[3], row[3]))
        if joint[:3] != row[:3] or not same:
            return f"{key[1]}: {joint} there, {row} here"
    return None


def compare_inertias(record: dict, loaded) -> str | None:
    if not record.get("inertia") or record.get("inertia_errors"):
        return None
    have = {row.name: row for row in loaded.inertias().links}
    scopes = record["frames"]
    single = len(scopes) == 1 and scopes[0]["root"] == "model"
    for name, (mass, pose, moments, auto) in record["inertia"].items():
        row = have.get(_local(scopes[0], name) if single else name)
        if row is None:
            return f"{name} is missing here"
        tolerance = 1e-6 if auto else 1e-9  # the reference rounds mesh vertices to single precision
        A, B = (_in_link(pose, moments), _in_link(row.pose, row.inertia))
        if not (_near((mass, *pose[:3]), (row.mass, *row.pose[:3]), tolerance)
                and np.abs(A - B).max() <= 10 * tolerance * max(np.abs(A).max(), np.abs(B).max(), 1e-300)):
            return f"{name}: {mass} {moments} there, {row.mass} {list(row.inertia)} here"
    return None


def _in_link(pose, moments):
    R = quat2mat(pose[3:])
    xx, yy, zz, xy, xz, yz = moments
    return R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T


def _near(one, other, tolerance: float) -> bool:
    return all(math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance) for a, b in zip(one, other))


def same_pose(p, q) -> bool:
    """Positions to 1e-9 of their size, rotations to 2e-8, either sign of the quaternion."""
    if p is None or q is None:
        return p is None and q is None
    rotation, other = np.array(p[3:]), np.array(q[3:])
    return _near(p[:3], q[:3], 1e-9) and min(np.abs(rotation - other).max(), np.abs(rotation + other).max()) <= 2e-8


def _compare_names(want: dict, have: dict) -> str:
    only_there, only_here = ([n for _, n in sorted(set(a) - set(b))] for a, b in ((want, have), (have, want)))
    return "; ".join(f"only {where} {', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
                     for where, names in (("there", only_there), ("here", only_here)) if names)


def read_rows(page: Path) -> dict[str, list[str]]:
    """Patterns of files by the id of the row that explains them, for those ids that do have a row."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    known = set(re.findall(r"^\|\s*`?([A-Z]+\d+)`?\s*\|", text, re.M))
    rows: dict[str, list[str]] = {}
    for row, patterns in re.findall(r"^[-*]\s*`?([A-Z]+\d+)`?:\s*(.+(?:\n +.+)*)$", text, re.M):
        if row in known:
            rows.setdefault(row, []).extend(p.strip().strip("`") for p in patterns.split(",") if p.strip())
    return rows


def write_page(rows: list[tuple[str, ...]], compared: int) -> None:
    """Write the page of disagreements: a row each, with a link to the file at the commit that was recorded."""
    from real_files import RECORDS
    with (RECORDS / "manifest.tsv").open(encoding="utf-8", newline="") as stream:
        sources = {row["file"]: row for row in csv.DictReader(stream, delimiter="\t")}
    lines = [
        "# Files on which sdf_frames and libsdformat disagree", "",
        f"libsdformat 17 and sdf_frames read {compared} robots and worlds of public repositories. This table lists",
        "the files for which the results differ: in the verdict, a frame, a joint or an inertia. The last",
        "column is the row of [Differences](../differences.md) that gives the reason. `make corpus` clones",
        "the files, and `python tools/list_disagreements.py --page` writes this page.", "",
        "| file | libsdformat 17 | sdf_frames | differs in | row |", "| --- | --- | --- | --- | --- |"]
    for row, what, file, there, here in rows:
        source = sources[file]
        # What xacro made is in no repository.
        made = file.split("/")[1] == "xacro_expanded"
        repository, path = source["repository"], source["path"]
        place = f"tree/{source['commit']}" if made else f"blob/{source['commit']}/{path}"
        name = f"{repository}: {path}{', by xacro' if made else ''}"
        lines.append(f"| [{name}](https://github.com/{repository}/{place}) | {there} | {here} | {what} | {row} |")
    PAGE.write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", action="store_true", help="write its page in docs/project/; needs all recorded files")
    args = parser.parse_args()
    from real_files import CORPUS, MISSING, read_records, resource_paths

    from sdf_frames.load import LoadOptions, load_file
    records = read_records()
    if not records or (args.page and len(records) < RECORDED):
        print(MISSING if not records else f"{len(records)} of {RECORDED} recorded files are here", file=sys.stderr)
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
    if args.page:
        write_page(found, len(records))
    unexplained = sum(row == "no row" for row, *_ in found)
    print(f"{len(found)} disagreements, {unexplained} without a row in {DIFFERENCES.name}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
