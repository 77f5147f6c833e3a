"""``robot.verdict``: what one program makes of a description."""
import pytest

import sdf_frames as sf

MASSLESS = '<robot name="r"><link name="base"/></robot>'


def test_each_program_has_its_verdict():
    robot = sf.loads(MASSLESS)
    verdict = robot.verdict("ros")
    assert isinstance(verdict, sf.Verdict) and verdict.valid and verdict.findings == ()
    gazebo = robot.verdict("gazebo")
    assert (gazebo.valid, gazebo.findings) == (robot.valid, robot.findings) and not robot.valid
    assert robot.verdict("mujoco").valid and robot.verdict("mujoco").version


def test_findings_have_the_severity_that_they_have_there(tmp_path):
    mesh = '<{0}><geometry><mesh filename="gone.obj"/></geometry></{0}>'.format("collision")
    robot = sf.loads(MASSLESS.replace("/>", f">{mesh}</link>", 1), file=str(tmp_path / "r.urdf"))
    for consumer, name, severity in (("ros", "collision-file-missing", "warning"),
                                     ("mujoco", "mujoco-mesh-refused", "error")):
        verdict = robot.verdict(consumer)
        assert [(d.name, d.severity) for d in verdict.findings] == [(name, severity)]
        assert verdict.valid == (severity == "warning")
    assert repr(verdict) == "<Verdict mujoco: invalid, 1 finding>"


@pytest.mark.parametrize(("consumer", "problem"), [
    ("mujco", "did you mean 'mujoco'"), ("all", "mujoco, pinocchio or urdfdom$"), ("ros,drake", "unknown program"),
    ("mujoco@new", "unknown program 'mujoco@new'"),
    ("newton", "no verdict on loading for 'newton'; write gazebo, .* urdfdom .'sdf_frames check --for newton'")])
def test_what_is_no_program(consumer, problem):
    with pytest.raises(ValueError, match=problem):
        sf.loads(MASSLESS).verdict(consumer)
