"""Rules on elements that the element table cannot express, such as the values that an attribute may have."""
from __future__ import annotations

import re
from collections.abc import Callable, Collection

from sdf_frames.diagnostics import Diagnostic, diagnose, suggest_name
from sdf_frames.document.elements import Element, find_child, locate, text_of
from sdf_frames.document.numbers import format_number, read_bool, read_number
from sdf_frames.sdf.names import NOT_WRITTEN

#: The types of sensors, and the child of a sensor that describes each; None if nothing in it is checked.
SENSORS = {
    "air_pressure": "air_pressure", "air_speed": "air_speed", "altimeter": "altimeter", "camera": "camera",
    "contact": None, "custom": None, "depth": "camera", "depth_camera": "camera", "rgbd": "camera",
    "rgbd_camera": "camera", "thermal": "camera", "thermal_camera": "camera",
    "segmentation": "camera", "segmentation_camera": "camera",
    "boundingbox": "camera", "boundingbox_camera": "camera", "wideanglecamera": "camera", "wide_angle_camera": "camera",
    "force_torque": "force_torque", "navsat": "navsat", "gps": "navsat", "gpu_ray": "lidar", "gpu_lidar": "lidar",
    "imu": "imu", "logical_camera": None, "magnetometer": "magnetometer", "multicamera": None, "ray": "lidar",
    "lidar": "lidar", "rfid": None, "rfidtag": None, "sonar": None, "wireless_receiver": None,
    "wireless_transmitter": None}
_SIZES = frozenset(("size", "radius", "radii", "length"))
# Of elements in a sensor, by tag: the children that limit what it measures, and those that count its pixels or rays.
_RANGES = {"range": ("min", "max"), "clip": ("near", "far"), "logical_camera": ("near", "far")}
_COUNTS = {"image": ("width", "height"), "horizontal": ("samples",), "vertical": ("samples",)}
_OLDER_NAMES = {"navsat": "gps", "lidar": "ray"}
_LIGHTS = ("point", "spot", "directional")
_EMITTERS = ("point", "box", "cylinder", "ellipsoid")
_NOISES = ("none", "gaussian", "gaussian_quantized")
_MOST_NAMED = 5
_SURFACES = ("EARTH_WGS84", "MOON_SCS", "CUSTOM_SURFACE")
_FORCE_FRAMES = ("child", "parent", "sensor")
_FORCE_DIRECTIONS = ("child_to_parent", "parent_to_child")
_NORMAL_MAPS = ("normal_map_object_space", "normal_map_objectspace", "normal_map_tangent_space",
                "normal_map_tangentspace")
_SHADERS = ("pixel", "vertex", *_NORMAL_MAPS)
_IMAGE_FORMATS = (
    "UNKNOWN", "UNKNOWN_PIXEL_FORMAT", "L8", "L_INT8", "L16", "L_INT16", "L_UINT16", "R8G8B8", "RGB_INT8", "RGBA_INT8",
    "R8G8B8A8", "BGRA_INT8", "B8G8R8A8", "RGB_INT16", "RGB_INT32", "BGR_INT8", "B8G8R8", "BGR_INT16", "BGR_INT32",
    "R_FLOAT16", "RGB_FLOAT16", "R_FLOAT32", "RGB_FLOAT32", "BAYER_RGGB8", "BAYER_BGGR8", "BAYER_GBRG8",
    "BAYER_GRBG8", "BAYER_RGGR8")


def _parent_tag(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else parent.tag


def _has_text(element: Element, tag: str) -> bool:
    child = find_child(element, tag)
    return child is not None and text_of(child) not in ("", NOT_WRITTEN)


def _has_name(element: Element) -> bool:
    """Return whether there is a <name>. An empty one counts, since the element table check reports it."""
    return (name := find_child(element, "name")) is not None and text_of(name) != NOT_WRITTEN


def _check_type(element: Element, allowed: Collection[str], found: list[Diagnostic], other: str = "") -> None:
    """Check the ``type`` of an element; `other` is the hint for a word that is similar to no `allowed` one."""
    value = element.get("type", "")
    if value and value not in allowed:
        found.append(diagnose("attribute-invalid", locate(element, "type"), attribute="type", tag=element.tag,
                              problem=f"{value!r} is not one of {', '.join(allowed)}",
                              hint=suggest_name(value, allowed) or other.format(value) or None))


def _check_text(element: Element, tag: str, what: str, allowed: Collection[str], found: list[Diagnostic]) -> None:
    child = find_child(element, tag)
    if child is not None and (value := text_of(child)) and value not in allowed:
        found.append(diagnose("enumeration-invalid", locate(child), what=what, value=value, allowed=", ".join(allowed),
                              hint=suggest_name(value, allowed)))


def _check_sensor(sensor: Element, found: list[Diagnostic]) -> None:
    _check_type(sensor, SENSORS, found, 'write type="custom" gz:type="{}" for a sensor of a plugin')
    read = SENSORS.get(sensor.get("type", ""))
    part = find_child(sensor, read) if read else None
    if part is None and read in _OLDER_NAMES:
        part = find_child(sensor, _OLDER_NAMES[read])
    if part is None:
        return
    for noise in part.iter("noise"):
        if (value := noise.get("type", "")) and value.lower() not in _NOISES:
            found.append(diagnose("noise-type-invalid", locate(noise, "type"), value=value, allowed=", ".join(_NOISES),
                                  hint=suggest_name(value, _NOISES)))
    if read == "force_torque":
        _check_text(part, "frame", "the frame of a force-torque sensor", _FORCE_FRAMES, found)
        _check_text(part, "measure_direction", "the direction of a force-torque sensor", _FORCE_DIRECTIONS, found)


def _sensor_of(element: Element) -> str:
    return next((sensor.get("name", "") for sensor in element.iterancestors("sensor")), "")


def _check_counts(element: Element, found: list[Diagnostic]) -> None:
    """Report a sensor without pixels or rays."""
    for name in _COUNTS[element.tag]:
        child = find_child(element, name)
        if child is not None and (count := read_number(text_of(child))) is not None and count <= 0:
            found.append(diagnose("sensor-count-not-positive", locate(child), sensor=_sensor_of(element),
                                  tag=name, text=text_of(child)))


def _check_range(element: Element, found: list[Diagnostic]) -> None:
    """Report a sensor whose range is empty."""
    low, high = ends = _RANGES[element.tag]
    least, most = [None if (child := find_child(element, name)) is None else read_number(text_of(child))
                   for name in ends]
    if least is not None and most is not None and least >= most:
        found.append(diagnose("sensor-range-empty", locate(element), sensor=_sensor_of(element), tag=element.tag,
                              low=low, high=high, least=format_number(least), most=format_number(most)))


def _check_state(state: Element, found: list[Diagnostic]) -> None:
    """Report a state, which current simulators ignore, with the models in it that the world does not have."""
    world = state.getparent()
    assert world is not None  # only worlds have a state
    includes = [find_child(include, "name") for include in world.iterchildren("include", "population")]
    known = {*[model.get("name") for model in world.iterchildren("model")],
             *[text_of(name) for name in includes if name is not None]}
    gone = [] if None in includes else [name for model in state.iterchildren("model", "model_state")
                                        if (name := model.get("name", "")) not in known]
    more = f"; the world has no model {', '.join(map(repr, gone[:_MOST_NAMED]))}" if gone else ""
    found.append(diagnose("state-unread", locate(state), more=more + ", …" * (len(gone) > _MOST_NAMED)))


def _check_light(light: Element, found: list[Diagnostic]) -> None:
    if _parent_tag(light) in ("sdf", "world", "link"):
        _check_type(light, _LIGHTS, found)


def _check_atmosphere(atmosphere: Element, found: list[Diagnostic]) -> None:
    if (value := atmosphere.get("type", "")) not in ("", "adiabatic"):
        found.append(diagnose("enumeration-invalid", locate(atmosphere, "type"), what="the type of <atmosphere>",
                              value=value, allowed="adiabatic"))


def _check_coordinates(coordinates: Element, found: list[Diagnostic]) -> None:
    _check_text(coordinates, "surface_model", "the surface model", _SURFACES, found)
    _check_text(coordinates, "world_frame_orientation", "the orientation of the world's frame", ("ENU",), found)


def _check_material(material: Element, found: list[Diagnostic]) -> None:
    if _parent_tag(material) not in ("visual", "particle_emitter"):
        return
    if (script := find_child(material, "script")) is not None:
        if not _has_text(script, "uri"):
            found.append(diagnose("material-script-without-uri", locate(script)))
        if not _has_name(script):
            found.append(diagnose("material-script-without-name", locate(script)))
    if (shader := find_child(material, "shader")) is not None:
        kind = shader.get("type", "")
        if kind and kind not in _SHADERS:
            found.append(diagnose("enumeration-invalid", locate(shader, "type"), what="the type of <shader>",
                                  value=kind, allowed=", ".join(_SHADERS)))
        if kind in _NORMAL_MAPS and not _has_text(shader, "normal_map"):
            found.append(diagnose("element-missing", locate(shader), tag="normal_map", parent="shader"))


def _check_submesh(submesh: Element, found: list[Diagnostic]) -> None:
    if not _has_name(submesh):
        found.append(diagnose("element-missing", locate(submesh), tag="name", parent="submesh"))


def _check_geometry(geometry: Element, found: list[Diagnostic]) -> None:
    """Report sizes that libsdformat replaces. Unreadable sizes are reported elsewhere."""
    sizes = [text_of(size) for shape in geometry for size in shape if size.tag in _SIZES]
    if not all(map(_is_positive, sizes)):  # few descriptions need the typed shapes to be checked
        from sdf_frames.sdf.geometry import read_geometry
        found += [d for d in read_geometry(geometry)[1] if d.name == "geometry-dimension-not-positive"]


def _is_positive(text: str) -> bool:
    try:
        return all(float(number) > 0.0 for number in text.split())
    except ValueError:
        return False


def _check_namespace(element: Element, namespace: str, found: list[Diagnostic], attribute: str | None = None) -> None:
    """Check the namespace of a model, or that in its include: simulators replace ``{name}`` by the model's name."""
    for placeholder in re.findall(r"\{[^}]*\}?|\}", namespace):
        if placeholder != "{name}":
            found.append(diagnose("namespace-placeholder-unknown", locate(element, attribute), namespace=namespace,
                                  placeholder=placeholder))


def _check_image(image: Element, found: list[Diagnostic]) -> None:
    if _parent_tag(image) == "camera":
        _check_counts(image, found)
        _check_text(image, "format", "the image format of a camera", _IMAGE_FORMATS, found)


def _is_weighed(mesh: Element) -> bool:
    """Return whether an inertia is computed from a mesh: then a mesh without a file is a separate error."""
    collision = next(mesh.iterancestors("collision"), None)
    link = None if collision is None else collision.getparent()
    inertial = None if link is None else find_child(link, "inertial")
    return inertial is not None and bool(read_bool(inertial.get("auto", "")))


def _check_mesh(mesh: Element, found: list[Diagnostic]) -> None:
    told = mesh.get("filename") or text_of(mesh) or find_child(mesh, "filename") is not None
    if find_child(mesh, "uri") is None and not told and not _is_weighed(mesh):
        found.append(diagnose("mesh-unnamed", locate(mesh)))


#: By tag, the function that checks an element of the table; it appends to the findings.
ELEMENT_RULES: dict[str, Callable[[Element, list[Diagnostic]], None]] = {
    "geometry": _check_geometry, "material": _check_material, "submesh": _check_submesh, "image": _check_image,
    "mesh": _check_mesh, "state": _check_state,
    "horizontal": _check_counts, "vertical": _check_counts, **dict.fromkeys(_RANGES, _check_range),
    "model": lambda element, found: _check_namespace(element, element.get("namespace", ""), found, "namespace"),
    "namespace": lambda element, found: _check_namespace(element, text_of(element), found),
    "sensor": _check_sensor, "light": _check_light,
    "particle_emitter": lambda element, found: _check_type(element, _EMITTERS, found),
    "atmosphere": _check_atmosphere,
    "spherical_coordinates": _check_coordinates,
}
