"""Colours and textures of triangles, as trimesh keeps them."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import trimesh

from sdf_frames.view.triangles import Surface

#: The colour of shapes without a colour.
GREY = (0.72, 0.74, 0.77, 1.0)
#: A material of glTF without reflections.
DULL = {"metallicFactor": 0.0, "roughnessFactor": 0.8, "doubleSided": True}


def encode_colours(parts: Iterable[Surface]) -> None:
    """Convert the colours of glTF, which are in linear light, to sRGB, as in all other formats."""
    done = set()
    for visual in [cast(Any, part.visual) for part in parts]:
        if visual.kind == "vertex":
            colours = visual.vertex_colors
            visual.vertex_colors = np.column_stack([to_srgb(colours[:, :3]), colours[:, 3]])
        elif visual.kind == "texture" and find_texture(visual) is None and id(visual.material) not in done:
            done.add(id(visual.material))  # parts share it
            colour = visual.material.main_color
            visual.material.baseColorFactor = [*to_srgb(colour[:3]), colour[3]]


def to_srgb(linear: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return (..., 3) linear light from 0 to 255 as sRGB. Source: IEC 61966-2-1."""
    c = np.asarray(linear, dtype=float) / 255.0
    return np.rint(255.0 * np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)).astype(np.uint8)


def to_linear(srgb: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return (..., 3) sRGB from 0 to 255 as linear light. Source: IEC 61966-2-1."""
    c = np.asarray(srgb, dtype=float) / 255.0
    return np.rint(255.0 * np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)).astype(np.uint8)


def as_linear(surface: Surface) -> Surface:
    """Return a surface whose colours of vertices, if it has them, are in linear light and dull, for glTF."""
    visual: Any = surface.visual
    if visual.kind == "texture":
        return surface
    make: Any = trimesh.visual  # not typed
    look = make.TextureVisuals(material=make.material.PBRMaterial(**DULL))  # without a material, glTF has a metal
    colours = visual.vertex_colors
    look.vertex_attributes["color"] = np.column_stack([to_linear(colours[:, :3]), colours[:, 3]])
    return Surface(surface.vertices, surface.faces, process=False, visual=look)


def find_texture(visual: Any) -> Any:
    """Return the picture (of Pillow) that a mesh file puts on a surface of this visual, or None."""
    material = getattr(visual, "material", None) if getattr(visual, "uv", None) is not None else None
    image = getattr(material, "image", None)
    return image if image is not None else getattr(material, "baseColorTexture", None)


def has_colours(surface: Surface) -> bool:
    """Return whether a mesh file gives colours or a texture to a surface."""
    visual: Any = surface.visual
    return bool(visual is not None and visual.defined)


def has_pattern(surface: Surface) -> bool:
    """Return whether a mesh file gives a texture, or more than one colour, to a surface."""
    visual: Any = surface.visual
    if not has_colours(surface) or visual.kind == "texture":
        return find_texture(visual) is not None
    return bool(np.ptp(visual.vertex_colors, axis=0).any())


def find_colour(surface: Surface) -> tuple[float, ...]:
    """Return the main colour (r, g, b, a from 0 to 1) of a surface in a mesh file, the mean of a texture, or grey."""
    if not has_colours(surface):
        return GREY
    visual: Any = surface.visual
    if (image := find_texture(visual)) is not None:
        colour = image.convert("RGBA").resize((1, 1), resample=4).getpixel((0, 0))  # 4: the mean of all pixels
    else:
        colour = visual.material.main_color if visual.kind == "texture" else visual.main_color
    return tuple([float(value) / 255 for value in colour])
