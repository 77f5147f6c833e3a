"""Small URDFs for tests: the one writer of their parts, which stand as they are given, on one line."""

from sdf_frames.document.elements import line_of


def inertial(mass=1, xyz="", rpy="", moments=(1, 1, 1), products=(0, 0, 0)) -> str:
    """An ``<inertial>``; `moments` are ixx, iyy and izz, `products` ixy, ixz and iyz."""
    values = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), (*moments, *products))
    tensor = " ".join(f'{name}="{value}"' for name, value in values)
    return f'<inertial>{_origin(xyz, rpy)}<mass value="{mass}"/><inertia {tensor}/></inertial>'


def link(name, mass=None, inside="") -> str:
    """A link; without a `mass` it has no ``<inertial>``."""
    return f'<link name="{name}">{"" if mass is None else inertial(mass)}{inside}</link>'


def joint(name, kind, parent, child, inside="", *, xyz="", rpy="") -> str:
    """A joint of the type `kind`; without `xyz` and `rpy` it has no ``<origin>``."""
    return (f'<joint name="{name}" type="{kind}">{_origin(xyz, rpy)}<parent link="{parent}"/><child link="{child}"/>'
            f'{inside}</joint>')


def gazebo(reference, content) -> str:
    """A ``<gazebo>`` element; an empty `reference` is none."""
    return f'<gazebo reference="{reference}">{content}</gazebo>' if reference else f"<gazebo>{content}</gazebo>"


def robot(*parts, name="r") -> str:
    """The whole."""
    return f'<robot name="{name}">{"".join(parts)}</robot>'


def _origin(xyz: str, rpy: str) -> str:
    words = "".join(f' {name}="{value}"' for name, value in (("xyz", xyz), ("rpy", rpy)) if value)
    return f"<origin{words}/>" if words else ""


def with_lines(part):
    """A part of a robot, or several, with the lines of their elements in place of these."""
    if hasattr(part, "_fields"):
        return type(part)(*[line_of(v) if f == "element" else with_lines(v) for f, v in zip(part._fields, part)])
    return tuple(map(with_lines, part)) if isinstance(part, tuple) else part
