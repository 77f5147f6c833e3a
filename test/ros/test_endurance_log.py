"""What benchmark.endurance makes of the node's log: why a description was not heard on /tf_static."""
from benchmark.endurance import explain_missing

LINE = "[INFO] [{}.5] [sdf_frames]: {}\n"


def test_superseded_published_and_unexplained_descriptions_are_distinguished():
    # Descriptions of 100, 101, ... characters, sent at 10, 11, ... s. The node works on the first one until 12.5 s.
    sent = {number: 10.0 + number for number in range(6)}
    log = "".join(LINE.format(second, text) for second, text in (
        (10, "Received robot_description by topic: 100 characters"), (12, "Published 3 static transforms"),
        (12, "Received robot_description by topic: 102 characters"), (12, "Published 3 static transforms"),
        (14, "Received robot_description by topic: 105 characters"), (15, "Read 105 characters, urdf, in 2 ms")))
    # 1: the next one was sent at 12 s, before 12.5 s. 3: the next one was sent at 14 s. 5: it was read.
    assert explain_missing(sent, [1, 3, 5], log, 100) == {"superseded": 1, "unexplained": 1, "published": 1}
