"""What worker processes do: functions of plain values that load a description and return what pickles well.

Imports no ROS. Texts and URIs come from the network: text is parsed as untrusted, and a `uri` is read only where it
leads below a resource path (after following links).
"""
from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import Any, NamedTuple

from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, diagnose, tell_once
from sdf_frames.document.expanded import Expanded, plain_text
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import name_file
from sdf_frames.document.xml_text import locate_offset
from sdf_frames.frames.kinematics import MovingJoint
from sdf_frames.frames.tf import TfTree, Transform
from sdf_frames.frames.tf_check import check_tf as compare_tf
from sdf_frames.frames.tf_observed import Observed
from sdf_frames.inertia.compute import drop_density_notices, total_inertia
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.load import Description, LoadOptions, load_file, load_text
from sdf_frames.ros.description_files import find_description, read_description_file, read_xacro_args
from sdf_frames.ros.frame_table import FrameEntry, list_frames
from sdf_frames.ros.pieces import Pieces
from sdf_frames.ros.settings import Settings
from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import Pose, Vector
from sdf_frames.writers.as_sdf import write_sdf
from sdf_frames.writers.as_urdf import convert_to_display
from sdf_frames.writers.written import render

#: A description as it is loaded.
Text = str | Expanded


class Edge(NamedTuple):
    """Pose (x, y, z, qw, qx, qy, qz) of the frame `child` in the frame `parent`; metres, unit quaternion."""

    parent: str
    child: str
    pose: Pose


@dataclass(frozen=True)
class HeldDescription:
    """A description as the node holds it: everything that is published and looked up, and the findings.

    Attributes
    ----------
    text : the description, or what xacro made of one.
    findings : of loading and checking.
    kind : ``"urdf"``, ``"sdf"``, or None where it is neither.
    robot : name of the model or world.
    good : whether every frame has a pose and a body: the node may publish TF and answer about frames.
    sdf_text : the SDF to publish; None if the description cannot be converted.
    transforms, tf_findings : what goes on /tf_static, and what is left out of it.
    entries : all frames.
    moving : what joints move, where that goes on /tf.
    leaders : the joints that others mimic; in mode complement, some move no frame of `moving`.
    complete : False where the reading was given up, by the time limit or a fault.
    """

    text: Text
    findings: tuple[Diagnostic, ...]
    kind: str | None = None
    robot: str = ""
    good: bool = False
    sdf_text: str | None = None
    transforms: Pieces[Edge] = Pieces(())
    tf_findings: tuple[Diagnostic, ...] = ()
    entries: Pieces[FrameEntry] = Pieces(())
    moving: Pieces[Transform] = Pieces(())
    leaders: tuple[MovingJoint, ...] = ()
    complete: bool = True

    @property
    def convertible(self) -> bool:
        """Whether there is an SDF to publish."""
        return self.sdf_text is not None


class Subject(NamedTuple):
    """What a request is about: its `text`, else the file that `uri` names."""

    text: Text
    uri: str


def read_description(text: Text, settings: Settings) -> HeldDescription:
    """Load a description and work out all that the node publishes of it."""
    loaded = load_text(text, None, settings.loading)
    found = (*_find_replaced(text), *loaded.diagnostics)
    robot = loaded.scopes[0].name if loaded.scopes else ""
    # TF needs to know what each frame is attached to, too.
    if not loaded.resolved or any(frame.link is None for scope in loaded.scopes for frame in scope.frames):
        return HeldDescription(text, found, loaded.kind, robot)
    tree = loaded.tf_tree(motions=settings.joint_states, **settings.naming())
    still, moving = _divide(tree, settings)
    sdf = render(write_sdf(loaded))[0] if loaded.convertible else None
    return HeldDescription(text, found, loaded.kind, robot, True, sdf,
                           Pieces([Edge(t.parent, t.child, t.pose) for t in still]), tree.diagnostics,
                           Pieces(list_frames(loaded.scopes, tree, settings.frame_prefix)), Pieces(moving),
                           _list_leaders(tree))


def _find_replaced(text: Text) -> list[Diagnostic]:
    """Say where a text from a message holds U+FFFD first: rclpy puts it in place of bytes that are not UTF-8."""
    before, replaced, _ = plain_text(text).partition("\ufffd")
    if not replaced:
        return []
    place = before.encode(errors="surrogatepass")
    return [diagnose("xml-invalid-bytes", locate_offset(None, place, len(place)))]


def _divide(tree: TfTree, settings: Settings) -> tuple[list[Transform], list[Transform]]:
    """Return what the node publishes on /tf_static, and on /tf."""
    parts: tuple[list[Transform], list[Transform]] = [], []
    for transform in tree.select(settings.tf_mode):
        parts[settings.joint_states and bool(transform.steps)].append(transform)
    return parts


def _list_leaders(tree: TfTree) -> tuple[MovingJoint, ...]:
    """List the joints that others mimic."""
    joints = {step.joint.name: step.joint for transform in tree.transforms for step in transform.steps}
    names = dict.fromkeys([a.mimic.joint for joint in joints.values() for a in joint.axes if a.mimic is not None])
    return tuple([joints[name] for name in names if name in joints])


class FileText(NamedTuple):
    """What :func:`read_file` returns: the text of a description, the files that were read, and why there is no text."""

    text: Text = ""
    files: tuple[str, ...] = ()
    problem: str = ""


def read_file(name: str, arguments: str, resource_paths: Sequence[str]) -> FileText:
    """Read the description file. The arguments are parameters set at the start: a .xacro file runs Python code."""
    files: list[str] = []
    try:
        files.append(str(path := find_description(name)))
        text = read_description_file(path, read_xacro_args(arguments), resource_paths, files)
    except (OSError, ValueError) as error:
        return FileText("", tuple(files), str(error))
    return FileText(text, tuple(files))


def load_uri(uri: str, options: LoadOptions) -> tuple[Description | None, list[Diagnostic]]:
    """Load the file that a URI from the network names, if it is one that may be read."""
    options = options._replace(confined=True)
    resolver = options.make_resolver()
    path = resolver.find(uri)
    if path is None or not resolver.door.is_file(path):
        # Of the places outside of the resource paths nothing is said, not even whether they exist.
        problem = "it is a folder" if path else explain(uri, None, resolver)
        return None, [diagnose("uri-not-permitted", uri=uri, problem=problem)]
    return load_file(path, options, resolver.door.read), []


def _load(subject: Subject, options: LoadOptions) -> tuple[Description | None, list[Diagnostic]]:
    loaded, found = ((load_text(subject.text, None, options), _find_replaced(subject.text)) if subject.text
                     else load_uri(subject.uri, options))
    return loaded, found if loaded is None else [*found, *loaded.diagnostics]


def check_description(subject: Subject, options: LoadOptions, consumers: Sequence[str] = ()) -> list[Diagnostic]:
    """Return all findings on a description, or what they are for `consumers`."""
    loaded, found = _load(subject, options)
    return found if loaded is None or not consumers else loaded.judge(consumers)


def compute_masses(subject: Subject, options: LoadOptions, choices: dict[str, Any],
                   ) -> tuple[Pieces[LinkInertia], tuple[float, Vector, Tensor] | None, list[Diagnostic]]:
    """Compute inertias of links.

    `choices` are keyword arguments of :class:`sdf_frames.inertia.link.InertiaOptions`.

    Returns
    -------
    links, total, findings
        The total is that of :func:`sdf_frames.inertia.compute.total_inertia`; None without links.
    """
    loaded, found = _load(subject, options)
    if loaded is None:
        return Pieces(()), None, found
    result = loaded.inertias(**choices)
    found = _choose_on_inertia(drop_density_notices(found, choices.get("density")), choices.get("links", ()), loaded)
    implausible = check_plausibility(loaded.root, result, loaded.resolver, options.budget)
    found = tell_once([*found, *result.diagnostics, *implausible])
    return Pieces(result.links), total_inertia(loaded.graphs, result.links) if result.links else None, found


def _choose_on_inertia(found: list[Diagnostic], links: Sequence[str], loaded: Description) -> list[Diagnostic]:
    """The findings on inertias and meshes, of these links if any are named; all findings if there are no links."""
    if loaded.root is None and loaded.kept is None:
        return found
    places = [f'link[@name="{name.rpartition("::")[2]}"]' for name in links]
    return [d for d in found if d.code[0] in "IG"
            and (not places or d.path is None or any(place in d.path for place in places))]


def find_inertias(text: Text, options: LoadOptions) -> Pieces[LinkInertia]:
    """Return the links' inertias as the description has them."""
    return Pieces(load_text(text, None, options).inertias().links)


def convert(subject: Subject, options: LoadOptions) -> tuple[str | None, Pieces[Row], list[Diagnostic]]:
    """Convert a URDF: the SDF, the rows of the report, and the findings."""
    loaded, found = _load(subject, options)
    if loaded is None:
        return None, Pieces(()), found
    if loaded.kind == "sdf":
        return None, Pieces(()), [*found, diagnose("not-a-urdf")]
    sdf, more = render(write_sdf(loaded))
    return sdf, Pieces(loaded.report), list(dict.fromkeys((*found, *more)))


def write_urdf(text: Text, settings: Settings) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Write the URDF for RViz and robot_state_publisher: an SDF converted, a URDF with paths for ``model://`` URIs.

    Returns
    -------
    urdf, findings
        Where there is no URDF, the findings say why.
    """
    options = settings.loading
    loaded = load_text(text, None, options)
    if loaded.kind == "sdf":
        return render(convert_to_display(loaded, settings.scope_separator))

    def find(match: re.Match[str]) -> str:
        path = loaded.resolver.find(unescape(match[2]))
        return match[0] if path is None else f"{match[1]}{escape(name_file(path), quote=True)}"
    return re.sub(r"""(filename\s*=\s*["'])(model://[^"']*)""", find, plain_text(text)), ()


def check_tf(text: Text, settings: Settings, heard: list[Observed], choices: dict[str, Any]) -> list[Diagnostic]:
    """Compare what was heard on /tf and /tf_static with a description.

    `choices` are the publishers, ages and tolerances of :func:`sdf_frames.frames.tf_check.check_tf`.
    """
    transforms, optional, at_zero = _expect_tf(text, settings)
    return list(compare_tf(transforms, heard, optional=optional, at_zero=at_zero, **choices))


@lru_cache(maxsize=1)
def _expect_tf(text: Text, settings: Settings) -> tuple[tuple[Transform, ...], frozenset[str], frozenset[str]]:
    """Return the whole tree, the frames that may be missing, and the movable ones that belong on /tf_static."""
    loaded = load_text(text, None, settings.loading)
    tree = loaded.tf_tree(motions=True, places=True, **settings.naming())
    at_zero = frozenset(transform.child for transform in _divide(tree, settings)[0] if transform.movable)
    # What only this node would publish may be missing where it is told to publish nothing.
    optional = frozenset(t.child for t in tree.select("complement")) if settings.tf_mode == "none" else frozenset()
    return tree.transforms, optional, at_zero


def warm_up() -> None:
    """Prepare a worker process: do a little of everything once, so that all modules are imported."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may come to all processes of a service; the node ends this one
    text = ('<robot name="r"><link name="a"><inertial><mass value="1"/>'
            '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial></link><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
            '</joint></robot>')
    read_description(text, Settings())
    compute_masses(Subject(text, ""), LoadOptions(), {})
