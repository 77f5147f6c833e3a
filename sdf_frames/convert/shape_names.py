"""Names of visuals and collisions in SDF, which wants one each; URDF mostly gives none."""
from __future__ import annotations

from sdf_frames.convert.job import Job


def name_shape(body: str, stem: str, kind: str, place: int) -> str:
    """libsdformat's name for a shape, with ``__`` for ``::``, which SDF allows until 1.7 only.

    Parameters
    ----------
    body : SDF link that carries it.
    stem : its URDF name, or that of the URDF link it comes from where it has none.
    kind : ``visual`` or ``collision``.
    place : its place among the body's shapes of that kind, from 0.
    """
    if "::" in stem:
        stem = stem.replace("::", "__")
    name = f"{stem}_{kind}_{place}" if place else f"{stem}_{kind}"
    return name if name.startswith(body) else f"{body}_fixed_joint_lump__{name}"


def restore_name(body: str, name: str, kind: str, place: int) -> str:
    """The URDF name of which :func:`name_shape` makes `name`, empty if that is what it calls a shape without one.

    `name` itself, if it is none that :func:`name_shape` gives.
    """
    whole = name.removesuffix(f"_{kind}_{place}" if place else f"_{kind}")
    for stem in (whole.removeprefix(f"{body}_fixed_joint_lump__"), whole):
        if stem and name_shape(body, stem, kind, place) == name:
            return "" if stem == body else stem
    return name


def map_collision_names(job: Job, source: int) -> tuple[set[str], dict[str, str]]:
    """The names of all collisions of the body that carries URDF link `source`, and for those of its links the SDF name
    by the name that each would have had without lumping, and by the URDF name.

    Where several links use one name, the collision of `source` itself counts.
    """
    tree, names = job.tree, job.link_names
    i = tree.body[source]
    now: set[str] = set()
    own: dict[str, str] = {}
    others: dict[str, str] = {}
    count = 0
    for k in tree.parts[i]:
        found = own if k == source else others
        for place, shape in enumerate(tree.links[k].collisions):
            stem = shape.name or names[k]
            name = name_shape(names[i], stem, "collision", count)
            count += 1
            now.add(name)
            found.setdefault(f"{stem}_collision_{place}" if place else f"{stem}_collision", name)
            if shape.name:
                found.setdefault(shape.name, name)
    return now, {**others, **own}
