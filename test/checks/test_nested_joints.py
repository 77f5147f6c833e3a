"""Joints of nested models: what a joint's own text says is an error, what only resolving shows is a warning
(libsdformat 17 likewise)."""
import pytest

from sdf_frames.load import load_text

MODEL = ('<sdf version="1.12"><model name="m"><link name="k"/><model name="n"><link name="a"/><link name="b"/>'
         '<frame name="f" attached_to="a"/>'
         '<joint name="j" type="fixed"><parent>{}</parent><child>{}</child></joint></model></model></sdf>')


@pytest.mark.parametrize("parent, child, name, severity", [
    ("a", "a", "joint-parent-same-as-child", "error"),
    ("__model__", "__model__", "joint-parent-same-as-child", "error"),
    ("a", "world", "joint-child-is-world", "error"),
    ("f", "a", "joint-parent-same-as-child", "warning"),
    ("nope", "a", "joint-parent-unknown", "warning"),
    ("a", "nope", "joint-child-unknown", "error"),
])
def test_joint_of_a_nested_model(parent, child, name, severity):
    loaded = load_text(MODEL.format(parent, child))
    (finding,) = [d for d in loaded.diagnostics if d.severity != "info"]
    assert (finding.name, finding.severity) == (name, severity)
    assert loaded.valid == (severity != "error")


def test_a_zero_axis_and_an_unheard_type_of_a_nested_model_are_errors():
    joint = '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 0</xyz></axis></joint>'
    for changed, name in ((joint, "joint-axis-zero"),
                          (joint.replace("revolute", "swing").replace("0 0 0", "0 0 1"), "joint-type-invalid")):
        loaded = load_text(
            f'<sdf version="1.12"><model name="m"><link name="k"/><model name="n"><link name="a"/><link name="b"/>'
            f'{changed}'
                           "</model></model></sdf>")
        assert (name, "error") in [(d.name, d.severity) for d in loaded.diagnostics]


@pytest.mark.parametrize("axis, severity", [("axis", "warning"), ("axis2", "warning"), ("axis3", "error")])
def test_the_axis_that_a_mimic_names_is_the_joints_own_text(axis, severity):
    """That its leader is missing only the graph tells; an axis that no joint has is wrong by itself."""
    loaded = load_text(
        '<sdf version="1.12"><model name="m"><link name="k"/><model name="n"><link name="a"/><link name="b"/>'
        '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>'
        f'<mimic joint="gone" axis="{axis}"><multiplier>1</multiplier><offset>0</offset><reference>0</reference>'
        f'</mimic>'
        "</axis></joint></model></model></sdf>")
    assert [(d.name, d.severity) for d in loaded.diagnostics if d.name.startswith("joint-mimic")] == [
        ("joint-mimic-invalid", severity)]
