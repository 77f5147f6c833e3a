"""Counts in words."""
import re
from pathlib import Path

from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.diagnostics.plural import count_of, plural

PACKAGE = Path(__file__).resolve().parents[2] / "sdf_frames"


def test_one_thing_has_the_singular():
    assert [count_of(number, "link") for number in (0, 1, 2)] == ["0 links", "1 link", "2 links"]
    assert [count_of(number, "vertex", "vertices") for number in (1, 2)] == ["1 vertex", "2 vertices"]
    assert [plural("that is", number, "that are") for number in (1, 5)] == ["that is", "that are"]


def test_no_plural_is_written_by_hand():
    """Such as ``link{'s' if n > 1 else ''}`` or ``loop(s)``."""
    sources = [path for path in PACKAGE.rglob("*.py") if path.name != "plural.py"]
    assert len(sources) > 250
    by_hand = re.compile(r"""('s'|"s") (if |\*)|else ('s'|"s")\}""")
    assert not [path for path in sources if by_hand.search(path.read_text(encoding="utf-8"))]
    assert not [rule for rule in BY_CODE.values() if "(s)" in rule.template + rule.hint]
