"""Computes the inertias of the links of a URDF, without lumping and without links that become frames."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sdf_frames.convert.report import Row
from sdf_frames.inertia.result import InertiaResult
from sdf_frames.sdf.model import Root
from sdf_frames.urdf.model import Robot


def drop_placeholders(root: Root, bare: set[str]) -> Root:
    """Remove the inertials that the conversion added to links without mass.

    The conversion must give every link a mass. Here, a link without ``<inertial>``, or with a mass of zero, declares no
    inertia.
    The URDF was converted with fixed joints preserved and massless links kept; `bare` are its :func:`find_bare_links`.
    """
    if root.model is None:
        return root
    links = tuple([link._replace(inertial=None) if link.name in bare else link for link in root.model.links])
    return root._replace(model=root.model._replace(links=links))


def drop_bare_links(root: Root, robot: Robot, report: Iterable[Row]) -> Root:
    """Remove the links that state no mass from a URDF as :func:`drop_placeholders` takes it."""
    if root.model is None:
        return root
    bare = find_bare_links(robot, report)
    return root._replace(model=root.model._replace(links=tuple([x for x in root.model.links if x.name not in bare])))


def find_bare_links(robot: Robot, report: Iterable[Row]) -> set[str]:
    """Return the names, as converted, of a URDF's links that state no mass; `report` is that of the conversion."""
    names = find_converted_names(report)
    return {names.get(link.name, link.name) for link in robot.links
            if link.inertial is None or not link.inertial.mass > 0}


def find_converted_names(report: Iterable[Row]) -> dict[str, str]:
    """Return the SDF name of each link that the conversion renamed, by its URDF name."""
    return {row.name: row.into for row in report if row.element == "link" and row.action == "renamed" and row.into}


def compute_urdf_links(compute: Callable[..., InertiaResult], root: Root, bare: set[str], links: Sequence[str] = (),
                       recompute: bool = False) -> InertiaResult:
    """Compute the inertias of a URDF's links: declared if the link states a mass, else from its collisions.

    Parameters
    ----------
    compute : computes the inertias of `links`, declared ones too if ``recompute``.
    root : the URDF that went through :func:`drop_placeholders`.
    bare : what :func:`find_bare_links` returned.
    links : names of the links wanted; all when empty.
    recompute : compute links that state a mass too, keeping it unless a density is given.

    Returns
    -------
    InertiaResult
        Without links that neither state a mass nor have collisions: they are only frames.
    """
    if root.model is None:
        return InertiaResult()
    known = [link for link in root.model.links if not links or link.name in links]
    solid = [link.name for link in known if link.collisions and (recompute or link.name in bare)]
    declared = [link.name for link in known if link.name not in bare and link.name not in solid]
    unknown = [name for name in links if name not in {link.name for link in known}]
    computed = compute(links=solid, recompute=True) if solid else InertiaResult()
    others = compute(links=declared + unknown, recompute=False) if declared or unknown else InertiaResult()
    found = {link.name: link for link in (*computed.links, *others.links)}
    return InertiaResult(tuple([found[link.name] for link in known if link.name in found]),
                         tuple(dict.fromkeys((*computed.diagnostics, *others.diagnostics))))
