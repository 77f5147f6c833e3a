"""The public library on every real file: each part answers, poses agree, writing gives text or says why not."""

import numpy as np
import pytest
from sources import STEP, STRIDE, resource_paths, sdf_files, some, urdf_files

import sdf_frames as sf

FILES = some({**urdf_files(), **sdf_files()})
LEAST = 500 // STEP


def check(robot: sf.RobotDescription) -> bool:
    """Whether the description can be resolved; every part of it answers."""
    assert "\n" not in repr(robot)
    assert len(robot.static_transforms()) <= 2 * len(robot.frames)
    for scene in (robot, *robot.worlds.values()):
        if not scene.frames:
            continue
        poses = scene.poses()
        for name, frame in scene.frames.items():
            assert (frame.pose is not None) == (name in poses), name
            if frame.pose is not None:
                assert frame.pose.is_close(poses[name], 1e-9 * max(1.0, float(np.abs(frame.pose.xyz).max()))), name
        moving = [name for name, joint in scene.joints.items() if joint.movable]
        assert set(scene.poses({name: 0.0 for name in moving if len(scene.joints[name].axes) == 1
                                and scene.joints[name].type != "planar"})) <= set(poses)
        assert all(link.pose is None or link.name in poses for link in scene.links.values())
    for write in (robot.to_sdf, robot.to_urdf):
        try:
            assert write()
        except sf.InvalidDescription as error:
            assert str(error)
    assert all(reference.path or not reference.near or reference.tried for reference in robot.uris)
    return bool(robot.frames)


@pytest.mark.skipif(not FILES, reason="no corpus, no package with robots")
def test_every_part_of_every_file_answers(record_property):
    resolved = 0
    for number, (name, path) in enumerate(FILES.items()):
        robot = sf.load(path, resource_paths=resource_paths(name))
        try:
            is_read = robot.kind is not None and check(robot)
            assert not is_read or number % (STRIDE // STEP) or not sf.diff(robot, robot)
        except Exception as error:
            raise AssertionError(name) from error
        resolved += is_read
    record_property("resolved", resolved)
    assert resolved >= LEAST
