"""The table of joint types beside the joint element of SDFormat and the types of URDF."""
import re
from pathlib import Path

import pytest

from sdf_frames.sdf.joint_types import JOINT_TYPES, ONE_AXIS_TYPES, URDF_TYPES
from sdf_frames.urdf.joint_types import JOINT_TYPES as TYPES_OF_URDF

SCHEMA = Path(__file__).resolve().parents[3] / "shared" / "sdformat-schema" / "sdf" / "1.12" / "joint.sdf"


@pytest.mark.skipif(not SCHEMA.exists(), reason="../shared/sdformat-schema is not there")
def test_the_types_are_those_that_the_schema_describes():
    text = SCHEMA.read_text()
    described = re.search(r'<attribute name="type".*?</attribute>', text, re.S)[0]
    assert set(re.findall(r"\((\w+)\)", described)) == set(JOINT_TYPES)


def test_what_takes_their_place_are_types_of_urdf():
    assert {row.urdf for row in JOINT_TYPES.values()} - {None} <= set(TYPES_OF_URDF)
    assert {"continuous", "fixed", "prismatic", "revolute"} == URDF_TYPES
    assert {"continuous", "prismatic", "revolute"} == ONE_AXIS_TYPES  # a screw's position says two things
