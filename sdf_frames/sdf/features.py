"""Which version of SDFormat brought what: the one table of it, and what a file uses before its time.

Such a file is read as if its version knew the feature, as libsdformat does. Sources: the element files of each version;
pose frame semantics, "Legacy behavior" (1.4 to 1.6) and the parsing phases of 1.7, which join sibling links only.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.xml_in import Element, locate, text_of
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.scopes import LookInto, Scope, build_scopes
from sdf_frames.sdf.table import version_key


class Feature(NamedTuple):
    """What came ``since`` a version; ``before`` another one it was there, too. ``path`` finds it, below a document."""

    name: str
    since: str
    path: str = ""
    before: str = "1.0"


_NESTED_END = Feature("a link of another model as a joint's parent or child", "1.8", before="1.7")
_FRAME_END = Feature("anything but a link as a joint's parent or child", "1.8")
FEATURES = (
    Feature("nested models", "1.5", "//model/model"),
    Feature("<frame> in a model", "1.5", "//model/frame"),
    Feature("<pose frame>", "1.5", "//pose[@frame != '']"),
    Feature("<frame> in a world", "1.7", "//world/frame"),
    Feature("<pose relative_to>", "1.7", "//pose[@relative_to != '']"),
    Feature("<frame attached_to>", "1.7", "//frame[@attached_to != '']"),
    Feature("<model canonical_link>", "1.7", "//model[@canonical_link != '']"),
    Feature("<xyz expressed_in>", "1.7", "//xyz[@expressed_in != '']"),
    _NESTED_END, _FRAME_END,
    Feature("placement frames", "1.8", "//model[@placement_frame != ''] | //include/placement_frame"),
    Feature("<capsule> and <ellipsoid>", "1.8", "//geometry/capsule | //geometry/ellipsoid"),
    Feature("<pose degrees>", "1.9", "//pose[@degrees]"),
    Feature("<pose rotation_format>", "1.9", "//pose[@rotation_format]"),
    Feature("<include merge>", "1.9", "//include[@merge]"),
    Feature("<joint> in a world", "1.10", "//world/joint", before="1.7"),
    Feature("<inertial auto>", "1.11", "//inertial[@auto]"),
    Feature("<density>", "1.11", "//link/inertial/density | //collision/density"),
    Feature("<cone>", "1.11", "//geometry/cone"),
    Feature("<mimic>", "1.11", "//axis/mimic | //axis2/mimic"),
)
_PATHS: list[tuple[Feature, Callable[[Element], Any]]] = [(row, etree.XPath(row.path)) for row in FEATURES if row.path]
# What is below is somebody else's.
_FOREIGN: Callable[[Element], Any] = etree.XPath("boolean(ancestor::plugin | ancestor::*[namespace-uri() != ''] | "
                                                 "ancestor::state)")


def check_features(root: Element, look_into: LookInto | None = None) -> list[Diagnostic]:
    """Report each feature that the version of an ``<sdf>`` tree does not know, at the first place of its use."""
    version = root.get("version", "").strip()
    unknown = _list_unknown(version)
    used = [(row, element) for row, find in _PATHS if row in unknown for element in find(root) if not _FOREIGN(element)]
    if _FRAME_END in unknown and _has_other_ends(root):
        used += [(row, end) for row, end in _walk_ends(build_scopes(root, look_into)) if row in unknown]
    places: dict[Feature, list[Element]] = {}
    for row, element in used:
        places.setdefault(row, []).append(element)
    return [_report(row, elements, version) for row, elements in places.items()]


@cache
def _list_unknown(version: str) -> frozenset[Feature]:
    """What a version does not know; nothing of what is no version."""
    written = version_key(version)
    return frozenset(row for row in FEATURES if written and version_key(row.before) <= written < version_key(row.since))


def _has_other_ends(root: Element) -> bool:
    """Whether an end of a joint is neither a link beside the joint nor the world."""
    for model in root.iter("model"):
        usual = {"", WORLD_FRAME, *[link.get("name") for link in model.iterchildren("link")]}
        if any(text_of(end) not in usual for joint in model.iterchildren("joint")
               for end in joint.iterchildren("parent", "child")):
            return True
    return False


def _report(row: Feature, elements: list[Element], version: str) -> Diagnostic:
    more = f", and {len(elements) - 1} more times in this file" if len(elements) > 1 else ""
    hint = f"it is read as in {row.since}{more}; write version=\"{row.since}\" or later ('sdf_frames upgrade' does)"
    return diagnose("feature-of-later-version", locate(elements[0]), version=version, feature=row.name, since=row.since,
                    hint=hint)


def _walk_ends(scopes: list[Scope]) -> Iterator[tuple[Feature, Element]]:
    """Each end of a joint that is no link beside the joint, with the feature that this is."""
    while scopes:
        scope = scopes.pop(0)
        for joint in scope.element.iterchildren("joint") if scope.element.tag == "model" else ():
            for end in (*joint.iterchildren("parent"), *joint.iterchildren("child")):
                if (row := _judge_end(" ".join(text_of(end).split()), scope)) is not None:
                    yield row, end
        scopes += [m.inside for m in scope.members() if m.element.tag == "model" and m.inside is not None]


def _judge_end(reference: str, scope: Scope) -> Feature | None:
    if reference in ("", WORLD_FRAME):
        return None
    if reference == MODEL_FRAME:
        return _FRAME_END
    if (path := scope.find(reference)) is None:
        return None
    members, rest = path
    if (members[-1].kind != "link" and not rest) or rest == MODEL_FRAME:
        return _FRAME_END
    return _NESTED_END if rest or len(members) > 1 else None
