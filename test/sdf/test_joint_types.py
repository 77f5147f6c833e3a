"""The table of joint types beside the joint element of SDFormat and the types of URDF."""
import re
from pathlib import Path

import pytest
from lxml import etree
from written_text import convert_to_urdf

from sdf_frames.load import load_text
from sdf_frames.sdf.model import JOINT_TYPES, ONE_AXIS_TYPES, URDF_TYPES
from sdf_frames.urdf.model import JOINT_TYPES as TYPES_OF_URDF

SCHEMA = Path(__file__).resolve().parents[3] / "shared" / "sdformat-schema" / "sdf" / "1.12" / "joint.sdf"


@pytest.mark.skipif(not SCHEMA.exists(), reason="../shared/sdformat-schema is not there")
def test_the_types_are_those_that_the_schema_describes():
    text = SCHEMA.read_text()
    described = re.search(r'<attribute name="type".*?</attribute>', text, re.S)[0]
    assert set(re.findall(r"\((\w+)\)", described)) == set(JOINT_TYPES)


def test_replacements_of_joint_types_are_types_of_urdf():
    assert {row.urdf for row in JOINT_TYPES.values()} - {None} <= set(TYPES_OF_URDF)
    assert {"continuous", "fixed", "prismatic", "revolute"} == URDF_TYPES
    assert {"continuous", "prismatic", "revolute"} == ONE_AXIS_TYPES  # a screw's position says two things


@pytest.mark.parametrize("kind, in_urdf", [
    ("ball", "floating"), ("continuous", "continuous"), ("fixed", "fixed"), ("gearbox", "fixed"),
    ("prismatic", "prismatic"), ("revolute", "revolute"), ("revolute2", "revolute"), ("screw", "fixed"),
    ("universal", "revolute"), ("hinge", None)])
def test_each_joint_type_becomes_its_type_of_urdf(kind, in_urdf):
    axes = "".join(f"<{axis}><xyz>1 0 0</xyz><limit><lower>0</lower><upper>1</upper></limit></{axis}>"
                   for axis in ("axis", "axis2"))
    body = (f'<link name="a"/><link name="b"/><joint name="j" type="{kind}"><parent>a</parent><child>b</child>{axes}'
            "</joint>")
    loaded = load_text(f'<sdf version="1.12"><model name="m">{body}</model></sdf>')
    assert loaded.valid is (in_urdf is not None)
    if in_urdf:
        text = convert_to_urdf(loaded).text
        assert {joint.get("type") for joint in etree.fromstring(text.encode()).iter("joint")} == {in_urdf}
        assert text.count("<joint ") == (2 if kind in ("revolute2", "universal") else 1)
