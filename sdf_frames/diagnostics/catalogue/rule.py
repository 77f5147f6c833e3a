"""The shape of a catalogue row."""
from typing import NamedTuple


class Rule(NamedTuple):
    """One cause that can be reported.

    ``template`` and ``hint`` are :meth:`str.format` templates; ``sdformat`` is the name of libsdformat's
    ``ErrorCode`` for the same defect; ``reference`` names the section of the specification that defines the rule.
    """

    code: str
    name: str
    severity: str
    template: str
    hint: str = ""
    sdformat: str | None = None
    reference: str = ""
