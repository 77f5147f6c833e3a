"""Long results in pieces: the same items, and a pause after each piece. No ROS is needed for this."""

import asyncio
import pickle

from sdf_frames.ros.pieces import SIZE, Pieces, build_all


class Counted:
    """Counts how many of its kind were unpickled."""

    unpickled = 0

    def __setstate__(self, state):
        Counted.unpickled += 1
        self.__dict__.update(state)


def test_pieces_are_unpickled_one_by_one():
    items = [Counted() for _ in range(2 * SIZE + 1)]
    for number, item in enumerate(items):
        item.number = number
    pieces = pickle.loads(pickle.dumps(Pieces(items)))
    assert Counted.unpickled == 0
    several = iter(pieces)
    assert next(several).number == 0 and Counted.unpickled == SIZE
    assert [item.number for item in several] == list(range(1, 2 * SIZE + 1))
    assert not list(Pieces(()))


def test_others_have_their_turn_after_every_piece():
    pauses = []

    async def pause():
        pauses.append(True)
    assert asyncio.run(build_all(str, range(3 * SIZE + 7), pause)) == [str(n) for n in range(3 * SIZE + 7)]
    assert len(pauses) == 3
