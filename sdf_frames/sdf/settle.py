"""Settles names: decides which element keeps a shared name, and what every reference means.

Reading, ``upgrade``, ``print`` and ``check --fix`` all use this module, so that a file has one meaning. The order of
elements does not matter. New names are made as libsdformat makes them: ``x_joint``, or if that is taken, ``x_joint0``.
"""

from collections.abc import Collection
from typing import NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.elements import locate, tag_of
from sdf_frames.document.places import Element, keep_places
from sdf_frames.sdf.names import UNDIVIDED_SINCE, UNIQUE_SINCE, WORLD_FRAME, Taken, has_prefix, is_reserved
from sdf_frames.sdf.scopes import RANK, LookInto, Member, NameScope, PathSearch, build_scope, build_scopes, walk_scopes
from sdf_frames.sdf.table import VERSION, version_key

# Rules on names. An element that breaks one of the rules in force gets another name.
SHARED = "shared"  # a name of links, models, joints or frames of different kinds, in one scope
PATH = "path"  # a name with '::' that is also the scoped name of an element inside of a model
ASIDE = "aside"  # a name that siblings share, one of which defines no frame
WORLD_LINK = "world"  # a link named 'world'
DELIMITER = "delimiter"  # '::' in a name
RESERVED = "reserved"  # a name between double underscores, or 'world' for anything but a link
DUPLICATE = "duplicate"  # a name that siblings of one kind share

_SHARING = ("light", "actor")  # below <sdf>, where they may bear the name of a world or model

# Whether references may lead into included files: '::' outside of plugins' names, params, mimics beside a merge.
_HOLDS_PATHS = etree.XPath(
    "boolean(//*[not(self::plugin)]/@*[contains(., '::')] | //text()[contains(., '::')] | //@element_id"
    " | //mimic[../../../include/@merge])")

Rules = frozenset[str]


class Rename(NamedTuple):
    """An element that got another name, with its location, whose path has the old name.

    `uses` are the elements that have the new name in place of a text, the element itself among them.
    """

    tag: str
    old: str
    new: str
    place: Location
    uses: Collection[tuple[Element, str]] = ()

    def report(self) -> Diagnostic:
        """Report the new name, and why the old one was not kept."""
        allowed = "::" in self.new if "::" in self.old else not is_reserved(self.old)
        rule = "name-renamed" if allowed else "name-not-allowed"
        hint = None
        if allowed and "::" in self.old:
            hint = f"rename it: {self.old!r} is also the scoped name of an element inside of a model"
        return diagnose(rule, self.place, kind=self.tag, name=self.old, called=self.old, new=self.new, hint=hint)


def choose_reading_rules(written: str, to: str = VERSION) -> Rules:
    """Choose the rules by which a document of version `written` has one meaning when it is read as version `to`."""
    if version_key(to) < UNIQUE_SINCE:
        return frozenset()  # names keep their meaning
    return frozenset(rule for rule, since in ((SHARED, UNIQUE_SINCE), (PATH, UNDIVIDED_SINCE))
                     if version_key(written) < since)


def choose_writing_rules(written: str, to: str = VERSION) -> Rules:
    """Choose the rules of version `to` that version `written` does not have."""
    changes = ((SHARED, UNIQUE_SINCE), (ASIDE, UNIQUE_SINCE), (WORLD_LINK, UNIQUE_SINCE), (DELIMITER, UNDIVIDED_SINCE))
    return frozenset(rule for rule, since in changes if version_key(written) < since <= version_key(to))


def choose_fixing_rules(version: str) -> Rules:
    """Choose the rules that a document of `version` must keep, and those of 1.7."""
    return frozenset([SHARED, ASIDE, WORLD_LINK, RESERVED, DUPLICATE,
                      *[DELIMITER] * (version_key(version) >= UNDIVIDED_SINCE)])


def settle_names(root: Element, rules: Collection[str], look_into: LookInto | None = None) -> list[Rename]:
    """Rename elements that break `rules`, and update every reference to them, in place; return renames in order.

    Parameters
    ----------
    rules : the rules in force; without any, only references into included files follow the names there.
    look_into : returns the names of included models.
    """
    leads_into_files = look_into is not None and next(root.iter("include"), None) is not None and _HOLDS_PATHS(root)
    if not leads_into_files and not _may_break(root, rules):
        return []
    scopes = build_scopes(root, look_into)
    changed = _choose_all(root, rules, scopes)
    renames = [Rename(m.kind if m.element.tag == "include" else tag_of(m.element), m.name, m.new,
                      locate(m.element, "name"), m.uses) for m in changed]
    if changed or leads_into_files:
        from sdf_frames.sdf.references import rename_references
        for scope in scopes:
            rename_references(scope)
    for member in changed:
        _write_name(member)
    return renames


def settle_scope(root: Element, rules: Collection[str], model: Element, look_into: LookInto) -> NameScope:
    """Build the scope of a root model with the new names of its members by `rules`; no reference is updated."""
    if not _may_break(root, rules):
        return build_scope(model, look_into)
    scopes = build_scopes(root, look_into)
    if _choose_all(root, rules, scopes):
        for scope in walk_scopes(scopes):
            for member in scope.members():
                if member.new != member.name:
                    scope.anew.setdefault(member.new, []).append(member)
    return next(scope for scope in scopes if scope.element is model)


def _choose_all(root: Element, rules: Collection[str], scopes: list[NameScope]) -> list[Member]:
    """Choose the names of all elements in a tree, and return the elements with new names."""
    every = list(walk_scopes(scopes))
    changed: list[Member] = []
    for scope in every:
        if rules and scope.unnamed.includes and any(m.kind != "model" for m in scope.members()):
            scope.name_includes(True)
        changed += _name_members(scope, rules)
    if not {SHARED, PATH}.issuperset(rules):
        changed += _name_others(root, rules, {scope.element for scope in every})
    apart = [_name_apart(scope) for scope in reversed(every)] if PATH in rules else []
    return changed + [member for members in reversed(apart) for member in members]


def _may_break(root: Element, rules: Collection[str]) -> bool:
    """Return whether names may break `rules`; the rules of reading only if a name is shared or contains ``::``."""
    if not {SHARED, PATH}.issuperset(rules):
        return True
    for scope in root.iter("model", "world", "include") if rules else ():
        names = [name.strip() for child in scope.iterchildren(*RANK) if (name := child.get("name"))]
        if scope.tag == "include" or len(names) != len(set(names)) or any("::" in name for name in names):
            return True
    return False


def fix_names(root: Element, look_into: LookInto | None = None) -> list[Rename]:
    """Rename, in place, every element of an ``<sdf>`` tree that breaks the rules of its version or of 1.7."""
    version = root.get("version", "").strip()
    return settle_names(root, choose_reading_rules(version) | choose_fixing_rules(version), look_into)


def _name_members(scope: NameScope, rules: Collection[str]) -> list[Member]:
    """Choose the names of a scope's members, and if the rules require it, of its other children with names."""
    members = list(scope.members())
    if {SHARED, PATH}.issuperset(rules):
        if len(scope.named) == len(members):
            return []
    else:
        own = {m.element for m in members}
        members += [_make_member(c) for c in _list_named(scope.element) if c not in own]
    return choose_names(members, rules)


def _name_others(root: Element, rules: Collection[str], scopes: Collection[Element]) -> list[Member]:
    """Choose names for elements that are not in a scope: shapes, sensors, and the content of unknown elements."""
    changed: list[Member] = []
    stack = [root]
    while stack:
        parent = stack.pop()
        children = _list_named(parent)
        if parent.tag == "sdf":
            children = [c for c in children if c.tag not in _SHARING]
        if parent not in scopes:
            changed += choose_names([_make_member(c) for c in children], rules)
        stack += reversed([c for c in parent if _is_ours(c)])
    return changed


def _is_ours(element: Element) -> bool:
    """Return whether an element belongs to SDFormat, and not to a plugin or to another namespace."""
    return isinstance(element.tag, str) and element.tag != "plugin" and not has_prefix(element.tag)


def _list_named(parent: Element) -> list[Element]:
    return [c for c in parent if _is_ours(c) and c.get("name", "").strip()]


def _make_member(element: Element) -> Member:
    top = element.getparent().tag == "sdf" and element.tag not in ("world", "model")  # type: ignore[union-attr]
    name = element.get("name", "").strip()
    # An element that SDFormat does not have below <sdf> is renamed rather than one that it has.
    return Member(element, "" if top else element.tag, name, name)


def choose_names(members: list[Member], rules: Collection[str]) -> list[Member]:
    """Choose the names of siblings, and return those with new ones."""
    taken = Taken([m.name for m in members])
    holders: dict[str, Member] = {}
    # The new name for each kind and name: duplicates of one kind keep sharing a name, which is an error elsewhere.
    alike: dict[tuple[str, str], str] = {}
    changed = []
    for member in sorted(members, key=lambda m: m.rank):
        new = sound = _make_sound(member, rules)
        holder = holders.get(new)
        clashes = holder is not None and _must_differ(member, holder, rules)
        if clashes or (new != member.name and new in taken):
            suffix = f"_{'model' if member.kind == 'model' else member.element.tag}"
            new = alike.get((member.kind, member.name), "")
            if not new or not member.kind or DUPLICATE in rules:
                base = sound if sound != member.name and sound.endswith(suffix) else sound + suffix
                new = taken.find_free(base)
            alike[member.kind, member.name] = new
        holders.setdefault(new, member)
        taken.add(new)
        if new != member.name:
            member.new = new
            changed.append(member)
    return changed


def _must_differ(member: Member, holder: Member, rules: Collection[str]) -> bool:
    if member.kind == holder.kind and (member.kind or member.element.tag == holder.element.tag):
        return DUPLICATE in rules
    if member.kind in RANK and holder.kind in RANK:
        return SHARED in rules
    # A model after a light could never have its name: that is an error to fix, and not a matter of upgrading.
    late = holder.kind == "model" and holder.element in member.element.itersiblings()
    return ASIDE in rules and (DUPLICATE in rules or not late)


def _make_sound(member: Member, rules: Collection[str]) -> str:
    """Return the nearest name that `rules` allow."""
    name = member.name
    if DELIMITER in rules:
        name = name.replace("::", "_")
    if name == WORLD_FRAME:
        wanted = WORLD_LINK if member.kind == "link" else RESERVED
        return f"{name}_{member.element.tag}" if wanted in rules else name
    if RESERVED in rules and is_reserved(name):
        return name.strip("_") or member.element.tag
    return name


def _name_apart(scope: NameScope) -> list[Member]:
    """Rename members whose names contain ``::`` and are also the path to an element inside of another model.

    The longer of two such names changes, so that the order of elements does not matter.
    """
    divided = [m for m in scope.members() if "::" in m.new]
    if not divided:
        return []
    scope.name_includes(True)
    for member in scope.members():
        if member.element.tag == "include":
            _write_name(member)  # a model that unflattening makes must not take this name
    taken = Taken([m.new for m in scope.members()])
    search = PathSearch()
    changed = []
    for member in sorted(divided, key=lambda m: -len(m.new)):
        if search.lead_into_another(scope, member.new, member):
            if member.new == member.name:
                changed.append(member)
            base = f"{member.new}_{member.kind}"
            while search.lead_into_another(scope, new := taken.find_free(base), member):
                pass
            member.new = new  # too long to be a part of the names that are still to be checked
    return changed


def _write_name(member: Member) -> None:
    element = member.element
    if element.tag != "include":
        member.note_use(element, member.name)
        element.set("name", member.new)
        return
    name = element.find("name")
    if name is None:
        keep_places(element)
        name = element.makeelement("name")
        name.tail = element.text
        element.insert(0, name)
    member.note_use(name, name.text or "")
    name.text = member.new
