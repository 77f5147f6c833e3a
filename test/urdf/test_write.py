"""Reading what was written gives what was written."""
import sys
from pathlib import Path

from hypothesis import given

sys.path.insert(0, str(Path(__file__).parent))
from written_text import write_robot  # noqa: E402

from robots import painted_robots  # noqa: E402
from sdf_frames.document.xml_in import read_xml  # noqa: E402
from sdf_frames.urdf.parse import read_robot  # noqa: E402


def without_elements(value):
    """The same with every element left out."""
    if hasattr(value, "_fields"):
        return type(value)(*[None if f == "element" else without_elements(v) for f, v in zip(value._fields, value)])
    return tuple(map(without_elements, value)) if isinstance(value, tuple) else value


def same(robot):
    return robot._replace(element=None, links=without_elements(robot.links), joints=without_elements(robot.joints),
                   materials=without_elements(robot.materials))


@given(painted_robots())
def test_write_then_read(robot):
    robot = robot._replace(version="1.1")  # which has capsules
    back, found = read_robot(read_xml(write_robot(robot))[0])
    assert not found and same(back) == same(robot)


def test_elements_that_are_not_kinematics_are_written_too():
    text = ('<robot name="r" version="1.0"><link name="a"/><gazebo reference="a"><x>1</x></gazebo>'
            '<transmission name="t"/><origin xyz="1 2 3"/></robot>')
    robot, _ = read_robot(read_xml(text)[0])
    back, _ = read_robot(read_xml(write_robot(robot))[0])
    assert back.gazebo[0].findtext("x") == "1" and back.transmissions[0].get("name") == "t"
    assert back.origin == robot.origin and back.version == "1.0"


def test_an_origin_of_nothing_is_written_for_the_robot_only():
    """There it says that the robot has one, which hides a <pose> in <gazebo>."""
    from sdf_frames.urdf.model import NO_ORIGIN, Inertial, Link, Robot
    solid = Inertial(NO_ORIGIN, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
    text = write_robot(Robot("r", (Link("l", solid),), (), "l", origin=NO_ORIGIN))
    assert text.count("<origin") == 1 and '<robot name="r">\n  <origin xyz="0 0 0" rpy="0 0 0"/>' in text
    assert "<origin" not in write_robot(Robot("r", (Link("l", solid),), (), "l"))
