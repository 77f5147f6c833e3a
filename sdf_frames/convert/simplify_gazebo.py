"""Moves the ``<gazebo>`` content of lumped links, in a simplified URDF, to the links that carry them.

Under ``<gazebo>``, a setting for shapes holds for all collisions, or all visuals, of a link. So it stays if all shapes
that the link carries have the same, or if it is the link's own, and is reported if not all of them had it.
"""
from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from sdf_frames.convert.destinations import Share
from sdf_frames.convert.extensions import MODEL
from sdf_frames.convert.fates import Contents, LinkFate, ShapeFate, Value
from sdf_frames.convert.job import Job
from sdf_frames.convert.losses import report_left_out
from sdf_frames.convert.lumped_names import rewrite_bodies
from sdf_frames.document.edits import append_element, insert_elements, remove_element
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.places import place_like
from sdf_frames.urdf.model import Joint

#: The kind of the shapes that an element is for.
_FOR_SHAPES = {"collision": "collision", "visual": "visual", "material": "visual"}


class GazeboEditing:
    """The editing of ``<gazebo>`` elements; `twins` are the elements of the copy by those of the document.

    Attributes
    ----------
    lost : settings for shapes that are left out.
    replaced : those that something later in ``<gazebo>`` replaces; they are left out, too.
    """

    def __init__(self, job: Job, twins: Mapping[Element, Element]):
        self.job, self.twins = job, twins
        self.lost: set[Element | None] = set()
        self.replaced: set[Element | None] = set()

    def edit_body(self, i: int, fate: LinkFate) -> None:
        """Move the ``<gazebo>`` content of lumped links to link `i`, which carries them."""
        links, parts = self.job.tree.links, self.job.lumping.parts[i]
        shares = [(k, share) for k in parts for share in self.job.shares(links[k].name)]
        self._drop_idle(links[i].name, {shape.kind for shape in fate.shapes})
        kept = [part for kind in ("collision", "visual") if shares
                for part in self._agree(kind, [s for s in fate.shapes if s.kind == kind], links[i].element)]
        if all(k == i for k, _ in shares):
            return
        removed = dict[str, list[Element]]()
        for k, share in shares:
            gazebo = self.twins[share.element]
            idle = {None, *[part.about for part in share.left_out]}
            moved = [*[setting.element for setting in share.link], *share.link_elements,
                     *[child for child in share.element if _FOR_SHAPES.get(tag_of(child)) not in idle]]
            for element in dict.fromkeys(moved):
                remove_element(self.twins[element])
                self.replaced.update(self.job.replaced.intersection(element.iter()))
            if not len(gazebo) or k != i and not (share.joint or share.joint_elements):
                remove_element(gazebo)
                if k != i:
                    self._report_idle(links[k].name, share)
                    moved = [*share.element]
            removed.setdefault(links[k].name, []).extend(moved)
        self._report_unused(removed)
        last = {(*part.around, part.tag)[0]: n for n, part in enumerate(fate.contents) if isinstance(part, Value)}
        replaced = [part for n, part in enumerate(fate.contents) if not isinstance(part, Value) and (
            n < last.get(tag_of(part), 0))]
        self.replaced.update(map(self._find_original, replaced))
        contents = [part for part in (*fate.contents, *kept) if part not in replaced]
        if contents and (root := self.job.robot.element) is not None:
            append_element(self.twins[root], block := etree.Element("gazebo", {"reference": links[i].name}))
            written = [self.twins[self._find_original(part)] if isinstance(part, Value) else part for part in contents]
            insert_elements(block, None, dict.fromkeys(written))
            for part in block.iter(etree.Element):
                if isinstance(original := self.job.starts.get(part), Element):
                    place_like(part, original)

    def _report_idle(self, link: str, share: Share) -> None:
        """Report what does not move with the content of a lumped link, because it has no place there."""
        for part in share.left_out:
            if part.finding != "extension-of-lost-joint":  # :meth:`drop_joint` reports it
                report_left_out(self.job, self.job.destinations[link], part)

    def _report_unused(self, removed: Mapping[str, list[Element]]) -> None:
        """Add the rows of removed elements of links that are no content, such as a setting that is replaced."""
        for link, elements in removed.items():
            gone = {*elements}
            self.job.rows.extend([row._replace(action="dropped") for extension in self.job.extensions.by_key[link]
                                  for row in extension.rows if row.element in gone])

    def _drop_idle(self, link: str, kinds: set[str]) -> None:
        """Remove settings for shapes of a kind that a link does not have: they would apply to its new shapes."""
        removed: list[Element] = []
        for share in self.job.shares(link):
            for part in share.left_out:
                if part.finding == "extension-without-shape" and part.about in kinds:
                    report_left_out(self.job, self.job.destinations[link], part)
                    replaced = [element for setting in part.settings  # the last of a tag counts
                                for element in share.element.iterchildren(setting.element.tag)]
                    for element in [*replaced, *part.elements]:
                        remove_element(self.twins[element])
                    removed += replaced
            if not len(self.twins[share.element]):
                remove_element(self.twins[share.element])
        self._report_unused({link: removed} if removed else {})

    def _agree(self, kind: str, shapes: list[ShapeFate], link: Element | None) -> Contents:
        """Return the settings that apply to all shapes of a kind that a link carries."""
        given = [_group(fate.contents) for fate in shapes]
        own = bool(shapes) and shapes[0].shape.element is not None and shapes[0].shape.element.getparent() is link
        kept: Contents = []
        reported: set[Element | None] = set()
        for key in dict.fromkeys([key for settings in given for key in settings]):
            groups = [settings[key] for settings in given if key in settings]
            differ = len(groups) < len(given) or len({tuple(map(_text, parts)) for parts in groups}) > 1
            holds = key in given[0] and (own or not differ)
            first = [self._find_original(part) for part in groups[0]]
            if holds:
                kept += [_wrap(part, kind) for part in groups[0]]
            if differ:
                element, parts = first[0], [part for group in groups for part in group]
                self.lost.update([e for e in map(self._find_original, parts) if not holds or e not in first])
                if element not in reported:
                    self.job.report("shape-setting-of-lumped-link", locate(element), kind=kind, tag=element.tag,
                                    link="" if link is None else link.get("name", ""),
                                    holds="holds for all of them" if holds else "is left out")
                reported.add(element)
        return kept

    def _find_original(self, part: Value | Element) -> Element:
        """Return the element of the URDF that a setting, or a copied element for shapes, comes from."""
        start = part.element if isinstance(part, Value) else self.job.starts[part]
        assert isinstance(start, Element)  # copied content has an element
        return start

    def drop_joint(self, joint: Joint) -> None:
        """Remove the ``<gazebo>`` content of a joint that is left out."""
        for share in self.job.shares(joint.name):
            for part in share.left_out:
                if part.finding == "extension-of-lost-joint":  # here, no frame remains
                    to = self.job.destinations[joint.name]._replace(joint_fate="is lumped")
                    report_left_out(self.job, to, part._replace(reason="its joint is lumped"))
            if joint.name not in self.job.tree.indices:
                remove_element(self.twins[share.element])

    def edit_model(self) -> None:
        """Replace the names of lumped links in plugins, joints and grippers of the model by their bodies."""
        for extension in self.job.extensions.by_key.get(MODEL, ()):
            for element in extension.elements:
                rewrite_bodies(self.job, self.twins[element])


def _group(contents: Contents) -> dict[tuple[str, ...], Contents]:
    """Group settings and elements by the element that they make: there may be several plugins."""
    groups: dict[tuple[str, ...], Contents] = {}
    for part in contents:
        groups.setdefault(_key(part), []).append(part)
    return groups


def _key(part: Value | Element) -> tuple[str, ...]:
    return (*part.around, part.tag) if isinstance(part, Value) else (str(part.tag),)


def _text(part: Value | Element) -> str:
    return part.text or "" if isinstance(part, Value) else etree.tostring(part, encoding="unicode", with_tail=False)


def _wrap(part: Value | Element, kind: str) -> Value | Element:
    """Put an element for shapes into the ``<collision>`` or ``<visual>`` that it was in."""
    if isinstance(part, Value):
        return part
    block = etree.Element(kind)
    block.append(part)
    return block


