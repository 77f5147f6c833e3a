"""Puts settings that have no element in URDF under ``<gazebo>``: of links, joints, shapes and models of SDFormat.

A setting keeps its SDFormat element: ``<gazebo reference="wheel"><collision><surface>…``. Under ``<gazebo>``, a setting
of a shape holds for all collisions, or all visuals, of the link. It is written only if all of them have the same.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from lxml import etree

from sdf_frames.convert.extensions import SETTINGS
from sdf_frames.convert.job import SCRIPTS
from sdf_frames.convert.report import Entry, row_kind
from sdf_frames.convert.round_trip_attributes import restore_colour, scale_colour
from sdf_frames.convert.urdf_job import UrdfJob
from sdf_frames.document.elements import Element, find_child, locate, tag_of, text_of
from sdf_frames.document.numbers import read_bool, read_number, read_numbers
from sdf_frames.sdf.entities import PARTS
from sdf_frames.sdf.model import Model
from sdf_frames.sdf.names import CARRIED
from sdf_frames.sdf.table import find_spec

#: The content that a URDF can state of materials: a colour and a texture, or the name of a Gazebo Classic material.
_PLAIN = {"diffuse", "ambient", "script", "script/uri", "script/name", "pbr", "pbr/metal", "pbr/metal/albedo_map"}
#: Children that are written elsewhere in the URDF, or that have no meaning there.
_WRITTEN = {
    "link": {"pose", "inertial", "collision", *PARTS},
    "inertial": {"pose", "mass", "inertia", "density", "auto_inertia_params"},
    "joint": {"parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch", "gearbox_ratio",
              "gearbox_reference_body"},
    "model": {"link", "joint", "frame", "model", "include", "pose", "placement_frame"},
    **dict.fromkeys(("collision", "visual"), {"pose", "geometry", "material", "density", "auto_inertia_params"})}

#: The settings of axes in a joint of a URDF, and those of a single axis in ``<gazebo>``.
_OF_AXES = {"xyz", "lower", "upper", "effort", "velocity", "damping", "friction", "multiplier", "offset", "reference"}
_OF_ONE_AXIS = {"spring_reference", "spring_stiffness"}


def carry_settings(job: UrdfJob, i: int, reference: str | None, more: Iterable[Element] = ()) -> None:
    """Carry the settings and sensors of the part at vertex `i`, such as ``<gravity>``, and `more`, into a ``<gazebo>``.

    Parameters
    ----------
    reference : name of the link or joint in the URDF; None for the model.
    """
    settings = sorted(_list_settings(job.graph.kinds[i], job.contents[i]),
                      key=lambda setting: setting.tag not in SETTINGS)  # as conversion reads
    job.rows += [_report(setting, setting.get("name") or job.graph.entities[i].name, reference) for setting in settings]
    if below := [*[job.copy(setting, i) for setting in settings], *more]:
        job.add_gazebo(reference).extend(below)


def carry_shape_settings(job: UrdfJob, shapes: Sequence[Element], i: int) -> list[Element]:
    """Copy the settings that all collisions, or all visuals, of a link share, such as ``<surface>``, for ``<gazebo>``.

    Parameters
    ----------
    shapes : the ``<collision>``, or the ``<visual>``, elements that the URDF has.
    i : vertex of the link in the URDF.
    """
    if not shapes:
        return []
    reference = job.names[i]
    carried = etree.Element(shapes[0].tag)
    settings = [_list_settings(carried.tag, shape.iterchildren("*")) for shape in shapes]
    materials = [material for shape in shapes for material in shape.iterfind("material")]
    if _is_brightened(materials, len(shapes)):
        settings = [[*some, material] for some, material in zip(settings, materials)]
    for tag in dict.fromkeys([str(setting.tag) for some in settings for setting in some]):
        alike = [[setting for setting in some if setting.tag == tag] for some in settings]
        if _agree(job, shapes, alike, reference):
            carried.extend([job.copy(setting, i) for setting in alike[0]])
    scripts = [[script for script in shape.iterfind("material/script") if script.getparent() not in some]
               for shape, some in zip(shapes, settings)]
    named = any(scripts) and _agree(job, shapes, scripts, reference)
    return [*([carried] if len(carried) else ()), *([_name_material(scripts[0][0])] if named else ())]


def carry_springs(job: UrdfJob, joint: Element, reference: str) -> list[Element]:
    """Make the ``<gazebo>`` settings for the spring of a joint of one axis."""
    settings = []
    for name, kind in SETTINGS.items():
        spring = joint.find("/".join((*kind.around, *kind.tags))) if kind.around == ("axis", "dynamics") else None
        if spring is not None and read_number(text_of(spring)):
            settings.append(etree.Element(name))
            settings[-1].text = text_of(spring)
            job.rows.append(_report(spring, joint.get("name") or "", reference))
    return settings


def drop_axis_settings(job: UrdfJob, joint: Element, is_fixed: bool) -> None:
    """Report settings of the axes of a joint that a URDF cannot state, such as the stiffness of a limit.

    Parameters
    ----------
    is_fixed : whether the joint is written as a fixed one, which has no axis: that has its own finding.
    """
    name = joint.get("name") or ""
    for axis in joint.iterchildren("axis", "axis2"):
        said = _OF_AXES if axis.tag == "axis2" else _OF_AXES | _OF_ONE_AXIS
        parts = [part for part in axis.iterdescendants("*") if not len(part) and (text_of(part) or part.keys())]
        if is_fixed:
            job.rows += [_report(part, name, None, "a fixed joint has no axis") for part in parts
                         if not _is_default(part)]
        else:
            _drop(job, [part for part in parts if part.tag not in said], name, f"in joint {name!r}, ")


def drop_inertial_settings(job: UrdfJob, inertial: Element, link: str) -> None:
    """Report settings of an ``<inertial>`` that a URDF cannot state, such as ``<fluid_added_mass>``."""
    _drop(job, _list_settings("inertial", inertial.iterchildren("*")), link, f"in link {link!r}, ")


def drop_model_settings(job: UrdfJob, i: int, held: str | None) -> None:
    """Report the settings of a nested model, such as ``<plugin>``: no ``<gazebo>`` of a URDF can name the model.

    Parameters
    ----------
    held : the link to which all links of the model are fixed, if the model is static; else None.
    """
    name = job.graph.entities[i].name
    settings = _list_settings("model", job.contents[i])
    fixed = [part for part in settings if held and part.tag == "static" and not _is_default(part)]
    for part in fixed:
        job.tell("static", name, "moved", held, part, "the links of the model are fixed there")
    _drop(job, [part for part in settings if part not in fixed], name,
          reason=f"{name!r} is a nested model, which URDF does not have", hint="write it in the root model")


def drop_namespaces(job: UrdfJob) -> None:
    """Report the namespaces of models, which their includes can override."""
    reason, hint = "URDF has no namespace of a model", "give the namespace when you spawn the robot"
    for model in [entity for entity in job.graph.entities if isinstance(entity, Model)]:
        given = None if model.include is None else find_child(model.include, "namespace")
        if given is not None and text_of(given):
            _drop(job, [given], model.name, reason=reason, hint=hint)
        else:
            drop_attribute(job, model.element, "namespace", model.name, reason, hint)


def drop_attribute(job: UrdfJob, element: Element, attribute: str, owner: str, reason: str, hint: str) -> None:
    """Report an attribute that is not in the URDF, if it has a value."""
    if element.get(attribute):
        tag = tag_of(element)
        job.tell(f"{tag}/@{attribute}", owner, "dropped", None, element, reason)
        job.report("urdf-setting-dropped", locate(element, attribute), tag=f"{tag} {attribute}", reason=reason,
                   hint=hint)


def _drop(job: UrdfJob, settings: Iterable[Element], owner: str, where: str = "",
          reason: str = "URDF has no place for it", hint: str = "only the SDF can hold it") -> None:
    """Report settings that are not in the URDF, unless they have their defaults; the message says `where` they are."""
    for setting in settings:
        if not _is_default(setting):  # such as <static>false</static>
            job.rows.append(_report(setting, setting.get("name") or owner, None, reason))
            job.report("urdf-setting-dropped", locate(setting), tag=tag_of(setting), reason=where + reason, hint=hint)


def _name_material(script: Element) -> Element:
    """Return the ``<material>`` of a URDF's ``<gazebo>`` that names a material of Gazebo Classic."""
    material = etree.Element("material")
    material.text = (script.findtext("name") or "").strip()
    return material


def _list_settings(kind: str, contents: Iterable[Element]) -> list[Element]:
    """List the settings among the elements in a link, joint, model, …, without carried content of a URDF."""
    written = _WRITTEN[kind]
    return [child for child in contents if (child.tag not in written and not str(child.tag).startswith(CARRIED)) or (
        child.tag == "material" and not _is_plain(child))]


def _is_plain(material: Element) -> bool:
    """Return whether a URDF can state a material without ``<gazebo><visual>``."""
    tree = etree.ElementTree(material)
    said = all(tree.getelementpath(part) in _PLAIN or _is_default(part) for part in material.iterdescendants("*"))
    colours = {tuple(map(read_number, text_of(part).split())) for part in material.iterchildren("diffuse", "ambient")}
    return said and len(colours) < 2 and all(text_of(uri) == SCRIPTS for uri in material.iterfind("script/uri"))


def _is_brightened(materials: Sequence[Element], count: int) -> bool:
    """Return whether all of `count` shapes have one plain colour that the conversion back to SDF would brighten."""
    if len(materials) != count or len(set(map(_spell, materials))) != 1 or not _is_plain(first := materials[0]):
        return False
    for colour in first.iterchildren("diffuse", "ambient"):
        rgba = read_numbers(text_of(colour), 4)
        made_of = None if rgba is None else restore_colour(colour, rgba)
        return made_of is not None and scale_colour(made_of) != rgba
    return False


def _is_default(element: Element) -> bool:
    """Return whether an element has the default value."""
    spec = find_spec(element)
    if spec is None or spec.value is None:
        return False
    values = [[read_bool(word) if spec.value.type == "bool" else read_number(word) for word in text.split()]
              for text in (text_of(element), spec.value.default)]
    return values[0] == values[1] and None not in values[0]


def _agree(job: UrdfJob, shapes: Sequence[Element], settings: Sequence[Sequence[Element]], reference: str) -> bool:
    """Return whether all shapes have the same settings of one kind that a URDF can state; add rows and a finding."""
    every = [(setting, shape.get("name", "")) for shape, some in zip(shapes, settings) for setting in some]
    first, kind, reason = every[0][0], shapes[0].tag, None
    if len({tuple(map(_spell, some)) for some in settings}) > 1:
        reason = f"the {kind}s differ in it, and <gazebo> sets it for all of them"
        if first.tag == "material":
            reason += ("; only colours and textures are written, and readers that convert to SDFormat brighten the "
                       "colours")
        job.report("urdf-setting-dropped", locate(first), tag=first.tag, reason=f"in link {reference!r}, {reason}",
                   hint=f"write the same <{first.tag}> in each {kind} of the link, or give the {kind}s links of their "
                        "own")
    job.rows += [_report(setting, name, reference, reason) for setting, name in every]
    return reason is None


def _spell(element: Element) -> tuple[object, ...]:
    """Return tag, attributes, text and children of an element to compare, without white space and comments."""
    return (element.tag, frozenset(element.attrib.items()), text_of(element),
            tuple(map(_spell, element.iterchildren("*"))))


def _report(setting: Element, name: str, reference: str | None, reason: str | None = None) -> Entry:
    into = "<gazebo>" if reference is None else f'<gazebo reference="{reference}">'
    kind = "material" if setting.tag == "script" else row_kind(tag_of(setting))
    return Entry(kind, name, "dropped" if reason else "moved", None if reason else into,
                 setting, reason)
