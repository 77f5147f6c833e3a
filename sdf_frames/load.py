"""Loads a text: reads, upgrades, converts, resolves and checks it. Everything above uses this entry point."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from sdf_frames.description import Description, Kept, drop_known, inertia_choices
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.door import read_named
from sdf_frames.document.expanded import Expanded, restore
from sdf_frames.document.places import source_of
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, find_child, locate, read_xml, report_root, tag_of
from sdf_frames.document.xml_text import decode_document
from sdf_frames.options import LoadOptions

if TYPE_CHECKING:
    from sdf_frames.convert.urdf_to_sdf import Conversion
    from sdf_frames.frames.resolve import Scope
    from sdf_frames.inertia.result import InertiaResult
    from sdf_frames.sdf.model import Root
    from sdf_frames.urdf.model import Robot

#: Bytes that an element of a URDF takes in memory with what is made of it, besides its text; 1,200 in the PR2.
_SIZE = 1200

__all__ = ["Description", "LoadOptions", "load_file", "load_text"]


def load_file(path: str | os.PathLike[str], options: LoadOptions = LoadOptions(),
              read: Callable[[str, int], bytes] = read_named) -> Description:
    """Load a URDF or SDFormat file, which `read` opens; one that cannot be read gives a finding, not an exception."""
    name = os.fspath(path)
    try:
        content = read(name, options.budget.bytes)
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        unreadable = diagnose("file-unreadable", Location(name), file=name, problem=problem)
        return Description(name, Resolver(), diagnostics=(unreadable,))
    return load_text(content, name, options)


def load_text(text: str | bytes, file: str | None = None, options: LoadOptions = LoadOptions()) -> Description:
    """Load URDF or SDFormat text, told apart by the root element.

    Parameters
    ----------
    text : the document.
    file : its name, for locations and for what is relative to it.
    options : see :class:`LoadOptions`.

    Returns
    -------
    Description
        Also for text that is no robot description: the findings say so, and nothing is raised.

    Raises
    ------
    TypeError
        ``inertia_calculator`` is no function, name or mapping, or a key of the mapping names nothing in the text.
    """
    loading = _Loading(file, options, text)
    document, found = read_xml(text, file, spending=loading.spending)
    loading.found += found
    if document is None:
        return loading.finish(loading.begun)
    tag = tag_of(document.root)
    if tag == "robot":
        return loading.finish(loading.read_srdf(document) or loading.read_urdf(document))
    if tag == "sdf":
        return loading.finish(loading.read_sdf(document, text))
    loading.found.append(report_root(document.root))
    return loading.finish(loading.begun)


def load_converted(conversion: Conversion, options: LoadOptions) -> Description:
    """Check a URDF that has been converted, without reading or converting it again.

    Its document becomes one of SDFormat 1.12 in place: write the text before. `options` are for finding files and for
    inertias. The findings are those on the result, not those of the conversion.
    """
    loading = _Loading(conversion.document.file, options)
    loading.note_inertias(conversion, loading.found)
    return loading.finish(loading.take_converted(conversion))


#: The findings on a URDF, and its conversion, None if it has errors.
_Converted = tuple[tuple[Diagnostic, ...], "Conversion | None"]


class _Loading:
    """The state of one load: what it passes down, and what it collects.

    Attributes
    ----------
    found : findings so far.
    begun : the description, with nothing read yet.
    reported : links, as (file, name in SDF), whose inertia was checked as their URDF states it.
    excused : errors in inertias of a URDF that do not concern the SDF, because the inertia in it is possible.
    """

    def __init__(self, file: str | None, options: LoadOptions, given: str | bytes = ""):
        self.file, self.options = file, options
        self.resolver = options.make_resolver()
        self.begun = Description(file, self.resolver, options=options,
                                 expanded=given if isinstance(given, Expanded) else None)
        self.spending = Spending(options.budget)
        self.found: list[Diagnostic] = [*given.findings] if isinstance(given, Expanded) else []
        self.reported: set[tuple[str | None, str]] = set()
        self.excused: set[Diagnostic] = set()

    def read_sdf(self, document: Document, text: str | bytes) -> Description:
        """Read an SDFormat document, and the files that it includes."""
        root = self._read_root(document)
        return self.begun._replace(kind="sdf", document=document, given=text, root=root)

    def read_srdf(self, document: Document) -> Description | None:
        """Take a document that is an SRDF; None for any other ``<robot>``."""
        if find_child(document.root, "link") is not None:
            return None
        from sdf_frames.checks.srdf import is_srdf
        if not is_srdf(document.root):
            return None
        self.found.append(diagnose("srdf-without-urdf", locate(document.root), file=self.file or "ROBOT.srdf"))
        return self.begun._replace(srdf=document)

    def read_urdf(self, document: Document) -> Description:
        """Read and convert a URDF; if it cannot be converted, keep every link and fixed joint, for its kinematics."""
        from sdf_frames.convert.massless import put_loss_first
        from sdf_frames.convert.urdf_to_sdf import add_consequences
        from sdf_frames.urdf.parse import is_refused, read_for_all
        robot, found = read_for_all(document)
        if robot is None or is_refused(found):
            self.found += found
            return self.begun._replace(kind="urdf", refused=robot)
        read = self.begun._replace(kind="urdf", robot=robot)
        if not (unread := has_errors(found)):
            conversion = _convert(robot, self.options)
            self.found += [*add_consequences(found, conversion), *conversion.diagnostics]
            self.note_inertias(conversion, self.found)
            read = self.take_converted(conversion)
        else:
            self.found += found
        if read.root is None:
            read = read._replace(kept=self._keep(robot, report_inertias=unread))
        self.found = list(put_loss_first(tuple(self.found)))
        return read

    def take_converted(self, conversion: Conversion) -> Description:
        """Read the SDF of a converted robot; there is no model if the conversion has an error."""
        root = None if has_errors(conversion.diagnostics) else self._read_converted(conversion)
        return self.begun._replace(kind="urdf", document=conversion.document, robot=conversion.robot, root=root,
                                   conversion=conversion)

    def _keep(self, robot: Robot, report_inertias: bool) -> Kept | None:
        """Convert `robot` with every link and fixed joint kept; add findings on its inertias as written."""
        whole = self.options._replace(preserve_fixed_joints=True, massless="keep")
        apart = _Loading(self.file, whole)
        conversion = _convert(robot, whole)
        if report_inertias:
            apart.note_inertias(conversion, self.found)
        root = apart._read_converted(conversion)
        return None if root is None else Kept(root, conversion)

    def _read_converted(self, conversion: Conversion) -> Root | None:
        tree = conversion.document.root
        version = tree.get("version", "")
        root = self._read_root(conversion.document)
        tree.set("version", version)  # what a converter writes needs no change in 1.12, but it is written as what it is
        return root

    def _read_root(self, document: Document) -> Root | None:
        from sdf_frames.sdf.parse import read_sdf
        root, found = read_sdf(document, self.resolver, self._convert_included, self.spending, self.options.memory)
        self.found += found
        return root

    def note_inertias(self, conversion: Conversion, found: list[Diagnostic]) -> None:
        """Check the inertias of a robot as they are written, and note which links of the SDF have them."""
        from sdf_frames.checks.robot_inertia import check_robot_inertials
        written = check_robot_inertials(conversion)
        self.reported.update([(conversion.document.file, link) for link in written.carriers])
        self.excused.update(written.excused)
        found += written.found

    def _convert_included(self, document: Document, found: list[Diagnostic]) -> Document | None:
        """Convert an included URDF to an SDFormat document, once for a memory; None if it has errors."""
        from sdf_frames.convert.urdf_to_sdf import add_consequences
        from sdf_frames.urdf.parse import read_robot
        options, text, memory = self.options, source_of(document.root).text, self.options.memory
        key = (_convert, document.file, text, *options.for_conversion())
        known: _Converted | None = memory.find(key) if memory is not None else None
        kept = known is not None
        if known is None:
            robot, more = read_robot(document)
            known = more, None if robot is None or has_errors(more) else _convert(robot, options)
            size = 2 * len(text or b"") + _SIZE * sum(1 for _ in document.root.iter())
            kept = memory is not None and memory.keep(key, known, size)
        more, conversion = known
        if conversion is None:
            found += more
            return None
        found += [*add_consequences(more, conversion), *conversion.diagnostics]
        self.note_inertias(conversion, found)
        return conversion.document.copy() if kept else conversion.document

    def finish(self, read: Description) -> Description:
        """Resolve and check what was read."""
        root, given, computed = read.root, read.given, None
        scopes = _resolve(root if read.kept is None else read.kept.root, read.robot)
        if root is not None and self.options.auto_inertia != "skip":
            root, given, computed = self._save_inertias(root, given, scopes)
            scopes = _resolve(root, read.robot) if root is not read.root else scopes
        if root is not None:
            from sdf_frames.checks.root import check_root
            checked = check_root(root, scopes, self.options.inertia_failure, frozenset(self.reported),
                                 read.conversion)
            self.found += checked if read.robot is None else _leave_joined(checked, read.robot)
        elif read.kept is not None:
            from sdf_frames.checks.frames import check_frames
            self.found += [d for scope in scopes for d in check_frames(scope.graph)]
        if read.robot is not None and (read.robot.transmissions or read.robot.ros2_control):
            from sdf_frames.checks.plugin_names import check_controls
            self.found += check_controls(read.robot)
        if computed is not None:
            self.found += computed.diagnostics
        found = tuple(dict.fromkeys(self.found))
        convertible = root is not None and not has_errors([d for d in found if d not in self.excused])
        return read._replace(diagnostics=restore(read.expanded, found), given=given, root=root, scopes=scopes,
                             convertible=convertible, reported=frozenset(self.reported), computed=computed)

    def _save_inertias(self, root: Root, given: str | bytes | None,
                       scopes: tuple[Scope, ...]) -> tuple[Root, str | bytes | None, InertiaResult]:
        """Compute the inertias; return model and text, with the inertias in them if the options say so, and these."""
        from sdf_frames.inertia.compute import compute_inertias
        from sdf_frames.inertia.link import InertiaOptions
        from sdf_frames.inertia.write_file import SAVE_IN_ELEMENT, save_in_root, save_in_text
        result = drop_known(compute_inertias(
            root, [scope.graph for scope in scopes], self.resolver, InertiaOptions(**inertia_choices(self.options)),
            frozenset(self.reported)), self.found)
        if self.options.auto_inertia == SAVE_IN_ELEMENT:
            given = None if given is None else save_in_text(decode_document(given), root, result)
            root = save_in_root(root, result)
        return root, given, result


def _resolve(root: Root | None, robot: Robot | None) -> tuple[Scope, ...]:
    """Resolve every world and the root model of a document."""
    if root is None:
        return ()
    from sdf_frames.frames.graph import build_graph
    from sdf_frames.frames.left_out import find_left_out
    from sdf_frames.frames.resolve import resolve_scope
    graphs = [build_graph(scope) for scope in (*root.worlds, *([root.model] if root.model is not None else ()))]
    return tuple([resolve_scope(graph, find_left_out(graph, robot)) for graph in graphs])


def _convert(robot: Robot, options: LoadOptions) -> Conversion:
    from sdf_frames.convert.urdf_to_sdf import convert_robot
    return convert_robot(robot, options.for_conversion())


def _leave_joined(found: list[Diagnostic], robot: Robot) -> list[Diagnostic]:
    """Return findings without those that no joint connects a link which a joint of the URDF does connect.

    SDFormat has no floating and no planar joint. The conversion warns about each of them.
    """
    from sdf_frames.urdf.model import JOINT_TYPES
    free = [joint for joint in robot.joints if joint.type in JOINT_TYPES and JOINT_TYPES[joint.type].sdf is None]
    ends = tuple([f'/link[@name="{end}"]' for joint in free for end in (joint.parent, joint.child)])
    return [d for d in found if d.name != "link-unjoined" or not (d.path or "").endswith(ends)]
