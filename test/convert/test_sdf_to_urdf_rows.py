"""Rows of the report of SDFormat to URDF: what became of joints, frames and sensors, and under which name."""
import pytest

from sdf_frames.api.to_urdf import convert_to_urdf
from sdf_frames.load import load_text

LINKS = '<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'
AXIS = "<{0}><xyz>0 0 1</xyz></{0}>"


def convert(body, **names):
    loaded = load_text(f'<sdf version="1.12"><model name="m">\n{body}</model></sdf>')
    text, rows, found, _ = convert_to_urdf(loaded)
    assert text is not None, found
    return text, {(row.element, row.name): row for row in rows}, [d.name for d in found if d.severity != "info"]


def joint(kind, inside="", pose="<pose relative_to='b'/>"):
    axes = AXIS.format("axis") if kind not in ("fixed", "ball") else ""
    axes += AXIS.format("axis2") if kind == "universal" else ""
    return f'\n<joint name="j" type="{kind}">{pose}<parent>a</parent><child>b</child>{axes}{inside}</joint>'


@pytest.mark.parametrize("kind, written, offset, action, into", [
    ("revolute", "continuous", False, "kept", None), ("revolute", "continuous", True, "moved", None),
    ("fixed", "fixed", False, "kept", None), ("fixed", "fixed", True, "moved", None),
    ("prismatic", "prismatic", False, "kept", None), ("ball", "floating", False, "kept", None),
    ("universal", "revolute", False, "moved", "j_axis2"), ("screw", "fixed", False, "moved", None)])
def test_each_joint_has_a_row_of_what_it_became(kind, written, offset, action, into):
    pose = "<pose relative_to='b'>0 0 1 0 0 0</pose>" if offset else "<pose relative_to='b'/>"
    text, rows, found = convert(LINKS + joint(kind, pose=pose))
    row = rows["joint", "j"]
    assert (row.action, row.into, row.line) == (action, into, 3)
    assert f'<joint name="j" type="{written}">' in text or kind == "universal"
    expected = {"ball": "urdf-joint-type-unsupported", "screw": "urdf-joint-type-unsupported"}.get(kind)
    assert (expected in found) == (expected is not None)
    reason = row.reason or ""
    assert ("fixed link is added between" in reason) == (offset and kind != "fixed")
    assert ("two revolute" in reason) == (kind == "universal") and ("no screw joint" in reason) == (kind == "screw")


def test_rows_say_what_each_frame_became():
    text, rows, _ = convert(LINKS + joint("fixed")
                            + '\n<frame name="f" attached_to="b"/>\n<frame name="f_fixed" attached_to="a"/>')
    assert [(rows["frame", n].action, rows["frame", n].into, rows["frame", n].line) for n in ("f", "f_fixed")] == [
        ("to-frame", "b", 4), ("to-frame", "a", 5)]
    assert text.count("<joint ") == 3


def test_the_pose_of_the_root_link_has_a_row():
    """A URDF begins at its root link: where that stands in its model is lost."""
    for pose, lost in (("0 0 0.1 0 0 0", [("pose", "b")]), ("0 0 0 0 0 0", [])):
        body = f'<link name="b"><pose>{pose}</pose></link>'
        text, rows, _ = convert(body)
        assert [key for key in rows if key[0] == "pose"] == lost and "origin" not in text
        assert [rows[key].action for key in lost] == ["dropped"] * len(lost)
        found = convert_to_urdf(load_text(f'<sdf version="1.12"><model name="m">{body}</model></sdf>')).diagnostics
        assert [(d.name, d.message) for d in found if d.severity == "info"] == [
            ("urdf-pose-dropped", "the pose of root link 'b' is not in the URDF")] * len(lost)


def test_names_that_are_taken_are_numbered():
    """The joint that holds the frame f wants to be f_fixed, which two others are."""
    frames = (
        '<frame name="f" attached_to="b"/><frame name="f_fixed" attached_to="a"/>'
        '<frame name="f_fixed0" attached_to="a"/>')
    text, _, _ = convert(LINKS + joint("fixed") + frames)
    from lxml import etree
    root = etree.fromstring(text.encode())
    names = [e.get("name") for e in root if e.tag in ("link", "joint")]
    assert len(names) == len(set(names))
    holds = {e.find("child").get("link"): e.get("name") for e in root.iter("joint")}
    assert holds["f"] == "f_fixed1"


def test_a_sensor_of_a_fixed_joint_keeps_its_joint():
    sensor = '<sensor name="s" type="force_torque"/>'
    for kind, kept in (("fixed", True), ("revolute", False)):
        text, rows, _ = convert(LINKS + joint(kind, sensor))
        assert ("<preserveFixedJoint>true</preserveFixedJoint>" in text) == kept
        assert rows["sensor", "s"].into == '<gazebo reference="j">' and rows["sensor", "s"].action == "moved"
