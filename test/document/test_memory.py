"""The memory that descriptions share: what was asked for last stays, within the bound."""
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from sdf_frames.document.memory import Memory


@given(st.integers(0, 12), st.lists(st.tuples(st.sampled_from("abcd"), st.none() | st.integers(0, 6))))
def test_the_memory_keeps_the_last_used_values(most, steps):
    """A step keeps a value of a size, or asks for it."""
    memory, last_used = Memory(most), []
    for number, (key, size) in enumerate(steps):
        known = next((entry for entry in last_used if entry[0] == key), None)
        if size is None:
            assert memory.find(key) == (known and known[1])
            used = known
        else:
            assert memory.keep(key, f"value {number}", size) == (size <= most)
            used = (key, f"value {number}", size) if size <= most else None
        if used is not None:
            last_used = [*[entry for entry in last_used if entry[0] != key], used]
        while sum(entry[2] for entry in last_used) > most:
            del last_used[0]


def test_threads_share_it():
    memory = Memory(50)

    def work(number):
        for i in range(2000):
            key = (number + i) % 20
            memory.keep(key, key, 10)
            assert memory.find((number * i) % 20) in (None, (number * i) % 20)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [None] * 4
    assert sum(memory.find(key) is not None for key in range(20)) == 5
