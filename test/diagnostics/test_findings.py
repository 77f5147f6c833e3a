"""How findings are made: every field of a place, a rule, and what is related."""
import pytest

from sdf_frames.diagnostics import Diagnostic, Location, Related, diagnose, has_errors, steps_of, tell_once
from sdf_frames.diagnostics.catalogue import CATALOGUE
from sdf_frames.diagnostics.model import relate


def test_a_finding_has_the_place_and_the_words_of_its_rule():
    rule = CATALOGUE["frame-unknown"]
    at, related = Location("a.sdf", 3, "/sdf/frame", 7), relate("there", Location("b.sdf", 4, "/sdf", 9))
    assert related == Related(message="there", line=4, path="/sdf", file="b.sdf", column=9)
    assert diagnose("frame-unknown", at, kind="frame", frame="f", nearest="", related=iter([related])) == Diagnostic(
        code=rule.code, name="frame-unknown", severity="error", message="there is no frame 'f'", file="a.sdf", line=3,
        path="/sdf/frame", hint="", related=(related,), sdformat=rule.sdformat, column=7, fixes=())


@pytest.mark.parametrize(("path", "steps"), [
    (None, []), ("/", []), ("/sdf/model[2]/pose", [("sdf", None), ("model", None), ("pose", None)]),
    ('/robot[@name="a/b"]/link[@name="c"]/inertial', [("robot", "a/b"), ("link", "c"), ("inertial", None)]),
    ('/robot[@name="a]/b"]/gazebo[@reference="c/d"][3]', [("robot", "a]/b"), ("gazebo", None)])])
def test_a_name_in_a_path_may_hold_what_stands_between_the_steps(path, steps):
    assert steps_of(path) == steps


def test_a_name_in_a_command_is_quoted_for_the_shell():
    found = diagnose("cut-not-below", link="it's", start="my base")
    assert found.message == """link "it's" is not below link 'my base'"""
    assert found.hint == "make my base the root first: sdf_frames reroot FILE 'my base'"


def test_what_is_not_given_is_not_known():
    found = diagnose("frame-unknown", kind="frame", frame="f", nearest="did you mean 'g'?")
    assert (found.file, found.line, found.path, found.column, found.related, found.fixes) == (
        None, None, None, None, (), ())
    assert found.hint == "did you mean 'g'?"
    assert diagnose("frame-unknown", kind="frame", frame="f", nearest="", hint="ask").hint == "ask"
    with pytest.raises(KeyError):
        diagnose("frame-unknown", kind="frame", frame="f")
    with pytest.raises(KeyError):
        diagnose("no-such-rule")


@pytest.mark.parametrize(("severities", "wrong"), [
    ([], False), (["warning", "info"], False), (["warning", "error"], True), (["error", "info"], True)])
def test_errors_among_findings(severities, wrong):
    found = diagnose("frame-unknown", kind="frame", frame="f", nearest="")
    assert has_errors(found._replace(severity=severity) for severity in severities) is wrong


AT, ELSEWHERE = Location("r.urdf", 3, "/robot/link/mesh", 5), Location("r.urdf", 9, "/robot/link[2]/mesh", 5)


@pytest.mark.parametrize("at, severity, others, told", [
    (AT, "error", [], False), (ELSEWHERE, "error", [], True), (ELSEWHERE, "error", [relate("too", ELSEWHERE)], False),
    (AT._replace(column=9), "error", [], False), (AT._replace(file="b.urdf"), "error", [], True),
    (AT, "warning", [], True)])
def test_a_cause_is_told_once(at, severity, others, told):
    """A missing file is missing for every program; the finding for all stays, unless it is less severe."""
    cause = diagnose("asset-not-found", AT, uri="a.stl", hint="", severity=severity, related=others)
    same = diagnose("collision-file-missing", at, uri="a.stl")
    assert tell_once([same, cause, same]) == ([same] if told else []) + [cause]
    assert tell_once([same]) == [same]


def test_what_a_rule_explains_is_a_rule_that_explains_no_cause_in_turn():
    explained = [CATALOGUE[name] for rule in CATALOGUE.values() for name in rule.explains]
    assert explained and all(CATALOGUE[name].explains == () for rule in explained for name in rule.explains)
