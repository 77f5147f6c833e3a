"""Poses asked for that there are not: which finding says so. No ROS is needed for this."""

import pytest

from sdf_frames.load import load_text
from sdf_frames.ros.frame_table import FrameTable, explain_unknown, list_frames, resolve


def table(text: str, prefix: str = "") -> FrameTable:
    loaded, frames = load_text(text), FrameTable()
    for entry in list_frames(loaded.scopes, loaded.tf_tree(frame_prefix=prefix), prefix):
        frames.add(entry)
    return frames


def look_up(frames: FrameTable, name: str, relative_to: str = ""):
    return resolve(frames.find(name), frames.find(relative_to))


# Each number is one that a double holds, their difference is not.
FAR = table("""<sdf version="1.12"><model name="m"><link name="near"/><frame name="far">
  <pose>1e308 0 0 0 0 0</pose></frame>
<frame name="behind"><pose>-1e308 0 0 0 0 0</pose></frame></model></sdf>""")
WORLDS = table("""<sdf version="1.12"><world name="day"><model name="sun"><link name="l"/><frame name="f">
  <pose>1 2 3 0 0 0</pose></frame></model></world>
<world name="night"><model name="moon"><link name="l"/><frame name="f"><pose>4 5 6 0 0 0</pose></frame></model>
  </world></sdf>""")


@pytest.mark.parametrize("frame, relative_to", [("far", "behind"), ("behind", "far")])
def test_a_pose_too_large_for_a_number_is_a_finding(frame, relative_to):
    pose, (finding,) = look_up(FAR, frame, relative_to)
    assert pose is None
    assert (finding.name, finding.severity, finding.line, finding.path) == ("frame-unresolved", "error", None, None)
    assert finding.message == f"the pose of frame '{frame}' in '{relative_to}' is too large for a floating-point number"
    assert look_up(FAR, "far", "near") == ((1e308, 0, 0, 1, 0, 0, 0), [])


def test_frames_of_two_worlds_have_no_pose_in_each_other():
    pose, (finding,) = look_up(WORLDS, "moon::f", "sun::l")
    assert pose is None
    assert (finding.name, finding.severity) == ("frames-unrelated", "error")
    assert finding.message == "frame 'moon::f' is in 'night' and frame 'sun::l' in 'day'; no pose relates them"
    for model, position in (("sun", (1, 2, 3)), ("moon", (4, 5, 6))):
        assert look_up(WORLDS, f"{model}::f", f"{model}::l") == ((*position, 1, 0, 0, 0), [])
        assert look_up(WORLDS, f"{model}::f")[0][:3] == position


@pytest.mark.parametrize("name, hint", [
    ("f", "did you mean sun::f or moon::f?"), ("sum::l", "did you mean sun::l?"),
    ("", "get_frames lists all frames"), ("quite another", "get_frames lists all frames")])
def test_the_hint_of_an_unknown_frame(name, hint):
    assert WORLDS.find(name) is None
    assert explain_unknown(name, WORLDS.list_names()).hint.startswith(hint)


def test_frames_that_the_sdf_lacks_are_found_too():
    frames = table('''<robot name="r"><link name="base"><inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><link name="wire"/>
      <joint name="sway" type="continuous"><parent link="base"/><child link="wire"/><origin xyz="1 2 3"/></joint>
        </robot>''', "left_")
    entry = frames.find("left_wire")
    assert (entry.frame.name, entry.tf_frame, entry.frame.link) == ("wire", "left_wire", "wire")
    assert look_up(frames, "left_wire", "base") == ((1, 2, 3, 1, 0, 0, 0), [])
    assert look_up(frames, "base", "sway")[0][:3] == (-1, -2, -3)
