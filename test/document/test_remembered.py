"""What is remembered of texts, and what is not."""
import gc
import tracemalloc

import pytest

import sdf_frames as sf
from sdf_frames.document.memory import LONGEST, remember_short


@pytest.mark.parametrize("texts, times", [
    (("1 2 3",), 1), (("1 2 3", None), 1), (("",), 1), (("x" * LONGEST,), 1), (("x" * (LONGEST + 1),), 2),
    (("", "x" * (LONGEST + 1)), 2)])
def test_short_texts_are_read_once(texts, times):
    seen = []

    @remember_short
    def read(*texts):
        seen.append(texts)
        return len(seen)

    assert [read(*texts), read(*texts)] == [1, times] and seen == [texts] * times


def test_texts_are_not_taken_for_one_another():
    join = remember_short("{}|{}".format)
    assert [join("a", "b"), join("b", "a"), join("a", None), join("a", "b")] == ["a|b", "b|a", "a|None", "a|b"]


@pytest.mark.parametrize("description, valid", [
    ('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
     'iyz="0"/></inertial><visual><origin xyz="{0}"/><geometry><box size="{0}"/></geometry></visual></link></robot>',
     True),
    ('<sdf version="1.12"><model name="m"><link name="a"><pose>{0} 0 0 0</pose></link></model></sdf>', True),
    ('<sdf version="1.6{0}"><model name="m"><link name="a"/></model></sdf>', False)])
def test_no_robot_fills_the_memory_with_long_texts(description, valid):
    """Each of twenty different descriptions has a text of 200,000 characters; nothing of them stays."""
    sf.loads(description.format("1 2 3"))
    tracemalloc.start()
    for k in range(1, 21):
        robot = sf.loads(description.format("1" + " " * 200_000 + f" 2 {k}"))
    assert robot.valid == valid
    del robot
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 2_000_000
