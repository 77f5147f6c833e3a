"""Write a loaded description as SDFormat text."""
from __future__ import annotations

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.api.upgrade import upgrade_text
from sdf_frames.description import Description
from sdf_frames.load import load_text
from sdf_frames.sdf.table import VERSIONS, version_key


def write_sdf(description: Description, source: str | bytes, version: str | None = None) -> str:
    """Write a description as SDFormat: see :meth:`RobotDescription.to_sdf`."""
    if version is not None and version not in VERSIONS:
        raise ValueError(f"version must be one of {', '.join(VERSIONS)}, not {version!r}")
    if description.kind == "urdf":
        return _write_converted(description, source, version)
    if description.kind != "sdf" or description.text is None:
        raise InvalidDescription(description.file, description.diagnostics)
    return description.text if version is None else _upgrade(description, description.text, version)


def _write_converted(description: Description, source: str | bytes, version: str | None) -> str:
    """The SDFormat of a URDF, converted again if it is in another version."""
    from sdf_frames.convert.options import SDF_VERSIONS
    if version is not None and version not in SDF_VERSIONS:
        raise ValueError(f"version must be one of {', '.join(SDF_VERSIONS)} for a URDF, not {version!r}")
    if version not in (None, description.options.sdf_version):
        description = load_text(source, description.file, description.options._replace(sdf_version=version))
    text = description.sdf_text
    if text is None or not description.convertible:
        raise InvalidDescription(description.file, description.diagnostics)
    return text


def _upgrade(description: Description, text: str, version: str) -> str:
    """The text in a newer version; comments, includes and unknown content stay."""
    written = "" if description.root is None else description.root.version
    if version_key(written) > version_key(version):
        raise ValueError(f"the description is SDFormat {written}; it cannot be written as the older {version}")
    upgraded, found = upgrade_text(text, description.file, version, description.options)
    if upgraded is None:
        raise InvalidDescription(description.file, found)
    return upgraded
