"""Reads files that a person uploads to the page: a URDF, an SDFormat file, or a zip of a model folder."""
from __future__ import annotations

import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.loading import load
from sdf_frames.diagnostics import Diagnostic, shorten_name
from sdf_frames.document.door import UNCONFINED

#: Most bytes of all files of one archive, and most files.
LARGEST, MOST_FILES = 500_000_000, 10_000
#: Most bytes of the name of a file or folder, as in file systems, and most nested folders.
_LONGEST_NAME, _DEEPEST = 255, 64
#: The warning about a mesh so large that it hides all others, or so small that it is invisible.
MESH_UNIT = "mesh-unit-suspicious"
#: The name of a folder, and the path in it, of a URI; most bytes of a description in which URIs are looked for.
_URI, _MOST_READ = re.compile(r"(?:model|package)://(\w[\w .+()-]{,59})/([^<>\"'\s]+)"), 1_000_000


class UploadRefused(ValueError):
    """The upload is not a robot description; the message is for the person who uploaded it."""


def unpack_upload(name: str, content: bytes, folder: Path) -> Path:
    """Put an uploaded file, or the content of a zip, into an empty folder.

    Returns
    -------
    The file or model folder to load.

    Raises
    ------
    UploadRefused
        A name is not a file name, or a zip is broken, leads out of its folder, is too large, or has no description.
    """
    shown = shorten_name(name)
    if not zipfile.is_zipfile(BytesIO(content)):
        if name.lower().endswith(".zip"):
            raise UploadRefused(f"{shown} is not a zip archive")
        path = folder / (name.replace("\\", "/").rpartition("/")[2] or "upload")
        _check_name(path.name if path.parent == folder else "..")
        path.write_bytes(content)
        return path
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            _check_archive(archive, shown)
            _extract(archive, folder)
    except UploadRefused:
        raise
    except OSError as error:
        raise UploadRefused(f"{shown} cannot be unpacked: {error.strerror or 'it is damaged'}") from error
    except Exception as error:  # each way of packing has its own
        raise UploadRefused(f"{shown} cannot be unpacked: it is damaged, or packed in an unknown way") from error
    return _find_description(shown, folder)


def _extract(archive: zipfile.ZipFile, folder: Path) -> None:
    """Extract a zip, also one with backslashes; add the folder that its URIs name if the zip does not have it."""
    for entry in archive.infolist():
        entry.filename = entry.filename.replace("\\", "/")
    archive.extractall(folder, archive.infolist())
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    files = [str(path) for path in there.values() if path.suffix in (".sdf", ".urdf", ".world") and path.is_file()]
    uses = (use for file in files for use in _URI.finditer(UNCONFINED.read(file, _MOST_READ).decode(errors="replace")))
    missing = Counter(use[1] for use in uses if use[1] not in there and use[2] in there)
    for name, _ in missing.most_common(1):
        tops = [*folder.iterdir()]
        (folder / name).mkdir()
        for path in tops:
            path.rename(folder / name / path.name)


def _check_archive(archive: zipfile.ZipFile, shown: str) -> None:
    entries = archive.infolist()
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST:
        raise UploadRefused(f"the archive contains more than {MOST_FILES} files or {LARGEST // 1_000_000} MB")
    for entry in entries:
        _check_name(entry.orig_filename)
        if entry.flag_bits & 1:
            raise UploadRefused(f"{shown} is encrypted: upload an archive without a password")


def _check_name(name: str) -> None:
    """Refuse names that cannot be the path of a file inside of a folder."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts or parts[:1] == ("/",) or any(":" in part for part in parts):
        raise UploadRefused(f"{shorten_name(name)} is outside of the folder of the upload")
    if "\0" in name:
        raise UploadRefused(f"{shorten_name(name)} has a NUL character in its name")
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in parts) or len(parts) > _DEEPEST:
        raise UploadRefused(f"{shorten_name(name)} has too long a name, or too many folders around it")


def _find_description(shown: str, folder: Path) -> Path:
    """Return the model folder nearest to the top, else the description nearest to the top."""
    for pattern in ("model.config", "*.urdf", "*.sdf", "*.world"):
        found = sorted(folder.rglob(pattern), key=lambda path: (len(path.parts), path))
        if found:
            return found[0].parent if pattern == "model.config" else found[0]
    raise UploadRefused(f"{shown} contains no model.config, .urdf, .sdf or .world file")


def load_upload(path: Path, folder: Path) -> RobotDescription:
    """Load the unpacked upload, confined to its folder.

    Raises
    ------
    UploadRefused
        The file cannot be opened, or would run code (.xacro).
    """
    models = {config.parent for config in folder.rglob("model.config")} - {folder}  # above `folder` are other files
    roots = [str(folder), *sorted({str(model.parent) for model in models})]
    try:
        return load(path, confined=True, resource_paths=roots)
    except OSError as error:
        raise UploadRefused(f"the file cannot be opened: {error.strerror or 'it is damaged'}") from error
    except (ValueError, ImportError) as error:
        raise UploadRefused(_hide(str(error), folder)) from error


def list_findings(robot: RobotDescription, folder: Path | None) -> list[Diagnostic]:
    """List findings, with missing files and meshes in a wrong unit; `folder` holds an upload, or is None."""
    odd = [d for d in robot._description.find_odd_meshes() if d.name == MESH_UNIT]
    return hide_paths((*robot.findings, *robot.find_missing_files(), *odd), folder)


def hide_paths(findings: Iterable[Diagnostic], folder: Path | None) -> list[Diagnostic]:
    """Remove the paths of this machine from findings on an upload, which is in `folder`."""
    if folder is None:
        return [*findings]
    found = [d._replace(message=_hide(d.message, folder), hint=d.hint and _hide(d.hint, folder)) for d in findings]
    # Hints also list places outside of the upload where files were looked for.
    return [d._replace(hint=None) if d.hint and re.search(r"(^|[\s'\"(])/", d.hint) else d for d in found]


def _hide(text: str, folder: Path) -> str:
    return text.replace(f"{folder}{os.sep}", "").replace(str(folder), ".")
