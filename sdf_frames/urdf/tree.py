"""Checks that links and joints form a tree, as urdfdom requires."""

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.diagnostics import LISTED, Diagnostic, Related, diagnose, relate, suggest_name
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.urdf.model import Joint, LeftOut, Link, child_of

_HINTED = 8  # wrong names that others are compared with
_REVERSED = 'add <link name="world"/>, and make it the root: sdf_frames reroot FILE world'
_LOOP = "on a loop of joints that is not connected to the root"


class Tree(NamedTuple):
    """The links and joints below the link `root`, or below another link without a parent."""

    root: str
    links: dict[str, Link]
    joints: dict[str, Joint]


def judge_tree(robot: Element, links: dict[str, Link], joints: dict[str, Joint], found: list[Diagnostic],
               left_out: list[LeftOut], told: set[tuple[Element, str]]) -> Tree | None:
    """Find the root, and the links and joints below it; return None if there is no tree.

    Links on a loop have parents, but are not below the root. libsdformat silently loses them. Here each gets a warning
    in `found` and an entry in `left_out`.
    """
    if "world" not in links and (named := [j for j in joints.values() if "world" in (j.parent, j.child)]):
        role, hint = ("parent", None) if named[0].parent == "world" else ("child", _REVERSED)
        found.append(diagnose("world-undefined", locate(child_of(named[0], role), "link"), role=role, hint=hint,
                              joint=named[0].name, related=[_relate(joint) for joint in named[1:LISTED]]))
        links = {**links, "world": Link("world", None, (), (), named[0].element)}  # as Drake reads it
    unknown = [(joint, role, name, other) for joint in joints.values() for role, name, other in
               (("child", joint.child, joint.parent), ("parent", joint.parent, joint.child)) if name not in links]
    if unknown:
        found += _report_unknown(unknown, links, joints, {e.get("name", ""): e for e in find_misspelt(robot)})
        return None
    above: dict[str, list[Joint]] = {}
    for joint in joints.values():
        above.setdefault(joint.child, []).append(joint)
    repeated = {name: several for name, several in above.items() if len(several) > 1}
    for name, several in repeated.items():
        found.append(diagnose("link-with-many-parents", locate(links[name].element),
                              link=name, count=len(several), joints=", ".join(j.name for j in several),
                              related=[_relate(j) for j in several]))
    roots = [link for name, link in links.items() if name not in above]
    if not roots:
        loop = _find_loop(next(iter(links)), above, {})
        found.append(diagnose("robot-without-root", locate(robot), loop=_describe(loop),
                              related=[_relate(joint) for joint in loop[:LISTED]]))
    elif len(roots) > 1:
        listed = ", ".join([link.name for link in roots[:LISTED]]) + (", …" if len(roots) > LISTED else "")
        hint, related = _find_lost_joint(robot, told)
        found.append(diagnose("robot-with-many-roots", locate(robot), count=len(roots), links=listed, hint=hint,
                              related=[*related, *[_relate(link) for link in roots[:LISTED]]]))
    if repeated or not roots:
        return None
    tree = _follow([link.name for link in roots], links, joints)
    loops: dict[str, list[Joint]] = {}
    for name, link in links.items():
        if name not in tree.links:
            found.append(_report_unreachable(link, _find_loop(name, above, loops), tree.root))
            left_out.append(LeftOut("link", name, name, _LOOP, link.element))
    left_out += [LeftOut("joint", name, name, _LOOP, joint.element) for name, joint in joints.items()
                 if name not in tree.joints]
    return tree


def _report_unknown(unknown: list[tuple[Joint, str, str, str]], links: dict[str, Link],
                    joints: dict[str, Joint], misspelt: dict[str, Element]) -> Iterator[Diagnostic]:
    """Report parents and children of joints that are not links: joint, role, name, and name of the other end."""
    for number, (joint, role, name, other) in enumerate(unknown):
        hint, related = None, []
        if (element := misspelt.get(name)) is not None:
            hint, related = spell(element), [relate(f"{name!r}", locate(element))]
        elif number < _HINTED:
            not_meant = {other} if role == "parent" else _list_above(other, joints)
            hint = suggest_name(name, (link for link in links if link not in not_meant))
        yield diagnose("joint-link-unknown", locate(child_of(joint, role), "link"), role=role,
                       link=name, joint=joint.name, hint=hint, related=related)


def _report_unreachable(link: Link, loop: list[Joint], root: str) -> Diagnostic:
    return diagnose("link-unreachable", locate(link.element), link=link.name, root=root, joint=loop[0].name,
                    loop=_describe(loop), related=[_relate(joint) for joint in loop[:LISTED]])


def _describe(loop: list[Joint]) -> str:
    if len(loop) == 1:
        return f"joint {loop[0].name!r} has its child as its parent"
    return f"joints {', '.join([j.name for j in loop[:LISTED]])}{', …' * (len(loop) > LISTED)} form a loop"


def _find_loop(link: str, above: dict[str, list[Joint]], loops: dict[str, list[Joint]]) -> list[Joint]:
    """Return the joints of the loop above a link; `loops` keeps the result for all links on the way."""
    way: dict[str, Joint] = {}
    while link not in loops and link not in way:
        way[link] = above[link][0]
        link = way[link].parent
    loop = loops[link] if link in loops else list(way.values())[list(way).index(link):][::-1]
    loops.update(dict.fromkeys(way, loop))
    return loop


def _list_above(parent: str, joints: dict[str, Joint]) -> set[str]:
    """Return the links that cannot be the child of a joint below `parent`: children of joints, and links above it."""
    parents = {joint.child: joint.parent for joint in joints.values()}
    above = {*parents}
    link: str | None = parent
    while link is not None:
        above.add(link)
        link = parents.pop(link, None)
    return above


def spell(element: Element) -> str:
    """Return the hint for an element whose tag has capital letters."""
    return f"write <{tag_of(element).lower()}> for <{tag_of(element)}>: tags are in lower case"


def find_misspelt(robot: Element) -> Iterator[Element]:
    """Yield children of the ``<robot>`` whose tag is ``link`` with capital letters."""
    return (child for child in robot.iterchildren("*") if child.tag != "link" and tag_of(child).lower() == "link")


def _find_lost_joint(robot: Element, told: set[tuple[Element, str]]) -> tuple[str | None, list[Related]]:
    """Return the hint for a joint that is not read, because its tag has capitals or is in another element."""
    for element in robot.iterdescendants("*"):
        tag, around = tag_of(element), next(element.iterancestors())
        if tag.lower() == "joint" and element.find("child[@link]") is not None and not (
                tag == "joint" and around is robot):
            told.add((element, tag))
            hint = spell(element) if tag != "joint" else (
                f"move this <joint> out of the <{tag_of(around)}>, directly into <robot>")
            return hint, [relate(f"<{tag}> {element.get('name')!r}", locate(element))]
    return None, []


def _relate(part: Link | Joint) -> Related:
    return relate(f"{type(part).__name__.lower()} {part.name!r}", locate(part.element))


def _follow(roots: list[str], links: dict[str, Link], joints: dict[str, Joint]) -> Tree:
    """Return the tree below the roots. Each other link has one parent, so a link that is not reached is on a loop."""
    children: dict[str, list[str]] = {}
    for joint in joints.values():
        children.setdefault(joint.parent, []).append(joint.child)
    reached, todo = {*roots}, [*roots]
    while todo:
        below = children.get(todo.pop(), ())
        reached.update(below)
        todo += below
    return Tree(roots[0], {n: l for n, l in links.items() if n in reached},
                {n: j for n, j in joints.items() if j.child in reached})
