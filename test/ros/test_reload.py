"""~/reload and watch: the file of a description is read again."""
from __future__ import annotations

import pytest

pytest.importorskip("rclpy")

from std_srvs.srv import Trigger

ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="part.xacro"/>
<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
<xacro:part name="$(arg name)"/></robot>"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="part" params="name">
  <link name="${{name}}"/>
<joint name="j" type="fixed"><parent link="base"/><child link="${{name}}"/><origin xyz="{} 0 0"/></joint>
</xacro:macro></robot>"""


def place(message) -> float:
    return next(t.transform.translation.x for t in message.transforms if t.child_frame_id == "j")


def test_a_file_and_what_it_includes_are_watched(start_node, tmp_path):
    pytest.importorskip("xacro")
    file, part = tmp_path / "r.urdf.xacro", tmp_path / "part.xacro"
    file.write_text(ROBOT)
    part.write_text(PART.format(1))
    node = start_node(model_file=str(file), xacro_args="name:=tip", watch=True)
    assert place(node.wait_for("/tf_static")) == 1
    part.write_text(PART.format(2.5))
    assert place(node.wait_for("/tf_static", 2)) == 2.5
    part.write_text("<robot")
    node.spin_until(lambda: "has changed and cannot be read" in node.log.read_text(), "the reason")
    part.write_text(PART.format(3))
    assert place(node.wait_for("/tf_static", 3)) == 3


def test_reload(start_node, tmp_path, pendulum):
    file = tmp_path / "r.urdf"
    file.write_text(pendulum)
    node = start_node(model_file=str(file))
    node.wait_for("/tf_static")

    def reload():
        return node.call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    file.write_text(pendulum.replace("tip", "end"))
    answer = reload()
    assert answer.success, answer.message
    assert "end" in {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms}
    file.write_text("<robot name='r'/>")
    answer = reload()
    assert not answer.success and "R002" in answer.message
    file.unlink()
    answer = reload()
    assert not answer.success and "there is no file" in answer.message
    assert not node.set_parameter("model_file", "/etc/passwd").successful, "no peer chooses what xacro evaluates"


def test_without_a_file_there_is_nothing_to_reload(start_node):
    answer = start_node().call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    assert not answer.success and "model_file" in answer.message
