"""Is it a tree? What urdfdom demands of links and joints together."""
from __future__ import annotations

from sdf_frames.diagnostics import Related, diagnose
from sdf_frames.diagnostics.model import Location
from sdf_frames.diagnostics.nearest import suggest_name
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.urdf.model import Joint, LeftOut, Link

_LISTED = 8
_HINTED = 8  # wrong names that others are compared with
_LOOP = "on a loop of joints that does not lead to the root"


def judge_tree(robot: Element, links: dict[str, Link], joints: dict[str, Joint], found: list, left_out: list,
               ) -> tuple[str | None, dict[str, Link], dict[str, Joint]]:
    """Root link, and the links and joints that it leads to; what is wrong goes to `found`, what is lost to `left_out`.

    Links on a loop beside the tree have parents but do not lead to the root: libsdformat loses them on the quiet,
    here each is named in a warning.
    """
    start = locate(robot)
    file, base = start.file, start.path

    def joint_at(joint: Joint) -> Location:
        return Location(file, joint.line, f'{base}/joint[@name="{joint.name}"]')

    parents: dict[str, Joint] = {}
    repeated: dict[str, list] = {}
    broken = 0
    for joint in joints.values():
        for role, link in (("child", joint.child), ("parent", joint.parent)):
            if link not in links:
                broken += 1
                found.append(diagnose("joint-link-unknown", joint_at(joint), role=role, link=link, joint=joint.name,
                                      hint=suggest_name(link, links) if broken <= _HINTED else None))
        if joint.child in parents:
            repeated.setdefault(joint.child, [parents[joint.child]]).append(joint)
        else:
            parents[joint.child] = joint
    if broken:
        return None, links, joints
    for name, several in repeated.items():
        found.append(diagnose(
            "link-with-many-parents", Location(file, links[name].line, f'{base}/link[@name="{name}"]'), link=name,
            count=len(several), joints=", ".join(j.name for j in several),
            related=[Related(f"joint [{j.name}]", j.line, joint_at(j).path) for j in several]))
    roots = [name for name in links if name not in parents]
    if not roots:
        found.append(diagnose("robot-without-root", start))
        return None, links, joints
    if len(roots) > 1:
        listed = ", ".join(roots[:_LISTED]) + (", …" if len(roots) > _LISTED else "")
        found.append(diagnose("robot-with-many-roots", start, count=len(roots), links=listed, related=[
            Related(f"link [{n}]", links[n].line, f'{base}/link[@name="{n}"]') for n in roots[:_LISTED]]))
        return None, links, joints
    if repeated:
        return None, links, joints
    root = roots[0]
    # With one root and one parent each, a link that is not reached hangs on a loop.
    children: dict[str, list] = {}
    for joint in joints.values():
        children.setdefault(joint.parent, []).append(joint.child)
    reached, todo = {root}, [root]
    while todo:
        below = children.get(todo.pop())
        if below:
            reached.update(below)
            todo += below
    if len(reached) != len(links):
        for name, link in links.items():
            if name not in reached:
                found.append(diagnose("link-unreachable", Location(file, link.line, f'{base}/link[@name="{name}"]'),
                                      link=name, root=root))
                left_out.append(LeftOut("link", name, name, _LOOP, link.line))
        left_out += [LeftOut("joint", j.name, j.name, _LOOP, j.line) for j in joints.values() if j.child not in reached]
        links = {n: l for n, l in links.items() if n in reached}
        joints = {n: j for n, j in joints.items() if j.child in reached}
    return root, links, joints
