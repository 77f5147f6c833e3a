"""Hints for values of SDFormat that are not of their type: what was meant, written out."""

from math import radians, tau

from sdf_frames.document.numbers import explain_numbers, format_number, read_numbers
from sdf_frames.sdf.table import ValueSpec
from sdf_frames.sdf.values import COUNTS, read_value

_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_NEAR = 0.01  # most by which the squared length of a quaternion may differ from 1, and a bound from 2π
_ONE_NUMBER = {"gravity": "0 0 -{}", "scale": "{0} {0} {0}"}  # what one number in place of three means


def explain_wrong_value(text: str, value: ValueSpec, tag: str = "") -> str | None:
    """Return the hint for a text that is not of the type of `value`, in the element `tag`; None if it shows nothing."""
    if value.type == "bool":
        word = _WORDS.get(text.strip().lower())
        return word and f"write {word}"
    words = text.split()
    numbers = read_numbers(text, len(words)) or ()
    if value.type == "color" and len(numbers) in (3, 4) and min(numbers) >= 0 and 1 < max(numbers) <= 255:
        opaque = words[3:] if max(numbers[3:], default=2) <= 1 else []  # is from 0 to 1 already
        divided = [f"{number / 255:.6g}" for number in numbers[:len(words) - len(opaque)]]
        return f"divide by 255: write {' '.join(divided + opaque)}"
    if value.type == "pose" and len(numbers) == 3:
        return f"write {' '.join(words)} 0 0 0"
    if value.type == "pose" and len(numbers) == 7 and abs(sum(q * q for q in numbers[3:]) - 1) < _NEAR:
        return f'for x y z and a quaternion x y z w, write <{tag} rotation_format="quat_xyzw">'
    if len(numbers) == 1 and COUNTS.get(value.type) == 3 and tag in _ONE_NUMBER:
        return f"write {_ONE_NUMBER[tag].format(format_number(abs(numbers[0])))}"
    if value.most is not None and abs(value.most - tau) < _NEAR and (
            value.most < (angle := read_value(text) or 0.0) <= 360):
        return f"write radians: {radians(angle):.6g}"
    return explain_numbers(text, COUNTS.get(value.type, 0))
