"""Hints for elements that SDFormat 1.12 does not have, or not where they stand."""

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from sdf_frames.diagnostics import LONGEST, find_nearest
from sdf_frames.document.numbers import format_number, read_numbers
from sdf_frames.document.xml_in import Element, text_of
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.table import Spec, load_table
from sdf_frames.sdf.values import find_leftover, find_problem


class Foreign(NamedTuple):
    """An element that the schema of 1.12 does not have: what readers do, or did, with it, and the source of that."""

    hint: str
    source: str


_MODEL_AXIS = ('until SDFormat 1.6; since 1.7 write <xyz expressed_in="__model__"> where it is true, '
               "and nothing where it is false")
_LIMIT = ("libsdformat took it from URDFs until version 5 and made nothing of it; "
          "<physics><ode><limit> has <cfm> and <erp>, a URDF's <gazebo> block <stopCfm> and <stopErp>")
_PARSER_URDF = "sdformat 5, src/parser_urdf.cc"
_SURFACE = "sdformat, sdf/1.12/surface.sdf"
_PYBULLET = Foreign("leave it for PyBullet, which reads it; Gazebo and Drake do not",
                    "bullet3, examples/Importers/ImportURDFDemo/UrdfParser.cpp")
_ATTRIBUTES = "urdfdom, xsd/urdf.xsd"
# What URDF writes as attributes, and SDFormat as the text of an element: by tag, that element and the attributes.
_OF_URDF = {
    "origin": ("pose", ("xyz", "rpy")), "pose": ("pose", ("xyz", "rpy")), "color": ("diffuse", ("rgba",)),
    **{tag: (tag, ("link",)) for tag in ("parent", "child")}}

# By parent and tag; a parent `a/b` is a <b> in an <a>.
FOREIGN = {
    ("sensor", "ignition_frame_id"): Foreign(
        "only Fortress and Garden read it: write <gz_frame_id>, which they and all later releases of Gazebo read",
        "sensor_ids.py"),
    ("imu", "noise"): Foreign(
        "until SDFormat 1.5; since 1.6 each axis of <angular_velocity> and <linear_acceleration> has a <noise>",
        "sdformat, sdf/1.6/1_5.convert"),
    ("imu", "topic"): Foreign("until SDFormat 1.6; the sensor itself has a <topic>", "sdformat, sdf/1.6/imu.sdf"),
    **{(axis, "use_parent_model_frame"): Foreign(_MODEL_AXIS, "sdformat, sdf/1.7/1_6.convert")
       for axis in ("axis", "axis2")},
    **{(axis, "initial_position"): Foreign("until SDFormat 1.8", "sdformat, sdf/1.8/joint.sdf")
       for axis in ("axis", "axis2")},
    **{(parent, "frame"): Foreign(
        "only SDFormat 1.5 and 1.6 had it here; since 1.7 write the model's <frame>, and <pose relative_to>",
        "sdformat, sdf/1.6/frame.sdf")
       for parent in ("actor", "audio_source", "camera", "collision", "inertial", "joint", "light", "link",
                      "population", "projector", "visual")},
    **{("auto_inertia_params", tag): Foreign(
        f"of Gazebo's own parameters, the name is <gz:{tag}>", "the automatic-inertia proposal")
       for tag in ("method", "voxel_size")},
    ("mesh", "filename"): Foreign(
        "its name is <uri>; <filename> was deprecated in SDFormat 1.2", "sdformat, sdf/1.2/geometry.sdf"),
    **{("inertia", tag): Foreign(f"the tensor is symmetric: write <{name}>", "sdformat, sdf/1.12/inertial.sdf")
       for tag, name in (("iyx", "ixy"), ("izx", "ixz"), ("izy", "iyz"))},
    ("collision", "material"): Foreign(
        "<material> belongs in a <visual> of the link", "sdformat, sdf/1.12/visual_shape.sdf"),
    ("model", "gazebo"): Foreign(
        "only URDF has <gazebo>: write its content into the link or joint that it names, <mu1> and <mu2> as <mu> and "
        "<mu2> into <surface><friction><ode> of each <collision>", "sdformat, src/parser_urdf.cc"),
    **{("link", tag): Foreign(
        f"a URDF's <gazebo reference> has it as <{tag}{'1' * (tag == 'mu')}>; in SDFormat, <mu> and <mu2> belong in "
        "<surface><friction><ode> of a <collision>", "sdformat, src/parser_urdf.cc") for tag in ("mu", "mu2")},
    ("inertial", "damping"): Foreign(
        "<velocity_decay> of the link is its name since SDFormat 1.2", "sdformat, sdf/1.2/1_0.convert"),
    ("frame", "link"): Foreign(
        'write the name of the link as <frame attached_to="…">', "sdformat, sdf/1.12/frame.sdf"),
    ("include", "scale"): Foreign(
        "an <include> scales no model: write <scale> into each <mesh> of the model",
        "sdformat, sdf/1.12/mesh_shape.sdf"),
    ("sdf", "robot"): Foreign("a URDF has no <sdf> around its <robot>: remove <sdf> and </sdf>", _ATTRIBUTES),
    ("joint", "stopKp"): Foreign(_LIMIT, _PARSER_URDF),
    ("joint", "stopKd"): Foreign(_LIMIT, _PARSER_URDF),
    ("physics/ode", "provide_feedback"): Foreign(
        "<provide_feedback> belongs in the joint's <physics>", "sdformat, sdf/1.7/joint.sdf"),
    ("joint", "initial_joint_position"): Foreign(
        "only Gazebo before version 1 read it, from URDF", "ROS simulator_gazebo, gazebo_tools/src/urdf2model.cpp"),
    ("link", "contact"): _PYBULLET,
    **{("collision", name): _PYBULLET for name in ("concave", "group", "mask")},
    ("friction/ode", "max_vel"): Foreign("<max_vel> belongs in <surface><contact><ode>", _SURFACE),
    ("friction/ode", "min_depth"): Foreign("<min_depth> belongs in <surface><contact><ode>", _SURFACE),
}
# Words of other formats, by parent and tag: the element that holds the value, and by how much it is multiplied.
_RENAMED = {
    **{(shape, "diameter"): ("radius", 0.5) for shape in ("cylinder", "sphere", "capsule", "cone")},
    **{(shape, "height"): ("length", 1.0) for shape in ("cylinder", "cone")},
    **{("inertial", tag): ("pose", 1.0) for tag in ("com", "center_of_mass")}}
# Elements that no version of SDFormat has, but that Gazebo reads, by parent and tag: they are as good as known.
READ_BY_GAZEBO = frozenset((("sensor", "gz_frame_id"),))
# So many elements can hold these that a list of places helps nobody.
_COMMON = frozenset(("frame", "plugin"))
_IGNORED = "correct its name, or remove it; a plugin may still read it"


def explain_unknown(child: Element, spec: Spec, siblings: Collection[str]) -> str:
    """Return the hint for an element that the element table does not have where it stands.

    `spec` is the row of the element around it in the element table, `siblings` are the tags of the children of that.
    """
    tag, element = str(child.tag), child.getparent()
    assert element is not None
    above = element.getparent()
    for parent in ((f"{above.tag}/{spec.tag}",) if above is not None else ()) + (spec.tag,):
        if (parent, tag) in FOREIGN:
            return FOREIGN[parent, tag].hint
    if renamed := _write_renamed(tag, text_of(child), spec):
        return renamed
    if tag in spec.attributes:
        return f"{tag} is an attribute of <{spec.tag}>"
    written = _OF_URDF.get(tag, ("",))[0]
    if written and (text := _write_as_text(tag, child)):
        into = [] if written in spec.children else _find_places(written, element, spec, siblings)
        return f"write {text}" + (f" into <{into[0]}>" if into else "")
    # A tag that exists elsewhere is no typing error: it is the beginning of a longer tag, or in the wrong place.
    known = tag in _list_tags()
    longer = [name for name in spec.children if name.startswith(f"{tag}_")]
    close = longer if known else find_nearest(tag, spec.children)
    if close:
        return f"did you mean <{close[0]}>?"
    if tag in _COMMON:
        return _IGNORED
    places = _find_places(tag, element, spec, siblings) if known else []
    endings = [name for name in spec.children if name.endswith(f"_{tag}")]
    if not places and len(endings) == 1:
        return f"did you mean <{endings[0]}>?"
    if known and not places and len(only := _list_tags()[tag] - {spec.tag}) == 1:
        places = [*only]
    return f"<{tag}> belongs in {' or '.join(f'<{place}>' for place in places)}" if places else _IGNORED


def _write_renamed(name: str, text: str, spec: Spec) -> str:
    """Return the hint for a word of another format; "" for other names, and for a text without numbers."""
    tag, factor = _RENAMED.get((spec.tag, name), ("", 1.0))
    if not tag or not (numbers := read_numbers(text, len(text.split()))):
        return ""
    words = text.split() if factor == 1 else [format_number(factor * number) for number in numbers]
    words += ["0"] * (6 - len(words)) if tag == "pose" else []
    return f"write <{tag}>{' '.join(words)}</{tag}>" + ", half of it" * (factor != 1)


def _write_as_text(tag: str, element: Element) -> str:
    """Return the element of SDFormat that says what `element` says as URDF does; "" if that says nothing."""
    written, names = _OF_URDF.get(tag, (tag, ("value",)))
    values = [element.get(name, "0 0 0") for name in names] if set(names) & set(element.keys()) else [text_of(element)]
    frame = _find_joint_parent(element) if tag == "origin" else ""
    if (quaternion := element.get("quat_xyzw")) is not None and written == "pose":
        frame, values = f'{frame} rotation_format="quat_xyzw"', [element.get("xyz", "0 0 0"), quaternion]
    return f"<{written}{frame}>{' '.join(values)}</{written}>{_move_child(element)}" if any(values) else ""


def _move_child(origin: Element) -> str:
    """Return what else the origin of a joint says in a URDF, where it moves the child link."""
    joint = origin.getparent()
    if origin.tag != "origin" or joint is None or joint.tag != "joint":
        return ""
    return f'; if the child link has no <pose>, write <pose relative_to="{joint.get("name", "")}"/> into it'


def _find_joint_parent(origin: Element) -> str:
    """Return the frame of a joint's origin, as an attribute of a pose; "" for the origin of anything else.

    The origin of a URDF's joint is in the parent link, a <pose> without relative_to in the child.
    """
    joint = origin.getparent()
    if joint is None or joint.tag != "joint":
        return ""
    parent = joint.find("parent")
    name = "" if parent is None else text_of(parent) or parent.get("link", "")
    return f' relative_to="{MODEL_FRAME if name == WORLD_FRAME else name or "PARENT"}"'


def _find_places(tag: str, element: Element, spec: Spec, siblings: Collection[str]) -> list[str]:
    """Return one or two children of `element`, or one of the elements around it, that can hold `tag`."""
    holders = [name for name, child in spec.children.items() if tag in child.children and name != "actor"]
    present = [name for name in holders if name in siblings]
    if present or 1 <= len(holders) <= 2:
        return present[:1] or holders
    way = [a.tag for a in element.iterancestors()][::-1]
    specs: list[Spec | None] = [load_table()]
    for step in way[1:]:
        specs.append(specs[-1].children.get(step) if specs[-1] is not None else None)
    return [s.tag for s in reversed(specs) if s is not None and tag in s.children][:1]


@cache
def _list_tags() -> dict[str, set[str]]:
    """Every tag of SDFormat 1.12, with those of the elements that can hold it."""
    tags: dict[str, set[str]] = {}
    seen: set[int] = set()
    pending = [load_table()]
    while pending:
        spec = pending.pop()
        if id(spec) not in seen:
            seen.add(id(spec))
            for tag in spec.children:
                tags.setdefault(tag, set()).add(spec.tag)
            pending += spec.children.values()
    return tags


def explain_text(text: str, element: Element, spec: Spec) -> str | None:
    """Return the hint for text in an `element` that has none: the elements that are needed there, with its words."""
    needed = {tag: value for tag in spec.required
              if (value := spec.children[tag].value) is not None and element.find(tag) is None}
    if spec.tag == "velocity_decay" and read_numbers(text, 1):
        return f"write <linear>{text}</linear><angular>{text}</angular>"
    if not needed or len(text) > LONGEST:
        return None
    words = [text] if len(needed) == 1 else text.split()
    if len(words) == len(needed) and not any(find_problem(word, value) or find_leftover(word, value)
                                             for word, value in zip(words, needed.values())):
        return "write " + "".join(f"<{tag}>{word}</{tag}>" for tag, word in zip(needed, words))
    return f"write its values as elements: {', '.join(f'<{tag}>' for tag in needed)}"


def holds_value(name: str, element: Element, spec: Spec) -> bool:
    """Return whether an attribute holds the value of an element that has no text, as URDF writes it."""
    return spec.value is not None and name in _OF_URDF.get(spec.tag, ("", ("value",)))[1] and not text_of(element)


def explain_value(element: Element, spec: Spec) -> str | None:
    """Return the hint for an element without text whose value stands in attributes; None if it does not."""
    told = any(holds_value(str(name), element, spec) for name in element.attrib)
    return f"write the value as text: {_write_as_text(spec.tag, element)}" if told else None


def explain_attribute(name: str, element: Element, spec: Spec) -> str:
    """Return the hint for an attribute of `element` that the element table does not have there."""
    if name == "frame" and not element.get("relative_to", element.get("attached_to")) and (
            now := next((n for n in ("relative_to", "attached_to") if n in spec.attributes), None)):
        frame = element.get(name, "").strip()
        return f'SDFormat 1.7 and later call it {now}: write {now}="{frame}"' if frame else "remove it"
    if close := find_nearest(name, spec.attributes):
        return f"did you mean {close[0]}?"
    if holds_value(name, element, spec) and (hint := explain_value(element, spec)):
        return hint
    written = "uri" if name == "filename" else name
    if written in spec.children and spec.children[written].value:
        return f"write an element: <{written}>{element.get(name)}</{written}>"
    for child in element.iterchildren("*"):
        if child.tag in spec.children and name in spec.children[str(child.tag)].attributes:
            return f"{name} is an attribute of <{child.tag}>"
    if renamed := _write_renamed(name, element.get(name, ""), spec):
        return renamed
    foreign = FOREIGN.get((spec.tag, name))
    return "correct its name, or remove it" if foreign is None else foreign.hint
