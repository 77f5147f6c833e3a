"""The process that works for a worker: one message for several descriptions, an answer for each."""
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("joblib")
pytest.importorskip("pyarrow")

from sdf_frames.batch import isolation  # noqa: E402
from sdf_frames.batch.isolation import Limits, work_on  # noqa: E402
from sdf_frames.batch.sources import Item  # noqa: E402
from sdf_frames.batch.work import CRASHED, TIMEOUT, Outcome, Task  # noqa: E402

MESH = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry><mesh>
<uri>{}</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def misbehaving(monkeypatch):
    """A task whose calculator of inertias hangs or crashes, and descriptions that make it do so, by their meshes."""
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    from plants import misbehave
    yield Task(options={"auto_inertia": "save", "inertia_calculator": misbehave})
    isolation._end_process()


def answer(task, meshes, seconds=60.0):
    """What each description says: the verdict of its row, or of its process."""
    items = [(Item(f"t:{i}", f"{i}", MESH.format(mesh)), None) for i, mesh in enumerate(meshes)]
    answers = work_on(items, task, Limits(seconds))
    assert [a.row["path"] for a in answers if isinstance(a, Outcome)] == [
        item.name for (item, _), a in zip(items, answers) if isinstance(a, Outcome)]
    return [a.row["verdict"] if isinstance(a, Outcome) else a for a in answers]


@pytest.mark.parametrize(("mesh", "seconds", "verdict"), [("crash.stl", 60.0, CRASHED), ("hang.stl", 3.0, TIMEOUT)])
def test_the_answers_around_a_verdict_are_kept(misbehaving, mesh, seconds, verdict):
    """The mesh of the others is not there."""
    found = answer(misbehaving, ["a.stl", mesh, "b.stl", "c.stl"], seconds)
    assert found == ["invalid", verdict, "invalid", "invalid"]


def test_each_description_has_the_whole_time(misbehaving):
    assert answer(misbehaving, ["a.stl"], 2.0) == ["invalid"]
    assert answer(misbehaving, ["slow.stl"] * 4, 2.0) == ["invalid"] * 4, "2.4 s in sum"


def test_a_process_that_reads_nothing_is_late(misbehaving, monkeypatch):
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    monkeypatch.setattr(isolation, "subprocess", SimpleNamespace(
        PIPE=subprocess.PIPE, Popen=lambda command, **choices: subprocess.Popen(sleeper, **choices)))
    text = MESH.format("a.stl") + " " * 2_000_000  # more than a pipe holds
    assert work_on([(Item("t", "t", text), None)], misbehaving, Limits(1.0)) == [TIMEOUT]


def test_a_process_is_kept_for_its_limits_and_ended_for_others():
    first = isolation._get_process(Limits(30, 3000))
    assert isolation._get_process(Limits(30, 3000)) is first and first.alive
    second = isolation._get_process(Limits(30, 2000))
    assert not first.alive and second.alive
    second.end()
    third = isolation._get_process(Limits(30, 2000))
    assert third is not second and third.alive
    third.end()
