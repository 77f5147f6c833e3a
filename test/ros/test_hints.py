"""Messages name what the reader has: options on the command line, parameters in the log and the answers of the node."""

import pytest

from sdf_frames.diagnostics.catalogue import CATALOGUE
from sdf_frames.document.budget import explain_raise
from sdf_frames.options import OPTIONS
from sdf_frames.ros.settings import name_parameters


@pytest.mark.parametrize("hint, said", [
    ("give --resource-path '/my ws' (in Python: resource_paths), where", "give resource_paths:='/my ws', where"),
    ("convert with --massless keep (in Python: massless='keep')", "convert with massless:=keep"),
    ("--preserve-fixed-joints (in Python: preserve_fixed_joints=True), or", "preserve_fixed_joints:=true, or"),
    ("publish the frame; see --bogus", "publish the frame; see --bogus"),
    (explain_raise("faces"), "raise the limit with limits:=faces=N; docs/limits.md lists all limits")])
def test_parameters_stand_in_place_of_options(hint, said):
    assert name_parameters(hint) == said


def test_no_hint_of_the_catalogue_names_an_option_that_is_a_parameter():
    """But for that of a command which the node does not have."""
    flags = [option.flag for option in OPTIONS.values() if option.flag and option.node is not None]
    named = {rule.name for rule in CATALOGUE.values() if any(flag in (rule.hint or "") for flag in flags)}
    left = {name for name in named if any(flag in name_parameters(CATALOGUE[name].hint) for flag in flags)}
    assert not left and len(named) >= 5


ARM = """<robot name="r"><link name="base"/><link name="arm"/><link name="tip"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="tip"/></joint>{}</robot>"""


def test_the_node_names_its_parameters(start_node):
    node = start_node(robot_description=ARM.format(""))
    node.wait_for("/diagnostics")
    node.spin_until(lambda: "C004" in node.log.read_text(), "the loss")
    found = [*node.call("validate_sdf").diagnostics,
             *node.call("validate_sdf", uri="package://nosuch/r.urdf").diagnostics]
    said = [*(text for d in found for text in (d.message, d.hint)), node.log.read_text()]
    for hint in ("convert with massless:=keep", "give resource_paths:=DIR, where DIR/nosuch is the package"):
        assert any(hint in text for text in said), hint
    assert not any("--" in text for text in said)
