"""What a file uses before its version knew it: read all the same, with one warning a feature."""
import pytest

from sdf_frames.load import load_text
from sdf_frames.sdf.features import FEATURES
from sdf_frames.sdf.table import VERSIONS

LINKS = '<link name="a"/><link name="b"/>'
NESTED = '<model name="n"><link name="l"/></model>'


def joint(parent, child, more=""):
    return (f'<joint name="j" type="revolute"><parent>{parent}</parent><child>{child}</child>'
            f"<axis><xyz>0 0 1</xyz>{more}</axis></joint>")


def told(body, version, world=False):
    inner = f'<world name="w">{body}</world>' if world else f'<model name="m">{LINKS}{body}</model>'
    loaded = load_text(f'<sdf version="{version}">{inner}</sdf>')
    assert loaded.valid, loaded.diagnostics
    return [d for d in loaded.diagnostics if d.name == "feature-of-later-version"]


@pytest.mark.parametrize("body, old, since", [
    # 004:8, 004:480: 1.5 brought the frame attribute, <frame> and nested models.
    ('<frame name="f"/>', "1.4", "1.5"), (NESTED, "1.4", "1.5"),
    ('<link name="c"><pose frame="a"/></link>', "1.4", "1.5"),
    ('<link name="c"><pose frame="a"/></link>', "1.2", "1.5"),
    # 002:966 and 004:372: until 1.7 parent and child are links beside the joint; 004:496: in 1.5 and 1.6 also `n::l`.
    ('<frame name="f"/>' + joint("f", "b"), "1.6", "1.8"), ('<frame name="f"/>' + joint("b", "f"), "1.7", "1.8"),
    (NESTED + joint("n", "b"), "1.5", "1.8"), (NESTED + joint("n::l", "b"), "1.7", "1.8"),
    (joint("a", "b").replace('"j"', '"i"') + joint("i", "a"), "1.6", "1.8"),
    # 002: proposals of 1.7.
    ('<link name="c"><pose relative_to="a"/></link>', "1.6", "1.7"),
    ('<frame name="f" attached_to="a"/>', "1.6", "1.7"),
    ('<link name="c"><pose degrees="true">0 0 0 0 0 0</pose></link>', "1.8", "1.9"),
    (joint("a", "b").replace('"j"', '"i"') + '<link name="c"/>' + joint("b", "c", '<mimic joint="i"/>'),
     "1.10", "1.11"),
])
def test_each_is_one_warning_that_says_since_when(body, old, since):
    (found,) = told(body, old)
    assert found.severity == "warning" and found.message.startswith(f"SDFormat {old} does not have ")
    assert found.message.endswith(f", which exists since {since}")
    assert told(body, since) == []


@pytest.mark.parametrize("version", ["1.5", "1.6", "1.8", "1.12"])
def test_links_of_nested_models_are_joint_ends_but_for_1_7(version):
    assert told(NESTED + joint("n::l", "b"), version) == []


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.7"])
def test_links_and_the_world_are_joint_ends_in_every_version(version):
    assert told(joint("a", "b"), version) == told(joint("world", "b"), version) == []


def test_a_feature_is_told_once_with_how_often():
    (found,) = told("".join(f'<frame name="f{i}"/>' for i in range(4)), "1.4")
    assert "3 more times" in found.hint and found.path == '/sdf/model[@name="m"]/frame[@name="f0"]'


def test_frames_of_plugins_are_their_own():
    assert told('<plugin name="p" filename="f"><pose frame="x"/><model><model/></model></plugin>', "1.4") == []


def test_the_table_is_of_versions():
    assert {row.since for row in FEATURES} <= set(VERSIONS) and len(FEATURES) == len({row.name for row in FEATURES})
