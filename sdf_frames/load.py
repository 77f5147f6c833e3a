"""Loads a text: reads, upgrades, converts, resolves and checks it. Everything above uses this entry point."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sdf_frames.description import Description, Kept, drop_known, inertia_choices
from sdf_frames.diagnostics import ERROR, Diagnostic, Edit, diagnose, has_errors, tell_once
from sdf_frames.document.budget import Spending
from sdf_frames.document.door import UNCONFINED, Door, read_named, report_unreadable
from sdf_frames.document.elements import find_child, locate, tag_of
from sdf_frames.document.expanded import Expanded, is_xacro
from sdf_frames.document.folders import MODEL_CONFIGS
from sdf_frames.document.places import source_of
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, read_xml, report_root
from sdf_frames.options import LoadOptions

if TYPE_CHECKING:
    from sdf_frames.convert.urdf_to_sdf import Conversion
    from sdf_frames.frames.resolve import Scope
    from sdf_frames.inertia.result import InertiaResult
    from sdf_frames.sdf.model import Root
    from sdf_frames.urdf.model import Robot

#: Bytes of memory for an element of a URDF and its results, without its text; 1,200 in the PR2.
_SIZE = 1200

#: Findings of the conversion that concern the text, not the SDF.
_OF_TEXT = ("limit-reversed", "mimic-joint-missing")

__all__ = ["Description", "LoadOptions", "load_file", "load_text"]


def load_file(path: str | os.PathLike[str], options: LoadOptions = LoadOptions(),
              read: Callable[[str, int], bytes] = read_named) -> Description:
    """Load a URDF or SDFormat file that `read` opens; an unreadable file gives a finding, not an exception."""
    name = os.fspath(path)
    try:
        content = read(name, options.budget.bytes)
    except (OSError, ValueError) as error:
        return Description(name, Resolver(), diagnostics=(report_unreadable(name, error),))
    return load_text(content, name, options)


def open_named(name: str, options: LoadOptions, arguments: Mapping[str, str],
               door: Door = UNCONFINED, is_limited: bool = False,
               ) -> tuple[bytes | Expanded | None, tuple[Diagnostic, ...]]:
    """Read a file that a person names, a .xacro with its `arguments`; None, and why, if it leads to no text.

    The `door` opens a file that is not trusted. One that cannot be opened raises as :meth:`Door.read` does. The
    expansion of a .xacro ends after the seconds of the budget if it `is_limited`: see :func:`.expand_xacro`.
    """
    if is_xacro(name):
        from sdf_frames.document.xacro_expansion import expand_xacro
        made = expand_xacro(name, arguments, options.resource_paths, options.budget if is_limited else None)
        return (None, (made,)) if isinstance(made, Diagnostic) else (made, ())
    if os.path.basename(name) in MODEL_CONFIGS:
        from sdf_frames.sdf.model_folder import check_config
        if incomplete := check_config(name, door):
            return None, incomplete
    return (door.read if door.confined else read_named)(name, options.budget.bytes), ()


def load_text(text: str | bytes | Expanded, file: str | None = None,
              options: LoadOptions = LoadOptions()) -> Description:
    """Load URDF or SDFormat text, told apart by the root element.

    Parameters
    ----------
    text : the document, or the result of xacro.
    file : name of the file, for locations and relative URIs.
    options : see :class:`LoadOptions`.

    Returns
    -------
    Description
        Also for text that is not a robot description: the findings say so, and nothing is raised.

    Raises
    ------
    TypeError
        ``inertia_calculator`` is not a function, name or mapping, or a key of the mapping names nothing in the text.
    """
    return complete(read_text(text, file, options))


def read_text(text: str | bytes | Expanded, file: str | None = None,
              options: LoadOptions = LoadOptions()) -> Description:
    """Begin to load a text: parse it, find its format, and read the robot of a URDF. :func:`complete` does the rest."""
    spending = Spending(options.budget)
    begun = Description(file, options.make_resolver(), options=options, spending=spending)
    found = [*text.findings] if isinstance(text, Expanded) else []
    document, more = read_xml(text, file, spending=spending)
    found += more
    if document is None:
        return begun._replace(diagnostics=tuple(found))
    begun, tag = begun._replace(source=source_of(document.root)), tag_of(document.root)
    if tag == "sdf":
        begun = begun._replace(kind="sdf", document=document)
    elif tag != "robot":
        found.append(report_root(document.root))
    elif _is_srdf(document):
        found.append(diagnose("srdf-without-urdf", locate(document.root), file=file or "ROBOT.srdf"))
        begun = begun._replace(srdf=document)
    else:
        from sdf_frames.urdf.parse import is_refused, read_for_all
        robot, more = read_for_all(document)
        found += more
        begun = begun._replace(kind="urdf")
        begun = begun._replace(refused=robot) if is_refused(more) else begun._replace(robot=robot)
    return begun._replace(diagnostics=tuple(found))


def _is_srdf(document: Document) -> bool:
    if find_child(document.root, "link") is not None:
        return False
    from sdf_frames.checks.srdf import is_srdf
    return is_srdf(document.root)


def complete(begun: Description, conversion: Conversion | None = None) -> Description:
    """Convert a URDF (or take its `conversion`), read SDFormat with its includes, resolve and check the result.

    The document of the conversion becomes one of SDFormat 1.12 in place: write it before.
    """
    loading = _Loading(begun)
    if begun.kind == "sdf" and begun.document is not None:
        return loading.finish(begun._replace(root=loading.read_root(begun.document)))
    return loading.finish(begun if begun.robot is None else loading.read_robot(begun.robot, conversion))


def keep_links(loaded: Description) -> Description:
    """Return a URDF with each link and fixed joint, for its kinematics, without lumping and checks."""
    kept = None if loaded.robot is None else loaded.kept or _Loading(loaded)._keep(loaded.robot)
    if kept is None:
        return loaded
    return loaded._replace(root=None, kept=kept, conversion=kept.conversion, scopes=_resolve(kept.root, loaded.robot))


def convert(robot: Robot, options: LoadOptions) -> Conversion:
    """Convert a robot with the given options."""
    from sdf_frames.convert.urdf_to_sdf import convert_robot
    return convert_robot(robot, options.for_conversion())


#: The findings on a URDF, and its conversion, None if it has errors.
_Converted = tuple[tuple[Diagnostic, ...], "Conversion | None"]


class _Loading:
    """The state of one load.

    Attributes
    ----------
    begun : the description as :func:`read_text` returned it.
    found : findings so far.
    reported : links, as (file, name in SDF), whose inertia was checked as their URDF states it.
    excused : errors in inertias of a URDF that do not concern the SDF, because the inertia in it is possible.
    """

    def __init__(self, begun: Description):
        self.begun, self.options, self.resolver = begun, begun.options, begun.resolver
        self.found = [*begun.diagnostics]
        self.reported: set[tuple[str | None, str]] = set()
        self.excused: set[Diagnostic] = set()

    def read_robot(self, robot: Robot, conversion: Conversion | None) -> Description:
        """Convert a URDF; if it cannot be converted, keep every link and fixed joint, for its kinematics."""
        if has_errors(self.found):
            self.check_rest(robot)
        else:
            conversion = conversion or convert(robot, self.options)
            self.found = conversion.judge(self.found)
            self.note_inertias(conversion, self.found)
            if not has_errors(conversion.diagnostics):
                root = self._read_converted(conversion)
                return self.begun._replace(document=conversion.document, root=root, conversion=conversion)
        return self.begun._replace(conversion=conversion, kept=self._keep(robot),
                                   document=None if conversion is None else conversion.document)

    def check_rest(self, robot: Robot) -> None:
        """Report the other errors and warnings of a URDF with unknown masses: small bodies stand in for these links."""
        from sdf_frames.urdf.parse import stand_in
        whole, unknown = stand_in(robot, self.found)
        causes, before = [[d for d in self.found if (d.severity == ERROR) is is_error] for is_error in (True, False)]
        apart = _Loading(self.begun._replace(diagnostics=tuple(before)))
        rest, known = apart.finish(apart.read_robot(whole, None)).diagnostics, set(before)
        self.found = [*causes, *[d for d in rest if d in known or (d.path or "").partition("/@")[0] not in unknown]]

    def _keep(self, robot: Robot) -> Kept | None:
        """Convert `robot` with every link and fixed joint kept."""
        whole = self.options._replace(preserve_fixed_joints=True, massless="keep")
        conversion = convert(robot, whole)
        root = _Loading(self.begun._replace(options=whole))._read_converted(conversion)
        return None if root is None else Kept(root, conversion)

    def _read_converted(self, conversion: Conversion) -> Root | None:
        tree = conversion.document.root
        version = tree.get("version", "")
        root = self.read_root(conversion.document)
        tree.set("version", version)  # converted content needs no change for 1.12, but keeps its version
        return root

    def read_root(self, document: Document) -> Root | None:
        """Read an SDFormat document, and the files that it includes."""
        from sdf_frames.sdf.parse import read_sdf
        root, found = read_sdf(document, self.resolver, self._convert_included, self.begun.spending,
                               self.options.memory)
        self.found += found
        return root

    def note_inertias(self, conversion: Conversion, found: list[Diagnostic]) -> None:
        """Check the inertias and limits of a robot as written, and record the links of the SDF with these inertias."""
        from sdf_frames.checks.drives import check_drives
        from sdf_frames.checks.lumped_inertia import check_lumping
        from sdf_frames.checks.robot_inertia import check_robot_inertials
        written = check_robot_inertials(conversion)
        self.reported.update([(conversion.document.file, link) for link in written.carriers])
        self.excused.update(written.excused)
        found += [*written.found, *check_lumping(conversion), *check_drives(conversion.robot)]

    def _convert_included(self, document: Document, found: list[Diagnostic]) -> Document | None:
        """Convert an included URDF to an SDFormat document, once for a memory; None if it has errors."""
        from sdf_frames.urdf.parse import read_robot
        options, text, memory = self.options, source_of(document.root).text, self.options.memory
        key = (convert, document.file, text, *options.for_conversion())
        known: _Converted | None = memory.find(key) if memory is not None else None
        kept = known is not None
        if known is None:
            robot, more = read_robot(document)
            known = more, None if robot is None or has_errors(more) else convert(robot, options)
            size = 2 * len(text or b"") + _SIZE * sum(1 for _ in document.root.iter())
            kept = memory is not None and memory.keep(key, known, size)
        more, conversion = known
        if conversion is None:
            found += more
            return None
        found += conversion.judge(more)
        self.note_inertias(conversion, found)
        return conversion.document.copy() if kept else conversion.document

    def finish(self, read: Description) -> Description:
        """Resolve and check the description."""
        root, saved, computed = read.root, None, None
        scopes = _resolve(root if read.kept is None else read.kept.root, read.robot)
        if root is not None and self.options.auto_inertia != "skip":
            root, saved, computed = self._save_inertias(read, root, scopes)
            scopes = _resolve(root, read.robot) if root is not read.root else scopes
        if root is not None:
            self._check_root(root, scopes, read, frozenset(self.reported))
        elif read.kept is not None and read.conversion is not None and read.kept.conversion.inertials:
            # Without a conversion, `check_rest` has checked the robot; without a link, the conversion says so.
            made = read.kept.conversion
            reported = frozenset((read.file, link) for link, _ in made.inertials)
            self._check_root(read.kept.root, scopes, read._replace(conversion=made), reported)
            self.found += [d for d in made.diagnostics if d.name in _OF_TEXT]
        if read.robot is not None and (read.robot.transmissions or read.robot.ros2_control):
            from sdf_frames.checks.plugin_names import check_controls
            self.found += check_controls(read.robot)
        if computed is not None:
            self.found += computed.diagnostics
        found = tuple(tell_once(self.found))
        convertible = root is not None and not has_errors([d for d in found if d not in self.excused])
        return read._replace(diagnostics=found, saved=saved, root=root, scopes=scopes,
                             convertible=convertible, reported=frozenset(self.reported), computed=computed)

    def _check_root(self, root: Root, scopes: tuple[Scope, ...], read: Description,
                    reported: frozenset[tuple[str | None, str]]) -> None:
        """Check the SDF of a description; the inertias of `reported` links have been checked."""
        from sdf_frames.checks.root import check_root
        found = check_root(root, scopes, self.options.inertia_failure, reported, read.conversion)
        self.found += found if read.robot is None else _leave_joined(found, read.robot)

    def _save_inertias(self, read: Description, root: Root,
                       scopes: tuple[Scope, ...]) -> tuple[Root, tuple[Edit, ...] | None, InertiaResult]:
        """Compute the inertias; return the model and text, with inertias if the options ask for it, and the result."""
        from sdf_frames.inertia.compute import compute_inertias
        from sdf_frames.inertia.declare import SAVE_IN_ELEMENT, save_in_root, save_in_source
        from sdf_frames.inertia.link import InertiaOptions
        result = drop_known(compute_inertias(
            root, [scope.graph for scope in scopes], self.resolver, InertiaOptions(**inertia_choices(self.options)),
            frozenset(self.reported)), self.found)
        if self.options.auto_inertia != SAVE_IN_ELEMENT:
            return root, None, result
        saved = None if read.kind != "sdf" or read.source is None else save_in_source(read.source, root, result)
        return save_in_root(root, result), saved, result


def _resolve(root: Root | None, robot: Robot | None) -> tuple[Scope, ...]:
    """Resolve every world and the root model of a document."""
    if root is None:
        return ()
    from sdf_frames.frames.graph import build_graph
    from sdf_frames.frames.left_out import find_left_out
    from sdf_frames.frames.resolve import resolve_scope
    graphs = [build_graph(scope) for scope in (*root.worlds, *([root.model] if root.model is not None else ()))]
    return tuple([resolve_scope(graph, find_left_out(graph, robot)) for graph in graphs])


def _leave_joined(found: list[Diagnostic], robot: Robot) -> list[Diagnostic]:
    """Drop the finding ``link-unjoined`` for links that a joint of the URDF connects.

    SDFormat has no floating and no planar joint. The conversion warns about each of them.
    """
    from sdf_frames.urdf.model import JOINT_TYPES
    free = [joint for joint in robot.joints if joint.type in JOINT_TYPES and JOINT_TYPES[joint.type].sdf is None]
    ends = {end for joint in free for end in (joint.parent, joint.child)}
    joined = [locate(link.element) for link in robot.links if link.name in ends]
    return [d for d in found if d.name != "link-unjoined" or d.location not in joined]
