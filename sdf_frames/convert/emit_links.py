"""Links of the SDF model, with the shapes and settings of everything that is lumped into them."""
from __future__ import annotations

from sdf_frames.convert.carry import carry_blobs, is_joint_sensor
from sdf_frames.convert.emit_parts import ensure, put, put_colour, put_only, write_geometry, write_inertial
from sdf_frames.convert.extensions import Extension, is_false, is_true
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import combine_inertia, place_origin
from sdf_frames.convert.nodes import IN_LINK, IN_SHAPE, Node, escape_attribute, escape_text, freeze
from sdf_frames.convert.options import EPSILON_INERTIA, EPSILON_MASS
from sdf_frames.convert.report import Row
from sdf_frames.convert.shape_names import name_shape
from sdf_frames.document.xml_in import copy_element
from sdf_frames.spatial.mass_matrix import find_defects
from sdf_frames.urdf.model import NO_ORIGIN, Capsule, Inertial, Material

_EPSILON = Inertial(NO_ORIGIN, EPSILON_MASS, EPSILON_INERTIA, 0.0, 0.0, EPSILON_INERTIA, 0.0, EPSILON_INERTIA)
_SCRIPTS = "file://media/materials/scripts/gazebo.material"
_FRICTION = (("mu1", "mu"), ("mu2", "mu2"), ("fdir1", "fdir1"))
_CONTACT = (("kp", "kp"), ("kd", "kd"), ("maxVel", "max_vel"), ("minDepth", "min_depth"))
_OTHER = (("laserRetro", "laser_retro"), ("maxContacts", "max_contacts"))


def describe_massless(link) -> str:
    """What makes `link` massless, for a message."""
    if link.inertial is None:
        return "has no <inertial>"
    return f"has a mass of {link.inertial.mass:g}"


def emit_link(job: Job, i: int) -> None:
    """Kept link `i`."""
    tree, numbers, rows = job.tree, job.numbers, job.rows
    link = tree.links[i]
    name, line = job.link_names[i], link.line
    parts = tree.parts[i]
    extensions = job.extensions.by_key
    records = [(k, record) for k in parts for record in extensions.get(tree.links[k].name, ())] if extensions else ()
    if records:
        element = Node("link", line, name=name)
        job.model.append(element)
        children, start = element.children, ""
    else:
        children, start = job.model.children, f'    <link name="{escape_attribute(name)}">\n'
    if (joint := tree.joint[i]) is not None:
        start += f'{IN_LINK}<pose relative_to="{escape_attribute(job.joint_name(joint.name))}"/>\n'
    if start:
        children.append((start, line))
    reason = None
    if i in tree.massless:
        reason = f"massless, given {EPSILON_MASS:g} kg"
        inertial = _make_inertial(job, i)
        job.report("massless-link-kept", job.at("link", link.name, line), link=link.name, mass=f"{EPSILON_MASS:g}",
                   problem=describe_massless(link))
    else:
        inertial = combine_inertia(tree, i)
    children.append((write_inertial(inertial, numbers), inertial.line))
    job.inertials.append((name, inertial))
    rows.append(("link", link.name, "kept" if name == link.name else "renamed", None if name == link.name else name, line, reason))
    joined = any([record.blobs for _, record in records])
    _emit_shapes(job, children, i, "collision", joined)
    _emit_shapes(job, children, i, "visual", joined)
    if records:
        _put_link_settings(job, element, i, records)
    else:
        children.append(("    </link>\n", None))


def _make_inertial(job: Job, i: int) -> Inertial:
    """A tiny inertial for kept link `i`, which has no mass, with the tensor that it has all the same."""
    tree = job.tree
    line = tree.links[i].line
    if (own := combine_inertia(tree, i)) is None or not any(own[2:8]):
        return _EPSILON._replace(line=line)
    if defects := find_defects(EPSILON_MASS, (own.ixx, own.iyy, own.izz, own.ixy, own.ixz, own.iyz)):
        job.rows.append(Row("inertial", tree.links[i].name, "dropped", None, own.line, "; ".join(d.text for d in defects)))
        return _EPSILON._replace(line=line)
    return own._replace(mass=EPSILON_MASS)


def _emit_shapes(job: Job, children: list, i: int, kind: str, joined: bool) -> None:
    """Collisions or visuals of a link and of what is lumped into it, appended to `children`; `joined` where ``<gazebo>``
    adds others to the link."""
    tree, numbers, rows = job.tree, job.numbers, job.rows
    visual = kind == "visual"
    links, names = tree.links, job.link_names
    body = names[i]
    count = 0
    append = children.append
    X_body, extensions, poses, geometries = tree.X_body, job.extensions.by_key, job.poses, job.geometries
    uri_style, end = job.options.uri_style, f"{IN_LINK}</{kind}>\n"
    for k in tree.parts[i]:
        link = links[k]
        shapes = link.visuals if visual else link.collisions
        if not shapes:
            continue
        # The settings for a shape are those of the link it comes from, whatever its name is.
        settings = extensions.get(link.name, ())
        special = bool(settings) and any([r.visual_blobs if visual else r.collision_blobs for r in settings])
        more = None
        if settings and not special:
            more = _write_script(settings) if visual else _write_contact(job, settings)
        for shape in shapes:
            name = name_shape(body, shape.name or names[k], kind, count)
            count += 1
            line = shape.line
            origin = shape.origin
            scoped = "::" in shape.name
            if scoped:
                job.report("name-not-allowed", job.at("link", link.name, line), kind=kind, called=shape.name, new=name)
            if k != i:
                rows.append((kind, shape.name or name, "moved", body, line, f"from a lumped link, named [{name}]" if scoped
                             else "from a lumped link"))
            elif shape.name:
                rows.append((kind, shape.name, "renamed", name, line, None))
            else:
                rows.append((kind, name, "kept", None, line, None))
            if (pose := poses.get((k, id(origin)))) is None:
                placed = origin
                if k != i:
                    at = tree.origin_in_body(k) if origin.rpy == NO_ORIGIN.rpy else None
                    placed = place_origin(X_body[k], at, origin)
                pose = poses[k, id(origin)] = numbers.pose(placed)
            geometry = shape.geometry
            if (drawn := geometries.get(id(geometry))) is None:
                drawn = geometries[id(geometry)] = write_geometry(geometry, numbers, uri_style)
                if type(geometry) is Capsule:
                    job.need("1.8", f"<capsule> in link [{link.name}]")
            text = f"        <pose>{pose}</pose>\n{drawn}"
            material = shape.material if visual else None
            if material is not None and not (material.rgba or material.texture):
                material = None
            if not special:
                pieces = more if material is None else _write_colour(job, material, more)
            if not joined and not special:
                text = f'{IN_LINK}<{kind} name="{escape_attribute(name)}">\n{text}'
                if pieces is None:
                    append((text + end, line))
                else:
                    children += [(text, line), *pieces, (end, None)]
                continue
            element = Node(kind, line, name=name)
            element.append((text, line))
            append(element)
            if not special:
                element.children += pieces or ()
                continue
            for record in settings:
                if visual:
                    _put_visual_settings(element, record)
                else:
                    _put_collision_settings(job, element, record)
            if material is not None:
                put_colour(element, material, numbers, uri_style)


def _write_colour(job: Job, material: Material, script: list | None) -> list[tuple]:
    """The material of a visual of which ``<gazebo>`` says no more than its `script`."""
    pieces = job.colours.get(material)
    if pieces is None:
        visual = Node("visual", None)
        put_colour(visual, material, job.numbers, job.options.uri_style)
        pieces = job.colours[material] = freeze(visual, IN_SHAPE)
    return pieces if script is None else [*script[:-1], *pieces[1:]]


def _write_script(records: list) -> list[tuple] | None:
    """The ``<material>`` of the last setting that names one of Gazebo's scripts."""
    scripts = [setting for record in records if (setting := record.visual.get("material")) is not None]
    if not scripts:
        return None
    return [(f"""\
        <material>
          <script>
            <name>{escape_text(scripts[-1].value)}</name>
            <uri>{_SCRIPTS}</uri>
          </script>
""", scripts[-1].line), ("        </material>\n", None)]


def _put_visual_settings(element: Node, record: Extension) -> None:
    for blob in record.visual_blobs:
        copy = copy_element(blob)
        if copy.tag == "material" and (old := element.find("material")) is not None:
            element.remove(old)
        element.append(copy)
    if (setting := record.visual.get("material")) is not None:
        script = ensure(ensure(element, "material", setting.line), "script", setting.line)
        put_only(script, "name", setting.value, setting.line)
        put_only(script, "uri", _SCRIPTS, setting.line)


def _write_contact(job: Job, records: list) -> list[tuple]:
    """All contact, friction and other settings for a collision, the last of a tag."""
    collision, line = Node("collision", None), records[0].line
    surface = None
    for table, place in ((_CONTACT, "contact"), (_FRICTION, "friction"), (_OTHER, None)):
        found = {}
        for record in records:
            if not (settings := record.collision):
                continue
            for tag, to in table:
                if (setting := settings.get(tag)) is not None and (text := _contact_text(job, record, setting)) is not None:
                    found.pop(to, None)
                    found[to] = (text, setting.line)
        at = collision
        if found and place is not None:
            surface = surface or put(collision, "surface", None, line)
            at = put(put(surface, place, None, line), "ode", None, line)
        for to, (text, line_of) in found.items():
            put(at, to, text, line_of)
    return freeze(collision, IN_SHAPE)


def _contact_text(job: Job, record: Extension, setting) -> str | None:
    text = job.setting_number(record.key, setting)
    return text.partition(".")[0] if text is not None and setting.tag == "maxContacts" else text


def _put_collision_settings(job: Job, element: Node, record: Extension) -> None:
    for blob in record.collision_blobs:
        copy = copy_element(blob)
        if copy.tag == "surface" and (old := element.find("surface")) is not None:
            element.remove(old)
        element.append(copy)
    settings = record.collision
    if not settings:
        return
    line = record.line
    for table, place in ((_CONTACT, "contact"), (_FRICTION, "friction"), (_OTHER, None)):
        for tag, to in table:
            if (setting := settings.get(tag)) is not None and (text := _contact_text(job, record, setting)) is not None:
                at = element if place is None else ensure(ensure(ensure(element, "surface", line), place, line), "ode", line)
                put_only(at, to, text, setting.line)


def _put_link_settings(job: Job, element: Node, i: int, records: list) -> None:
    """Settings and elements for a link, its own and those of what is lumped into it; the last of a setting counts."""
    tree, rows = job.tree, job.rows
    into = job.link_names[i]
    gravity_of = None
    counts: dict[str, int] = {}  # row of the setting that counts so far
    for k, record in records:
        name = record.key
        action = "kept" if k == i else "moved"
        for group in (record.collision, record.visual):
            for setting in group.values():
                rows.append(Row(setting.tag, name, action, into, setting.line))
        for tag, setting in record.link.items():
            value, line = setting.value, setting.line
            if tag == "turnGravityOff":
                text = "true" if is_false(value) else "false"
                old = element.find("gravity")
                if old is not None and old.text != text and gravity_of is not None and gravity_of != k:
                    job.report("gravity-of-lumped-link", job.gazebo_at(name, tag, line), source=name,
                               link=tree.links[gravity_of].name)
                gravity_of = k
                put_only(element, "gravity", text, line)
            elif tag == "selfCollide":
                put_only(element, "self_collide", "1" if is_true(value) else "0", line)
            elif (text := job.setting_number(record.key, setting)) is not None:
                decay = put_only(element, "velocity_decay", None, line)
                put(decay, "linear", text, line)
                put(decay, "angular", text, line)
            else:
                continue
            if tag in counts:
                rows[counts[tag]] = rows[counts[tag]]._replace(action="dropped", into=None, reason=f"that of [{name}] counts")
            counts[tag] = len(rows)
            rows.append(Row(tag, name, action, into, line))
        if record.blobs:
            # Where a joint bears the same name, its sensors are not the link's.
            joint = job.joints.get(name)
            blobs = record.blobs if joint is None else [b for b in record.blobs if not is_joint_sensor(b)]
            carry_blobs(job, element, blobs, k, into)
