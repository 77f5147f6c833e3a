"""Links of the SDF model, with the shapes and settings of everything that is lumped into them."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.emit_parts import ensure, put, put_colour, put_geometry, put_inertial, put_only
from sdf_frames.convert.extensions import Extension, is_false, is_true
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import combine_inertia, place_origin
from sdf_frames.convert.options import EPSILON_INERTIA, EPSILON_MASS
from sdf_frames.convert.report import Row
from sdf_frames.convert.shape_names import name_shape
from sdf_frames.document.xml_in import Element, copy_element
from sdf_frames.spatial.mass_matrix import find_defects
from sdf_frames.urdf.model import NO_ORIGIN, Capsule, Collision, Inertial, Visual

_EPSILON = Inertial(NO_ORIGIN, EPSILON_MASS, EPSILON_INERTIA, 0.0, 0.0, EPSILON_INERTIA, 0.0, EPSILON_INERTIA)
_SCRIPTS = "file://media/materials/scripts/gazebo.material"
# Settings of collisions: the tag under <gazebo> and that in SDF, with the elements that hold the latter.
_SURFACE = (
    ((("kp", "kp"), ("kd", "kd"), ("maxVel", "max_vel"), ("minDepth", "min_depth")), ("surface", "contact", "ode")),
    ((("mu1", "mu"), ("mu2", "mu2"), ("fdir1", "fdir1")), ("surface", "friction", "ode")),
    ((("laserRetro", "laser_retro"), ("maxContacts", "max_contacts")), ()))


def describe_massless(link) -> str:
    """What makes `link` massless, for a message."""
    if link.inertial is None:
        return "has no <inertial>"
    return f"has a mass of {link.inertial.mass:g}"


def emit_link(job: Job, i: int) -> None:
    """Kept link `i`."""
    tree = job.tree
    link, joint = tree.links[i], tree.joint[i]
    name, line = job.link_names[i], link.line
    element = put(job.out.model, "link", None, line, name=name)
    if joint is not None:
        put(element, "pose", None, line, relative_to=job.joint_name(joint.name))
    reason = None
    if i in tree.massless:
        reason = f"massless, given {EPSILON_MASS:g} kg"
        inertial = _make_inertial(job, i)
        job.report("massless-link-kept", job.places.at("link", link.name, line), link=link.name,
                   mass=f"{EPSILON_MASS:g}",
                   problem=describe_massless(link))
    else:
        inertial = combine_inertia(tree, i)
    put_inertial(element, inertial, job.out.numbers)
    job.out.inertials.append((name, inertial))
    renamed = name != link.name
    job.rows.append(Row("link", link.name, "renamed" if renamed else "kept", name if renamed else None, line, reason))
    _emit_shapes(job, element, i, "collision")
    _emit_shapes(job, element, i, "visual")
    _put_link_settings(job, element, i)


def _make_inertial(job: Job, i: int) -> Inertial:
    """A tiny inertial for kept link `i`, which has no mass, with the tensor that it has all the same."""
    tree = job.tree
    line = tree.links[i].line
    if (own := combine_inertia(tree, i)) is None or not any(own[2:8]):
        return _EPSILON._replace(line=line)
    if defects := find_defects(EPSILON_MASS, (own.ixx, own.iyy, own.izz, own.ixy, own.ixz, own.iyz)):
        reason = "; ".join(d.text for d in defects)
        job.rows.append(Row("inertial", tree.links[i].name, "dropped", None, own.line, reason))
        return _EPSILON._replace(line=line)
    return own._replace(mass=EPSILON_MASS)


def _emit_shapes(job: Job, element: Element, i: int, kind: str) -> None:
    """Collisions or visuals of link `i` and of what is lumped into it."""
    tree = job.tree
    count = 0
    for k in tree.parts[i]:
        link = tree.links[k]
        # The settings for a shape are those of the link it comes from, whatever its name is.
        extensions = job.extensions.by_key.get(link.name, ())
        shapes = link.visuals if kind == "visual" else link.collisions
        contacts = _read_contacts(job, extensions) if shapes and kind == "collision" else []
        for shape in shapes:
            name = name_shape(job.link_names[i], shape.name or job.link_names[k], kind, count)
            count += 1
            _report_shape(job, i, k, shape, kind, name)
            origin = shape.origin
            if k != i:
                origin = place_origin(tree.X_body[k], tree.origin_in_body(k) if origin.rpy == NO_ORIGIN.rpy else None,
                                      origin)
            line = shape.line
            node = put(element, kind, None, line, name=name)
            put(node, "pose", job.out.numbers.pose(origin), line)
            put_geometry(node, shape.geometry, job.out.numbers, job.options.uri_style, line)
            if type(shape.geometry) is Capsule:
                job.out.need("1.8", f"<capsule> in link [{link.name}]")
            if kind == "collision":
                _put_contacts(job, node, contacts)
                continue
            _put_visual_settings(job, node, extensions)
            if (material := shape.material) is not None and (material.rgba or material.texture):
                put_colour(node, material, job.out.numbers, job.options.uri_style)


def _report_shape(job: Job, i: int, k: int, shape: Visual | Collision, kind: str, name: str) -> None:
    """The row of a shape of link `k` that goes to link `i` under the name `name`."""
    scoped = "::" in shape.name
    if scoped:
        link = job.tree.links[k].name
        job.report("name-not-allowed", job.places.at("link", link, shape.line), kind=kind, called=shape.name, new=name)
    if k != i:
        job.rows.append(Row(kind, shape.name or name, "moved", job.link_names[i], shape.line,
                            f"from a lumped link, named [{name}]" if scoped else "from a lumped link"))
    elif shape.name:
        job.rows.append(Row(kind, shape.name, "renamed", name, shape.line))
    else:
        job.rows.append(Row(kind, name, "kept", None, shape.line))


def _put_copies(job: Job, shape: Element, elements: Iterable[Element], only: str) -> None:
    """Copies of `elements`; one of the tag `only` replaces what is there."""
    for element in elements:
        copy = copy_element(element)
        if copy.tag == only and (old := shape.find(only)) is not None:
            shape.remove(old)
        shape.append(copy)
        job.out.carried.append(copy)


def _put_visual_settings(job: Job, visual: Element, extensions: Iterable[Extension]) -> None:
    """What ``<gazebo>`` says of every visual of a link."""
    for extension in extensions:
        _put_copies(job, visual, extension.visual_elements, "material")
        if (setting := extension.visual.get("material")) is not None:
            script = ensure(ensure(visual, "material", setting.line), "script", setting.line)
            put_only(script, "name", setting.value, setting.line)
            put_only(script, "uri", _SCRIPTS, setting.line)


class _Contact(NamedTuple):
    """A value that ``<gazebo>`` gives for every collision of a link: the tags around it, tag and text; `at` is the line
    of what is around it."""

    around: tuple[str, ...]
    tag: str
    text: str
    line: int
    at: int


def _read_contacts(job: Job, extensions: Sequence[Extension]) -> list[list[Element] | _Contact]:
    """What ``<gazebo>`` says of every collision of a link: elements and values in the order in which they are put."""
    contacts: list[list[Element] | _Contact] = []
    whole = any(extension.collision_elements for extension in extensions)
    # Values are grouped by what holds them, unless elements stand between them, which they change or follow.
    for group in [[extension] for extension in extensions] if whole else [extensions]:
        contacts += [extension.collision_elements for extension in group]
        for table, around in _SURFACE:
            for extension in group:
                for tag, to in table:
                    setting = extension.collision.get(tag)
                    if setting is not None and (text := job.read_number(extension.key, setting)) is not None:
                        text = text.partition(".")[0] if tag == "maxContacts" else text
                        contacts.append(_Contact(around, to, text, setting.line, group[0].line))
    return contacts


def _put_contacts(job: Job, collision: Element, contacts: list[list[Element] | _Contact]) -> None:
    for contact in contacts:
        if not isinstance(contact, _Contact):
            _put_copies(job, collision, contact, "surface")
            continue
        place = collision
        for step in contact.around:
            place = ensure(place, step, contact.at)
        job.out.put_setting(place, contact.tag, contact.text, contact.line)


def _put_link_settings(job: Job, element: Element, i: int) -> None:
    """Settings and elements for a link, its own and those of what is lumped into it; the last of a setting counts."""
    tree, rows = job.tree, job.rows
    extensions = [(k, extension) for k in tree.parts[i]
                  for extension in job.extensions.by_key.get(tree.links[k].name, ())]
    into = job.link_names[i]
    gravity_of = None
    counts: dict[str, int] = {}  # row of the setting that counts so far
    for k, extension in extensions:
        name = extension.key
        action = "kept" if k == i else "moved"
        for group in (extension.collision, extension.visual):
            for setting in group.values():
                rows.append(Row(setting.tag, name, action, into, setting.line))
        for tag, setting in extension.link.items():
            value, line = setting.value, setting.line
            if tag == "turnGravityOff":
                text = "true" if is_false(value) else "false"
                old = element.find("gravity")
                if old is not None and old.text != text and gravity_of is not None and gravity_of != k:
                    job.report("gravity-of-lumped-link", job.places.at_gazebo(name, tag, line), source=name,
                               link=tree.links[gravity_of].name)
                gravity_of = k
                put_only(element, "gravity", text, line)
            elif tag == "selfCollide":
                put_only(element, "self_collide", "1" if is_true(value) else "0", line)
            elif (text := job.read_number(extension.key, setting)) is not None:
                decay = put_only(element, "velocity_decay", None, line)
                put(decay, "linear", text, line)
                put(decay, "angular", text, line)
            else:
                continue
            if tag in counts:
                rows[counts[tag]] = rows[counts[tag]]._replace(action="dropped", into=None,
                                                               reason=f"that of [{name}] counts")
            counts[tag] = len(rows)
            rows.append(Row(tag, name, action, into, line))
        carry_elements(job, element, job.destinations[name].split(extension)[0], k, into)
