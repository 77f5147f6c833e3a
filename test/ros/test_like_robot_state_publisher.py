"""/tf with joint_states equals that of the real robot_state_publisher, if installed, on robots of the corpus."""

import random
import subprocess
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("rclpy")

from ament_index_python.packages import get_package_prefix, get_packages_with_prefixes

from sdf_frames.load import load_file

from .test_joint_states import Listener
from .test_real_robots import CORPUS

if "robot_state_publisher" not in get_packages_with_prefixes():
    pytest.skip("robot_state_publisher is not installed; it is not on PyPI", allow_module_level=True)


def find_robots() -> list[Path]:
    """One URDF of each project: the one with the most movable joints of a kind that robot_state_publisher moves."""
    best: dict[str, tuple[int, Path]] = {}
    for path in sorted(CORPUS.glob("*/**/*.urdf")) if CORPUS.is_dir() else []:
        text = path.read_text(errors="replace")
        count = sum(text.count(f'type="{kind}"') for kind in ("revolute", "continuous", "prismatic"))
        project = path.relative_to(CORPUS).parts[0]
        if count and len(text) < 1_000_000 and count > best.get(project, (0, path))[0]:
            best[project] = count, path
    paths = [path for _, path in sorted(best.values(), reverse=True)]
    return [path for path in paths if load_file(path).resolved][:24]


ROBOTS = find_robots()


def test_there_are_robots_to_compare():
    if not CORPUS.is_dir():
        pytest.skip("the corpus of robots is not beside this work tree")
    assert len(ROBOTS) >= 20


@pytest.mark.parametrize("path", ROBOTS, ids=[path.relative_to(CORPUS).parts[0] for path in ROBOTS])
def test_the_same_transforms(start_node, ros_environment, tmp_path, path):
    import yaml
    text = path.read_text()
    movable = {j.get("name") for j in ElementTree.fromstring(text.encode()).findall("joint")
               if j.get("type") in ("revolute", "continuous", "prismatic") and j.find("mimic") is None}
    node = start_node(robot_description=text, joint_states=True, frame_prefix="o/")
    file = tmp_path / "theirs.yaml"
    file.write_text(yaml.safe_dump({"/**": {"ros__parameters": {"robot_description": text, "frame_prefix": "r/"}}}))
    program = Path(get_package_prefix("robot_state_publisher"), "lib/robot_state_publisher/robot_state_publisher")
    log = tmp_path / "theirs.log"
    with log.open("w") as out:
        theirs = subprocess.Popen([program, "--ros-args", "--params-file", str(file), "-r",
                                   "robot_description:=theirs"],
                                  env=ros_environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        draw = random.Random(len(text))
        positions = {name: draw.uniform(-3, 3) for name in sorted(movable)}
        tf = Listener(node)
        node.wait_for("/tf_static")
        stamp = 1000

        def say():
            nonlocal stamp
            stamp += 1
            tf.say(stamp, **positions)

        def complete():
            say()
            node.spin_for(0.1)
            assert theirs.poll() is None, log.read_text()
            ours = {c[2:] for c, ts in tf.heard.items() if c.startswith("o/") and any(1000 < t.header.stamp.sec < 9000
                                                                                      for t in ts)}
            rsp = {c[2:] for c in tf.heard if c.startswith("r/")}
            return rsp and rsp <= ours and len(rsp) >= len(movable)
        node.spin_until(complete, "all transforms of both")
        compared = 0
        for child, stamped in tf.heard.items():
            if not child.startswith("r/"):
                continue
            r, o = stamped[-1], next(t for t in reversed(tf.heard["o/" + child[2:]])
                                     if 1000 < t.header.stamp.sec < 9000)
            assert r.header.frame_id[2:] == o.header.frame_id[2:], child
            a, b = r.transform, o.transform
            assert sqrt(sum((getattr(a.translation, c) - getattr(b.translation, c)) ** 2 for c in "xyz")) < 1e-9, child
            dot = sum(getattr(a.rotation, c) * getattr(b.rotation, c) for c in "xyzw")
            sign = 1 if dot > 0 else -1
            assert max(abs(getattr(a.rotation, c) - sign * getattr(b.rotation, c)) for c in "xyzw") < 1e-9, child
            compared += 1
        assert compared >= len(movable)
    finally:
        theirs.kill()
        theirs.wait()
