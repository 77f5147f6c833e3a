"""Names of visuals and collisions: SDF requires them, URDFs seldom have them."""
from __future__ import annotations

from sdf_frames.convert.job import Job


def name_shape(body: str, stem: str, kind: str, place: int) -> str:
    """Return libsdformat's name for a shape, with ``__`` in place of ``::``, which SDF 1.8 and later do not allow.

    Parameters
    ----------
    body : SDF link that carries it.
    stem : its name in the URDF, or if it has none, the name of its URDF link.
    kind : ``visual`` or ``collision``.
    place : its place among the body's shapes of that kind, from 0.
    """
    stem = stem.replace("::", "__")
    name = f"{stem}_{kind}_{place}" if place else f"{stem}_{kind}"
    return name if name.startswith(body) else f"{body}_fixed_joint_lump__{name}"


def restore_name(body: str, name: str, kind: str, place: int) -> str:
    """Return the URDF name from which :func:`name_shape` makes `name`: the inverse of that function.

    That is "" if a shape without a name gets this name, and `name` itself if no shape does.
    """
    whole = name.removesuffix(f"_{kind}_{place}" if place else f"_{kind}")
    for stem in (whole.removeprefix(f"{body}_fixed_joint_lump__"), whole):
        if stem and name_shape(body, stem, kind, place) == name:
            return "" if stem == body else stem
    return name


def map_collision_names(job: Job, source: int) -> tuple[set[str], dict[str, str]]:
    """Map the names of collisions before lumping to those after it, for the body that carries URDF link `source`.

    Returns
    -------
    names, renamed
        The SDF names of all collisions of the body, and the SDF name of each by the name that it would have without
        lumping, and by its URDF name. If several links use one name, the collision of `source` counts.
    """
    tree, lumping, names = job.tree, job.lumping, job.names.links
    i = lumping.body[source]
    now: set[str] = set()
    own: dict[str, str] = {}
    others: dict[str, str] = {}
    count = 0
    for k in lumping.parts[i]:
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
