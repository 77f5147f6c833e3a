"""Finds the folder of a ROS package, with or without ROS."""
from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from itertools import islice

from sdf_frames.document.door import Door
from sdf_frames.document.uris import Resolver, read_package_name, walk_up

_LEVELS = 5  # folders above a file in which its neighbours are looked for
_MOST_READ = 500  # package.xml files that are read for the name of one package


def find_package(name: str, file: str, resource_paths: Sequence[str] = (),
                 named: Sequence[str] | None = None) -> tuple[str | None, list[str]]:
    """Find the folder of the package `name`.

    These are tried in order: ``DIR/name`` for each of `resource_paths`, and DIR itself if it is that package; the paths
    of ``SDF_PATH`` and ``GZ_SIM_RESOURCE_PATH``; the package that `file` is in; installed ROS packages; packages in the
    folders above `file`, or one level below those; packages in `resource_paths` and in the folders above `file` whose
    folder has another name; a folder above `file` of that name.

    Parameters
    ----------
    named : for a file that is not trusted, folders that may be looked into besides those of a confined load.

    Returns
    -------
    path, tried
        The absolute path, None if there is none, and the paths that were tried.
    """
    resolver = Resolver(resource_paths, confined=named is not None, named=named or ())
    tried = resolver.candidates(f"package://{name}", file)
    for path in [*tried, *_list_more(name, file, resolver.paths, resolver.door)]:
        if resolver.door.is_folder(path):
            return os.path.abspath(path), tried
    return None, [*tried, f"packages around {file}"]


def _list_more(name: str, file: str, paths: Sequence[str], door: Door) -> Iterator[str]:
    yield from (path for path in paths if read_package_name(os.path.join(path, "package.xml"), door) == name)
    above = list(islice(walk_up(os.path.dirname(os.path.abspath(file))), _LEVELS + 1))
    for folder in above:
        for between in ("", "*"):
            found = glob.glob(os.path.join(glob.escape(folder), between, glob.escape(name), "package.xml"))
            yield from map(os.path.dirname, sorted(found))
    manifests = (path for folder in (*paths, *above)
                 for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*", "package.xml"))))
    called = (path for path in islice(manifests, _MOST_READ) if read_package_name(path, door) == name)
    yield from map(os.path.dirname, called)
    yield from (folder for folder in above if os.path.basename(folder) == name)
