"""The robot's own <origin>, which libsdformat reads."""
import pytest

from sdf_frames.document.xml_in import read_xml
from sdf_frames.urdf.parse import read_robot


def origin_of(attributes):
    robot, found = read_robot(read_xml(f'<robot name="r"><origin {attributes}/><link name="l"/></robot>')[0])
    return robot.origin, [d.name for d in found if d.severity == "error" or "origin" in d.name]


@pytest.mark.parametrize("attributes, xyz, rpy", [
    ("", (0, 0, 0), (0, 0, 0)), ('xyz="1 2 3"', (1, 2, 3), (0, 0, 0)), ('rpy="1 2 3"', (0, 0, 0), (1, 2, 3)),
    ('rpy="4 5 6" xyz="1 2 3"', (1, 2, 3), (4, 5, 6))])
def test_missing_values_of_an_origin_are_zero(attributes, xyz, rpy):
    assert origin_of(attributes) == ((xyz, rpy), [])


@pytest.mark.parametrize("attributes, xyz, rpy", [
    ('xyz="1 2" rpy="1 2 3"', (0, 0, 0), (1, 2, 3)), ('xyz="1 2 3" rpy="a b c"', (1, 2, 3), (0, 0, 0))])
def test_an_unreadable_origin_is_zero_with_a_warning(attributes, xyz, rpy):
    assert origin_of(attributes) == ((xyz, rpy), ["model-origin-malformed"])
