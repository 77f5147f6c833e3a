"""Small URDFs whose links are lumped, and whether libsdformat 12.3 loads them, for test/checks/test_lumped_inertia.py.

test/peers/test_libsdformat_lumping.py asks libsdformat itself. None: it depends on rounding.
"""
from urdf_text import inertial, joint, link, robot

_SOLID, _POINT, _EMPTY = inertial(1), inertial(1, moments=(0, 0, 0)), inertial(0, moments=(0, 0, 0))


def _tree(*links: tuple[str, str, str, str], kind="fixed", **origin: str) -> str:
    """Links of (name, what is in them, name of the joint above, parent); the joint to "m" moves."""
    parts = []
    for name, inside, above, parent in links:
        parts.append(link(name, inside=inside))
        if parent:
            parts.append(joint(above, "continuous" if name == "m" else kind, parent, name, **origin))
    return robot(*parts)


_BASE = ("base", _SOLID, "", "")
LUMPED: dict[str, tuple[str, bool | None]] = {
    "no mass": (_tree(_BASE, ("a", _EMPTY, "ja", "base")), True),
    "no mass below no mass": (_tree(_BASE, ("a", _EMPTY, "ja", "base"), ("b", _EMPTY, "jb", "a")), False),
    "no mass below no <inertial>": (_tree(_BASE, ("a", "", "ja", "base"), ("b", _EMPTY, "jb", "a")), False),
    "no <inertial> below no mass": (_tree(_BASE, ("a", _EMPTY, "ja", "base"), ("b", "", "jb", "a")), True),
    "no mass twice on mass": (_tree(_BASE, ("a", _EMPTY, "ja", "base"), ("b", _EMPTY, "jb", "base")), True),
    "no mass, then mass, on no mass": (
        _tree(("base", _EMPTY, "", ""), ("a", _EMPTY, "ja", "base"), ("b", _SOLID, "jb", "base")), False),
    "mass, then no mass, on no mass": (
        _tree(("base", _EMPTY, "", ""), ("a", _EMPTY, "jc", "base"), ("b", _SOLID, "jb", "base")), True),
    "no mass below no mass below a link that moves": (
        _tree(_BASE, ("m", _SOLID, "jm", "base"), ("a", _EMPTY, "ja", "m"), ("b", _EMPTY, "jb", "a")), False),
    "no mass below no mass that moves": (_tree(_BASE, ("m", _EMPTY, "jm", "base"), ("b", _EMPTY, "jb", "m")), True),
    "a point on a solid": (_tree(_BASE, ("a", _POINT, "ja", "base"), xyz="0.13 -0.27 0.031"), True),
    "a point": (_tree(("base", "", "", ""), ("a", _POINT, "ja", "base"), xyz="0.13 -0.27 0.031"), True),
    "two points": (_tree(("base", _POINT, "", ""), ("a", _POINT, "ja", "base"), xyz="0.13 -0.27 0.031",
                         rpy="0.3 0.2 0.1"), None),
}
