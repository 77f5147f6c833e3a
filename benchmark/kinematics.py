"""``python -m benchmark.kinematics [FILE]``: a batch of configurations beside a Python loop over one, CPU seconds.

FILE is PR2 where there is a corpus, else the bundled robot.
"""
from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np

import sdf_frames as sf

ROOT = Path(__file__).parents[1]
PR2 = ROOT.parent / "shared/corpus/PR2+pr2_common/xacro_expanded/pr2_description/robots/pr2.urdf"
BUNDLED = ROOT / "robots/mobile_manipulator/mobile_manipulator.urdf"
LOOPS = 200  # as many as the loop is timed for


def measure(work: Callable[[], object], turns: int = 5) -> float:
    """The least CPU time of several."""
    times = []
    for _ in range(turns):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmark.kinematics", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=PR2 if PR2.exists() else BUNDLED)
    parser.add_argument("--size", type=int, default=10_000, help="configurations in a batch (default: 10000)")
    args = parser.parse_args()
    robot, rng = sf.load(args.file), np.random.default_rng(0)
    names = [name for name, joint in robot.joints.items()
             if joint.movable and len(joint.axes) == 1 and joint.mimic is None]
    batch = {name: rng.uniform(-1, 1, args.size) for name in names}
    single = [{name: float(values[i]) for name, values in batch.items()} for i in range(min(LOOPS, args.size))]
    last = list(robot.links)[-1]
    print(f"{args.file.name}: {len(robot.frames)} frames, {len(names)} joints, {args.size} configurations")
    for what, work in (("all frames", robot.poses), (f"one frame ({last})", lambda q: robot.pose(last, positions=q))):
        together = measure(lambda work=work: work(batch))
        alone = measure(lambda work=work: [work(q) for q in single]) * args.size / len(single)
        print(f"{what}: batch {together:.3f} s, loop {alone:.3f} s, {alone / together:.0f} x")


if __name__ == "__main__":
    main()
