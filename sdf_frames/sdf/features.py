"""Reports features that a file uses although its version of SDFormat does not have them yet.

The file is read as if its version had the feature, as libsdformat does. Sources: the element files of each version;
pose frame semantics, "Legacy behavior" (1.4 to 1.6) and the parsing phases of 1.7, which join sibling links only.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import Element, locate, text_of
from sdf_frames.document.memory import remember_short
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.scopes import LookInto, NameScope, build_scopes, walk_scopes
from sdf_frames.sdf.table import FRAME_ENDS_SINCE, SINCE, version_key


class Use(NamedTuple):
    """A use of a feature: an element, by its tag and those around it (``link/inertial``), or an attribute of one.

    An empty attribute is not a use, unless it ``may_be_empty``.
    """

    path: str
    attribute: str = ""
    may_be_empty: bool = False

    def matches(self, element: Element) -> bool:
        """Return whether an element, which has the last tag of the path, is such a use."""
        value = element.get(self.attribute) if self.attribute else "-"
        if value is None or not (value or self.may_be_empty):
            return False
        here: Element | None = element
        for tag in reversed(self.path.split("/")):
            if here is None or here.tag != tag:
                return False
            here = here.getparent()
        return True


class Feature(NamedTuple):
    """A feature that exists ``since`` a version, and perhaps ``before`` another one. ``uses`` are its forms."""

    name: str
    since: str
    uses: tuple[Use, ...] = ()
    before: str = ""


_NESTED_END = Feature("a link of another model as a joint's parent or child", "1.8", before="1.7")
_FRAME_END = Feature("anything but a link as a joint's parent or child", FRAME_ENDS_SINCE)
FEATURES = (
    Feature("nested models", "1.5", (Use("model/model"),)),
    Feature("<frame> in a model", "1.5", (Use("model/frame"),)),
    Feature("<pose frame>", "1.5", (Use("pose", "frame"),)),
    Feature("<frame> in a world", "1.7", (Use("world/frame"),)),
    Feature("<pose relative_to>", "1.7", (Use("pose", "relative_to"),)),
    Feature("<frame attached_to>", "1.7", (Use("frame", "attached_to"),)),
    Feature("<model canonical_link>", "1.7", (Use("model", "canonical_link"),)),
    Feature("<xyz expressed_in>", "1.7", (Use("xyz", "expressed_in"),)),
    _NESTED_END, _FRAME_END,
    Feature("placement frames", "1.8", (Use("model", "placement_frame"), Use("include/placement_frame"))),
    Feature("<capsule> and <ellipsoid>", SINCE["capsule"], (Use("geometry/capsule"), Use("geometry/ellipsoid"))),
    Feature("<pose degrees>", SINCE["degrees"], (Use("pose", "degrees", True),)),
    Feature("<pose rotation_format>", SINCE["rotation_format"], (Use("pose", "rotation_format", True),)),
    Feature("<include merge>", "1.9", (Use("include", "merge", True),)),
    Feature("<joint> in a world", "1.10", (Use("world/joint"),), before="1.7"),
    Feature("<inertial auto>", SINCE["auto"], (Use("inertial", "auto", True),)),
    Feature("<density>", SINCE["density"], (Use("link/inertial/density"), Use("collision/density"))),
    Feature("<cone>", SINCE["cone"], (Use("geometry/cone"),)),
    Feature("<model namespace>", SINCE["namespace"], (Use("model", "namespace"), Use("include/namespace"))),
    Feature("<frame_id> of a sensor", SINCE["frame_id"], (Use("sensor/frame_id"),)),
    Feature("<mimic>", SINCE["mimic"], (Use("axis/mimic"), Use("axis2/mimic"))),
)
# Content below these does not belong to SDFormat, or is not checked.
_FOREIGN: Callable[[Element], Any] = etree.XPath("boolean(ancestor::plugin | ancestor::*[namespace-uri() != ''] | "
                                                 "ancestor::state)")


def check_features(root: Element, look_into: LookInto | None = None,
                   only: Sequence[Element] | None = None) -> list[Diagnostic]:
    """Report each feature that the version of an ``<sdf>`` tree does not have, at its first use.

    Only the elements `only` are examined, in document order; None for all.
    """
    version = root.get("version", "").strip()
    unknown = _list_unknown(version)
    uses = _list_uses(unknown)
    places: dict[Feature, list[Element]] = {}
    for element in (root.iter(*uses) if only is None else only) if uses else ():
        for row, use in uses.get(element.tag, ()):
            if use.matches(element) and not _FOREIGN(element):
                places.setdefault(row, []).append(element)
    places = {row: places[row] for row in FEATURES if row in places}
    joints = root.iter("joint") if only is None else (e for e in only if e.tag == "joint")
    if _FRAME_END in unknown and next(joints, None) is not None:
        for row, end in _find_ends(walk_scopes(build_scopes(root, look_into))):
            if row in unknown:
                places.setdefault(row, []).append(end)
    return [_report(row, elements, version) for row, elements in places.items()]


@remember_short
def _list_unknown(version: str) -> frozenset[Feature]:
    """List the features that a version does not have; none if `version` is not a version."""
    written = version_key(version)
    return frozenset(row for row in FEATURES if written and version_key(row.before) <= written < version_key(row.since))


@cache
def _list_uses(features: frozenset[Feature]) -> dict[str, list[tuple[Feature, Use]]]:
    """List the uses of features by the tag of the element, so that one pass over a document finds all."""
    by_tag: dict[str, list[tuple[Feature, Use]]] = {}
    for feature in features:
        for use in feature.uses:
            by_tag.setdefault(use.path.rpartition("/")[2], []).append((feature, use))
    return by_tag


def _report(row: Feature, elements: list[Element], version: str) -> Diagnostic:
    more = f", also at {count_of(len(elements) - 1, 'other place')} in this file" if len(elements) > 1 else ""
    hint = f"it is read as in {row.since}{more}; write version=\"{row.since}\" or later ('sdf_frames upgrade' does)"
    return diagnose("feature-of-later-version", locate(elements[0]), version=version, feature=row.name, since=row.since,
                    hint=hint)


def _find_ends(scopes: Iterable[NameScope]) -> Iterator[tuple[Feature, Element]]:
    """Yield each parent and child of a joint that is not a link beside the joint, with the feature that it uses."""
    for scope in scopes:
        for joint in scope.element.iterchildren("joint") if scope.element.tag == "model" else ():
            for end in joint.iterchildren("parent", "child"):
                if (row := _judge_end(collapse_blanks(text_of(end)), scope)) is not None:
                    yield row, end


def _judge_end(reference: str, scope: NameScope) -> Feature | None:
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
