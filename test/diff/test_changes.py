"""Changes in order, as text, and as JSON."""
import pytest

import sdf_frames as sf
from sdf_frames.diff.changes import Change, Differences, compare_poses

FOUND = Change("finding", "F001", "added", None, "says", "error: says")
MASS = Change("inertia", "arm", "mass", 1.0, 2.0, "mass 1 -> 2 kg")
GONE, NEW, OTHER = (Change("link", name, what) for name, what in (("b", "removed"), ("c", "added"), ("a", "renamed")))


@pytest.fixture
def differences():
    return Differences("a.sdf", None, [FOUND, MASS, GONE, NEW, OTHER])


def test_changes_stand_by_subject_and_else_as_they_came(differences):
    assert list(differences) == [GONE, NEW, OTHER, MASS, FOUND]
    assert (differences[0], differences[-1], differences[1:3]) == (GONE, FOUND, (NEW, OTHER))
    assert (len(differences), bool(differences)) == (5, True)


def test_each_subject_has_a_head_and_each_change_a_mark(differences):
    assert str(differences).splitlines() == [
        "links:", "  - b", "  + c", "  ~ a",
        "inertias:", "  ~ arm: mass 1 -> 2 kg",
        "findings:", "  + F001: error: says"]


def test_no_difference_has_a_text_too():
    assert str(Differences("a.sdf", "b.sdf", [])) == "no differences"


def test_json_and_repr_name_both_files(differences):
    said = differences.to_json()
    assert (said["a"], said["b"], said["equal"]) == ("a.sdf", None, False)
    assert said["changes"][3] == {"subject": "inertia", "name": "arm", "what": "mass", "old": 1.0, "new": 2.0,
                                  "text": "mass 1 -> 2 kg"}
    assert repr(differences) == "<Differences between a.sdf and text: 5>"
    assert repr(Differences(None, "b.sdf", [])) == "<Differences between text and b.sdf: 0>"
    assert Differences(None, "b.sdf", []).to_json() == {"a": None, "b": "b.sdf", "equal": True, "changes": []}


def test_the_text_of_a_moved_frame_has_no_rounding_errors():
    X, Y = sf.Pose([0, 0, 0], [1, 0, 0, 0]), sf.Pose([1e-17, 0, 0.5], [1, 1e-30, 0, 0])
    (change,) = compare_poses("frame", "f", X, Y, 1e-6)
    assert change.text == "moved 500 mm, turned 0 deg"


def test_a_shift_that_no_number_holds_has_no_infinity():
    (change,) = compare_poses("frame", "f", sf.Pose(), sf.Pose([1e307, 0, 0]), 1e-6)  # in mm: 1e310
    assert change.text == "moved over 1e308 mm, turned 0 deg"
