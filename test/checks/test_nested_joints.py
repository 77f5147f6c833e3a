"""Joints of nested models: what a joint's own text says is an error, what only resolving shows is a warning
(libsdformat 17 likewise)."""
import pytest

from sdf_frames.load import load_text

MODEL = ('<sdf version="1.12"><model name="m"><link name="k"/><model name="n"><link name="a"/><link name="b"/>'
         '<frame name="f" attached_to="a"/><joint name="j" type="{}"><parent>{}</parent><child>{}</child>{}</joint>'
         "</model></model></sdf>")
AXIS = "<axis><xyz>0 0 {}</xyz>{}</axis>"
MIMIC = ('<mimic joint="gone" axis="{}"><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic>')


@pytest.mark.parametrize("kind, parent, child, axis, name, severity", [
    ("fixed", "a", "a", "", "joint-parent-same-as-child", "error"),
    ("fixed", "__model__", "__model__", "", "joint-parent-same-as-child", "error"),
    ("fixed", "a", "world", "", "joint-child-is-world", "error"),
    ("fixed", "f", "a", "", "joint-parent-same-as-child", "warning"),
    ("fixed", "nope", "a", "", "joint-parent-unknown", "warning"),
    ("fixed", "a", "nope", "", "joint-child-unknown", "error"),
    ("revolute", "a", "b", AXIS.format(0, ""), "joint-axis-zero", "error"),
    ("swing", "a", "b", AXIS.format(1, ""), "joint-type-invalid", "error"),
    # That its leader is missing only the graph tells; an axis that no joint has is wrong by itself.
    ("revolute", "a", "b", AXIS.format(1, MIMIC.format("axis")), "joint-mimic-invalid", "warning"),
    ("revolute", "a", "b", AXIS.format(1, MIMIC.format("axis2")), "joint-mimic-invalid", "warning"),
    ("revolute", "a", "b", AXIS.format(1, MIMIC.format("axis3")), "joint-mimic-invalid", "error")])
def test_joint_of_a_nested_model(kind, parent, child, axis, name, severity):
    loaded = load_text(MODEL.format(kind, parent, child, axis))
    (finding,) = [d for d in loaded.diagnostics if d.severity != "info"]
    assert (finding.name, finding.severity) == (name, severity)
    assert loaded.valid == (severity != "error")
