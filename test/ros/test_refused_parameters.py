"""Parameters that a node refuses: a reason is given, and nothing changes."""

import pytest

pytest.importorskip("rclpy")


@pytest.mark.parametrize("program", ["sdf_frames_node", "sdf_frames_lifecycle_node", "sdf_frames_view"])
def test_unknown_parameters_are_named_once(start_node, program):
    """What rclpy declares itself is known."""
    if program == "sdf_frames_view":
        pytest.importorskip("viser")
    node = start_node(program=program, use_sim_time=False, resource_path=["/tmp"], speed=1)
    node.spin_until(lambda: "speed" in node.log.read_text(), "the warning")
    status, text = node.stop()
    assert status == 0 and text.count("Ignored") == 1
    assert ("[WARN]" in text) and (
        "Ignored 2 unknown parameters: 'resource_path' (did you mean 'resource_paths'?), 'speed'; --help lists the "
        "parameters") in text


def test_ten_unknown_parameters_are_named(start_node):
    node = start_node(**{f"x{number:02}": number for number in range(11)})
    node.spin_until(lambda: "Ignored 11 unknown parameters: 'x00', " in node.log.read_text(), "the warning")
    assert "'x09', …; --help" in node.log.read_text()


def test_a_value_of_a_type_that_there_is_not_is_refused_alone(start_node, pendulum):
    from rcl_interfaces.msg import Parameter, ParameterValue
    from rcl_interfaces.srv import SetParameters, SetParametersAtomically
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    good = node.rclpy.Parameter("frame_prefix", value="r1/").to_parameter_msg()
    values = [good, Parameter(name="massless", value=ParameterValue(type=50))]
    request = SetParametersAtomically.Request(parameters=values)
    result = node.call_type(SetParametersAtomically, "/sdf_frames/set_parameters_atomically", request).result
    assert not result.successful and "50" in result.reason
    request = SetParameters.Request(parameters=values)
    results = node.call_type(SetParameters, "/sdf_frames/set_parameters", request).results
    assert [r.successful for r in results] == [True, False] and "50" in results[1].reason
    assert "r1/tip" in {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms}
    assert "Unexpected" not in node.stop()[1]


@pytest.mark.parametrize("name, value, reason", [
    ("tf_mode", "sometimes", "tf_mode is 'sometimes', not one of"),
    ("massless", "ignore", "massless is 'ignore', not one of"),
    ("sdf_version", "1.4", "sdf_version is '1.4', not one of"),
    ("scope_separator", "", "scope_separator is empty"),
    ("frame_prefix", "/r1", "frame_prefix starts with a slash"),
    ("time_limit", 1e300, "Parameter time_limit out of range"),
    ("publish_frequency", 1e-300, "Parameter publish_frequency out of range"),
    ("publish_frequency", 1001, "publish_frequency is 1001, not from 0.001 to 1000 Hz"),
    pytest.param("massless", "z" * 1000, "massless is 'zzzzzzzzzzzz...zzzzzzzzzzzzz', not one of", id="long"),
    ("robot_description", "<robot name='r'/>", "the description would have errors: R002"),
])
def test_refused_values_give_a_reason(pendulum_node, name, value, reason):
    node = pendulum_node
    result = node.set_parameter(name, value)
    assert not result.successful and result.reason.startswith(reason), result.reason
    node.spin_for(0.3)
    assert len(node.heard["/tf_static"]) == 1 and node.call("validate_sdf").valid
    assert node.heard["/diagnostics"][-1].status[0].level == b"\0", "what is refused is no description of the node's"
    is_read = "the description would have errors" in reason
    assert (f"Refused the new value of {name}: the description would have errors" in node.log.read_text()) == is_read
