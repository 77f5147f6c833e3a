"""Reads numbers from text as C and C++ do, and writes the shortest text that reads back as the same number."""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import inf, isfinite, pi

from sdf_frames.document.blanks import BLANKS, split_words

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
# The longest leading part that C's strtod would take.
_LEADING_NUMBER = (r"(?ai)[ \t\n\r\f\v]*([+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
                   r"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan))")

# A number for a C++ stream: no hexadecimals, infinities or words. An exponent without digits makes it malformed.
_STREAMED_NUMBER = r"(?a)[ \t\n\r\f\v]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?)"

# A number for every reader.
_PLAIN_NUMBER = r"(?a)[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"

# Smaller doubles (subnormals) lose digits.
_LEAST = 2.2250738585072014e-308
_NOT_ZERO = r"\s*[-+]?[0.]*[1-9]"


class Written(float):
    """A number that remembers how it was written."""

    __slots__ = ("text",)
    text: str


def copy_numbers(text: str | None, values: Sequence[float]) -> tuple[float, ...]:
    """Return `values` with their spelling in `text`, if `text` holds just these numbers; else as they are."""
    words = text.split() if text else []
    if len(words) != len(values) or any(not re.fullmatch(_PLAIN_NUMBER, word) or float(word) != value
                                        for word, value in zip(words, values)):
        return tuple(values)
    copied = []
    for word, value in zip(words, values):
        number = Written(value)
        number.text = word
        copied.append(number)
    return tuple(copied)


def format_number(value: float) -> str:
    """Return the shortest decimal text that reads back as `value`.

    A whole number has no decimal point. Zero, and subnormal numbers, which other readers refuse, are ``0``.
    """
    if -_LEAST < value < _LEAST:
        return "0"
    text = repr(value)
    return text if text[-2:] != ".0" else text[:-2]


def format_numbers(values: Iterable[float]) -> str:
    """Return `values` as :func:`format_number` writes them, separated by a space."""
    return " ".join([format_number(v) for v in values])


#: The text of a computed number that is not finite: no file contains it, and no file with it is written.
OVERFLOW = "\ufdd0"
# Words that begin with their letters, so that Python searches for these: a tenth of the time of \b before a word.
_NAN, _INF = re.compile(r"nan(?<!\wnan)"), re.compile(r"inf(?<!\winf)(?:inity)?\b")


def may_be_infinite(text: str) -> bool:
    """Return whether a text, which may be a whole document, has a word for a number that is not finite."""
    low = text.lower()
    return OVERFLOW in text or _NAN.search(low) is not None or _INF.search(low) is not None


def write_number(value: float) -> str:
    """Return a computed number as :func:`format_number` writes it, or :data:`OVERFLOW`."""
    return format_number(value) if isfinite(value) else OVERFLOW


def write_numbers(values: Iterable[float]) -> str:
    """Return `values` as :func:`write_number` writes them, separated by a space."""
    return " ".join([write_number(v) for v in values])


#: A number this close to one with so many decimals, or to a multiple of this angle, is written as that number.
_NEAR, _DECIMALS, _STEP = 1e-15, 12, pi / 12


def write_short(values: Iterable[float]) -> str:
    """Write numbers without the rounding errors of numbers with few decimals, and of angles such as pi/2."""
    chosen = []
    for value in values:
        near = [x for x in (round(value, _DECIMALS), round(value / _STEP) * _STEP)
                if abs(x - value) < _NEAR * max(1.0, abs(value))] if isfinite(value / _STEP) else []
        chosen.append(near[0] if near else value)
    return write_numbers(chosen)


def read_number(text: str) -> float | None:
    """Read the number at the start of `text` as C's ``stod`` does, ignoring what follows; None if there is none.

    Also None for a number that a double cannot hold, such as ``1e400`` or ``1e-320``.
    """
    values = _read_words(text, 1)
    value = values[0] if values else _read_leading(text)
    if value is None or _LEAST <= abs(value) < inf or value != value:
        return value
    if value in (inf, -inf):
        return value if "inf" in text.lower() else None
    return None if value or re.match(_NOT_ZERO, text) else value


def _read_leading(text: str) -> float | None:
    match = re.match(_LEADING_NUMBER, text)
    if not match:
        return None
    token = match.group(1)
    if token.lstrip("+-")[:2].lower() != "0x":
        return float(token)
    try:
        return float.fromhex(token)
    except OverflowError:
        return None


def _read_words(text: str, count: int) -> list[float] | None:
    """Read a text of exactly `count` numbers that Python and C read alike; else return None."""
    # Python would also read other digits, and underscores.
    if text.isascii() and "_" not in text and len(words := text.split()) == count:
        try:
            return [float(word) for word in words]
        except ValueError:
            pass
    return None


def read_numbers(text: str, count: int) -> tuple[float, ...] | None:
    """Read exactly `count` finite numbers separated by white space; None if the text is anything else."""
    if (values := _read_words(text, count)) is None:
        words = split_words(text)
        values = [value for word in words if (value := read_number(word)) is not None]
        if not len(words) == len(values) == count:
            return None
    return tuple(values) if all(map(isfinite, values)) else None


def read_vector(text: str, count: int) -> tuple[float, ...] | None:
    """Read the `count` finite numbers at the start of `text` as a C++ stream does; None if there are fewer.

    ``1,5 2 3`` and ``0x10 2 3`` are not vectors, but ``1-2.5.5`` is.
    """
    if (values := _read_words(text, count)) is None:
        values = []
        for _ in range(count):
            if not (match := re.match(_STREAMED_NUMBER, text)):
                return None
            try:
                values.append(float(match[1]))
            except ValueError:
                return None
            text = text[match.end():]
    return tuple(values) if all(map(isfinite, values)) else None


def find_number_end(text: str) -> int:
    """Return the offset after the number that :func:`read_number` reads."""
    match = None if _read_words(text, 1) else re.match(_LEADING_NUMBER, text)
    return match.end() if match else len(text)


def find_vector_end(text: str, count: int) -> int:
    """Return the offset after the numbers that :func:`read_vector` reads."""
    rest = "" if _read_words(text, count) else text
    while count and (match := re.match(_STREAMED_NUMBER, rest)):
        rest, count = rest[match.end():], count - 1
    return len(text) - len(rest)


def read_bool(text: str) -> bool | None:
    """Read ``true``, ``false``, ``1`` or ``0``, in any case and with white space around; else return None."""
    return _BOOLEANS.get(text.strip(BLANKS).lower())


#: The hint for a text that :func:`is_unexpanded`.
EXPAND = "expand the file with xacro first: the text contains ${…} or $(…)"


def is_unexpanded(text: str) -> bool:
    """Return whether a text still contains an expression of xacro."""
    return "${" in text or "$(" in text


def explain_numbers(text: str, count: int) -> str | None:
    """Return the hint for a text that should be `count` numbers: it writes the numbers in the text correctly."""
    words = re.sub(r"[\[\](){},;]", " ", text).split()
    computed = [_compute_pi(word) for word in words]
    if len(words) == count > 1 and all(re.fullmatch(_PLAIN_NUMBER, word) for word in computed):
        if words != split_words(text):
            return f"separate numbers by spaces, without brackets and commas: {' '.join(computed)}"
        return f"write {' '.join(computed)}" if computed != words else None
    if len(words) == count == 1 and computed != words:
        return f"write {computed[0]}"
    return explain_decimals(text, count) or (
        "separate numbers by spaces, and write 0.5 for 0,5" if "," in text else None)


def explain_decimals(text: str, count: int) -> str | None:
    """Return the hint for `count` numbers, some with a comma as the decimal point; None for other texts."""
    words = re.sub(r"(?<=\d),(?=\d)(?!\d{3}\b)", ".", text).split()
    is_plain = "," in text and len(words) == count and all(re.fullmatch(_PLAIN_NUMBER, word) for word in words)
    return f"write {' '.join(words)}" if is_plain else None


def _compute_pi(word: str) -> str:
    """Return the number for an expression such as ``-pi/2`` or ``2*pi``; other words as they are."""
    match = re.fullmatch(r"(?ai)([+-]?)(?:(\d+(?:\.\d*)?|\.\d+)\*)?(?:m_)?pi(?:/(\d+(?:\.\d*)?))?", word)
    divisor = float(match[3] or 1) if match else 0.0
    return f"{float(match[1] + (match[2] or '1')) * pi / divisor:.8g}" if match and divisor else word
