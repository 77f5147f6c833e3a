"""The shape of a catalogue row."""
import re
from collections.abc import Mapping
from typing import NamedTuple

_FIELD = r"(?<!\{)\{(\w+)(?:![rs])?(?::[^}]*)?\}"
_ADDITION = r"(?<=[\w)}])\{\w+\}"  # a field right behind a word is more text, or none


class Rule(NamedTuple):
    """One cause that can be reported.

    Attributes
    ----------
    template, hint : :meth:`str.format` templates: what is wrong, and what to do.
    meaning : the rule in words, for those who do not know it; empty if the message says it.
    sdformat : the name of libsdformat's ``ErrorCode`` for the same defect.
    reference : the section of the specification that defines the rule.
    consumers : severities for programs of `checks/programs` where they differ from the default of `severity_for` there;
        empty where the rule does not concern them. A key such as ``drake/sdf`` is for one kind of descriptions.
    explains : names of rules that have the same cause: their findings on an element are left out beside this one,
        unless they are more severe.
    since : by program, the first version to which the rule, or which part of it, applies; only if it does not apply to
        the oldest version that was run.
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
    explains: tuple[str, ...] = ()
    since: Mapping[str, str] = {}

    @property
    def message_in_words(self) -> str:
        """The message with its fields in capitals, without those that only some findings have."""
        return spell_fields(self.template)

    @property
    def hint_in_words(self) -> str:
        """The hint with its fields in capitals; empty if each finding has its own."""
        return "" if re.fullmatch(_FIELD, self.hint) else spell_fields(self.hint)

    @property
    def example(self) -> tuple[str, str] | None:
        """A description that breaks the rule, and one that does not, from ``examples/CODE.txt``; None without it."""
        from pathlib import Path
        path = Path(__file__).parents[1] / "examples" / f"{self.code}.txt"
        if not path.exists():
            return None
        breaks, _, works = path.read_text(encoding="utf-8").partition("\n---\n")
        return breaks, works.rstrip("\n")


def spell_fields(text: str) -> str:
    """Return a template with its fields in capitals, without those that only some findings have."""
    text = re.sub(_FIELD, lambda field: field[1].upper(), re.sub(_ADDITION, "", text))
    return text.replace("{{", "{").replace("}}", "}")
