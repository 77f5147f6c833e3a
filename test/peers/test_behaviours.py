"""Programs make of small robots what the table of behaviours says (``sdf_frames/checks/data/behaviours.tsv``).

    make peers           asks each program in the version of the table
    make peers NEWEST=1  asks the newest versions, and says what changed

Each program runs in an environment of its own, below ``SDF_FRAMES_PROGRAMS``.
"""
from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from behaviours.cases import CASES, FILES
from programs import Program
from refused_robots import MUJOCO_PATHS, write_for_mujoco

from sdf_frames.checks.becomes import REFUSED, SAME, Row, read_rows

HOME = Path(os.environ.get("SDF_FRAMES_PROGRAMS", ".ros/programs"))
ASK = Path(__file__).parent / "behaviours" / "ask.py"
ROWS: dict[tuple[str, str], list[Row]] = {}
for _row in read_rows():
    ROWS.setdefault((_row.program, _row.source), []).append(_row)


def is_close(seen, other, least=1e-4) -> bool:
    if isinstance(seen, list) and isinstance(other, list):
        return len(seen) == len(other) and all(is_close(a, b, least) for a, b in zip(seen, other))
    if isinstance(seen, bool) or isinstance(other, bool) or seen is None or other is None:
        return seen is other
    return math.isclose(seen, other, rel_tol=1e-4, abs_tol=least)


def is_meant(row: Row, seen) -> bool:
    """Whether what was seen is what the format means; masses may be tiny, angles come from float32."""
    return is_close(seen, CASES[row.kind][row.feature].meant, 1e-9 if "mass" in row.feature else 1e-4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("behaviours")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    for kind, cases in CASES.items():
        for name, case in cases.items():
            (folder / f"{name}.{kind}").write_text(case.text.replace("FOLDER", str(folder)))
    return folder


@pytest.mark.parametrize("program, source", ROWS)
def test_program_does_as_its_rows_say(program, source, folder):
    python = HOME / source / "bin" / "python"
    if not (HOME / source / "ready").exists():
        pytest.skip(f"{source} is missing (make peers)")
    process = Program(python.absolute(), "-W", "ignore", ASK, program, PYTHONPATH="")
    different = {}
    for row in ROWS[program, source]:
        case = CASES[row.kind][row.feature]
        text = process.ask(json.dumps([str(folder / f"{row.feature}.{row.kind}"), *case.ask, case.move]))
        said = json.loads(text) if text.startswith("{") else {"failed": text}
        expected = {} if row.effect == REFUSED else {"seen": json.loads(row.seen)}
        if "seen" in said and row.effect == REFUSED and said["seen"] is False:
            continue
        if "refused" in said if row.effect == REFUSED else "seen" in said and is_close(said["seen"], expected["seen"]):
            continue
        different[row.feature] = said
    process.end()
    assert different == {}


@pytest.mark.parametrize(("version", "number"), [("3.6.0", 0), ("4.0.0", 1)])
def test_mujoco_finds_meshes_as_is_said_of_its_versions(version, number, tmp_path):
    python = HOME / f"mujoco=={version}" / "bin" / "python"
    if not python.exists():
        pytest.skip(f"MuJoCo {version} is missing (make peers)")
    process = Program(python.absolute(), "-W", "ignore", ASK, "mujoco", PYTHONPATH="")
    loads = {}
    for place, name in enumerate(MUJOCO_PATHS):
        (folder := tmp_path / str(place)).mkdir()
        loads[name] = process.ask(json.dumps([str(write_for_mujoco(name, folder)), "loads", "", {}]))
    process.end()
    assert {name: "seen" in said for name, said in loads.items()} == {
        name: loaded[number] for name, (_, _, _, loaded) in MUJOCO_PATHS.items()}


def test_rows_say_same_exactly_where_that_is_meant():
    seen = [row for row in read_rows() if row.seen and row.effect != REFUSED]
    assert len(seen) > 400
    assert [row for row in seen if (row.effect == SAME) != is_meant(row, json.loads(row.seen))] == []
