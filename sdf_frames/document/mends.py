"""The mends: what people write in the wrong place, or under another name, and what to write instead.

``data/mends.tsv`` lists them. Other hints come from the tables of the formats: similar names, and the elements that may
hold an element.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdf_frames.diagnostics import LONGEST
from sdf_frames.document.elements import Element
from sdf_frames.document.own_data import read_table

SDF, URDF = "sdf", "urdf"


class Mend(NamedTuple):
    """What to do about an element or attribute that its format does not have there.

    Attributes
    ----------
    hint : what to write; ``{text}`` is the text of the element or the value of the attribute, ``{attributes}`` the
        attributes of the element, ``{link}`` the name of the link or joint around it, ``{filename}`` an attribute.
    source : the file that shows that readers ignore it, or once read it.
    meant : the tag or attribute of the same parent that it stands for; "" if there is none.
    """

    hint: str
    source: str
    meant: str = ""


#: By format, parent (``a/b`` is a <b> in an <a>), and tag or ``@attribute``. In the table, ``{tag}`` is the name.
MENDS = {(form, parent, name): Mend(hint.replace("{tag}", name), source, meant)
         for form, parents, names, hint, source, meant in read_table(__file__, "mends.tsv")
         for parent in parents.split() for name in names.split()}


def spell_attributes(element: Element, names: Sequence[str]) -> str:
    """Return the attributes of an element as written; "" if they are longer than six numbers and their names."""
    if sum(len(name) + len(element.get(name, "")) for name in names) > 2 * LONGEST:
        return ""
    return " ".join([f'{name}="{element.get(name)}"' for name in names])


def find_mend(form: str, parents: tuple[str, ...], what: str, element: Element, text: str) -> Mend | None:
    """Return the mend for a child `element`, or for an ``@attribute`` of `element`, with its hint filled in."""
    mend = next((MENDS[form, parent, what] for parent in parents if (form, parent, what) in MENDS), None)
    if mend is None or "{" not in mend.hint:
        return mend
    attributes = spell_attributes(element, [str(key) for key in element.attrib])
    if "{text}" in mend.hint and not 0 < len(text.strip()) <= LONGEST or "{attributes}" in mend.hint and not attributes:
        return None
    around = next((e for e in element.iterancestors("link", "joint")), None)
    return mend._replace(hint=mend.hint.format(
        text=text, attributes=attributes, filename=element.get("filename", text)[:LONGEST],
        link="" if around is None else around.get("name", "")))
