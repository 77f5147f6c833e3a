"""Hints for values that are not of their type; test/diagnostics/test_examples.py applies them."""
import pytest

from sdf_frames.load import load_text
from sdf_frames.sdf.table import ValueSpec
from sdf_frames.sdf.values import explain_wrong_value

FOV = ("double", "1.047", "1", "0.01", "6.283186")


@pytest.mark.parametrize("row, tag, text, hint", [
    # The quotients are by hand.
    (("color", "", "0"), "diffuse", "${255/255} 0 0 1",
     "expand the file with xacro first: the text contains ${…} or $(…)"),
    (("color", "", "0"), "diffuse", "200 100 0 255", "divide by 255: write 0.784314 0.392157 0 1"),
    (("color", "", "0"), "diffuse", "51 0 255", "divide by 255: write 0.2 0 1"),
    (("color", "", "0"), "diffuse", "255 0 0 0.5", "divide by 255: write 1 0 0 0.5"),
    (("color", "", "0"), "diffuse", "-1 0 0 1", None), (("color", "", "0"), "diffuse", "1.2 0.5 0 1", None),
    (("color", "", "0"), "diffuse", "300 0 0 1", None),
    (("color", "", "0"), "diffuse", "0.2 0.2", None), (("color", "", "0"), "diffuse", "red", None),
    (("bool", "", "0"), "static", "Yes", "write true"), (("bool", "", "0"), "static", " off ", "write false"),
    (("bool", "", "0"), "static", "maybe", None),
    (("pose", "", "0"), "pose", "1 2 3", "write 1 2 3 0 0 0"),
    (("pose", "", "0"), "pose", "0 0 0 0 0 0.7071 0.7071",
     'for x y z and a quaternion x y z w, write <pose rotation_format="quat_xyzw">'),
    (("pose", "", "0"), "velocity", "0 0 0 0 0 0.7071 0.7071", None),
    (("pose", "", "0"), "pose", "0 0 0.1 0 0 0 0", None), (("pose", "", "0"), "pose", "0 0", None),
    (("vector3", "", "0"), "gravity", "9.81", "write 0 0 -9.81"),
    (("vector3", "", "0"), "scale", "0.001", "write 0.001 0.001 0.001"), (("vector3", "", "0"), "size", "2", None),
    (FOV, "horizontal_fov", "180", "write radians: 3.14159"), (FOV, "horizontal_fov", "1000", None),
    (FOV, "horizontal_fov", "wide", None), (FOV, "horizontal_fov", "0.005", None),
    (FOV, "horizontal_fov", "pi/2", "write 1.5707963"),
    (("double", "", "1", "0", "1"), "restitution_coefficient", "2", None),
    (("vector3", "", "0"), "size", "1,5 2 3", "write 1.5 2 3")])
def test_what_a_wrong_value_may_mean(row, tag, text, hint):
    assert explain_wrong_value(text, ValueSpec(*row), tag, ("rotation_format",) * (tag == "pose")) == hint


@pytest.mark.parametrize("text, hint", [
    ("1 2 3 <!-- m --> 0 0 1", "move the comment out of the value"),
    ("1 2 3 <!-- m -->", "write 1 2 3 0 0 0"), ("<!-- m --> 1 2 3", "write 1 2 3 0 0 0")])
@pytest.mark.parametrize("model", [
    '<sdf version="1.12"><model name="r"><link name="l">{}</link></model></sdf>',
    '<sdf version="1.4"><model name="r"><link name="l">{}</link></model></sdf>',
    '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
    'iyz="0"/></inertial></link><gazebo reference="l"><sensor name="s" type="imu">{}</sensor></gazebo></robot>'])
def test_no_hint_drops_the_numbers_behind_a_comment(model, text, hint):
    found = load_text(model.format(f"<pose>{text}</pose>")).diagnostics
    assert [d.hint for d in found if d.name == "value-invalid"] == [hint]
