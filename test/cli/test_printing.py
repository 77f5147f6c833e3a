"""Lines of JSON: one line, JSON alone, safe for a terminal."""
import json
from math import inf, nan

import pytest

from sdf_frames.cli.printing import to_json_line


@pytest.mark.parametrize(("value", "line"), [
    ({"a": 1.5, "b": [True, None, "x"]}, '{"a": 1.5, "b": [true, null, "x"]}'),
    ({"a": inf, "b": [-inf, (nan, 1)], "c": {"d": nan}}, '{"a": null, "b": [null, [null, 1]], "c": {"d": null}}'),
    ({"a": "\u00e9\u4e2d"}, '{"a": "\u00e9\u4e2d"}'),  # letters stay letters
    ({"a": "\u00e9", "b": inf}, '{"a": "\u00e9", "b": null}'),
    ({"a": "\n\x1b\x7f"}, '{"a": "\\n\\u001b\\u007f"}'),
    ({"a": "\u202e\u009b\udcff"}, '{"a": "\\u202e\\u009b\\udcff"}'),  # turns the line round, ends it, is no text
    ({"a": "\U000e0041", "b": nan}, '{"a": "\\udb40\\udc41", "b": null}')])
def test_a_line(value, line):
    assert to_json_line(value) == line + "\n"
    assert json.loads(line).keys() == value.keys()
