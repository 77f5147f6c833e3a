"""The page that shows the node's robot: what is on it, without a browser. Expected values are worked out by hand."""

import signal
import time
from math import cos, sin
from unittest.mock import Mock
from urllib.request import urlopen

import numpy as np
import pytest

pytest.importorskip("rclpy")
pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sensor_msgs.msg import JointState
from std_msgs.msg import String

import sdf_frames as sf
from sdf_frames.ros.viewing import Positions, RobotView
from sdf_frames.view.page import Page

from .test_joint_states import ARM, Listener

JOINTS = sf.loads("""<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><link name="c"/>
  <model name="arm"><link name="d"/><link name="e"/>
    <joint name="turn" type="revolute"><parent>d</parent><child>e</child><axis><xyz>0 0 1</xyz></axis></joint></model>
  <joint name="two" type="universal"><parent>a</parent><child>b</child>
    <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
  <joint name="ball" type="ball"><parent>a</parent><child>c</child></joint>
  <joint name="still" type="fixed"><parent>a</parent><child>arm::d</child></joint></model></sdf>""").joints


def test_positions_come_by_the_names_that_messages_have():
    positions = Positions(JOINTS)
    positions.hear(["arm/turn", "two_axis2", "still", "ball", "unknown"], [1.0, 2.0, 3.0, 4.0, 5.0])
    assert positions.known == {"arm::turn": 1.0, "two": (0.0, 2.0)}
    positions.hear(["arm::turn", "two"], [-1.0, 6.0])
    assert positions.hear(["arm::turn", "two"], [3.0]) and positions.hear(["arm::turn"], [float("nan")])
    assert positions.hear_motions(["ball"], [(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)])
    positions.hear_motions(["ball", "two", "unknown"], [(9.0, 9.0, 9.0, 0.0, 1.0, 0.0, 0.0)] * 3)
    assert positions.known == {"arm::turn": -1.0, "two": (6.0, 2.0), "ball": (0.0, 1.0, 0.0, 0.0)}


def test_of_a_joint_that_is_named_twice_the_first_position_counts():
    positions = Positions(JOINTS)
    positions.hear(["arm/turn", "arm::turn", "two", "two_axis2", "two"], [1.0, 2.0, 3.0, 4.0, 5.0])
    positions.hear_motions(["ball"] * 2, [(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)])
    assert positions.known == {"arm::turn": 1.0, "two": (3.0, 4.0), "ball": (0.0, 1.0, 0.0, 0.0)}


def test_what_is_shown_forges_no_line_of_the_log():
    node, page = Mock(), Mock(url="http://127.0.0.1:8080/")
    page.show.return_value = Mock(joints={})
    page.show.return_value.name = "m\n[ERROR] [1] [x]: forged \x9b31m"
    view = RobotView(node, page)
    view._show(String())
    view._hear(JointState(name=["x\ny"], position=[float("nan")]))
    logger = node.get_logger()
    assert logger.info.call_args.args == (
        r"Showing m\n[ERROR] [1] [x]: forged \x9b31m at http://127.0.0.1:8080/",)
    assert logger.warning.call_args.args == (r"Ignored a joint state: joint x\ny at nan",)


@pytest.mark.parametrize(("kinds", "joints", "known"), [
    (("revolute", "universal"), ["two", "two_axis2"], {"two": (1.0, 2.0)}),
    (("universal", "revolute"), ["two"], {"two": 1.0}), (("universal", "revolute"), [], {}),
    (("universal", "universal"), [], {"two": (0.5, 0.0)})])
def test_a_joint_that_gets_another_type_loses_its_position(kinds, joints, known):
    text = """<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/>
      <joint name="two" type="{}"><parent>a</parent><child>b</child>
        <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>"""
    page = Mock(url="http://127.0.0.1:8080/")
    view = RobotView(Mock(), page)
    for kind, names, positions in ((kinds[0], ["two"], [0.5]), (kinds[1], joints, [1.0, 2.0][:len(joints)])):
        page.show.return_value = sf.loads(text.format(kind))
        view._show(String())
        view._hear(JointState(name=names, position=positions))
    assert view.positions.known == known


def test_a_joint_of_the_name_of_a_second_axis_is_meant():
    joints = sf.loads("""<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><link name="c"/>
  <joint name="two" type="universal"><parent>a</parent><child>b</child>
    <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
  <joint name="two_axis2" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model></sdf>""").joints
    positions = Positions(joints)
    positions.hear(["two_axis2"], [1.0])
    assert positions.known == {"two_axis2": 1.0}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_that_serves_the_page(start_node, number):
    for _ in range(2):
        program = start_node(program="sdf_frames_view")
        program.spin_until(lambda: "The page is at http://127.0.0.1:" in program.log.read_text(), "the page")
        status, text = program.stop(number)
        assert status == 0 and "Traceback" not in text, text
    program = start_node(program="sdf_frames_view")
    time.sleep(0.4)
    status, text = program.stop(number)
    assert status == 0 and "Traceback" not in text, text


def test_the_page_shows_what_the_node_has_and_moves_it(start_node):
    node = start_node(robot_description=ARM)
    page = Page(port=0)
    try:
        RobotView(node.client, page)
        node.spin_until(lambda: page.shown, "the robot")
        assert urlopen(page.url).status == 200
        tf = Listener(node)

        def is_turned_at(z: float) -> bool:
            (nodes,) = page.shown[0].scenes
            upper = [drawn.frame.name for drawn in nodes.scene.frames].index("arm::upper")
            axes = nodes.layers["frames"][0].node
            return (np.allclose(axes.batched_positions[upper], (0, 0, z), atol=1e-6)
                    and np.allclose(axes.batched_wxyzs[upper], (cos(0.5), 0, sin(0.5), 0), atol=1e-6))
        node.spin_until(lambda: tf.say(1, hinge=1.0) or is_turned_at(1), "the position")
        assert page.shown[0].panel.sliders.listed[0][0].value == 1.0  # the slider of the hinge has followed
        # Another description is shown in its place, with the joint where it is.
        node.publish(ARM.replace("0 0 1 0 0 0", "0 0 2 0 0 0"))
        node.spin_until(lambda: is_turned_at(2), "the next one")
        assert len(page.shown) == 1
    finally:
        page.close()
