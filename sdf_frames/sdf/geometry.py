"""Reads ``<geometry>`` as typed shapes, with libsdformat's defaults for missing values, and the look of a ``<visual>``.

Lengths are metres; every shape is centred on its own origin unless noted otherwise. Colour, transparency and texture
are read as far as a drawing needs them.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import Element, child_or_self, find_child, locate, tag_of, text_of
from sdf_frames.document.numbers import format_numbers, read_bool, read_number, read_vector
from sdf_frames.sdf.names import NOT_WRITTEN
from sdf_frames.spatial.pose import Vector


@dataclass(frozen=True, slots=True)
class Box:
    """Edge lengths along x, y, z."""

    size: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Sphere:
    radius: float = 1.0


@dataclass(frozen=True, slots=True)
class Cylinder:
    """Axis z."""

    radius: float = 1.0
    length: float = 1.0


@dataclass(frozen=True, slots=True)
class Capsule:
    """Axis z; ``length`` is that of the cylindrical part."""

    radius: float = 0.5
    length: float = 1.0


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """Half axes along x, y, z."""

    radii: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Cone:
    """Axis z; base at −length/2, apex at +length/2."""

    radius: float = 1.0
    length: float = 1.0


@dataclass(frozen=True, slots=True)
class Plane:
    """Surface without volume; ``size`` is what is drawn."""

    normal: Vector = (0.0, 0.0, 1.0)
    size: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Prism:
    """One ``<polyline>``: the closed outline ``points`` ((x, y), …) drawn up from z = 0 to ``height``."""

    points: tuple[tuple[float, float], ...] = ()
    height: float = 1.0


@dataclass(frozen=True, slots=True)
class Polyline:
    """Extruded outlines; one that lies inside another is a hole in it."""

    prisms: tuple[Prism, ...] = ()


@dataclass(frozen=True, slots=True)
class Mesh:
    """A mesh file. ``submesh`` names the one part to use, moved to its centre if ``center``.

    ``path`` is that of the file, where it has been looked for and found; inside the resource paths if loading is
    confined. ``element`` is where it is written: two meshes may be equal without it, and a copy from a pickle has none.
    """

    uri: str
    element: Element | None = field(repr=False, compare=False)
    scale: Vector = (1.0, 1.0, 1.0)
    submesh: str | None = None
    center: bool = False
    optimization: str = ""
    path: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.uri, None, self.scale, self.submesh, self.center, self.optimization, self.path)


@dataclass(frozen=True, slots=True)
class Heightmap:
    uri: str = ""
    size: Vector = (1.0, 1.0, 1.0)
    position: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Image:
    """Boxes extruded from the dark parts of a picture."""

    uri: str = ""
    scale: float = 1.0
    height: float = 1.0


@dataclass(frozen=True, slots=True)
class Empty:
    """``<empty>``: no shape."""


Geometry = Box | Sphere | Cylinder | Capsule | Ellipsoid | Cone | Plane | Polyline | Mesh | Heightmap | Image | Empty


def read_geometry(element: Element | None) -> tuple[Geometry | None, tuple[Diagnostic, ...]]:
    """Read the shape in a ``<geometry>`` element.

    Missing dimensions take the schema's defaults; dimensions that are not positive take libsdformat's
    replacements, with a warning. None, with an error, if a value is not a number.

    `element` is the ``<geometry>`` element of an SDFormat 1.12 tree; None counts as empty.

    Returns
    -------
    geometry, diagnostics
    """
    if element is None:
        return Empty(), ()
    found: list[Diagnostic] = []
    present: dict[str, Element] = {}
    for child in element:
        tag = tag_of(child)
        if tag in _READERS:
            present.setdefault(tag, child)
        elif tag and ":" not in tag:
            found.append(diagnose("geometry-unknown-shape", locate(child), tag=tag))
    if not present:
        return Empty(), tuple(found)
    shape = next(s for s in _READERS if s in present)
    if len(present) > 1:
        found.append(diagnose("geometry-several-shapes", locate(element), shapes=" and ".join(present), shape=shape))
    reader = _Reader(shape, present[shape], found)
    geometry = _READERS[shape](reader)
    return (None if reader.failed else geometry), tuple(found)


Numbers = TypeVar("Numbers", bound=tuple[float, ...])
_ONES: Vector = (1.0, 1.0, 1.0)


class _Reader:
    """Reads the children of one shape element; reports those that cannot be read."""

    def __init__(self, shape: str, element: Element, found: list[Diagnostic]):
        self.shape, self.element, self.found, self.failed = shape, element, found, False

    def fail(self, child: Element, expected: str) -> None:
        self.failed = True
        self.found.append(diagnose("geometry-value-unreadable", locate(child), tag=child.tag, shape=self.shape,
                                   expected=expected, text=text_of(child)))

    def number(self, tag: str, default: float, of: Element | None = None) -> float:
        child = find_child(self.element if of is None else of, tag)
        if child is None:
            return default
        value = read_number(text_of(child))
        if value is None:
            self.fail(child, "a number")
            return default
        return value

    def numbers(self, tag: str, default: Numbers) -> Numbers:
        child = find_child(self.element, tag)
        if child is None:
            return default
        values = read_vector(text_of(child), len(default))
        if values is None:
            self.fail(child, f"{len(default)} numbers")
            return default
        return cast(Numbers, values)

    def positive(self, tag: str, default: float, replacement: float) -> float:
        return self.require_positive(tag, (self.number(tag, default),), (replacement,))[0]

    def all_positive(self, tag: str) -> Vector:
        return self.require_positive(tag, self.numbers(tag, _ONES), _ONES)

    def require_positive(self, tag: str, values: Numbers, replacement: Numbers) -> Numbers:
        if all(v > 0 for v in values):
            return values
        self.found.append(diagnose("geometry-dimension-not-positive", locate(child_or_self(self.element, tag)),
                                   shape=self.shape, tag=tag, text=format_numbers(values),
                                   default=format_numbers(replacement)))
        return replacement

    def text(self, tag: str) -> str:
        return _text(self.element, tag)


def _read_mesh(r: _Reader) -> Mesh:
    uri = r.text("uri")
    if uri in ("", NOT_WRITTEN):
        r.failed = True
        r.found.append(diagnose("mesh-without-uri", locate(r.element)))
    return Mesh(uri, r.element, r.numbers("scale", _ONES), r.text("submesh[1]/name") or None,
                bool(read_bool(r.text("submesh[1]/center"))), r.element.get("optimization", ""))


def _read_polyline(r: _Reader) -> Polyline:
    prisms = []
    around = r.element.getparent()
    assert around is not None
    for polyline in around.iterchildren("polyline"):
        points = []
        for child in polyline.iterchildren("point"):
            if (point := read_vector(text_of(child), 2)) is None:
                r.fail(child, "2 numbers")
            else:
                points.append((point[0], point[1]))
        prisms.append(Prism(tuple(points), r.number("height", 1.0, polyline)))
    return Polyline(tuple(prisms))


# In the order in which libsdformat looks for a shape when there are several.
_READERS: dict[str, Callable[[_Reader], Geometry]] = {
    "box": lambda r: Box(r.all_positive("size")),
    "capsule": lambda r: Capsule(r.positive("radius", 0.5, 0.5), r.positive("length", 1.0, 1.0)),
    "cone": lambda r: Cone(r.positive("radius", 1.0, 0.5), r.positive("length", 1.0, 1.0)),
    "cylinder": lambda r: Cylinder(r.positive("radius", 1.0, 0.5), r.positive("length", 1.0, 1.0)),
    "ellipsoid": lambda r: Ellipsoid(r.all_positive("radii")),
    "plane": lambda r: Plane(r.numbers("normal", (0.0, 0.0, 1.0)), r.numbers("size", (1.0, 1.0))),
    "sphere": lambda r: Sphere(r.positive("radius", 1.0, 1.0)),
    "heightmap": lambda r: Heightmap(r.text("uri"), r.numbers("size", _ONES), r.numbers("pos", (0.0, 0.0, 0.0))),
    "mesh": _read_mesh,
    "polyline": _read_polyline,
    "image": lambda r: Image(r.text("uri"), r.number("scale", 1.0), r.number("height", 1.0)),
    "empty": lambda r: Empty(),
}


def find_half_size(shape: Geometry | None) -> Vector | None:
    """Return half the edges of the box around a primitive, centred on its origin; None for other shapes."""
    if isinstance(shape, Box):
        x, y, z = shape.size
        return x / 2, y / 2, z / 2
    if isinstance(shape, Sphere):
        return shape.radius, shape.radius, shape.radius
    if isinstance(shape, Ellipsoid):
        return shape.radii
    if isinstance(shape, (Cylinder, Cone)):
        return (shape.radius, shape.radius, shape.length / 2)
    if isinstance(shape, Capsule):
        return (shape.radius, shape.radius, shape.length / 2 + shape.radius)
    return None


Colour = tuple[float, float, float, float]

#: Diffuse colours of the material scripts that came with Gazebo Classic; for those with a texture, its mean colour.
SCRIPT_COLOURS: dict[str, tuple[float, float, float]] = {
    "Gazebo/Black": (0.0, 0.0, 0.0), "Gazebo/FlatBlack": (0.1, 0.1, 0.1), "Gazebo/DarkGrey": (0.18, 0.18, 0.18),
    "Gazebo/Grey": (0.7, 0.7, 0.7), "Gazebo/Gray": (0.7, 0.7, 0.7), "Gazebo/White": (1.0, 1.0, 1.0),
    "Gazebo/Red": (1.0, 0.0, 0.0), "Gazebo/Green": (0.0, 1.0, 0.0), "Gazebo/Blue": (0.0, 0.0, 1.0),
    "Gazebo/Yellow": (1.0, 1.0, 0.0), "Gazebo/Purple": (1.0, 0.0, 1.0), "Gazebo/Turquoise": (0.0, 1.0, 1.0),
    "Gazebo/Orange": (1.0, 0.51, 0.05), "Gazebo/SkyBlue": (0.13, 0.44, 0.7), "Gazebo/ZincYellow": (0.97, 0.95, 0.21),
    "Gazebo/Wood": (0.6, 0.42, 0.25), "Gazebo/LightWood": (0.75, 0.6, 0.42), "Gazebo/WoodPallet": (0.6, 0.48, 0.33),
    "Gazebo/GrassFloor": (0.3, 0.45, 0.2), "Gazebo/Gold": (0.8, 0.65, 0.12), "Gazebo/Indigo": (0.33, 0.0, 0.5),
}


def read_colour(visual: Element) -> Colour | None:
    """Read the colour of a ``<visual>`` element: (r, g, b, a), each from 0 to 1, or None.

    It is the diffuse colour, or else the ambient colour, or else the colour of a known material script. The emissive
    colour is added.
    """
    opacity = min(1.0, max(0.0, 1.0 - (read_number(_text(visual, "transparency")) or 0.0)))
    colour = _read_numbers(_text(visual, "material/diffuse")) or _read_numbers(_text(visual, "material/ambient"))
    name = _text(visual, "material/script/name")
    if colour is None and name in SCRIPT_COLOURS:
        colour = (*SCRIPT_COLOURS[name], 1.0)
    if (light := _read_numbers(_text(visual, "material/emissive"))) is not None and any(light[:3]):
        r, g, b, a = colour or (0.0, 0.0, 0.0, 1.0)  # a material without a diffuse colour is black
        colour = min(1.0, r + light[0]), min(1.0, g + light[1]), min(1.0, b + light[2]), a
    if colour is None and opacity < 1:
        colour = (0.7, 0.7, 0.7, 1.0)
    return None if colour is None else (*colour[:3], colour[3] * opacity)


def read_texture(visual: Element) -> str:
    """Read the URI of the picture that gives a ``<visual>`` element its colours; "" if there is none."""
    return _text(visual, "material/pbr/metal/albedo_map") or _text(visual, "material/pbr/specular/albedo_map")


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _read_numbers(text: str) -> Colour | None:
    """Read three or four numbers from 0 to 1; None for other texts."""
    values = read_vector(text, 4) or read_vector(text, 3)
    if values is None:
        return None
    r, g, b, *a = [min(1.0, max(0.0, v)) for v in values]
    return r, g, b, a[0] if a else 1.0
