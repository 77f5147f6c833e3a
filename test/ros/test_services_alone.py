"""The services of nodes without a description, with one in error, or with resource paths."""

import pytest

pytest.importorskip("rclpy")


def test_before_any_description(start_node):
    node = start_node()
    for name, verdict in (("validate_sdf", "valid"), ("compute_inertia", "success"), ("convert_urdf", "success")):
        answer = node.call(name)
        assert not getattr(answer, verdict) and [f.name for f in answer.diagnostics] == ["description-missing"]
    answer = node.call("resolve_frame", frame="base")
    assert not answer.success and [f.name for f in answer.diagnostics] == ["description-missing"]
    assert not node.call("get_frames").frames


def test_after_a_first_description_in_error(start_node):
    node = start_node(robot_description="<robot name='r'>\n<link name='a'/>\n<link name='a'/>\n</robot>")
    node.wait_for("/diagnostics")
    for name, request in (("compute_inertia", {}), ("resolve_frame", {"frame": "a"})):
        answer = node.call(name, **request)
        finding, = answer.diagnostics
        assert not answer.success and (finding.name, finding.line, finding.column) == (
            "description-in-error", 3, len("<link name='") + 1)
        assert "a" in finding.message and finding.message.startswith("no valid robot description")
    finding, *_ = node.call("validate_sdf").diagnostics
    assert finding.severity == finding.ERROR and finding.name != "description-missing"
    assert node.call("compute_inertia", sdf="<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>").success


def test_uris_are_read_only_below_resource_paths(start_node, tmp_path, pendulum):
    robots, outside = tmp_path / "robots", tmp_path / "outside"
    (robots / "pendulum").mkdir(parents=True)
    outside.mkdir()
    for folder in (robots / "pendulum", outside):
        (folder / "model.urdf").write_text(pendulum)
    (robots / "link.urdf").symlink_to(outside / "model.urdf")
    node = start_node(resource_paths=[robots])
    inside = robots / "pendulum" / "model.urdf"
    for uri in (f"file://{inside}", str(inside), "model://pendulum/model.urdf", "package://pendulum/model.urdf",
                "pendulum/model.urdf"):
        answer = node.call("validate_sdf", uri=uri)
        assert answer.valid, (uri, answer)
    for uri in (f"file://{outside}/model.urdf", str(outside / "model.urdf"), "../outside/model.urdf", "link.urdf",
                "model://../outside/model.urdf", "file:///etc/passwd", "model://absent/model.urdf", "pendulum",
                "http://"):
        answer = node.call("validate_sdf", uri=uri)
        assert not answer.valid and [f.name for f in answer.diagnostics] == ["uri-not-permitted"], (uri, answer)


def test_without_a_model_get_frames_says_so(start_node):
    answer = start_node().call("get_frames")
    finding, = answer.diagnostics
    assert not answer.success and finding.code == "M001"
