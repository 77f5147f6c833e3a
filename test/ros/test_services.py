"""The services that answer at once, against values worked out by hand, and what they refuse."""

from math import sqrt

import pytest

pytest.importorskip("rclpy")

HALF = sqrt(0.5)


def position(pose) -> tuple:
    return (pose.position.x, pose.position.y, pose.position.z)


def moments(inertia) -> tuple:
    return (inertia.ixx, inertia.iyy, inertia.izz, inertia.ixy, inertia.ixz, inertia.iyz)


@pytest.fixture(scope="module")
def node(pendulum_node):
    return pendulum_node


def test_validate_sdf(node):
    answer = node.call("validate_sdf")
    assert answer.valid and answer.summary == "valid" and not answer.diagnostics
    answer = node.call("validate_sdf", sdf="<sdf version='1.9'>\n<model name='m'>\n<link name='l'/>\n"
                                           "<frame name='f' attached_to='nowhere'/>\n</model>\n</sdf>")
    assert not answer.valid and "1 error" in answer.summary
    finding, = answer.diagnostics
    assert (finding.name, finding.severity, finding.line) == ("frame-attached-to-unknown", finding.ERROR, 4)
    assert finding.path == '/sdf/model[@name="m"]/frame[@name="f"]'
    assert finding.sdformat == "FRAME_ATTACHED_TO_INVALID"
    assert finding.column == len("<frame name='f' attached_to='") + 1, "where the value is"
    twice = "<sdf version='1.9'>\n<model name='m'>\n  <link name='l'/>\n  <link name='l'/></model></sdf>"
    finding, = node.call("validate_sdf", sdf=twice).diagnostics
    first, = finding.related
    assert (finding.line, first.line, first.column) == (4, 3, len("  <link name='") + 1)


def test_validate_for_programs(node):
    massless = "<robot name='r'><link name='l'/></robot>"
    assert not node.call("validate_sdf", sdf=massless).valid
    answer = node.call("validate_sdf", sdf=massless, consumers=["ros", "mujoco"])
    assert answer.valid and not answer.diagnostics
    text = "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>"
    answer = node.call("validate_sdf", sdf=text, consumers=["gazebo,mujoco"])
    assert [f.name for f in answer.diagnostics] == ["format-not-read"] and not answer.valid
    assert node.call("validate_sdf", consumers=["all"]).valid  # the last description
    finding, = node.call("validate_sdf", consumers=["rso"]).diagnostics
    assert (finding.name, finding.message) == (
        "consumer-unknown", "the field consumers: unknown program 'rso'; did you mean 'ros'?")


def test_compute_inertia_of_the_current_model(node):
    # Masses 2 at the origin and 1 at (0, 0.5, 1), the arm turned by 90 degrees about z: com at a third of the way;
    # reduced mass 2/3 at distance (0, 0.5, 1) adds (5/6, 2/3, 1/6) and -1/3 in yz.
    answer = node.call("compute_inertia")
    assert answer.success, answer
    base, arm = answer.links
    assert (base.name, arm.name) == ("base", "arm") and arm.method == arm.DECLARED and arm.physical
    assert arm.inertia.m == 1 and (arm.inertia.com.x, arm.inertia.com.y, arm.inertia.com.z) == (0.5, 0, 0)
    total = answer.total
    assert total.m == pytest.approx(3)
    assert (total.com.x, total.com.y, total.com.z) == pytest.approx((0, 1 / 6, 1 / 3), abs=1e-12)
    assert moments(total) == pytest.approx((0.6 + 5 / 6, 0.51 + 2 / 3, 0.8 + 1 / 6, 0, 0, -1 / 3), abs=1e-12)


def test_compute_inertia_refuses_unknown_links_and_methods(node):
    answer = node.call("compute_inertia", links=["arm", "leg"])
    assert not answer.success and [f.name for f in answer.diagnostics] == ["inertia-unknown-link"]
    answer = node.call("compute_inertia", method="guess")
    assert not answer.success and [f.name for f in answer.diagnostics] == ["inertia-unknown-method"]
    for options in ({"density": -5.0}, {"density": float("nan")}, {"voxel_size": -1.0}, {"voxel_size": float("inf")}):
        answer = node.call("compute_inertia", recompute=True, **options)
        assert not answer.success and [f.name for f in answer.diagnostics] == ["inertia-option-not-positive"], options


def test_convert_urdf(node, pendulum):
    answer = node.call("convert_urdf")
    assert answer.success and answer.sdf == node.heard["/robot_description_sdf"][-1].data
    rows = {(row.element, row.name): row for row in answer.report if row.element in ("link", "joint")}
    assert rows.keys() == {("link", "base"), ("link", "arm"), ("link", "tip"), ("joint", "hinge"),
                           ("joint", "tip_joint")}
    assert rows["joint", "hinge"].action == rows["joint", "hinge"].KEPT
    assert rows["link", "tip"].into == "arm" and rows["link", "tip"].line == 9
    answer = node.call("convert_urdf", urdf=pendulum, sdf_version="1.12")
    assert answer.success and 'version="1.12"' in answer.sdf
    answer = node.call("convert_urdf", urdf="<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>")
    assert not answer.success and [f.name for f in answer.diagnostics] == ["not-a-urdf"]
    answer = node.call("convert_urdf", massless="forget")
    assert not answer.success and [f.name for f in answer.diagnostics] == ["policy-unknown"]


def test_resolve_frame(node):
    # The tip is a metre along the arm, which points to +y of the base, a metre up.
    answer = node.call("resolve_frame", frame="tip")
    assert answer.success and answer.link == "arm"
    assert position(answer.pose) == pytest.approx((0, 1, 1), abs=1e-12)
    q = answer.pose.orientation
    assert (q.x, q.y, q.z, q.w) == pytest.approx((0, 0, HALF, HALF), abs=1e-12)
    answer = node.call("resolve_frame", frame="base", relative_to="tip")
    assert position(answer.pose) == pytest.approx((-1, 0, -1), abs=1e-12)
    answer = node.call("resolve_frame", frame="pendulum", relative_to="hinge")
    assert answer.success and position(answer.pose) == pytest.approx((0, 0, -1), abs=1e-12)
    answer = node.call("resolve_frame", frame="tipp")
    assert not answer.success and answer.diagnostics[0].name == "frame-unknown" and "tip" in answer.diagnostics[0].hint


def test_get_frames(node):
    frames = {frame.name: frame for frame in node.call("get_frames").frames}
    assert {name: (f.kind, f.link, f.tf_frame) for name, f in frames.items()} == {
        "__model__": ("model", "base", "pendulum"), "base": ("link", "base", "base"), "arm": ("link", "arm", "arm"),
        "hinge": ("joint", "arm", "hinge"), "tip_joint": ("frame", "arm", "tip_joint"), "tip": ("frame", "arm", "tip")}
    assert position(frames["tip"].pose) == pytest.approx((0, 1, 1), abs=1e-12)
    assert all(f.resolved and f.scope == "pendulum" for f in frames.values())
