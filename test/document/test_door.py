"""The door: what it opens, and that nothing else in the package opens a file that a description names."""
import ast
import os
import re
from pathlib import Path

import pytest

import sdf_frames
from sdf_frames.document.confinement import Boundary
from sdf_frames.document.door import UNCONFINED, Door, read_named

PACKAGE = Path(sdf_frames.__file__).parent
#: Modules that may open files or look for them, and what for. No description names these files.
OPENERS = {
    "document/door.py": "the door",
    "document/confinement.py": "follows the links of a path that the door asks for",
    "document/writing.py": "writes every output",
    "document/folders.py": "searches a folder that a person names",
    "__init__.py": "finds the messages that ROS built, in AMENT_PREFIX_PATH",
    "batch/archives.py": "opens an archive that a person names, and its entries",
    "batch/sources.py": "searches and opens the sources that a person names",
    "batch/tables.py": "reads the tables of an earlier run",
    "cli/__init__.py": "the null device, in place of a closed stream",
    "cli/demo.py": "copies the robot of the package to a folder of its own",
    "cli/files.py": "asks whether an output is an input",
    "cli/jobs.py": "looks at the sizes of files that a person names",
    "diff/shapes.py": "compares the content of files that both descriptions lead to",
    "diagnostics/catalogue/rule.py": "data of the package",
    "work/serving.py": "the memory of a process in /proc, and the null device",
    "view/exchange.py": "makes pictures in memory",
    "view/rendering.py": "turns a picture in memory into a JPEG",
    "view/surfaces.py": "says which formats of pictures are opened",
    "view/upload.py": "unpacks an archive to a folder of its own",
}
FUNCTIONS = {
    "os": {"open", "stat", "lstat", "scandir", "listdir", "walk", "fwalk", "readlink", "access", "popen"},
    "os.path": {"isfile", "isdir", "exists", "lexists", "getsize", "getmtime", "islink", "samefile", "realpath"},
    "io": {"open", "open_code", "FileIO"}, "codecs": {"open"},
}
METHODS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "is_file", "is_dir", "exists", "iterdir",
           "glob", "rglob", "stat", "lstat", "samefile"}
MODULES = {"glob", "zipfile", "tarfile", "fsspec", "imageio", "PIL", "tempfile", "fileinput", "linecache"}


def find_openers(tree: ast.AST):
    """What a module uses that opens files or looks for them, with its lines."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from ((node.lineno, name) for name in names if name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.Name) and node.id == "open" and isinstance(node.ctx, ast.Load):
            yield node.lineno, "open"
        elif isinstance(node, ast.Attribute) and node.attr in FUNCTIONS.get(owner := ast.unparse(node.value), ()):
            yield node.lineno, f"{owner}.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, name = ast.unparse(node.func.value), node.func.attr
            given = {keyword.arg for keyword in node.keywords}
            of_path = owner == "trimesh" and name.startswith("load") and "file_type" not in given
            if of_path or name in METHODS and not re.search(r"(^self\..*|door|UNCONFINED)$", owner):
                yield node.lineno, f"{owner}.{name}"


def test_nothing_else_opens_a_file():
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if uses := list(find_openers(ast.parse(path.read_text(encoding="utf-8")))):
            found[path.relative_to(PACKAGE).as_posix()] = uses
    assert {name: uses for name, uses in found.items() if name not in OPENERS} == {}
    assert OPENERS.keys() - found.keys() == set(), "these open nothing"


@pytest.mark.parametrize("texts, opens", [
    (["open(x)", "f = open", "os.open(x, 0)", "io.open(x)", "Path(x).open()", "path.read_text()", "p.is_file()",
      "os.path.exists(x)", "os.stat(x)", "os.walk(x)", "import glob", "from zipfile import ZipFile",
      "import imageio.v3", "fsspec.open(x)", "trimesh.load(path)", "from PIL import Image"], True),
    (["door.is_file(x)", "resolver.door.exists(x)", "UNCONFINED.is_folder(x)", "trimesh.load(stream, file_type=x)",
      "self.scope.open()", "topology.open"], False)])
def test_the_test_above_sees_what_opens_files_and_nothing_else(texts, opens):
    assert [text for text in texts if bool(list(find_openers(ast.parse(text)))) is not opens] == []


def test_a_door_reads_regular_files_to_a_limit(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"12345")
    door = Door(Boundary([str(tmp_path)]))
    assert [door.read(str(file), most) for most in (6, 5, 4)] == [b"12345", b"12345", b"12345"]
    assert [UNCONFINED.read(str(file), most) for most in (3, 0)] == [b"1234", b"1"]
    assert (door.measure(str(file)), door.list_names(str(tmp_path)), UNCONFINED.list_names(str(tmp_path))) == (
        5, [], ["a"])  # a root is not below itself
    file.write_bytes(b"")
    assert UNCONFINED.read(str(file), 1 << 60) == b""


def test_folders_are_listed_with_links_and_without_files(tmp_path):
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("gone")
    assert UNCONFINED.list_folders(str(tmp_path)) == ["a", "b", "link"]
    assert UNCONFINED.list_folders(str(tmp_path / "gone")) == UNCONFINED.list_folders("\0") == []


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_files_that_say_that_they_are_empty_are_read():
    assert UNCONFINED.read("/proc/self/status").startswith(b"Name:")
    assert len(UNCONFINED.read("/proc/self/status", 20)) == 21


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_no_regular_file_is_not_read(tmp_path):
    """Nobody writes to the pipe: opening it in the usual way would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to(os.devnull)
    for name in ("pipe", "null"):
        path = str(tmp_path / name)
        for read in (UNCONFINED.read, Door(Boundary(["/"])).read, read_named, UNCONFINED.measure):
            with pytest.raises(OSError, match="it is not a file"):
                read(path)
        assert UNCONFINED.exists(path) and not UNCONFINED.is_file(path) and not UNCONFINED.is_folder(path)
    with pytest.raises(IsADirectoryError):
        read_named(str(tmp_path))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
def test_a_person_may_name_a_stream():
    reader, writer = os.pipe()
    os.write(writer, b"12345")
    os.close(writer)
    try:
        assert read_named(f"/dev/fd/{reader}", 3) == b"1234"
    finally:
        os.close(reader)


def test_outside_of_the_boundary_nothing_exists(tmp_path):
    """What is there looks like what is not; also through links, and after the door has opened another path."""
    root, secret = tmp_path / "root", tmp_path / "secret"
    root.mkdir()
    secret.mkdir()
    (secret / "there").write_text("x")
    (root / "link").symlink_to(secret)
    (root / "in").write_text("in")
    door = Door(Boundary([str(root)]))
    assert door.read(str(root / "in")) == b"in" and door.real(str(root / "." / "in")) == str(root / "in")
    for path in (secret / "there", root / "link" / "there", root / ".." / "secret" / "there", secret / "gone", secret,
                 root / "link", root / "in" / ".." / ".." / "secret" / "there"):
        name = str(path)
        assert (door.exists(name), door.is_file(name), door.is_folder(name), door.list_names(name),
                door.list_folders(name)) == (False, False, False, [], [])
        assert door.admit(name) is None and door.real(name) == name
        for open_file in (door.read, door.measure):
            with pytest.raises(FileNotFoundError) as error:
                open_file(name)
            assert (error.value.filename, error.value.strerror) == (name, os.strerror(2))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no system tells here what an open file is called")
@pytest.mark.parametrize("swapped", ["models", "models/arm.sdf"])
def test_a_link_that_comes_into_the_place_of_what_was_admitted_is_not_followed(tmp_path, swapped):
    outside, place = tmp_path / "outside", tmp_path / "root" / swapped
    for folder in (outside, tmp_path / "root" / "models"):
        folder.mkdir(parents=True)
        (folder / "arm.sdf").write_text(folder.name)
    door, path = Door(Boundary([str(tmp_path / "root")])), str(tmp_path / "root" / "models" / "arm.sdf")
    assert door.read(path) == b"models"
    place.rename(tmp_path / "away")
    place.symlink_to(outside if swapped == "models" else outside / "arm.sdf")
    for use in (door.read, door.measure):
        with pytest.raises(FileNotFoundError):
            use(path)
