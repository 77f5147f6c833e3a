"""Rules on elements that a table of types cannot say: materials, sensors, formats."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.xml_in import Element, locate, text_of

_SHADERS = ("pixel", "vertex", "normal_map_object_space", "normal_map_tangent_space")
_IMAGE_FORMATS = (
    "UNKNOWN", "UNKNOWN_PIXEL_FORMAT", "L8", "L_INT8", "L16", "L_INT16", "L_UINT16", "R8G8B8", "RGB_INT8", "RGBA_INT8",
    "R8G8B8A8", "BGRA_INT8", "B8G8R8A8", "RGB_INT16", "R16G16B16", "RGB_INT32", "BGR_INT8", "B8G8R8", "BGR_INT16", "BGR_INT32",
    "R_FLOAT16", "RGB_FLOAT16", "R_FLOAT32", "RGB_FLOAT32", "BAYER_RGGB8", "BAYER_BGGR8", "BAYER_GBRG8",
    "BAYER_GRBG8", "BAYER_RGGR8")
_UNSUPPORTED_FORMATS = {"R16G16B16"}


def check_element_rules(root: Element) -> list[Diagnostic]:
    """Findings of an upgraded ``<sdf>`` tree that no type or occurrence of the element table expresses."""
    found: list[Diagnostic] = []
    for material in root.iter("material"):
        parent = material.getparent()
        if parent is None or parent.tag not in ("visual", "road", "particle_emitter"):
            continue
        if (script := material.find("script")) is not None:
            for tag, rule in (("uri", "material-script-without-uri"), ("name", "material-script-without-name")):
                child = script.find(tag)
                if child is None or text_of(child) in ("", "__default__"):
                    found.append(diagnose(rule, locate(script)))
        if (shader := material.find("shader")) is not None:
            kind = (shader.get("type") or "").strip()
            if kind and kind not in _SHADERS:
                found.append(diagnose("enumeration-invalid", locate(shader), what="the type of <shader>", value=kind,
                                      allowed=", ".join(_SHADERS)))
    for image in root.iter("image"):
        parent = image.getparent()
        if parent is not None and parent.tag == "camera" and (form := image.find("format")) is not None:
            value = text_of(form)
            if value and (value not in _IMAGE_FORMATS or value in _UNSUPPORTED_FORMATS):
                found.append(diagnose("enumeration-invalid", locate(form), what="the image format of a camera",
                                      value=value, allowed=", ".join(f for f in _IMAGE_FORMATS if f not in _UNSUPPORTED_FORMATS)))
    return found
