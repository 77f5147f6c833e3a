"""Findings on a text that was made of other files: placed where those files have the cause."""
import pickle

import pytest

from sdf_frames.diagnostics import Location, Related, diagnose
from sdf_frames.document.expanded import Expanded, Place, restore

# Elements begin on lines 1, 2, 2, 4 and 6 of the text: of the file itself, of another, of none.
PLACES = (Place("a.xacro", 10, 1), Place("a.xacro", 20, 2), Place("part.xacro", 30, 3), None,
          Place("part.xacro", 50, 5))


@pytest.fixture
def text():
    text = Expanded("<a>\n<b/><c/>\n\n<d/>\n\n<e/></a>")
    text.file, text.places, text.lines = "a.xacro", PLACES, (1, 2, 2, 4, 6)
    return text


def make(line, file="a.xacro", related=(), column=7):
    found = diagnose("element-unknown", Location(file, line, column=column), tag="b", parent="a")
    return found._replace(related=tuple(related))


@pytest.mark.parametrize(("line", "number"), [(0, None), (1, 0), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (99, 4),
                                              (None, None)])
def test_a_line_is_that_of_the_last_element_that_begins_before_it(text, line, number):
    assert text.find_place(line) == (None if number is None else PLACES[number])


@pytest.mark.parametrize(("line", "restored"), [(1, 10), (3, None), (4, None), (0, None), (None, None)])
def test_lines_of_the_file_itself(text, line, restored):
    """Lines 2 and 3 are of another file, line 4 of none."""
    assert text.restore_line(line) == restored


def test_a_finding_is_placed_in_the_file_that_has_its_cause(text):
    (own, other, nowhere) = restore(text, [make(1), make(2), make(4)])
    assert (own.file, own.line, own.column) == ("a.xacro", 10, 1)
    assert (other.file, other.line, other.column) == ("part.xacro", 30, 3)
    assert (nowhere.file, nowhere.line, nowhere.column) == ("a.xacro", None, None)


def test_a_text_without_a_name_is_the_one_that_was_expanded(text):
    """The node loads it so, as it loads what comes by a topic."""
    (found,) = restore(text, [make(2, None)])
    assert (found.file, found.line, found.column) == ("part.xacro", 30, 3)


def test_it_goes_to_another_process_whole(text):
    text.findings = (make(1),)
    there = pickle.loads(pickle.dumps(text))
    assert (there, there.file, there.places, there.lines, there.findings) == (
        text, text.file, text.places, text.lines, text.findings)


def test_findings_with_one_origin_are_merged(text):
    """A macro that is used twice; the first stands."""
    found = restore(text, [make(2), make(1), make(3)])
    assert [(d.file, d.line) for d in found] == [("part.xacro", 30), ("a.xacro", 10)]


def test_findings_on_other_files_and_on_none_stay(text):
    found = [make(2, "mesh.stl"), make(None, column=None)]
    assert restore(text, found) == tuple(found)


def test_places_that_take_part_are_restored_too(text):
    """Those without a file are in the file of the finding; those of another stay."""
    parts = [Related("first", 1, None, None, 9), Related("second", 6, None, "a.xacro", 9),
             Related("no", 4, None, None, 9), Related("else", 2, None, "other.sdf", 9)]
    for line in (2, 4, None):
        ((first, second, lost, other),) = [d.related for d in restore(text, [make(line, related=parts)])]
        assert (first.file, first.line, first.column) == ("a.xacro", 10, 1)
        assert (second.file, second.line, second.column) == ("part.xacro", 50, 5)
        assert (lost.file, lost.line, lost.column) == (None, None, None)
        assert other == parts[3]
    elsewhere = make(2, "other.sdf", related=parts)
    assert restore(text, [elsewhere]) == (elsewhere,)


def test_findings_on_a_plain_text_stay():
    found = [make(2), make(2)]
    assert restore("<a/>", iter(found)) == tuple(found)
