"""Reading a robot description that a person names.

That is a path or package:// URI of a .urdf, .sdf, .world or .xacro, or of a model's folder.

For the node, launch files and the demo. xacro evaluates Python expressions, so only files that the person at the
machine names come here, never what arrives over the network.
"""
from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.door import UNCONFINED, read_named
from sdf_frames.document.expanded import Expanded, is_xacro, split_arguments
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xacro_expansion import expand_xacro
from sdf_frames.ros.settings import name_parameters


def find_description(name: str) -> Path:
    """Find the file that a path (with ~) or a `package://NAME/...` URI names.

    Raises
    ------
    FileNotFoundError
        There is none; the message tells what was tried.
    """
    from sdf_frames.sdf.model_folder import find_model_file
    if name.startswith("package://"):
        from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
        package, _, below = name[len("package://"):].partition("/")
        try:
            path = Path(get_package_share_directory(package)) / below
        except (PackageNotFoundError, ValueError) as error:
            raise FileNotFoundError(f"{name}: there is no package {package!r} in AMENT_PREFIX_PATH") from error
    else:
        path = Path(name[len("file://"):] if name.startswith("file://") else name).expanduser()
    if UNCONFINED.is_folder(str(path)):
        file = find_model_file(str(path), Resolver(confined=True, named=[str(path)]).door).file
        if file is None:
            raise FileNotFoundError(f"{name}: the folder {path.absolute()} has no model.config that names a file in it")
        path = Path(file)
    if not UNCONFINED.is_file(str(path)):
        raise FileNotFoundError(f"{name}: there is no file {path.absolute()}")
    return path


def read_xacro_args(text: str) -> dict[str, str]:
    """Read the arguments of a .xacro, as a shell would: ``prefix:=left_ 'name:=my robot'``.

    Raises
    ------
    ValueError
        The message names the argument and the problem.
    """
    try:
        others, values = split_arguments(shlex.split(text), or_files=False)
    except ValueError as error:
        raise ValueError(f"xacro_args is {text!r}: {str(error).lower()}") from error
    if others:
        raise ValueError(f"{others[0]!r} in xacro_args is not NAME:=VALUE")
    return values


def read_description_file(path: Path, arguments: dict[str, str] | None = None, resource_paths: Sequence[str] = (),
                          files: list[str] | None = None) -> str | Expanded:
    """Read a description; a .xacro is expanded with `arguments`, and finds packages also in `resource_paths`.

    `files` gets those that a .xacro includes or loads, also if that fails.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        The file is empty or not in UTF-8, xacro is missing, or it cannot expand the file; the message says why.
    """
    if not is_xacro(str(path)):
        try:
            text = TextIOWrapper(BytesIO(read_named(str(path))), "utf-8").read()
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not in UTF-8, which ROS messages need: {error}") from error
        if not text.strip():
            raise ValueError(f"{path} is empty")
        return text
    made = expand_xacro(str(path), arguments or {}, resource_paths, files=files)
    if isinstance(made, Diagnostic):
        raise ValueError(name_parameters(f"{made.file}: {made.message}" + (f" ({made.hint})" if made.hint else "")))
    return made


def guess_resource_paths(path: Path) -> list[str]:
    """List folders where the URIs of a description in a source tree may lead.

    These are the file's own folder, the package and the model that the file is in, and the folders that hold them:
    `package://NAME/...` of a checkout is found there. The home folder and those above it are no such places. A file
    that is in no package and no model has none.
    """
    home = Path(os.path.expanduser("~"))
    parents = [parent for parent in path.resolve().parents if parent != home and parent not in home.parents]
    found: list[Path] = []
    for marker in ("package.xml", "model.config"):
        number = next((i for i, parent in enumerate(parents) if UNCONFINED.is_file(str(parent / marker))), len(parents))
        found += parents[number:number + 2]
    return list(dict.fromkeys(map(str, [*parents[:1], *found]))) if found else []
