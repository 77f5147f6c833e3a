"""Small URDFs with a mimic, and whether Pinocchio takes them with ``mimic=True``, for test/checks/test_refusals.py.

test/peers/test_consumer_programs.py asks Pinocchio itself.
"""
from urdf_text import joint, link, robot

_AXIS = '<axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/>'


def _row(*joints: tuple[str, str, str, str]) -> str:
    """Joints in the order of the file, each of (name, type, leader, parent link); the child is the name in capitals."""
    parts = [link("base", 1)]
    for name, kind, leader, parent in joints:
        inside = _AXIS * (kind in ("revolute", "prismatic")) + (f'<mimic joint="{leader}"/>' if leader else "")
        parts += [link(name.upper(), 1), joint(name, kind, parent, name.upper(), inside)]
    return robot(*parts)


_LEADER = ("a", "revolute", "", "base")
MIMICS: dict[str, tuple[str, bool]] = {
    "of a sibling before it": (_row(_LEADER, ("b", "revolute", "a", "base")), True),
    "of a sibling whose name is later": (_row(("z", "revolute", "", "base"), ("b", "revolute", "z", "base")), False),
    "of a sibling that is later in the file": (_row(("b", "revolute", "a", "base"), _LEADER), True),
    "of a joint above it with a later name": (_row(("z", "revolute", "", "base"), ("b", "revolute", "z", "Z")), True),
    "of a joint below it": (_row(("b", "revolute", "a", "base"), ("a", "revolute", "", "B")), False),
    "of a joint below a sibling": (_row(_LEADER, ("b", "revolute", "c", "base"), ("c", "revolute", "", "A")), True),
    "below a sibling": (_row(_LEADER, ("b", "revolute", "", "base"), ("c", "revolute", "b", "A")), False),
    "of another type with a number": (_row(_LEADER, ("b", "prismatic", "a", "base")), True),
    "of a continuous joint": (_row(("a", "continuous", "", "base"), ("b", "revolute", "a", "base")), False),
    "of a continuous joint by another": (_row(("a", "continuous", "", "base"), ("b", "continuous", "a", "base")), True),
    "continuous": (_row(_LEADER, ("b", "continuous", "a", "base")), False),
    "of a planar joint": (_row(("a", "planar", "", "base"), ("b", "revolute", "a", "base")), False),
    "of a fixed joint": (_row(("a", "fixed", "", "base"), ("b", "revolute", "a", "base")), False),
    "fixed": (_row(_LEADER, ("b", "fixed", "a", "base")), True),
    "of a mimic": (_row(_LEADER, ("b", "revolute", "a", "base"), ("c", "revolute", "b", "base")), False),
}
