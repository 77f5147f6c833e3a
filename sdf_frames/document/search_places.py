"""The places where packages and models are looked for: one table, in the order of the search.

``package://NAME``, ``model://NAME`` and ``$(find NAME)`` search the same folders. ``uri`` and ``doctor`` show the
table, and docs/commands.md explains it.
"""
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from sdf_frames.diagnostics import Comparisons
from sdf_frames.document.confinement import is_file_name
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.folders import MODEL_CONFIG
from sdf_frames.document.xml_in import read_xml

_LEVELS = 5  # folders above a file in which its neighbours are looked for
_MOST_READ = 500  # package.xml files that are read for the names of neighbours
_MOST_BYTES = 1 << 16  # of one of them
_MOST_LOOKS = 100_000  # folders that are looked at for neighbours
_FEW = 4  # folders of a place that are listed; more are counted
_ANY_DEPTH = ("{}", "*/{}", "*/*/{}")


class Place(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    title : the name of the place for people.
    look : yields the paths that may be the package or model.
    variable : the environment variable with its folders; `default` is the folder if it is not set.
    below : where a package or model is below such a folder; ``*`` is any folder.
    bare : whether plain URIs are looked for in its folders, too.
    confined : whether a confined load looks here; it still opens nothing outside of its boundary.
    uris : whether URIs are looked for here. If not, only ``$(find NAME)`` is, and a hint names the folder.
    """

    title: str
    look: Callable[["Search", "Place", str, str | None], Iterable[str]]
    variable: str = ""
    default: str = ""
    below: tuple[str, ...] = ("{}",)
    bare: bool = False
    confined: bool = False
    uris: bool = True

    @property
    def is_known(self) -> bool:
        """Whether a person named its folders, or the file is in them; only this project searches other places."""
        return self.look in (_look_given, _look_around) or bool(self.variable and not self.default)


class Search:
    """Looks for packages and models, and caches the contents of folders.

    Parameters
    ----------
    given : the folders of ``--resource-path``.

    Attributes
    ----------
    places : those that are searched, in order.
    """

    def __init__(self, given: Sequence[str], door: Door):
        self.given, self.door = tuple(given), door
        self.places = tuple([place for place in PLACES if place.confined or not door.confined])
        self._roots: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str, str | None], list[str]] = {}
        self._inside: dict[str, list[str]] = {}
        self._packages: dict[str, list[str]] = {}
        self._holders: dict[tuple[str, str], list[str]] = {}
        self._manifests: dict[str, bytes] = {}
        self._names: dict[str, str | None] = {}
        self._names_in: dict[str, list[str]] = {}
        self._alike: dict[tuple[str, str, bool], list[str]] = {}
        self._comparisons = Comparisons()
        self._looks = 0

    @cached_property
    def bare(self) -> list[str]:
        """The folders in which plain URIs are looked for."""
        return list(dict.fromkeys(root for place in self.places if place.bare for root in self.list_roots(place)))

    @cached_property
    def fuel(self) -> list[str]:
        """The caches of Fuel; for a confined load, only that of Gazebo."""
        own, other = [self.list_roots(place) for place in PLACES if place.look is _look_in_fuel]
        return own if self.door.confined else [*own, *filter(self.door.is_folder, other)]

    @cached_property
    def shares(self) -> list[str]:
        """The existing folders in which Python packages install data."""
        prefixes = (sys.prefix, *[os.path.join(path, "cmeel.prefix") for path in sys.path if path])
        return [folder for prefix in prefixes if self.door.exists(folder := os.path.join(prefix, "share"))]

    def list_folders(self, place: Place, name: str, around: str | None) -> list[str]:
        """List the files and folders called `name` in a place, for a file in the folder `around`."""
        key = (place.title, name, around)
        if key not in self._found:
            look = place.look if is_file_name(name) else _look_below
            self._found[key] = list(dict.fromkeys(look(self, place, name, around)))
        return self._found[key]

    def list_missing(self, place: Place, name: str) -> list[str]:
        """List the paths of `name` in the folders of --resource-path and of variables."""
        roots = self.list_roots(place) if place.is_known else []
        return [os.path.join(root, place.below[0].format(name)) for root in roots]

    def list_roots(self, place: Place) -> list[str]:
        """List the folders that a place searches, also those that do not exist."""
        if place.title not in self._roots:
            self._roots[place.title] = list(self.given) if place.look is _look_given else (
                list_variable(place.variable) or [os.path.expanduser(path) for path in [place.default] if path])
        return self._roots[place.title]

    def expand(self, folder: str, below: str) -> Iterator[str]:
        """Yield the existing paths of a pattern below a folder; each ``*`` is any folder that is not hidden."""
        before, star, after = below.partition("*/")
        if star:
            for path in self.list_inside(os.path.join(folder, before)):
                yield from self.expand(path, after)
        elif self.door.exists(path := os.path.join(folder, below)):
            yield path

    def list_inside(self, folder: str) -> list[str]:
        """List the folders in a folder that are not hidden."""
        if folder not in self._inside:
            start = os.path.join(folder, "")
            self._inside[folder] = [start + name for name in self.door.list_folders(folder) if name[:1] != "."]
        return self._inside[folder]

    def list_alike(self, folder: str, name: str, letters: bool) -> list[str]:
        """List entries of a folder with names similar to `name`: other case or suffix, or `letters` that differ.
        """
        key = (folder, name, letters)
        if key not in self._alike:
            if folder not in self._names_in:
                self._names_in[folder] = [n for n in self.door.list_names(folder) if n[:1] != "."]
            names = self._names_in[folder]
            stem = os.path.splitext(name)[0].lower()
            alike = [n for n in names if n.lower().startswith(stem) and os.path.splitext(n)[0].lower() == stem]
            alike = alike or (self._comparisons.find_nearest(name, names, 3) if letters else [])
            self._alike[key] = [os.path.join(folder, n) for n in alike]
        return self._alike[key]

    def list_versions(self, folder: str) -> list[str]:
        """List the versions of a model in a cache of Fuel, the newest first."""
        return sorted((v for v in self.door.list_names(folder) if v.isdecimal()), key=int, reverse=True)

    def read_name(self, folder: str) -> str | None:
        """Return the name in the package.xml of a folder; None without one."""
        if folder not in self._names:
            text = self._read_manifest(folder)
            document = read_xml(text)[0] if text else None
            self._names[folder] = document and (document.root.findtext("name") or "").strip()
        return self._names[folder]

    def is_called(self, folder: str, name: str) -> bool:
        """Return whether the package.xml of a folder has this name. It is parsed only if it holds the name anywhere."""
        return name.encode(errors="replace") in self._read_manifest(folder) and self.read_name(folder) == name

    def _read_manifest(self, folder: str) -> bytes:
        if folder not in self._manifests:
            try:
                self._manifests[folder] = self.door.read(os.path.join(folder, "package.xml"), _MOST_BYTES)
            except OSError:
                self._manifests[folder] = b""
        return self._manifests[folder]

    def list_packages(self, folder: str) -> list[str]:
        """List the folders in a folder that have a package.xml."""
        if folder not in self._packages:
            self._packages[folder] = [path for path in self.list_inside(folder)
                                      if self.door.exists(path + os.sep + "package.xml")]
        return self._packages[folder]

    def list_holders(self, folder: str, name: str) -> list[str]:
        """List a folder, and the folders in it, if they have an entry `name`; [] after too many look-ups."""
        key = (folder, name)
        if key not in self._holders:
            below = os.sep + name  # thousands are looked up; `join` would take half of the time
            folders = (folder, *self.list_inside(folder))[:_MOST_LOOKS - self._looks]
            self._looks += len(folders)
            self._holders[key] = [path for path in folders if self.door.exists(path + below)]
        return self._holders[key]


def _look_below(search: Search, place: Place, name: str, _around: str | None) -> Iterator[str]:
    for root in search.list_roots(place):
        for pattern in place.below:
            yield from search.expand(root, pattern.format(name))


def _look_given(search: Search, place: Place, name: str, around: str | None) -> Iterator[str]:
    yield from _look_below(search, place, name, around)
    yield from (folder for folder in search.given if search.is_called(folder, name))


def _look_around(search: Search, _place: Place, name: str, around: str | None) -> Iterator[str]:
    """Find the nearest folder with a package.xml of that name, or with a model.config and itself of that name."""
    for folder in walk_up(around):
        if search.is_called(folder, name) or (os.path.basename(folder) == name
                                              and search.door.is_file(os.path.join(folder, MODEL_CONFIG))):
            yield folder
            return


def _look_beside(search: Search, _place: Place, name: str, around: str | None) -> Iterator[str]:
    """Find packages in the folders above a file, and one level below them, by folder name or package.xml."""
    above = list_near(around)
    for folder in above:
        for path in search.list_holders(folder, name):
            if search.door.is_file(os.path.join(path, name, "package.xml")):
                yield os.path.join(path, name)
    packages = (path for folder in (*search.given, *above) for path in search.list_packages(folder))
    yield from (path for path in islice(packages, _MOST_READ) if search.is_called(path, name))


def _look_above(search: Search, _place: Place, name: str, around: str | None) -> Iterator[str]:
    yield from (folder for folder in walk_up(around) if os.path.basename(folder) == name and search.door.exists(folder))


def _look_in_fuel(search: Search, place: Place, name: str, _around: str | None) -> Iterator[str]:
    for root in search.list_roots(place):
        for folder in search.expand(root, f"*/*/models/{name.lower()}"):
            yield from (os.path.join(folder, version) for version in search.list_versions(folder))


def _look_in_python(search: Search, _place: Place, name: str, _around: str | None) -> Iterator[str]:
    """Find the data of Python packages, where icub-models and example-robot-data (by cmeel) install it."""
    for folder in search.shares:
        yield from search.expand(folder, name)


#: Packages around a file that are not above it.
BESIDE = Place("packages beside the folders above the file", _look_beside, confined=True, uris=False)
#: The places, in the order of the search.
PLACES = (
    Place("--resource-path", _look_given, bare=True, confined=True),
    Place("SDF_PATH", _look_below, "SDF_PATH", bare=True, confined=True),
    Place("GZ_SIM_RESOURCE_PATH", _look_below, "GZ_SIM_RESOURCE_PATH", bare=True, confined=True),
    Place("the package or model around the file", _look_around, confined=True),
    Place("AMENT_PREFIX_PATH", _look_below, "AMENT_PREFIX_PATH", below=("share/{}",), confined=True),
    Place("ROS_PACKAGE_PATH", _look_below, "ROS_PACKAGE_PATH", below=_ANY_DEPTH),
    Place("IGN_GAZEBO_RESOURCE_PATH", _look_below, "IGN_GAZEBO_RESOURCE_PATH", bare=True),
    Place("GAZEBO_MODEL_PATH", _look_below, "GAZEBO_MODEL_PATH", bare=True),
    BESIDE,
    Place("a folder of that name above the file", _look_above),
    Place("Gazebo's cache of Fuel", _look_in_fuel, "GZ_FUEL_CACHE_PATH", "~/.gz/fuel"),
    Place("Ignition's cache of Fuel", _look_in_fuel, "IGN_FUEL_CACHE_PATH", "~/.ignition/fuel"),
    Place("the cache of robot_descriptions", _look_below, "ROBOT_DESCRIPTIONS_CACHE", "~/.cache/robot_descriptions",
          _ANY_DEPTH),
    Place("the data of installed Python packages", _look_in_python))


def describe_places(given: Sequence[str] = ()) -> Iterator[tuple[str, list[str]]]:
    """Yield a line for each place, in the order of the search, and its folders that do not exist."""
    search = Search(given, UNCONFINED)
    for place in PLACES:
        folders = search.list_roots(place)
        there = [*filter(UNCONFINED.is_folder, folders)]
        text = ", ".join(there) if len(there) <= _FEW else f"{len(there)} folders"
        if not (place.look is _look_given or place.variable):
            yield place.title + ("" if place.uris else ", for $(find NAME)"), []
        elif place.default:
            yield f"{place.title}: {text or f'none in {folders[0]}'}", []
        else:
            said = f"{place.title}: {text or 'no folder'}" if folders else f"{place.title} is not set"
            yield said, sorted({*folders} - {*there})


def list_variable(name: str) -> list[str]:
    """List the folders of an environment variable."""
    return [path for path in os.environ.get(name, "").split(os.pathsep) if path]


def list_near(folder: str | None) -> tuple[str, ...]:
    """List `folder`, and the folders above it in which packages are looked for."""
    return walk_up(folder)[:_LEVELS + 1]


@lru_cache(maxsize=4)  # called several times for each name, mostly with the same folder
def walk_up(folder: str | None) -> tuple[str, ...]:
    """Return `folder` and the folders above it."""
    folders = []
    while folder is not None:
        folders.append(folder)
        above = os.path.dirname(folder)
        folder = None if above == folder else above
    return tuple(folders)
