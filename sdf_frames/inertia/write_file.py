"""Computed inertias put into the file that was loaded."""
from __future__ import annotations

import linecache

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.writing import write_whole
from sdf_frames.document.xacro import is_xacro
from sdf_frames.inertia.compute import walk_links
from sdf_frames.inertia.result import DECLARED, DEFAULT, InertiaResult, LinkInertia
from sdf_frames.inertia.rewrite import find_key, write_inertials
from sdf_frames.inertia.urdf_links import find_converted_names
from sdf_frames.sdf.model import Root


def write_file(loaded, result: InertiaResult) -> tuple[Diagnostic, ...]:
    """Write what was computed into the file it came from; nothing else in it changes.

    Parameters
    ----------
    loaded : the document, from a file.
    result : its inertias, for a URDF those of :func:`sdf_frames.inertia.urdf_links.compute_urdf_links`. Declared ones,
        and those that no solid body has, are not written.

    Returns
    -------
    Findings on links that cannot be written, or on a file that cannot.
    """
    if loaded.root is None:
        return ()
    here = Location(loaded.file)
    wanted, elsewhere = choose_links(loaded, result)
    if not wanted and not elsewhere:
        return ()
    if is_xacro(loaded.file):
        return (diagnose("inertia-not-written", here, problem="the file is a xacro file, of which the robot is made; "
                         "expand it and write into the result"),)
    try:
        with open(loaded.file, "rb") as stream:
            text = stream.read()
        new, written = write_inertials(text, wanted)
        elsewhere += [x.name for key, x in wanted.items() if key not in written]
        if new != text:
            # Findings quote the text that they are about.
            linecache.getlines(loaded.file)
            write_whole(loaded.file, new)
    except OSError as error:
        return (diagnose("file-unwritable", here, file=loaded.file, problem=error.strerror or str(error)),)
    except ValueError as error:
        return (diagnose("inertia-not-written", here, problem=str(error)),)
    if elsewhere:
        return (diagnose("inertia-not-written", here, problem="these links are not written in this file itself: "
                         + ", ".join(elsewhere[:8])),)
    return ()


def choose_links(loaded, result: InertiaResult) -> tuple[dict[tuple, LinkInertia], list[str]]:
    """What is to be written into the document itself, by the key of the link, and names of links that are elsewhere."""
    if loaded.kind == "urdf":
        computed = _index_computed(result)
        names = {new: old for old, new in find_converted_names(loaded).items()}
        return {(("robot", loaded.robot.name), ("link", names.get(x.name, x.name))): x for x in computed.values()}, []
    return find_places(loaded.root, result)


def find_places(root: Root, result: InertiaResult) -> tuple[dict[tuple, LinkInertia], list[str]]:
    """:func:`choose_links` of an SDFormat document."""
    computed = _index_computed(result)
    wanted, elsewhere = {}, []
    for scope, prefix, link in walk_links(root):
        inertia = computed.get((scope, prefix + link.name))
        if inertia is None:
            continue
        if link.element.getroottree().getroot() is root.element:
            wanted[find_key(link.element)] = inertia
        else:
            elsewhere.append(inertia.name)
    return wanted, elsewhere


def _index_computed(result: InertiaResult) -> dict[tuple, LinkInertia]:
    return {(x.scope, x.name): x for x in result.links if x.method not in (DECLARED, DEFAULT) and x.physical}
