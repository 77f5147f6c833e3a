"""Names of the links and joints of the URDF that a model of SDFormat is written as.

The names of a model of SDFormat are unique, with ``::`` between their parts. In a URDF they may not be: another
separator can make two names equal, a joint may get back the name of a URDF that another one has got, and ``world`` is
the inertial frame. Links are called by other names than joints there, and may share a joint's.
"""
from __future__ import annotations

from collections.abc import Container

from sdf_frames.convert.undo_lumping import find_joint_name
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.names import WORLD_FRAME, Taken

WORLD_TAKEN = "in a URDF 'world' is the inertial frame"


def choose_urdf_names(graph: FrameGraph, joints: Container[int], separator: str,
                      found: list[Diagnostic]) -> tuple[dict[int, str], Taken]:
    """Choose the names of a model's links and joints, by vertex; a name that is taken gets a number, with a warning.

    The used names are also returned, so that later names can avoid them.

    Parameters
    ----------
    joints : vertices that are written as joints; all others are written as links.
    separator : written instead of ``::``.
    found : takes the warnings.
    """
    wanted = {i: ((find_joint_name(graph, i) if i in joints else None) or name).removeprefix("::").replace(
        "::", separator) for i, name in enumerate(graph.names)}
    used = Taken({WORLD_FRAME} | {name for i, name in wanted.items() if i})
    names = dict(wanted)
    taken: tuple[set[str], set[str]] = ({WORLD_FRAME}, set())  # of links, of joints
    around = {i for i, name in enumerate(graph.names) if name.startswith("::")}  # parts of the world around the model
    # Who has its name in the SDF keeps it.
    for i in sorted(range(1, len(graph.names)), key=lambda i: (i in around, wanted[i] != graph.names[i])):
        name, kind, others = wanted[i], graph.kinds[i], taken[i in joints]
        if name in others or i in around and name in taken[i not in joints]:
            is_world = name == WORLD_FRAME
            names[i] = used.find_free(f"{name}_{kind}" if is_world else name)
            what = ("the inertial frame" if is_world else "a part of the model" if i in around else
                    "another joint" if i in joints else "another link")
            found.append(diagnose("urdf-name-taken", locate(graph.entities[i].element), kind=kind,
                                  name=graph.names[i].removeprefix("::"), new=names[i], taken=name, what=what))
        others.add(names[i])
    return names, used
