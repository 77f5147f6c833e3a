"""How a ``<visual>`` looks: colour, transparency and texture, as far as a drawing needs them."""
from __future__ import annotations

from sdf_frames.document.numbers import read_number, read_vector
from sdf_frames.document.xml_in import Element

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

    The diffuse colour counts, without one the ambient colour, without either the colour of a known material
    script. What the material emits is added.
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
    """Three or four numbers from 0 to 1, or None."""
    values = read_vector(text, 4) or read_vector(text, 3)
    if values is None:
        return None
    r, g, b, *a = [min(1.0, max(0.0, v)) for v in values]
    return r, g, b, a[0] if a else 1.0
