"""The elements of a world or model besides frames, axes, shapes and inertias: settings, sensors, lights, plugins."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sdf_frames.api.errors import demand_names
from sdf_frames.api.pose import Pose, wrap_pose
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import Element, file_of, text_of
from sdf_frames.document.numbers import read_bool, read_numbers
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import Scope, find_pose_in
from sdf_frames.sdf import model as sdf
from sdf_frames.sdf.entities import read_pose
from sdf_frames.sdf.names import NOT_WRITTEN, has_prefix
from sdf_frames.sdf.table import Spec, ValueSpec, find_spec, is_uri, load_table
from sdf_frames.spatial.pose import normalise

#: Tags of elements with a name and settings within a world, model, link, joint, visual or sensor.
_PARTS = frozenset({"sensor", "light", "plugin", "projector", "audio_source", "particle_emitter", "battery", "gripper",
                    "actor", "physics", "road", "population"})
_MODEL = {"model", "link", "joint", "frame", "include", "pose", "model_state", "@placement_frame", "@canonical_link"}
_AXIS = ("xyz", "mimic", "limit/lower", "limit/upper", "limit/effort", "limit/velocity")
_SHAPE = ("pose", *[f"geometry/{path}" for path in (
    "empty", "box", "capsule", "cone", "cylinder", "ellipsoid", "plane", "polyline", "sphere", "heightmap/uri",
    "heightmap/size", "heightmap/pos", "image/uri", "image/scale", "image/height", "mesh/uri", "mesh/scale",
    "mesh/submesh", "mesh/@optimization")])
#: Content of an element that is read elsewhere, by its tag.
_READ_ELSEWHERE: dict[str, frozenset[str]] = {
    "world": frozenset({*_MODEL, "state"}), "model": frozenset(_MODEL),
    "link": frozenset({"pose", "visual", "collision", "inertial/mass", "inertial/pose", "inertial/inertia",
                       "inertial/density", "inertial/auto_inertia_params", "inertial/@auto"}),
    "joint": frozenset({"parent", "child", "pose", "@type",
                        *[f"{axis}/{path}" for axis in ("axis", "axis2") for path in _AXIS]}),
    "visual": frozenset(_SHAPE), "collision": frozenset({*_SHAPE, "density", "auto_inertia_params"}),
}
_POSE, _ZERO = frozenset({"pose"}), "0 0 0 0 0 0"
#: Finds the file of a URI that is written in the file of the second argument.
_FindFile = Callable[[str, "str | None"], "str | None"]


class ElementSettings(NamedTuple):
    """The settings of an element, by their path in it: ``tag/tag`` or ``tag/@attribute``.

    ``texts`` are the texts as written, ``defaults`` the defaults of the specification for these paths, ``parts`` the
    parts within the element, which have their own settings, ``uris`` the elements whose texts are URIs.
    """

    texts: dict[str, str]
    defaults: dict[str, str]
    parts: list[Element]
    uris: dict[str, Element]

    def note(self, place: str, text: str, value: ValueSpec | None) -> None:
        """Store the text at a path, a truth value as ``true`` or ``false``."""
        default = find_default(value)
        if default:
            self.defaults[place] = default
        truth = read_bool(text) if value is not None and value.type == "bool" else None
        self.texts[place] = (text.strip() or default) if truth is None else str(truth).lower()


def find_default(value: ValueSpec | None) -> str:
    """Return the default of the specification for a value; "" if it has none."""
    return "" if value is None or value.default == NOT_WRITTEN else value.default


def read_settings(element: Element) -> ElementSettings:
    """Read the settings of an element of an upgraded ``<sdf>`` tree, without name, pose, and content read elsewhere.

    Content that readers ignore is left out.
    """
    found = ElementSettings({}, {}, [], {})
    _read(element, find_spec(element), "", _READ_ELSEWHERE.get(element.tag, _POSE), found)
    return found


def _read(element: Element, spec: Spec | None, path: str, skipped: frozenset[str], found: ElementSettings) -> None:
    """Store the texts of an element and of its content; without a `spec`, of all content."""
    free = spec is None or spec.anything
    for key, text in sorted((str(key), str(text)) for key, text in element.attrib.items()):
        value, place = None if spec is None else spec.attributes.get(key), f"{path}@{key}"
        if place != "@name" and place not in skipped and not has_prefix(key) and (free or value):
            found.note(place, text, value)
    counts: Counter[str] = Counter()
    for child in element:
        if not isinstance(tag := child.tag, str):
            continue  # a comment
        child_spec = None if spec is None else spec.children.get(tag)
        counts[tag] += 1
        if path + tag in skipped or (spec is not None and tag in spec.single and counts[tag] > 1):
            continue
        if child_spec is not None and (tag in _PARTS or not (  # <audio_sink/> has no content: its presence counts
                child_spec.value or child_spec.occurrence or child_spec.anything)):
            found.parts.append(child)
        elif child_spec is not None or free or has_prefix(tag):
            place = f"{path}{tag}" if counts[tag] == 1 else f"{path}{tag}[{counts[tag]}]"
            text = collapse_blanks(child.text or "")
            if (text or not len(child)) if child_spec is None else child_spec.value:
                found.note(place, text, None if child_spec is None else child_spec.value)
                if is_uri(child):
                    found.uris[place] = child
            _read(child, child_spec, f"{place}/", skipped, found)


@dataclass(frozen=True, slots=True)
class Part:
    """A sensor, light, plugin or other element, or the settings of a world, model, link, joint or shape.

    A frame is a part if its pose cannot be resolved.

    Attributes
    ----------
    kind : the element's tag: ``sensor``, ``light``, ``plugin``, …; ``world``, ``model``, ``link``, ``joint``,
        ``visual`` and ``collision`` for settings of these.
    name : SDF name. The name of a part inside another part is the name of the owner, ``::``, and its own name.
    owner : name of the part that contains it; None for worlds, root models, links, joints and models.
    pose : pose in the owner; for a root model, pose in the world; None if there is no pose, or if it cannot be
        resolved. Poses of other models, links and joints are in `frames`.
    settings : mapping of paths in the element, such as ``camera/image/width`` or ``@type``, to texts; with ``pose``
        if it cannot be resolved.
    defaults : default values of the specification for these settings.
    files : the path of the file or folder of each setting that is a URI; None if it is not found.
    """

    kind: str
    name: str
    owner: str | None = None
    pose: Pose | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str | None] = field(default_factory=dict, compare=False)

    def find(self, path: str) -> str:
        """Return the setting at a path, such as ``camera/clip/far``, or the default of the specification, or ""."""
        demand_names(path=path)
        if text := self.settings.get(path):
            return text
        world, model = (load_table().children[tag] for tag in ("world", "model"))
        holders = (load_table(), world, model, model.children["link"])
        spec = next((holder.children[self.kind] for holder in holders if self.kind in holder.children), None)
        *tags, last = path.split("/")
        for tag in tags if last.startswith("@") else (*tags, last):
            spec = spec.children.get(tag) if spec is not None else None
        if spec is None:
            return ""
        return find_default(spec.attributes.get(last[1:]) if last.startswith("@") else spec.value)


def list_parts(scope: Scope, find: _FindFile) -> Iterator[Part]:
    """List the parts of a scope, each owner before its parts."""
    graph = scope.graph
    for vertex, (row, entity) in enumerate(zip(scope.frames, graph.entities)):
        if isinstance(entity, sdf.Frame):
            if entity.merged is not None:  # the parts of a merged model belong to the model around it
                prefix = row.name.rpartition("::")[0]
                yield from _list_inner(graph, 0 if not prefix else graph.vertices[prefix], prefix, find, [
                    *read_settings(entity.merged.element).parts, *entity.element.iterchildren("plugin")])
            elif row.pose is None:
                yield Part(row.kind, row.name, settings=_spell_pose(entity.pose.element))
            continue
        texts, defaults, parts, uris = read_settings(entity.element)
        if isinstance(entity, sdf.Model):
            texts["static"], defaults["static"] = str(entity.static).lower(), "false"  # an include may set it
            parts = [*parts, *([] if entity.include is None else entity.include.iterchildren("plugin"))]
        if row.pose is None and not isinstance(entity, sdf.World):
            texts |= _spell_pose(entity.pose.element)
        posed: tuple[sdf.Part | sdf.Collision, ...] = ()
        if isinstance(entity, sdf.Link):
            parts = [*parts, *entity.element.iterchildren("visual", "collision")]
            posed = (*entity.parts, *entity.collisions)
        elif isinstance(entity, sdf.Joint):
            posed = entity.sensors
        pose = _find_pose(graph, 0, entity.pose) if isinstance(entity, sdf.Model) and vertex == 0 else None
        yield Part(row.kind, row.name, None, pose, texts, defaults, _find_files(uris, find))
        yield from _list_inner(graph, vertex, row.name if vertex else "", find, parts,
                               {p.element: p.pose for p in posed})


def list_root_parts(root: sdf.Root, find: _FindFile) -> Iterator[Part]:
    """List the lights and actors of a document that has neither a model nor a world."""
    yield from _list_inner(None, 0, "", find, [*root.element.iterchildren("light", "actor")])


def _list_inner(graph: FrameGraph | None, vertex: int, owner: str, find: _FindFile, elements: list[Element],
                poses: Mapping[Element, sdf.RawPose] = {}) -> Iterator[Part]:
    """Yield the parts of these elements within `owner`, which has a vertex, and the parts within them.

    `poses` has those that the model knows better than the text: in a merged model, ``__model__`` is its own frame.
    """
    counts: dict[tuple[str, str], int] = {}
    for element in elements:
        name = element.get("name") or element.tag
        counts[element.tag, name] = count = counts.get((element.tag, name), 0) + 1
        full = f"{owner}::{name}" if owner else name
        full = full if count == 1 else f"{full}[{count}]"
        texts, defaults, inner, uris = read_settings(element)
        if element.tag == "visual" and (colour := _read_urdf_colour(element)) is not None:
            texts["material/diffuse/@rgba"] = colour
        raw = poses.get(element) or read_pose(element)
        pose = _find_pose(graph, vertex, raw)
        if pose is None and raw.element is not None:
            texts |= _spell_pose(raw.element)
        yield Part(element.tag, full, owner, pose, texts, defaults, _find_files(uris, find))
        yield from _list_inner(graph, vertex, full, find, inner)


def _spell_pose(pose: Element | None) -> dict[str, str]:
    """Return a pose that cannot be resolved as settings; it is zero by default."""
    if pose is None:
        return {"pose": _ZERO}
    return {"pose": collapse_blanks(pose.text or "") or _ZERO, **{
        f"pose/@{key!s}": str(text) for key, text in pose.attrib.items()}}


def _find_files(uris: Mapping[str, Element], find: _FindFile) -> dict[str, str | None]:
    return {place: find(uri, file_of(element)) for place, element in uris.items() if (uri := text_of(element))}


def _read_urdf_colour(visual: Element) -> str | None:
    """Return the URDF colour that the diffuse colour of a visual was made from; None if there is none."""
    from sdf_frames.convert.round_trip_attributes import NO_COLOUR, RGBA, attribute, restore_colour
    diffuse = visual.find("material/diffuse")
    if diffuse is None or (text := diffuse.get(attribute(RGBA))) is None or (
            values := read_numbers(diffuse.text or "", 4)) is None:
        return None
    restored = restore_colour(diffuse, values)
    return text if restored == (None if text == NO_COLOUR else read_numbers(text, 4)) else None  # else it was edited


def _find_pose(graph: FrameGraph | None, vertex: int, raw: sdf.RawPose) -> Pose | None:
    """Return a pose in the frame of a vertex; without a graph, the pose as written."""
    if raw.element is None:
        return None
    return wrap_pose(normalise(raw.X) if graph is None else find_pose_in(graph, vertex, raw))
