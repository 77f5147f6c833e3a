"""Write a loaded SDFormat description as URDF, and a URDF in another version."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sdf_frames.convert.moved_uris import FILE_STYLE, change_style
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.elements import Element, locate
from sdf_frames.sdf.model import Link, World
from sdf_frames.sdf.names import SEPARATOR
from sdf_frames.urdf.versions import OLDEST, read_version
from sdf_frames.writers.written import Written, change_references


def rewrite_uris(written: Written, loaded: Description, uri_style: str) -> Written:
    """Write the URIs of meshes and textures of a URDF in another style; URIs that are not found stay."""
    return change_references(written, lambda element, uri: (
        change_style(uri, uri_style, element, loaded.resolver, []) if element.get("filename") else uri))[0]


def convert_to_urdf(description: Description, model: str | None = None, uri_style: str = "keep",
                    joint_frames: bool = False, version: str | None = None) -> Written:
    """Convert a loaded SDFormat description to URDF.

    Parameters
    ----------
    description : an SDFormat file or text, loaded.
    model : name of the model of a world; None for the only model of a world, or for a file with a root model. If it is
        named, an <include> beside it may fail: that is an error, but the model is written.
    uri_style : scheme of the URIs of meshes and textures: ``model``, ``package``, ``keep`` (as written), or ``file``
        (the path of the file).
    joint_frames : write a link for every frame, even for frames that come from fixed joints of a URDF.
    version : of URDF; None for that of the URDF which the SDF was converted from, or else 1.0.
    """
    from sdf_frames.checks.robot_inertia import check_robot
    from sdf_frames.convert.one_model import choose_model
    from sdf_frames.convert.round_trip_attributes import VERSION, attribute
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.urdf.change_version import judge_version
    from sdf_frames.urdf.write import build_tree
    found = [*description.diagnostics, *_find_refusal(description, model)]
    worlds = () if model is None or description.root is None else description.root.worlds
    beside = [locate(uri) for world in worlds for uri in world.element.iterfind("include/uri")]
    if _is_refused(found, beside):
        return Written("urdf", tuple(found))
    missing: list[Diagnostic] = []
    inertias = description.inertias()
    graph, prefix, account = choose_model(description.scopes[0], model)
    number = read_version(version or graph.scope.element.get(attribute(VERSION))) or OLDEST

    def write_uri(uri: str, element: Element, style: str = uri_style) -> str:
        return change_style(uri, style, element, description.resolver, missing, description.file)

    conversion = convert_model(
        graph, {link.name.removeprefix(prefix): link for link in inertias.links
                if link.scope == 0 and link.name.startswith(prefix)},
        write_uri, joint_frames=joint_frames, version=number,
        move_uri=lambda uri, element: write_uri(uri, element, "keep"))
    found += [*inertias.diagnostics, *account.found, *conversion.diagnostics]
    robot = conversion.robot
    if robot is not None:
        found += [d if d.file else d._replace(file=description.file)
                  for d in (*check_robot(robot), *judge_version(robot, number))]
    tree = None if robot is None or _is_refused(found, beside) else build_tree(robot)
    # A mesh file that is not found is an error, but the URDF is written all the same, as `convert` does.
    return Written("urdf", tuple(dict.fromkeys([*found, *missing])), [*account.rows, *conversion.entries], tree)


def _is_refused(found: Iterable[Diagnostic], beside: Sequence[Location]) -> bool:
    """Return whether an error concerns the model; a failed include `beside` the model does not."""
    return has_errors([d for d in found if d.name != "uri-not-found" or d.location not in beside])


def _find_refusal(description: Description, model: str | None) -> Iterator[Diagnostic]:
    """Yield why a description has no model to write."""
    from sdf_frames.convert.one_model import report_models
    if description.kind == "urdf":
        robot = description.robot or description.refused
        yield diagnose("already-urdf", Location(description.file) if robot is None else locate(robot.element),
                       file=description.file)
    elif not description.scopes and not has_errors(description.diagnostics):
        yield report_models(Location(description.file), None)
    elif model is not None and description.scopes:
        scope = description.scopes[0].graph.scope
        if model not in [m.name for m in (scope.models if isinstance(scope, World) else (scope,))]:
            yield report_models(locate(scope.element), scope, model)


def convert_to_display(description: Description, separator: str = SEPARATOR) -> Written:
    """Convert a loaded SDFormat model to a URDF for RViz and robot_state_publisher.

    Only the kinematics must be free of errors. URIs become paths, and only declared inertias are written. A joint type
    that URDF does not have becomes a floating joint. Every frame becomes a link, so that robot_state_publisher
    publishes it.

    Parameters
    ----------
    description : an SDFormat description; without a model, or one that could be read, there is no text.
    separator : separator between the names of nested models, in place of ``::``.

    Returns
    -------
    Written
        Its findings name missing mesh files, and the reason if nothing is written.
    """
    from sdf_frames.convert.one_model import report_models
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.urdf.write import build_tree
    if not description.scopes:
        return Written("urdf", (*[d for d in description.diagnostics if d.severity == ERROR],
                                report_models(Location(description.file), None)))
    missing: list[Diagnostic] = []
    graph = description.graphs[0]
    declared = [name for name, entity in zip(graph.names, graph.entities) if isinstance(entity, Link)
                and (entity.inertial is None or not entity.inertial.auto)]
    inertias = description.inertias(links=tuple(declared)).links if declared else ()
    conversion = convert_model(
        graph, {link.name: link for link in inertias},
        lambda uri, element: change_style(uri, FILE_STYLE, element, description.resolver, missing),
        separator, to_display=True, joint_frames=True)
    tree = None if conversion.robot is None else build_tree(conversion.robot)
    refusals = [d for d in conversion.diagnostics if d.severity == ERROR]
    return Written("urdf", (*refusals, *missing), conversion.entries, tree)


def change_urdf_version(begun: Description, to: str) -> Written:
    """Write a URDF in another version; everything else stays as it was.

    Parameters
    ----------
    begun : the result of :func:`sdf_frames.load.read_text`.
    to : the version to write, one of ``urdf.versions.VERSIONS``.
    """
    from sdf_frames.urdf.change_version import change_version
    version, robot, found = read_version(to), begun.robot, begun.diagnostics
    if begun.kind == "sdf" and begun.document is not None:
        return Written("urdf", (*found, diagnose("urdf-version-of-sdf", locate(begun.document.root))))
    if robot is None or version is None:
        return Written("urdf", found)
    edits, changes = change_version(robot, version)
    found = tuple(dict.fromkeys((*found, *changes)))
    return Written("urdf", found) if has_errors(changes) else Written(
        "urdf", found, source=begun.source, edits=tuple(edits))
