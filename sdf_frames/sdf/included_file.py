"""The file that an ``<include>`` names: where it is, and its text as an SDFormat document."""
from __future__ import annotations

from sdf_frames.diagnostics import diagnose
from sdf_frames.document.uris import Resolver, report_missing
from sdf_frames.document.xml_in import Document, Element, child_or_self, file_of, locate, read_xml, report_root
from sdf_frames.sdf.entities import read_child_text
from sdf_frames.sdf.model_folder import find_model_file
from sdf_frames.sdf.reading import Reading


def find_included_file(include: Element, reading: Reading) -> str | None:
    """Find the SDFormat or URDF file that an ``<include>`` names; None, with a finding, where there is none."""
    found = reading.found
    uri = read_child_text(include, "uri")
    if not uri:
        found.append(diagnose("include-without-uri", locate(include)))
        return None
    at = child_or_self(include, "uri")
    path = reading.resolver.find(uri, file_of(include))
    if path is None:
        found.append(report_missing(uri, at, reading.resolver))
        return None
    door = reading.resolver.door
    if door.is_folder(path):
        if path not in reading.folders:
            reading.folders[path] = find_model_file(path, door)
        config, file, findings = reading.folders[path]
        if config is None:
            found.append(report_missing(uri, at, reading.resolver, f"{path} is a directory without a model.config"))
            return None
        found += findings
        if file is None:
            found.append(diagnose("model-config-incomplete", locate(include), file=config))
        return file
    if not door.is_file(path):
        found.append(diagnose("include-failed", locate(include), file=path, problem="it is not a file"))
        return None
    return path


def read_included_text(path: str, include: Element, reading: Reading) -> str | bytes | None:
    """Read the text of an included file, or what a reader of the caller makes of it; None on failure."""
    texts = reading.resolver.texts
    if path not in texts:
        try:
            content = _read_other_format(path, reading.resolver)
            if content is None:
                content = reading.resolver.door.read(path, reading.spending.left("bytes"))
        except Exception as error:  # a reader is somebody else's code
            problem = getattr(error, "strerror", None) or str(error)
            reading.found.append(diagnose("include-failed", locate(include), file=path, problem=problem))
            return None
        texts[path] = content
    return texts[path]


def parse_included_text(content: str | bytes, path: str, reading: Reading) -> Document | None:
    """Parse the text of an included file, and convert a URDF; None, with a finding, where it is no robot or world."""
    found = reading.found
    document, findings = read_xml(content, path, spending=reading.spending)
    found += findings
    if document is not None and document.root.tag == "robot" and reading.convert_urdf:
        document = reading.convert_urdf(document, found)
    if document is not None and document.root.tag != "sdf":
        found.append(report_root(document.root))
        return None
    return document


def _read_other_format(path: str, resolver: Resolver) -> str | bytes | None:
    """Return the SDFormat text that one of the caller's readers makes of a file, the last first; None if none does."""
    if path.endswith((".sdf", ".world")):
        return None
    texts = (read(path) for read in reversed(resolver.readers))
    return next((text for text in texts if text is not None), None)
