"""Where descriptions come from."""
import os
import re
import sys
import tarfile
import zipfile
from unicodedata import normalize

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("fsspec")

from pyarrow import parquet  # noqa: E402

from sdf_frames.batch.sources import Item, count_items, list_items, make_target  # noqa: E402
from sdf_frames.batch.work import read_item  # noqa: E402
from sdf_frames.cli.config import ProjectSettings  # noqa: E402
from sdf_frames.cli.inputs import search  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    for name in ("a.urdf", "sub/b.sdf", "sub/c.world", "sub/mesh.stl", "notes.md"):
        path = tmp_path / "models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<{name}/>")
    return tmp_path / "models"


def names(*sources):
    return [item.name for item in list_items([str(source) for source in sources])]


def problem(source):
    """Why a source cannot be opened: it is an item, which the other sources follow."""
    *_, item = list_items([str(source)])
    assert item.name == str(source)
    with pytest.raises(ValueError, match=re.escape(item.problem)):
        read_item(item)
    return item.problem


def test_folder_is_searched_in_order(folder):
    assert names(folder) == [str(folder / n) for n in ("a.urdf", "sub/b.sdf", "sub/c.world")]
    assert [item.target for item in list_items([str(folder)])] == ["a", "sub/b", "sub/c"]


def test_check_and_batch_find_the_same_files_in_a_folder(folder, monkeypatch):
    for name in (".git/d.sdf", "build/e.sdf", "sub/install/f.urdf", "sub/log/g.world", ".h.sdf"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("<sdf/>")
    monkeypatch.chdir(folder)
    for source in (".", "sub", str(folder), "build", ".git"):
        assert names(source) == search(source, (), ProjectSettings())
    assert names(".") == ["a.urdf", "sub/b.sdf", "sub/c.world"]
    assert [item.target for item in list_items(["sub"])] == ["b", "c"] and count_items(["."]) == 3


def test_glob(folder):
    assert names(folder / "**" / "*.sdf") == [str(folder / "sub/b.sdf")]


def test_list_is_relative_to_its_folder(folder):
    (folder / "names.txt").write_text("a.urdf\n\n  sub/b.sdf\n")
    assert names(folder / "names.txt") == [str(folder / "a.urdf"), str(folder / "sub/b.sdf")]


def test_each_list_is_read_once(folder):
    """Lists may name themselves, each other, or through a pattern."""
    (folder / "self.txt").write_text("self.txt\n../models/self.txt\na.urdf\nself*.txt\n")
    assert names(folder / "self.txt") == [str(folder / "a.urdf")]
    assert names(folder / "self.txt", folder / "*.txt") == [str(folder / "a.urdf")]
    for number in range(2000):  # each names the next twice: 2 ** 2000 ways to the last
        (folder / f"{number}.txt").write_text(f"{number + 1}.txt\n" * 2)
    (folder / "2000.txt").write_text("sub/b.sdf\n0.txt\n")
    assert names(folder / "0.txt") == [str(folder / "sub/b.sdf")]
    assert count_items([str(folder / "0.txt")]) == 1


def test_a_list_may_have_names_that_are_not_utf_8(folder):
    name = os.fsdecode(b"caf\xe9.urdf")
    (folder / "names.txt").write_bytes(b"caf\xe9.urdf\n")
    (folder / name).write_text("<robot/>")
    assert names(folder / "names.txt") == [str(folder / name)]


def test_a_list_may_be_no_text(folder):
    """No file has such a name, and a list that cannot be read is an item itself."""
    (folder / "odd.txt").write_bytes(b"a\0/b*.urdf\n\0.txt\nx\0.zip\nz\0.parquet:path\na.urdf\n")
    *odd, last = list_items([str(folder / "odd.txt")])
    assert [item.problem.startswith("no such file") for item in odd] == [True] * 4
    assert last.name == str(folder / "a.urdf")


def test_a_list_that_cannot_be_read_does_not_stop_the_others(folder, monkeypatch):
    """Root may read every file, so the system's refusal is imitated."""
    (folder / "names.txt").write_text("a.urdf\n")

    def refuse(path):
        raise PermissionError(13, "Permission denied", path)
    monkeypatch.setattr("sdf_frames.batch.sources._read_list", refuse)
    assert names(folder / "names.txt", folder / "a.urdf") == [str(folder / "names.txt"), str(folder / "a.urdf")]


def test_numbers_follow_where_the_suffix_does_not_tell_targets_apart(tmp_path):
    """``..`` is left out of a target."""
    names = ["x/a.sdf", "../x/a.sdf", "../../x/a.sdf", "./../../x/a.sdf"]
    for place in ("", "d", "d/e"):
        (tmp_path / place / "x").mkdir(parents=True)
        (tmp_path / place / "x/a.sdf").write_text("<sdf/>")
    (tmp_path / "d/e/names.txt").write_text("\n".join(names))
    target = make_target(str(tmp_path / "d/e/x/a.sdf"))
    assert [item.target for item in list_items([str(tmp_path / "d/e/names.txt")])] == [
        target, f"{target}.sdf", f"{target}.sdf_2", f"{target}.sdf_3"]


def test_targets_differ_by_more_than_case_and_the_form_of_letters(tmp_path):
    """On macOS and Windows they would be one file; é has two forms."""
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name in ("Arm.urdf", "arm.urdf", "X/ARM.urdf", "x/arm.sdf", "caf\u00e9.sdf", "cafe\u0301.sdf"):
            made.writestr(name, "<sdf/>")
    targets = [item.target for item in list_items([str(archive)])]
    assert targets[::2] == ["Arm", "X/ARM", "caf\u00e9"]
    assert len({normalize("NFC", target).lower() for target in targets}) == 6


def test_each_name_once(folder):
    assert len(names(folder, folder / "a.urdf", folder)) == 3


def test_rows_of_a_table(folder):
    """More than are read at once; bytes, byte-order marks and white space, paths among texts, and nothing at all."""
    table = folder / "t.parquet"
    texts = [b"<a/>", "\ufeff\t\r\n <b \u00e9/>".encode(), None, b"x/y.urdf", b"", *[b"<c/>\xff"] * 66]
    parquet.write_table(pa.table({"text": texts, "path": ["z"] * 71}), table)
    nothing, empty = (Item(f"{table}:text[{i}]", str(folder / target)[1:], "")
                      for i, target in ((2, "t"), (4, "t.parquet:text[4]")))
    assert list(list_items([f"{table}:text"])) == [
        Item(f"{table}:text[0]", "t.parquet/0", "<a/>"),
        Item(f"{table}:text[1]", "t.parquet/1", "\ufeff\t\r\n <b \u00e9/>"), nothing, Item("x/y.urdf", "x/y"), empty,
        *(Item(f"{table}:text[{i}]", f"t.parquet/{i}", "<c/>\ufffd") for i in range(5, 71))]


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_an_archive_is_searched_as_a_folder(folder, tmp_path, suffix):
    """macOS adds a hidden file for each file; `tar cf all.tar .` begins each name with ``./``."""
    members = ["./a.urdf", "./notes.md", "m/._a.urdf", "__MACOSX/._b.urdf", ".git/c.urdf", "build/d.urdf",
               "builds/e.urdf"]
    archive = tmp_path / f"all{suffix}"
    with zipfile.ZipFile(archive, "w") if suffix == ".zip" else tarfile.open(archive, "w") as stream:
        for member in members:
            (stream.write if suffix == ".zip" else stream.add)(folder / "a.urdf", member)
    assert sorted(item.target for item in list_items([str(archive)])) == ["a", "builds/e"]


def test_missing_sources_are_named(tmp_path):
    for name in ("none.urdf", "none.zip", "none*.sdf", "none.txt"):
        assert problem(tmp_path / name) == "no such file, folder or glob"
    assert problem(f"{tmp_path / 'none.parquet'}:path") == "no such file"


def test_sources_that_cannot_be_opened_do_not_stop_the_others(folder):
    """Of a list, its line is named, also for a list in a list; empty lines count."""
    (folder / "bad.zip").write_bytes(b"nothing packed")
    (folder / "inner.txt").write_text("gone.urdf\nsub/b.sdf\n")
    (folder / "outer.txt").write_text("bad.zip\n\ninner.txt\ngone*.sdf\nsub/c.world\n")
    gone = str(folder / "none")
    items = list(list_items([gone, str(folder / "outer.txt"), gone, str(folder / "a.urdf")]))
    assert [os.path.relpath(item.name, folder) for item in items] == [
        "none", "bad.zip", "gone.urdf", "sub/b.sdf", "gone*.sdf", "sub/c.world", "a.urdf"]
    assert [item.problem for item in items] == [
        "no such file, folder or glob", f"File is not a zip file ({folder}/outer.txt:1)",
        f"no such file, folder or glob ({folder}/inner.txt:1)", "",
        f"no such file, folder or glob ({folder}/outer.txt:4)", "", ""]


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_a_file_that_is_no_archive_is_named(tmp_path, suffix):
    (tmp_path / f"bad{suffix}").write_bytes(b"nothing packed")
    assert problem(tmp_path / f"bad{suffix}")


@pytest.mark.parametrize(("name", "target"), [
    ("../../etc/a.urdf", "etc/a"), ("/abs/b.sdf", "abs/b"), ("a::b.urdf", "a::b"), ("..\\e.urdf", "e"),
    ("..", "description"), ("a\0b\n/c\x1b.urdf", "a_b_/c_"), ("\udce9.urdf", "_"),
    ("d" * 300 + "/" + "\u00e9" * 300 + ".urdf", "d" * 200 + "/" + "\u00e9" * 100)])
def test_target_stays_below_the_output(name, target):
    assert make_target(name) == target
    assert not os.path.isabs(make_target(name))


def test_counting_finds_as_many_as_listing(folder, tmp_path):
    parquet.write_table(pa.table({"path": [str(folder / "a.urdf")] * 5}), tmp_path / "t.parquet")
    (tmp_path / "names.txt").write_text("models\n\nmodels/a.urdf\nt.parquet\n")
    for sources, count in (([folder], 3), ([folder / "**" / "*.sdf", folder / "a.urdf"], 2),
                           ([tmp_path / "t.parquet", f"{tmp_path / 't.parquet'}:path"], 10),
                           ([tmp_path / "names.txt"], 9), ([], 0)):
        assert count_items(map(str, sources)) == count


def test_a_large_table_is_read_as_it_comes(tmp_path):
    texts = ["<sdf>" + os.urandom(5000).hex() for _ in range(2000)]  # 20 MB, which hardly compress
    with parquet.ParquetWriter(tmp_path / "t.parquet", pa.schema([("text", pa.string())])) as writer:
        for first in range(0, 2000, 100):
            writer.write_table(pa.table({"text": texts[first:first + 100]}))
    before = pa.total_allocated_bytes()
    items = list_items([f"{tmp_path / 't.parquet'}:text"])
    most = 0
    for item, text in zip(items, texts):
        assert item.text == text
        most = max(most, pa.total_allocated_bytes() - before)
    assert most < 8e6


def test_a_table_that_is_none_is_named(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"nothing")
    assert "Parquet" in problem(tmp_path / "t.parquet")
    parquet.write_table(pa.table({"a": ["x"], "b": ["y"]}), tmp_path / "u.parquet")
    assert problem(f"{tmp_path / 'u.parquet'}:c") == "there is no column 'c'; it has a, b"


def test_what_reads_urls_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert problem("http://a/b.sdf") == "URLs need fsspec: pip install 'sdf_frames[batch]'"


def test_urls_are_files_of_any_name_or_descriptions_of_a_pattern(tmp_path):
    for name in ("a.sdf", "b.txt", "c.urdf"):
        (tmp_path / name).write_text(f"<{name}>")
    one = f"file://{tmp_path}/b.txt"
    (item,) = list_items([one])
    assert read_item(item) == b"<b.txt>" and item.target == make_target(str(tmp_path / "b"))
    found = list(list_items([f"file://{tmp_path}/*"]))
    assert [os.path.basename(item.target) for item in found] == ["a", "c"]
    assert [read_item(item) for item in found] == [b"<a.sdf>", b"<c.urdf>"]
    parquet.write_table(pa.table({"path": [one]}), tmp_path / "t.parquet")
    (cell,) = list_items([str(tmp_path / "t.parquet")])
    assert (cell.name, cell.target, read_item(cell)) == (one, item.target, b"<b.txt>")


def test_a_name_in_a_source_is_never_an_address(tmp_path, monkeypatch):
    """A file system that is only called by a name: whoever opens it by a chained URL finds it."""
    import fsspec
    name = "x::memory://h/a.urdf"
    fsspec.filesystem("memory").pipe("/h/a.urdf", b"<reached/>")
    fsspec.filesystem("memory").pipe(f"/dir/{name}", b"<meant/>")
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        archive.writestr(name, "<meant/>")
    (tmp_path / "models" / "x::memory:" / "h").mkdir(parents=True)
    (tmp_path / "models" / "x::memory:" / "h" / "a.urdf").write_text("<meant/>")
    monkeypatch.chdir(tmp_path)
    for source in ("m.zip", "models", "memory://dir/**", f"zip://**::file://{tmp_path}/m.zip"):
        (item,) = list_items([source])
        assert read_item(item) == b"<meant/>" and not os.path.isabs(item.target), source


@pytest.mark.parametrize("source", [
    "s3://bucket/m.sdf", "m.zip", "m.tar.xz", "gone.sdf", "gone.parquet", "bad.parquet"])
def test_what_is_not_counted(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.parquet").write_bytes(b"nothing")
    (tmp_path / "m.zip").write_bytes(b"")
    (tmp_path / "a.sdf").write_text("")
    assert count_items(["a.sdf", source]) is None
    (tmp_path / "names.txt").write_text(f"a.sdf\n{source}\n")
    assert count_items(["names.txt", "a.sdf"]) is None


@pytest.mark.parametrize("name", ["", "sub"])
def test_a_folder_that_may_not_be_read_is_an_item(folder, monkeypatch, name):
    """The folder that is named, or one in it. Reading it as a file says why; root may read every folder."""
    closed, scan = str(folder / name).rstrip("/"), os.scandir

    def refuse(path):
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return scan(path)
    monkeypatch.setattr("os.scandir", refuse)
    assert names(folder) == [str(folder / "a.urdf")] * bool(name) + [closed]


def test_a_xacro_that_is_named_is_not_read_as_what_it_makes(tmp_path):
    (tmp_path / "r.urdf.xacro").write_text("<robot name='r'/>")
    (item,) = list_items([str(tmp_path / "r.urdf.xacro")])
    with pytest.raises(ValueError, match="batch does not expand .xacro files"):
        read_item(item)
