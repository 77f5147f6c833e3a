"""Hints for elements that SDFormat 1.12 does not have, or not in their parent."""

from collections.abc import Collection
from functools import cache

from sdf_frames.diagnostics import LONGEST, find_nearest
from sdf_frames.document.elements import Element, text_of
from sdf_frames.document.numbers import format_number, read_numbers
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.table import Spec, find_spec, load_table
from sdf_frames.sdf.values import find_leftover, find_problem

# Values that URDF writes as attributes, and SDFormat as text: by tag, the element and the attributes.
_OF_URDF = {
    "origin": ("pose", ("xyz", "rpy")), "pose": ("pose", ("xyz", "rpy")), "color": ("diffuse", ("rgba",)),
    **{tag: (tag, ("link",)) for tag in ("parent", "child")}}

# Words of other formats, by parent and tag: the element that holds the value, and a factor.
_RENAMED = {
    **{(shape, "diameter"): ("radius", 0.5) for shape in ("cylinder", "sphere", "capsule", "cone")},
    **{(shape, "height"): ("length", 1.0) for shape in ("cylinder", "cone")},
    **{("inertial", tag): ("pose", 1.0) for tag in ("com", "center_of_mass")}}
# Elements that no version of SDFormat has, but that Gazebo reads, by parent and tag: they count as known.
READ_BY_GAZEBO = frozenset((("sensor", "gz_frame_id"),))
# Too many elements can hold these tags for a list of places to help.
_COMMON = frozenset(("frame", "plugin"))
_IGNORED = "correct its name, or remove it; a plugin may still read it"


def explain_unknown(child: Element, spec: Spec, siblings: Collection[str]) -> str:
    """Return the hint for an element that the element table does not have in its parent.

    `spec` is the parent's row of the element table, `siblings` are the tags of the parent's children.
    """
    from sdf_frames.document.mends import SDF, find_mend
    tag, element = str(child.tag), child.getparent()
    assert element is not None
    above = element.getparent()
    parents = (spec.tag,) if above is None else (f"{above.tag}/{spec.tag}", spec.tag)
    if (mend := find_mend(SDF, parents, tag, child, text_of(child))) is not None:
        return mend.hint
    if renamed := _write_renamed(tag, text_of(child), spec):
        return renamed
    if tag in spec.attributes:
        return f"{tag} is an attribute of <{spec.tag}>"
    written = _OF_URDF.get(tag, ("",))[0]
    if written and (text := _write_as_text(tag, child)):
        into = [] if written in spec.children else _find_places(written, element, spec, siblings)
        return f"write {text}" + (f" into <{into[0]}>" if into else "")
    # A tag that exists elsewhere is not misspelt: it is the beginning of a longer tag, or in the wrong place.
    known = tag in _list_tags()
    longer = [name for name in spec.children if name.startswith(f"{tag}_")]
    close = longer if known else find_nearest(tag, spec.children)
    if close:
        return f"did you mean <{close[0]}>?"
    if tag in _COMMON:
        return _IGNORED
    places = _find_places(tag, element, spec, siblings) if known else []
    endings = [name for name in spec.children if name.endswith(f"_{tag}")]
    if not places and len(endings) == 1:
        return f"did you mean <{endings[0]}>?"
    if known and not places and len(only := _list_tags()[tag] - {spec.tag}) == 1:
        places = [*only]
    return f"<{tag}> belongs in {' or '.join(f'<{place}>' for place in places)}" if places else _IGNORED


def _write_renamed(name: str, text: str, spec: Spec) -> str:
    """Return the hint for a word of another format; "" for other names, and for a text without numbers."""
    tag, factor = _RENAMED.get((spec.tag, name), ("", 1.0))
    if not tag or not (numbers := read_numbers(text, len(text.split()))):
        return ""
    words = text.split() if factor == 1 else [format_number(factor * number) for number in numbers]
    words += ["0"] * (6 - len(words)) if tag == "pose" else []
    return f"write <{tag}>{' '.join(words)}</{tag}>" + ", half of it" * (factor != 1)


def _write_as_text(tag: str, element: Element) -> str:
    """Return the SDFormat element for an `element` in the form of URDF; "" if it has no value."""
    written, names = _OF_URDF.get(tag, (tag, ("value",)))
    values = [element.get(name, "0 0 0") for name in names] if set(names) & set(element.keys()) else [text_of(element)]
    frame = _find_joint_parent(element) if tag == "origin" else ""
    if (quaternion := element.get("quat_xyzw")) is not None and written == "pose":
        frame, values = f'{frame} rotation_format="quat_xyzw"', [element.get("xyz", "0 0 0"), quaternion]
    return f"<{written}{frame}>{' '.join(values)}</{written}>{_move_child(element)}" if any(values) else ""


def _move_child(origin: Element) -> str:
    """Return a further hint for the origin of a joint, which in a URDF also places the child link."""
    joint = origin.getparent()
    if origin.tag != "origin" or joint is None or joint.tag != "joint":
        return ""
    return f'; if the child link has no <pose>, write <pose relative_to="{joint.get("name", "")}"/> into it'


def _find_joint_parent(origin: Element) -> str:
    """Return the frame of a joint's origin, as an attribute of a pose; "" for the origin of anything else.

    The origin of a URDF's joint is in the parent link, a <pose> without relative_to in the child.
    """
    joint = origin.getparent()
    if joint is None or joint.tag != "joint":
        return ""
    parent = joint.find("parent")
    name = "" if parent is None else text_of(parent) or parent.get("link", "")
    return f' relative_to="{MODEL_FRAME if name == WORLD_FRAME else name or "PARENT"}"'


def _find_places(tag: str, element: Element, spec: Spec, siblings: Collection[str]) -> list[str]:
    """Return one or two children of `element`, or one of the elements around it, that can hold `tag`."""
    holders = [name for name, child in spec.children.items() if tag in child.children and name != "actor"]
    present = [name for name in holders if name in siblings]
    if present or 1 <= len(holders) <= 2:
        return present[:1] or holders
    around = map(find_spec, element.iterancestors())
    return [spec.tag for spec in around if spec is not None and tag in spec.children][:1]


@cache
def _list_tags() -> dict[str, set[str]]:
    """Return every tag of SDFormat 1.12, with the tags of the elements that can hold it."""
    tags: dict[str, set[str]] = {}
    seen: set[int] = set()
    pending = [load_table()]
    while pending:
        spec = pending.pop()
        if id(spec) not in seen:
            seen.add(id(spec))
            for tag in spec.children:
                tags.setdefault(tag, set()).add(spec.tag)
            pending += spec.children.values()
    return tags


def explain_text(text: str, element: Element, spec: Spec) -> str | None:
    """Return the hint for text in an `element` that has none: the child elements to write, with its words."""
    needed = {tag: value for tag in spec.required
              if (value := spec.children[tag].value) is not None and element.find(tag) is None}
    if spec.tag == "velocity_decay" and read_numbers(text, 1):
        return f"write <linear>{text}</linear><angular>{text}</angular>"
    if not needed or len(text) > LONGEST:
        return None
    words = [text] if len(needed) == 1 else text.split()
    if len(words) == len(needed) and not any(find_problem(word, value) or find_leftover(word, value)[1]
                                             for word, value in zip(words, needed.values())):
        return "write " + "".join(f"<{tag}>{word}</{tag}>" for tag, word in zip(needed, words))
    return f"write its values as elements: {', '.join(f'<{tag}>' for tag in needed)}"


def holds_value(name: str, element: Element, spec: Spec) -> bool:
    """Return whether an attribute holds the value of an element that has no text, as URDF writes it."""
    return spec.value is not None and name in _OF_URDF.get(spec.tag, ("", ("value",)))[1] and not text_of(element)


def explain_value(element: Element, spec: Spec) -> str | None:
    """Return the hint for an element without text whose value is in attributes; None if it is not."""
    told = any(holds_value(str(name), element, spec) for name in element.attrib)
    return f"write the value as text: {_write_as_text(spec.tag, element)}" if told else None


def explain_attribute(name: str, element: Element, spec: Spec) -> str:
    """Return the hint for an attribute of `element` that the element table does not have there."""
    from sdf_frames.document.mends import SDF, find_mend
    if name == "frame" and not element.get("relative_to", element.get("attached_to")) and (
            now := next((n for n in ("relative_to", "attached_to") if n in spec.attributes), None)):
        frame = element.get(name, "").strip()
        return f'SDFormat 1.7 and later call it {now}: write {now}="{frame}"' if frame else "remove it"
    if close := find_nearest(name, spec.attributes):
        return f"did you mean {close[0]}?"
    if holds_value(name, element, spec) and (hint := explain_value(element, spec)):
        return hint
    written = "uri" if name == "filename" else name
    if written in spec.children and spec.children[written].value:
        return f"write an element: <{written}>{element.get(name)}</{written}>"
    for child in element.iterchildren("*"):
        if child.tag in spec.children and name in spec.children[str(child.tag)].attributes:
            return f"{name} is an attribute of <{child.tag}>"
    if renamed := _write_renamed(name, element.get(name, ""), spec):
        return renamed
    mend = find_mend(SDF, (spec.tag,), name, element, element.get(name, ""))
    return "correct its name, or remove it" if mend is None else mend.hint
