"""The shape of a catalogue row."""
from collections.abc import Mapping
from typing import NamedTuple


class Rule(NamedTuple):
    """One cause that can be reported.

    Attributes
    ----------
    template, hint : :meth:`str.format` templates: what is wrong, and what to do.
    meaning : the rule in words, for those who do not know it; empty if the message says it.
    sdformat : the name of libsdformat's ``ErrorCode`` for the same defect.
    reference : the section of the specification that defines the rule.
    consumers : severities for programs of :data:`sdf_frames.diagnostics.consumers.CONSUMERS` where they differ from the
        default of :func:`sdf_frames.diagnostics.consumers.severity_for`; empty where the rule does not concern them.
    """

    code: str
    name: str
    severity: str
    template: str
    hint: str = ""
    meaning: str = ""
    sdformat: str | None = None
    reference: str = ""
    consumers: Mapping[str, str] = {}

    @property
    def example(self) -> tuple[str, str] | None:
        """A description that breaks the rule, and one that does not, from ``examples/CODE.txt``; None without it."""
        from pathlib import Path
        path = Path(__file__).parents[1] / "examples" / f"{self.code}.txt"
        if not path.exists():
            return None
        breaks, _, works = path.read_text(encoding="utf-8").partition("\n---\n")
        return breaks, works.rstrip("\n")
