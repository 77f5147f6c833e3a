"""Compares settings: damping, colours, sensors, plugins, and all values that are not poses, axes, shapes or masses."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from math import isclose, radians
from typing import TYPE_CHECKING

import sdf_frames as sf
from sdf_frames.api.parts import Part
from sdf_frames.diff.changes import ADDED, REMOVED, RENAMED, Change, compare_poses, note_resolution
from sdf_frames.diff.matching import match
from sdf_frames.diff.shapes import compare_files, is_same_file, spell_uri

if TYPE_CHECKING:
    from lxml import etree

_SHAPES = ("visual", "collision")
_UNIT = "/@degrees"
_COLOUR, _URDF_COLOUR = "material/diffuse", "material/diffuse/@rgba"  # the first is made of the second
#: In the path of content that an SDF carries for the conversion back to URDF.
CARRIED = "{urn:sdf_frames:urdf}"
#: Settings whose fourth number is optional.
_COLOURS = frozenset(("ambient", "background", "color", "color_end", "color_start", "diffuse", "emissive", "specular"))
#: Short words for some settings, by their place in the element.
_WORDS = {_COLOUR: "colour", _URDF_COLOUR: "colour", **{
    f"{axis}/dynamics/{name}": name + axis[4:] for axis in ("axis", "axis2")
    for name in ("damping", "friction", "spring_stiffness", "spring_reference")}}


def compare_parts(a: Sequence[Part], b: Sequence[Part], names: Mapping[str, str], tolerance: float) -> Iterator[Change]:
    """Compare the parts of two scenes.

    Parameters
    ----------
    a, b : the parts, owners before their parts.
    names : names of B by names of A: of worlds, models, links and joints, and of shapes with their links.
    """
    known = {"": "", **names}  # "" is the world or root model around
    there = {(q.kind, q.name): q for q in b if q.owner is None or q.kind in _SHAPES}
    groups_a, groups_b = _group(a), _group(b)
    for p in a:
        if p.owner is None or p.kind in _SHAPES:
            q = there.get((p.kind, known.get(p.name, p.name)))
            if q is not None:
                yield from _compare(p, q, known, tolerance)
    for kind, owner in list(groups_a):
        if owner in known:
            yield from _compare_group(groups_a[kind, owner], groups_b.pop((kind, known[owner]), {}), known, tolerance)
    for (_, owner), group in groups_b.items():
        if owner in known.values():
            yield from _compare_group({}, group, known, tolerance)


def _group(parts: Sequence[Part]) -> dict[tuple[str, str], dict[str, Part]]:
    """Return the parts that are neither entities nor shapes, by kind and owner, and then by their own names."""
    groups: dict[tuple[str, str], dict[str, Part]] = {}
    for part in parts:
        if part.owner is not None and part.kind not in _SHAPES:
            own = part.name[len(part.owner) + 2:] if part.owner else part.name
            groups.setdefault((part.kind, part.owner), {})[own] = part
    return groups


def _compare_group(a: Mapping[str, Part], b: Mapping[str, Part], known: dict[str, str],
                   tolerance: float) -> Iterator[Change]:
    """Compare the parts of one kind in one owner; a renamed part has the same settings under another name."""
    def score(old: str, new: str) -> float | None:
        return None if any(_compare(a[old], b[new], known, tolerance)) else 1.0

    matching = match(a, b, score)
    for own in matching.removed:
        yield Change(a[own].kind, a[own].name, REMOVED, a[own].name, None)
    for own in matching.added:
        yield Change(b[own].kind, b[own].name, ADDED, None, b[own].name)
    for old, new in matching.same.items():
        p, q = a[old], b[new]
        known.setdefault(p.name, q.name)
        if old != new:
            yield Change(p.kind, p.name, RENAMED, p.name, q.name, f"renamed to {q.name}")
        else:
            yield from _compare(p, q, known, tolerance)


def _compare(p: Part, q: Part, known: Mapping[str, str], tolerance: float) -> Iterator[Change]:
    """Compare the settings of two parts, and the poses of sensors and similar parts."""
    is_resolved, is_resolved_there = ("pose" not in part.settings for part in (p, q))
    if is_resolved != is_resolved_there and p.owner is not None:  # of others, the frames tell it
        yield note_resolution(p.kind, p.name, is_resolved, is_resolved_there)
    elif p.kind not in _SHAPES and (p.pose or q.pose):
        X, Y = (part.pose or sf.Pose([0, 0, 0]) for part in (p, q))
        yield from compare_poses(p.kind, p.name, X, Y, tolerance)
    defaults = {**p.defaults, **q.defaults}
    texts, others = _write_radians(p.settings), _write_radians(q.settings)
    values = {place: (texts.get(place, defaults.get(place)), others.get(place, defaults.get(place)))
              for place in {**texts, **others}}
    if is_resolved != is_resolved_there:
        values = {place: pair for place, pair in values.items() if place.partition("/")[0] != "pose"}
    # Where the URDF's colour is known of each that has a colour, it counts in place of SDFormat's.
    coloured = [part.settings for part in (p, q) if _COLOUR in part.settings]
    values.pop(_COLOUR if coloured and all(_URDF_COLOUR in texts for texts in coloured) else _URDF_COLOUR, None)
    for place, (old, new) in values.items():
        if place.rpartition("/")[2] in _COLOURS:
            values[place] = _add_opacity(old), _add_opacity(new)
    differing = [place for place, (old, new) in values.items() if not _is_same(old, new, known, tolerance)
                 and not is_same_file(p.files.get(place), q.files.get(place))]
    for place in differing:
        if place == "material/ambient" and {_COLOUR, _URDF_COLOUR} & {*differing}:
            continue  # another word for the same colour
        old, new = values[place]
        word = _WORDS.get(place, place.replace("@", ""))
        shown = ("not stated" if text is None else text or "empty" for text in (old, new))
        yield Change(p.kind, p.name, word, old, new, f"{word} {' -> '.join(map(_shorten, shown))}")
    for place in p.files:
        if place in q.files and place not in differing:
            yield from compare_files(p.settings[place], p.files[place], q.files[place])


def _add_opacity(colour: str | None) -> str | None:
    """Return a colour with four numbers: one of three numbers is opaque."""
    return f"{colour} 1" if colour and len(colour.split()) == 3 else colour


def _write_radians(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings with the angles of poses in radians, without the attribute that states their unit."""
    written = dict(settings)
    for place in [place for place in settings if place.endswith(_UNIT)]:
        words = settings.get(pose := place.removesuffix(_UNIT), "").split()
        if written.pop(place) == "true" and len(words) == 6:
            with suppress(ValueError):  # it is malformed
                written[pose] = " ".join([*words[:3], *[repr(radians(float(word))) for word in words[3:]]])
    return written


def _is_same(old: str | None, new: str | None, known: Mapping[str, str], tolerance: float) -> bool:
    """Return whether two texts mean the same: the same words, URIs, names or numbers."""
    if old is None or new is None:
        return False
    words, others = old.split(), new.split()
    return _is_alike(old.strip(), new.strip(), known) or len(words) == len(others) and all(
        _is_alike(x, y, known) or _is_near(x, y, tolerance) for x, y in zip(words, others))


def _is_alike(x: str, y: str, known: Mapping[str, str]) -> bool:
    """Return whether two texts are equal, or the same name or URI, which may have blanks."""
    return known.get(x) == y or spell_uri(x) == spell_uri(y)


def _is_near(x: str, y: str, tolerance: float) -> bool:
    try:
        p, q = (float(int(text, 16)) if text[:2] == "0x" else float(text) for text in (x, y))
        return isclose(p, q, rel_tol=tolerance, abs_tol=min(tolerance, 1e-12))
    except ValueError:
        return False


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


#: A setting that `to-urdf` adds, so that MuJoCo gives a lumped link no mass.
_WRITTEN = ("compiler/@inertiafromgeom", "false")
_DEFAULTS = dict.fromkeys(("dynamics/@damping", "dynamics/@friction", "safety_controller/@k_position",
                           "safety_controller/@soft_lower_limit", "safety_controller/@soft_upper_limit"), "0")


def list_urdf_parts(robot: sf.RobotDescription) -> Iterator[Part]:
    """List content of a URDF that SDFormat cannot express: transmissions, ros2_control, safety controllers, …"""
    for element in robot.tree.iterchildren("{}*"):
        name, settings = element.get("name") or str(element.tag), dict[str, str]()
        if element.tag == "joint":
            left_out = name in robot.joints and not robot.joints[name].in_sdf  # else its parts have the dynamics
            for child in element.iterchildren("safety_controller", "calibration", *["dynamics"] * left_out):
                _flatten(child, f"{child.tag}/", settings)
            yield Part("joint", name, settings=settings, defaults=_DEFAULTS)
        elif element.tag not in ("link", "gazebo", "material"):
            _flatten(element, "", settings)
            if element.tag == "mujoco" and settings.get(_WRITTEN[0]) == _WRITTEN[1]:
                del settings[_WRITTEN[0]]
            if settings or element.tag != "mujoco":
                yield Part(str(element.tag), name, "", settings=settings)


def _flatten(element: etree._Element, path: str, settings: dict[str, str]) -> None:
    """Collect attributes and texts of an element and its content by their path; ``tag[name]`` for a named element."""
    settings.update({f"{path}@{key!s}": str(value) for key, value in element.attrib.items() if path or key != "name"})
    counts: Counter[str] = Counter()
    for child in element.iterchildren("*"):
        step = f"{child.tag}[{child.get('name')}]" if child.get("name") else str(child.tag)
        counts[step] += 1
        step = step if counts[step] == 1 else f"{step}[{counts[step]}]"
        if text := " ".join((child.text or "").split()):
            settings[path + step] = text
        _flatten(child, f"{path}{step}/", settings)
