"""Files that a person uploads to the page: a URDF, an SDFormat file, or a zip of a model's folder."""
from __future__ import annotations

import os
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.loading import load

#: Bytes that the files of one archive may have together, and how many files there may be.
LARGEST, MOST_FILES = 500_000_000, 10_000


class UploadRefused(ValueError):
    """What was uploaded is no robot description; the message is for the person who uploaded it."""


def unpack_upload(name: str, content: bytes, folder: Path) -> Path:
    """Put an uploaded file, or what a zip holds, into an empty folder.

    Returns
    -------
    The file or model folder to load.

    Raises
    ------
    UploadRefused
        A zip is broken, leads out of its folder, is too large, or holds no description.
    """
    if not zipfile.is_zipfile(BytesIO(content)):
        path = folder / (os.path.basename(name.replace("\\", "/")) or "upload")
        path.write_bytes(content)
        return path
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            _check_archive(archive)
            archive.extractall(folder)
    except (zipfile.BadZipFile, OSError, RuntimeError) as error:  # RuntimeError: encrypted, or packed in an unknown way
        raise UploadRefused(f"{name} cannot be unpacked: {error}") from error
    return _find_description(name, folder)


def _check_archive(archive: zipfile.ZipFile) -> None:
    entries = archive.infolist()
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST:
        raise UploadRefused(f"the archive contains more than {MOST_FILES} files or {LARGEST // 1_000_000} MB")
    for entry in entries:
        parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
        if ".." in parts or parts[:1] == ("/",) or any(":" in part for part in parts):
            raise UploadRefused(f"{entry.filename} is outside of the archive's folder")


def _find_description(name: str, folder: Path) -> Path:
    """The model folder nearest to the top, else the description nearest to the top."""
    for pattern in ("model.config", "*.urdf", "*.sdf", "*.world"):
        found = sorted(folder.rglob(pattern), key=lambda path: (len(path.parts), path))
        if found:
            return found[0].parent if pattern == "model.config" else found[0]
    raise UploadRefused(f"{name} contains no model.config, .urdf, .sdf or .world file")


def load_upload(path: Path, folder: Path) -> RobotDescription:
    """Load what was unpacked, confined to its folder.

    Raises
    ------
    UploadRefused
        The file cannot be opened, or would run code (.xacro).
    """
    models = {config.parent for config in folder.rglob("model.config")} - {folder}  # above `folder` are other files
    roots = [str(folder), *sorted({str(model.parent) for model in models})]
    try:
        return load(path, confined=True, resource_paths=roots)
    except (OSError, ValueError, ImportError) as error:
        raise UploadRefused(str(error)) from error
