"""~/reload and watch: the file of a description is read again."""

from unittest.mock import Mock

import pytest

pytest.importorskip("rclpy")

from rcl_interfaces.srv import GetParameters
from std_srvs.srv import Trigger

from sdf_frames.document.expanded import Expanded
from sdf_frames.ros.descriptions import Descriptions

from .test_lifecycle import change
from .test_long_work import go_on, halt

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


@pytest.mark.parametrize("program", ["sdf_frames_node", "sdf_frames_lifecycle_node"])
def test_a_file_and_what_it_includes_are_watched(start_node, tmp_path, program):
    pytest.importorskip("xacro")
    file, part = tmp_path / "r.urdf.xacro", tmp_path / "part.xacro"
    file.write_text(ROBOT)
    part.write_text(PART.format(1))
    node = start_node(program=program, model_file=str(file), xacro_args="name:=tip", watch=True)
    if program == "sdf_frames_lifecycle_node":
        assert change(node, "configure") and change(node, "activate")
    assert place(node.wait_for("/tf_static")) == 1
    part.write_text(PART.format(2.5))
    assert place(node.wait_for("/tf_static", 2)) == 2.5
    part.write_text("<robot")
    node.spin_until(lambda: "M017 model-file-unreadable" in node.log.read_text(), "the reason")
    part.write_text(PART.format(3))
    assert place(node.wait_for("/tf_static", 3)) == 3


NUMBERS = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}<link name="base"><inertial><mass
  value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tip"/>
<joint name="j" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="${{x}} 0 0"/></joint></robot>"""
PROPERTY = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="x" value="{}"/></robot>'


@pytest.mark.parametrize(("name", "reads", "text"), [
    ("x.xacro", '<xacro:include filename="x.xacro"/>', PROPERTY),
    ("x.yaml", """<xacro:property name="x" value="${xacro.load_yaml('x.yaml')['x']}"/>""", "x: {}")])
def test_files_that_add_no_element_are_watched_also_where_they_are_wrong_at_first(start_node, tmp_path, name, reads,
                                                                                 text):
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(NUMBERS.format(reads))
    (tmp_path / name).write_text("<robot")
    node = start_node(model_file=str(tmp_path / "r.xacro"), watch=True)
    node.spin_until(lambda: "M017 model-file-unreadable" in node.log.read_text(), "the reason")
    for number in (1, 2):
        (tmp_path / name).write_text(text.format(number))
        assert place(node.wait_for("/tf_static", number)) == number


def test_meshes_of_the_package_around_the_file_are_found(start_node, tmp_path):
    """The folder of a source package may have another name than the package."""
    package = tmp_path / "src" / "checkout"
    (package / "urdf").mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>bot</name></package>")
    corners = [f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 2)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    (package / "box.obj").write_text("".join([*corners, *[f"f {face}\n" for face in faces]]))
    (package / "urdf" / "r.urdf").write_text(
        '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        'iyz="0"/></inertial><collision><geometry><mesh filename="package://bot/box.obj"/></geometry></collision>'
        '</link></robot>')
    node = start_node(["/opt/others"], model_file=str(package / "urdf" / "r.urdf"))
    node.wait_for("/tf_static")
    answer = node.call("compute_inertia", recompute=True, density=10.0)
    assert answer.success and answer.total.m == pytest.approx(20)
    (paths,) = node.call_type(GetParameters, "/sdf_frames/get_parameters",
                              GetParameters.Request(names=["resource_paths"])).values
    assert paths.string_array_value == ["/opt/others", *map(str, (package / "urdf", package, package.parent))]


def test_findings_on_a_xacro_are_placed_where_it_is_written(start_node, tmp_path):
    """In the log, in answers of services, and in what is compared with TF."""
    pytest.importorskip("xacro")
    file, part = tmp_path / "r.urdf.xacro", tmp_path / "part.xacro"
    file.write_text(ROBOT)
    part.write_text(PART.format("1\n"))
    node = start_node(model_file=str(file), xacro_args="name:=tip nam:=top", tf_mode="none")
    node.spin_until(lambda: "X033" in node.log.read_text(), "the argument")
    assert f"({file}) [this file declares the argument name; did you mean 'name'?]" in node.log.read_text()
    part.write_text(PART.format("x"))
    answer = node.call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    assert not answer.success and f"({part}:3)" in answer.message and f"({part}:3)" in node.log.read_text()
    (found,) = [d for d in node.call("validate_sdf").diagnostics if d.severity == "error"]
    assert (found.file, found.line) == (str(part), 3)


def test_places_stay_beside_a_publisher_of_the_expanded_text(start_node, tmp_path):
    """robot_state_publisher gets the text of a .xacro from the launch file, and publishes it on robot_description."""
    xacro = pytest.importorskip("xacro")
    file, part = tmp_path / "r.urdf.xacro", tmp_path / "part.xacro"
    file.write_text(ROBOT)
    part.write_text(PART.format("x"))
    text = xacro.process_file(str(file), mappings={"name": "tip"}).toprettyxml(indent="  ")
    node = start_node(model_file=str(file), xacro_args="name:=tip", tf_mode="none")
    node.wait_for("/diagnostics")
    node.publish(text)
    node.publish(text.replace("base", "root"))
    node.spin_until(lambda: "by topic" in node.log.read_text(), "the other description")
    node.call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    node.publish(text)
    node.spin_for(0.5)
    (found,) = [d for d in node.call("validate_sdf").diagnostics if d.severity == "error"]
    assert (found.file, found.line) == (str(part), 3) and node.log.read_text().count("by topic") == 1


def run(coroutine) -> bool:
    """Run a coroutine until it waits; return whether it has ended."""
    try:
        coroutine.send(None)
    except StopIteration:
        return True
    return False


def test_places_stay_if_the_expanded_text_comes_while_the_file_waits_for_its_turn():
    expanded, taken = Expanded("<robot/>", "r.urdf.xacro", [None]), []
    state = Mock(work=Mock(finish=lambda future, result: future.set_result(result)))
    descriptions = Descriptions(Mock(), state, Mock(), Mock(), Mock())

    async def note(text, source):
        taken.append((text, source))
    descriptions._read_and_use = note
    assert run(descriptions.turn.__aenter__())
    waiting = descriptions.take(expanded, "file")
    assert not run(waiting) and run(descriptions.take(expanded.text, "topic"))
    assert run(descriptions.turn.__aexit__(None)) and run(waiting)
    assert taken == [(expanded, "file")]


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


def test_every_one_of_several_calls_at_once_is_answered_after_the_reading(start_node, tmp_path, pendulum):
    file = tmp_path / "r.urdf"
    file.write_text(pendulum)
    node = start_node(model_file=str(file))
    node.wait_for("/tf_static")
    client = node.connect(Trigger, "/sdf_frames/reload")
    file.write_text("<robot name='r'/>")
    workers = halt(node, 1)
    futures = [client.call_async(Trigger.Request()) for _ in range(6)]
    node.spin_for(0.5)
    go_on(workers)
    node.spin_until(lambda: all(future.done() for future in futures), "all answers")
    assert [future.result().success for future in futures] == [False] * 6


def test_a_new_time_limit_is_also_one_of_reading_the_file(start_node, tmp_path, pendulum):
    (tmp_path / "r.urdf").write_text(pendulum)
    node = start_node(model_file=str(tmp_path / "r.urdf"), time_limit=1000.0)
    node.wait_for("/tf_static")
    assert node.set_parameter("time_limit", 1e-6).successful
    halt(node, 1)  # else the file may be read before anybody looks at the clock
    answer = node.call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    assert not answer.success and "after 1e-06 s" in answer.message


def test_a_file_that_is_read_during_the_cleanup_is_given_up(start_node, tmp_path, pendulum):
    file = tmp_path / "r.urdf"
    file.write_text(pendulum)
    node = start_node(program="sdf_frames_lifecycle_node", model_file=str(file))
    assert change(node, "configure")
    client = node.connect(Trigger, "/sdf_frames/reload")
    file.write_text(pendulum.replace("tip", "end"))
    workers = halt(node, 1)
    future = client.call_async(Trigger.Request())
    node.spin_for(0.5)
    assert change(node, "cleanup")
    count = len(node.heard["/diagnostics"])
    go_on(workers)
    node.spin_until(future.done, "the answer")
    assert (future.result().success, future.result().message) == (False, "the node was cleaned up meanwhile")
    node.spin_for(1.0)
    assert len(node.heard["/diagnostics"]) == count and "by file" not in node.log.read_text()


def test_without_a_file_there_is_nothing_to_reload(start_node):
    answer = start_node().call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    assert not answer.success and "model_file" in answer.message


ARM = "<sdf version='1.9'><model name='{}'><link name='l'/></model></sdf>"


def test_a_watched_file_may_go_and_come_back_as_something_else(start_node, tmp_path):
    """Deleted, a folder, a file again: each is reported or published, and none is the last that is seen."""
    from diagnostic_msgs.msg import DiagnosticArray
    file, other = tmp_path / "m.sdf", tmp_path / "other"
    file.write_text(ARM.format("first"))
    node = start_node(model_file=str(file), watch=True)
    statuses: dict = {}
    node.client.create_subscription(DiagnosticArray, "/diagnostics", lambda m: statuses.update(
        {s.name: s.message for s in m.status}), node.hearing)

    def wait_for(message: str) -> None:
        node.spin_until(lambda: message in statuses.get("sdf_frames: model_file", ""), message)

    def is_published(name: str) -> bool:
        return any(t.child_frame_id == name for t in node.heard["/tf_static"][-1].transforms)
    node.wait_for("/tf_static")
    wait_for("read")
    file.unlink()
    wait_for("M017 model-file-unreadable: the parameter model_file: ")
    other.mkdir()
    (other / "model.config").write_text("<model><name>m</name><sdf version='1.9'>m.sdf</sdf></model>")
    (other / "m.sdf").write_text(ARM.format("second"))
    other.rename(file)
    node.spin_until(lambda: is_published("second"), "the model of the folder")
    wait_for("read")
    file.rename(other)
    file.write_text(ARM.format("third"))
    node.spin_until(lambda: is_published("third"), "the file that took the place of the folder")
    file.write_bytes(b"\xff")
    wait_for("is not in UTF-8")


def test_arguments_of_a_xacro_that_cannot_be_read_are_reported(start_node, tmp_path):
    file = tmp_path / "m.sdf"
    file.write_text(ARM.format("m"))
    node = start_node(model_file=str(file), xacro_args="name:='left")
    node.spin_until(lambda: "xacro_args is \"name:='left\": no closing quotation" in node.log.read_text(), "the reason")
    answer = node.call_type(Trigger, "/sdf_frames/reload", Trigger.Request())
    assert not answer.success and "xacro_args" in answer.message
    assert node.stop()[0] == 0


def test_watch_without_a_file_is_reported(start_node):
    node = start_node(watch=True)
    node.spin_until(lambda: "watch is set without model_file" in node.log.read_text(), "the warning")


def test_arguments_of_what_is_no_xacro_are_reported(start_node, tmp_path, pendulum):
    (tmp_path / "r.urdf").write_text(pendulum)
    node = start_node(model_file=str(tmp_path / "r.urdf"), xacro_args="side:=left")
    node.wait_for("/tf_static")
    assert "xacro_args has no effect: model_file is no .xacro" in node.log.read_text()
