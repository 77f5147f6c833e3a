"""sf.diff on real robots: a robot and its own conversion differ by what the report says, and by nothing else."""

import pytest
from sources import STEP, some, urdf_files

import sdf_frames as sf

FILES = some(urdf_files())
LEAST = 100 // STEP
_NOT_EXPRESSED = ("dropped", "to-frame")  # actions that leave no link or joint


@pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")
def test_a_robot_differs_from_its_conversion_by_what_the_report_names(record_property):
    compared = frames = 0
    for name, path in FILES.items():
        robot = sf.load(path)
        try:
            converted = sf.loads(robot.to_sdf(), file=str(path))
        except sf.InvalidDescription:
            continue
        reported = {row.name for row in robot.report if row.action in _NOT_EXPRESSED}
        for change in sf.diff(robot, converted):
            assert change.what == "removed", f"{name}: {change}"
            assert change.name in reported, f"{name}: {change}"
        compared += 1
        frames += len(robot.frames)
    record_property("compared", compared)
    assert compared >= LEAST
    assert frames > 20 * LEAST
