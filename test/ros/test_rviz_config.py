"""RViz shows what the node publishes: the configuration's topics and classes, without RViz."""
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
RVIZ = Path(__file__).resolve().parents[2] / "rviz" / "sdf_frames.rviz"


def test_inertia_markers_and_tf_are_displayed():
    displays = yaml.safe_load(RVIZ.read_text())["Visualization Manager"]["Displays"]
    by_class = {display["Class"]: display for display in displays}
    markers = by_class["rviz_default_plugins/MarkerArray"]
    # The node's private topic, by the name that the launch file gives the node, in whatever namespace both are.
    assert markers["Enabled"] and markers["Topic"]["Value"] == "sdf_frames/inertia_markers"
    # A subscriber that is not transient local misses what was published before it came.
    assert markers["Topic"]["Durability Policy"] == by_class["rviz_default_plugins/RobotModel"]["Description Topic"][
        "Durability Policy"] == "Transient Local"
    assert by_class["rviz_default_plugins/TF"]["Enabled"]
