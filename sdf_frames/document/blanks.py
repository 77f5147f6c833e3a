"""White space as XML, C and C++ read it: other blanks of Unicode, such as U+00A0, are letters that no reader skips."""

import re

#: For ``text.strip(BLANKS)``.
BLANKS = " \t\n\r\f\v"


def split_words(text: str) -> list[str]:
    """Return the parts of a text between white space."""
    return text.split() if text.isascii() else re.findall(r"(?a)\S+", text)


def collapse_blanks(text: str) -> str:
    """Return a text as libsdformat reads it: stripped, with one blank for each run of white space inside."""
    return " ".join(split_words(text))
