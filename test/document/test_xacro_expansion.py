"""What xacro says when it gives up: in which file, and by which files that was included."""
import sys
from types import SimpleNamespace

import pytest

from sdf_frames.document.xacro import expand_xacro, split_arguments


class XacroException(Exception):
    pass


@pytest.fixture
def fail(monkeypatch):
    """Stands for a xacro that raises, with a stack of the files that it was in."""
    def fail(error, stack):
        def process_file(file, mappings):
            raise error
        monkeypatch.setitem(sys.modules, "xacro", SimpleNamespace(
            process_file=process_file, XacroException=XacroException, filestack=stack))
        text, (found,) = expand_xacro("a.xacro", {})
        assert text is None and found.name == "xacro-failed"
        return found
    return fail


@pytest.mark.parametrize("stack, file, related", [
    (["a.xacro"], "a.xacro", []), (["a.xacro", "b.xacro"], "b.xacro", ["a.xacro"]),
    (["a.xacro", "b.xacro", "c.xacro"], "c.xacro", ["b.xacro", "a.xacro"]), (None, "a.xacro", [])])
def test_the_innermost_file_is_named_and_those_around_it_from_within(fail, stack, file, related):
    found = fail(XacroException("undefined x"), stack)
    assert (found.file, [r.file for r in found.related]) == (file, related)


@pytest.mark.parametrize("error, words", [
    (XacroException("undefined x"), "undefined x"), (ValueError("no\n number"), "ValueError: no; number"),
    (SystemExit(2), "it gave up with status 2"), (KeyError(), "KeyError")])
def test_why_it_gave_up(fail, error, words):
    found = fail(error, None)
    assert words in found.message and not found.message.rstrip().endswith(":")


def test_arguments_stand_anywhere():
    assert split_arguments(["a", "x:=1", "b", "y:=p:=q"]) == (["a", "b"], {"x": "1", "y": "p:=q"})
