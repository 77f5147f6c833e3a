"""White space of XML separates words; other blanks of Unicode are part of a word."""
import pytest

from sdf_frames.document.blanks import collapse_blanks


@pytest.mark.parametrize("text, collapsed", [
    ("", ""), (" a\t\r\n b ", "a b"), ("a", "a"), ("a\xa0 b", "a\xa0 b"), ("\u3000a  b\n\u2028", "\u3000a b \u2028")])
def test_white_space_as_libsdformat_reads_it(text, collapsed):
    assert collapse_blanks(text) == collapsed
