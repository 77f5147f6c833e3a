"""Reads and checks the texts of values and attributes by their types in the element table, and gives hints."""
from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache
from math import isfinite, pi, radians, tau

from sdf_frames.document.blanks import BLANKS, collapse_blanks, split_words
from sdf_frames.document.memory import remember_short
from sdf_frames.document.numbers import (
    EXPAND,
    explain_numbers,
    find_number_end,
    find_vector_end,
    format_number,
    is_unexpanded,
    read_bool,
    read_number,
    read_numbers,
    read_vector,
)
from sdf_frames.sdf.table import ValueSpec
from sdf_frames.spatial.pose import IDENTITY, Pose, pose_from_rpy

_LEAST_FLOAT, _MOST_FLOAT = 1.17549435e-38, 3.4028235e38
_INTEGERS = ("int", "unsigned int")
_LEAST_INT, _MOST_INT = -2**31, 2**31 - 1
_VECTORS = {"vector3": 3, "vector2d": 2, "vector2i": 2}
# How many numbers a value of a type usually has.
_COUNTS = {**_VECTORS, "pose": 6, "color": 4, "double": 1, "float": 1}
_INTEGER = r"(?a)[+-]?(?:0[xX][0-9a-fA-F]+|\d+)(?:\.0*\Z)?"
# A hundred digits are outside of every type; more are slow to read, and int() refuses them.
_WHOLE = r"(?a)([+-]?)(0x[0-9a-f]{1,99}|(?!0x)\d{1,99})"
_SECONDS = r"(?a)[+-]?\d+(?:\s+|(?=[+-]))[+-]?\d"
# For hints: the truth values of words, and by tag, the three numbers that a single number means.
_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_NEAR = 0.01  # most by which the squared length of a quaternion may differ from 1, and a bound from 2π
_ONE_NUMBER = {"gravity": "0 0 -{}", "scale": "{0} {0} {0}"}


@remember_short  # three of four were read before
def read_pose_text(text: str, rotation_format: str = "", degrees: str = "") -> tuple[Pose | None, str | None]:
    """Read the pose of a ``<pose>``; empty texts have their defaults: the identity, ``euler_rpy``, ``false``.

    Return ``(X, None)`` with X = (x, y, z, qw, qx, qy, qz), or ``(None, problem)``. A quaternion is used as written,
    not normalised.
    """
    values, problem = _read_pose_numbers(text, rotation_format, degrees)
    if values is None:
        return None, problem
    if not values:
        return IDENTITY, None
    if len(values) == 7:
        x, y, z, qx, qy, qz, qw = values
        return (x, y, z, qw, qx, qy, qz), None
    x, y, z, roll, pitch, yaw = values
    if degrees != "false" and read_bool(degrees):
        roll, pitch, yaw = roll * pi / 180, pitch * pi / 180, yaw * pi / 180
    return pose_from_rpy(x, y, z, roll, pitch, yaw), None


def _read_pose_numbers(text: str, rotation_format: str, degrees: str) -> tuple[tuple[float, ...] | None, str | None]:
    """Return the six or seven numbers of a pose as written, () for an empty text; or None, and why."""
    text = text.strip(BLANKS)
    in_degrees = read_bool(degrees) if degrees and degrees != "false" else False
    if in_degrees is None:
        return None, f"degrees is {degrees!r}, neither true nor false"
    if rotation_format in ("", "euler_rpy"):
        count, expected = 6, "six finite numbers x y z roll pitch yaw"
    elif rotation_format != "quat_xyzw":
        return None, f"rotation_format is {rotation_format!r}, neither euler_rpy nor quat_xyzw"
    elif in_degrees:
        return None, "a quaternion cannot be in degrees"
    else:
        count, expected = 7, "seven finite numbers x y z qx qy qz qw"
    if not text:
        return (), None
    values = read_numbers(text, count)
    if values is None or _holds_too_small(text):
        return None, f"{shorten(text)!r} is not {expected}"
    return values, None


def read_value(text: str) -> float | None:
    """Read a number as libsdformat does: also ``true`` as 1 and ``false`` as 0; None if the text is no number."""
    if (number := read_number(text)) is not None:
        return number
    word = text.strip(BLANKS).lower()
    return float(word == "true") if word in ("true", "false") else None


def _holds_too_small(text: str) -> bool:
    return ("e-" in text or "E-" in text) and None in [read_number(part) for part in split_words(text)]


def find_problem(text: str, value: ValueSpec) -> str | None:
    """Return why `text`, stripped and not empty, is not of the type of `value`; None if it is."""
    kind = value.type
    if kind == "string":
        return None
    if kind in ("double", "float"):
        number = read_value(text)
        if number is None:
            return f"{shorten(text)!r} is not a number that a double holds"
        if kind == "float" and number and isfinite(number) and not _LEAST_FLOAT <= abs(number) <= _MOST_FLOAT:
            return f"{shorten(text)} is more than single precision holds"
        return _find_bound(number, value)
    if kind == "bool":
        return None if read_bool(text) is not None else f"{shorten(text)!r} is neither true nor false"
    if kind in _INTEGERS:
        whole = _read_int(text)
        if whole is None:
            return f"{shorten(text)!r} is not a whole number"
        if kind == "int" and not _LEAST_INT <= whole <= _MOST_INT:
            return f"{shorten(text)} is outside {_LEAST_INT} … {_MOST_INT}"
        return _find_bound(whole, value)
    if kind in _VECTORS:
        count = _VECTORS[kind]
        return f"{shorten(text)!r} is not {count} finite numbers" if read_vector(text, count) is None else None
    if kind == "color":
        return _find_color_problem(text)
    if kind == "time" and not re.match(_SECONDS, text):
        return f"{shorten(text)!r} is not two whole numbers, seconds and nanoseconds"
    return None


def find_leftover(text: str, value: ValueSpec) -> tuple[str, str]:
    """Return the numbers that are read of a valid text, and the text after one of them, which readers ignore, or "".

    `text` is stripped. A whole number may be written as ``50.0``. In a pose or colour, each word is read on its own:
    ``,5`` of ``1,5 0 0`` is ignored.
    """
    kind = value.type
    if kind in ("double", "float"):
        end = find_number_end(text)
    elif kind in _INTEGERS:
        match = re.match(_INTEGER, text)
        end = match.end() if match else len(text)
    elif kind in _VECTORS:
        end = find_vector_end(text, _VECTORS[kind])
    elif kind in ("pose", "color"):
        words = [(word, find_number_end(word)) for word in split_words(text)]
        return (" ".join([word[:end] for word, end in words]),
                next((word[end:] for word, end in words if end < len(word)), ""))
    else:
        return text, ""
    return text[:end].strip(BLANKS), text[end:].strip(BLANKS)


@lru_cache(maxsize=2048)
def is_sound(text: str, value: ValueSpec) -> bool:
    """Return whether an element without attributes may hold `text`, and all of `text` has the type of `value`."""
    if not (stripped := text.strip(BLANKS)):
        return value.required != "1"
    problem = read_pose_text(text)[1] if value.type == "pose" else find_problem(stripped, value)
    numbers, rest = find_leftover(stripped, value)
    return problem is None and not rest and not holds_nan(numbers, value)


def holds_nan(numbers: str, value: ValueSpec) -> bool:
    """Return whether a valid text of numbers has one that is NaN: libsdformat accepts it in these types."""
    return value.type in ("double", "float", "color") and "nan" in numbers.lower()


def _find_bound(number: float, value: ValueSpec) -> str | None:
    if value.least is not None and number < value.least:
        return f"{number:g} is below the least allowed value {value.least:g}"
    if value.most is not None and number > value.most:
        return f"{number:g} is above the greatest allowed value {value.most:g}"
    return None


def _read_int(text: str) -> int | None:
    """Return the whole number that `text` starts with, as C's ``stoi`` reads it."""
    low = text.lower()
    if low in ("true", "false"):
        return int(low == "true")
    match = re.match(_WHOLE, low)
    return int(match[1] + match[2], 16 if match[2].startswith("0x") else 10) if match else None


def _find_color_problem(text: str) -> str | None:
    numbers = [read_number(p) for p in split_words(text)]
    if len(numbers) not in (3, 4) or None in numbers:
        return f"{shorten(text)!r} is not a colour of 3 or 4 numbers"
    if any(n is not None and (n < 0 or n > 1) for n in numbers):
        return f"{shorten(text)!r} has a colour component outside 0 … 1"
    return None


def explain_wrong_value(text: str, value: ValueSpec, tag: str = "", attributes: Container[str] = ()) -> str | None:
    """Return the hint for a text that is not of the type of `value`; None if there is no hint.

    `tag` is that of its element, which may have these attributes.
    """
    if is_unexpanded(text):
        return EXPAND
    if value.type == "bool":
        word = _WORDS.get(text.strip(BLANKS).lower())
        return word and f"write {word}"
    words = text.split()
    numbers = read_numbers(text, len(words)) or ()
    is_bytes = len(numbers) in (3, 4) and min(numbers) >= 0 and 1 < max(numbers) <= 255
    if value.type == "color" and is_bytes and all(number.is_integer() for number in numbers[:3]):
        opaque = words[3:] if max(numbers[3:], default=2) <= 1 else []  # is from 0 to 1 already
        divided = [f"{number / 255:.6g}" for number in numbers[:len(words) - len(opaque)]]
        return f"divide by 255: write {' '.join(divided + opaque)}"
    if value.type == "pose" and len(numbers) == 3:
        return f"write {' '.join(words)} 0 0 0"
    if "rotation_format" in attributes and len(numbers) == 7 and abs(sum(q * q for q in numbers[3:]) - 1) < _NEAR:
        return f'for x y z and a quaternion x y z w, write <{tag} rotation_format="quat_xyzw">'
    if len(numbers) == 1 and _COUNTS.get(value.type) == 3 and tag in _ONE_NUMBER:
        return f"write {_ONE_NUMBER[tag].format(format_number(abs(numbers[0])))}"
    if value.most is not None and abs(value.most - tau) < _NEAR and (
            value.most < (angle := read_value(text) or 0.0) <= 360):
        return f"write radians: {radians(angle):.6g}"
    return explain_numbers(text, _COUNTS.get(value.type, 0))


def shorten(text: str) -> str:
    """Return a text as messages show it: on one line, cut after 60 characters."""
    text = collapse_blanks(text)
    return text if len(text) <= 60 else text[:57] + "…"
