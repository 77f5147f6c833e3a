"""What a finding is for each program, and for several programs together."""
import pytest

from sdf_frames.checks.programs import (
    CONSUMERS,
    combine,
    judge,
    list_judges,
    list_severities,
    read_consumers,
    severity_for,
)
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE

ALL = ("gazebo", "ros", "drake", "mujoco", "pinocchio", "urdfdom")


@pytest.mark.parametrize(("words", "keys"), [
    ((), ()), (("ros",), ("ros",)), (("Drake, ros", "drake"), ("drake", "ros")), (("ros", "all"), tuple(CONSUMERS)),
    (("mujoco@3.3", "scikit-robot"), ("mujoco@3.3", "scikit_robot"))])
def test_names_of_programs(words, keys):
    assert read_consumers(words) == keys
    assert tuple(list_judges()) == ALL


@pytest.mark.parametrize(("word", "problem"), [
    ("mujco", "unknown program 'mujco'; did you mean 'mujoco'"), ("", "unknown program ''; write gazebo, ros")])
def test_names_that_are_none(word, problem):
    with pytest.raises(ValueError, match=problem):
        read_consumers([word])


def test_what_is_written_concerns_all_and_what_becomes_of_it_gazebo():
    assert list_severities(BY_CODE["X002"]) == list_severities(BY_CODE["R009"]) == dict.fromkeys(ALL, "error")
    assert list_severities(BY_CODE["C004"]) == {**dict.fromkeys(ALL, ""), "gazebo": "error"}
    assert list_severities(BY_CODE["S003"]) == {"gazebo": "warning", "drake": "error"}
    assert list_severities(BY_CODE["S003"], "urdf") == {**dict.fromkeys(ALL, ""), "gazebo": "warning"}


def test_versions_are_said_of_programs_that_have_the_rule():
    rules = [rule for rule in BY_CODE.values() if rule.since]
    assert len(rules) >= 8
    for rule in rules:
        assert all(list_severities(rule)[key] and CONSUMERS[key].oldest for key in rule.since), rule.code
    assert CONSUMERS["drake"].held_against == "Drake 1.51 and 1.15"
    assert CONSUMERS["gazebo"].held_against == "Gazebo libsdformat 17"


def test_an_older_version_does_not_have_the_rules_that_came_later():
    """Drake refuses such mimics since 1.37, and Pinocchio values below zero since 4.0."""
    for name, key, before, after in (("drake-mimic-refused", "drake", "1.36", "1.37"),
                                     ("pinocchio-value-negative", "pinocchio", "3.9", "4")):
        said = [severity_for(CATALOGUE[name], f"{key}@{version}", "urdf", "error") for version in (before, after)]
        assert said == ["", "error"]


def test_for_a_urdf_other_programs_have_errors_of_reading_and_of_their_own_only():
    """So that a URDF that Gazebo refuses, and is not converted, has the same verdict for them."""
    for rule in BY_CODE.values():
        errors = {key for key, severity in list_severities(rule, "urdf").items() if severity == "error"}
        assert rule.code[0] in "XRL" or errors <= {"gazebo"}, rule.code


def test_the_severity_of_the_finding_counts_not_that_of_its_rule():
    assert severity_for(BY_CODE["N003"], "gazebo", "sdf", "warning") == "warning"


def test_a_format_that_is_not_read_is_the_only_error():
    found = [diagnose("geometry-unknown-shape", tag="x", consequence="", known="")]
    (finding,) = judge(found, "mujoco", "sdf", "m.sdf")
    assert (finding.name, finding.severity, finding.file) == ("format-not-read", "error", "m.sdf")
    assert finding.message == "MuJoCo does not read SDFormat; it reads URDF"
    assert judge(found, "gazebo", "sdf", "m.sdf") == found


def test_several_programs_have_each_finding_once_with_its_highest_severity():
    first, second = (Diagnostic(code, "n", "warning", "m") for code in ("X006", "X013"))
    assert combine([[first], [second, first._replace(severity="error")], [second._replace(severity="info")]]) == [
        first._replace(severity="error"), second]
