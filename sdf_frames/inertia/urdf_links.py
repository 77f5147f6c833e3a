"""Inertias of a URDF's own links, before any of them is lumped or becomes a frame."""
from __future__ import annotations

from dataclasses import replace
from typing import Iterable

from sdf_frames.inertia.compute import compute_inertias
from sdf_frames.inertia.result import InertiaResult


def drop_placeholders(loaded):
    """A URDF loaded with fixed joints preserved and massless links kept, without the inertias that stood in for none.

    The conversion must give every link some mass; here a link without ``<inertial>``, or with a mass of zero, is one
    that declares nothing.
    """
    if loaded.root is None or loaded.root.model is None:
        return loaded
    bare = find_bare_links(loaded)
    model = loaded.root.model
    links = tuple([replace(link, inertial=None) if link.name in bare else link for link in model.links])
    return replace(loaded, root=replace(loaded.root, model=replace(model, links=links)))


def drop_bare_links(loaded):
    """The same URDF as :func:`drop_placeholders` takes, without the links that state no mass."""
    if loaded.root is None or loaded.root.model is None:
        return loaded
    bare, model = find_bare_links(loaded), loaded.root.model
    links = tuple([link for link in model.links if link.name not in bare])
    return replace(loaded, root=replace(loaded.root, model=replace(model, links=links)))


def find_bare_links(loaded) -> set[str]:
    """Names, as converted, of a URDF's links that state no mass."""
    names = find_converted_names(loaded)
    return {names.get(link.name, link.name) for link in loaded.robot.links
            if link.inertial is None or not link.inertial.mass > 0}


def find_converted_names(loaded) -> dict[str, str]:
    """URDF names of links to those that the conversion had to choose instead."""
    return {row.name: row.into for row in loaded.conversion
            if row.element == "link" and row.action == "renamed" and row.into}


def compute_urdf_links(loaded, links: Iterable[str] = (), recompute: bool = False, **options) -> InertiaResult:
    """Inertias of a URDF's links: declared where the link states a mass, else computed from its collisions.

    Parameters
    ----------
    loaded : a URDF that went through :func:`drop_placeholders`.
    links : names of the links wanted; all when empty.
    recompute : compute links that state a mass too, keeping it unless a density is given.
    options : the others of :func:`sdf_frames.inertia.compute_inertias`.

    Returns
    -------
    InertiaResult
        Links that neither state a mass nor have collisions are frames to URDF and left out.
    """
    if loaded.root is None or loaded.root.model is None:
        return InertiaResult()
    bare = find_bare_links(loaded)
    links = tuple(links)
    known = [link for link in loaded.root.model.links if not links or link.name in links]
    solid = [link.name for link in known if link.collisions and (recompute or link.name in bare)]
    declared = [link.name for link in known if link.name not in bare and link.name not in solid]
    unknown = [name for name in links if name not in {link.name for link in known}]
    computed = compute_inertias(loaded, solid, recompute=True, **options) if solid else InertiaResult()
    others = compute_inertias(loaded, declared + unknown) if declared or unknown else InertiaResult()
    found = {link.name: link for link in (*computed.links, *others.links)}
    return InertiaResult(tuple([found[link.name] for link in known if link.name in found]),
                         tuple(dict.fromkeys((*computed.diagnostics, *others.diagnostics))))
