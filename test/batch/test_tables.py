"""The tables of a batch: parts, what replaces what, and names that are no text."""
import pytest

pytest.importorskip("pyarrow")

from sdf_frames.batch import tables  # noqa: E402
from sdf_frames.batch.tables import Tables, list_parts, name_folders, read_rows  # noqa: E402
from sdf_frames.batch.work import Outcome  # noqa: E402


def make(path, verdict="valid", *messages):
    return Outcome({"path": path, "verdict": verdict, "codes": [("F001", 2), ("S003", 1)]},
                   [{"path": path, "message": message, "line": 3} for message in messages])


def write(folder, *outcomes):
    made = Tables(str(folder))
    for outcome in outcomes:
        made.add(outcome)
    made.flush()
    return made


def read(folder, *columns):
    return [[tuple(map(row.get, columns)) for row in read_rows(place)] for place in name_folders(str(folder))]


@pytest.mark.parametrize(("output", "folders"), [
    ("out", ("out/results", "out/findings")), ("a/r.parquet", ("a/r.parquet", "a/r.findings.parquet"))])
def test_where_the_tables_are(output, folders, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert name_folders(output) == folders
    made = Tables(output)
    assert (made.results, made.findings) == folders and all((tmp_path / folder).is_dir() for folder in folders)
    Tables(output)  # which are there already


def test_a_part_is_written_when_it_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "PART", 2)
    made = Tables(str(tmp_path))
    counts = []
    for name in "abcde":
        made.add(make(name, "valid", name))
        counts.append(len(list_parts(made.results)))
    assert counts == [0, 1, 1, 2, 2]
    made.flush()
    made.flush()  # of nothing
    assert sorted(list_parts(made.results)) == sorted(list_parts(made.findings)) == [0, 1, 2]
    assert read(tmp_path, "path") == [[(name,) for name in "abcde"]] * 2
    write(tmp_path, make("f"))  # a later run goes on
    assert sorted(list_parts(made.results)) == [0, 1, 2, 3]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [
        f"part-00000{i}.parquet" for i in range(4)]


def test_other_files_are_no_parts(tmp_path):
    assert list_parts(str(tmp_path / "gone")) == []
    for name in ("part-000007.parquet", "part-7.parquet", "part-000008.parquet.new", "xpart-000009.parquet", "notes"):
        (tmp_path / name).write_text("")
    assert list_parts(str(tmp_path)) == [7]


def test_the_latest_row_of_each_file_is_left_with_its_findings(tmp_path):
    write(tmp_path, make("a", "invalid", "old"), make("b", "valid", "b"))
    write(tmp_path, make("c", "valid"), make("a", "valid", "new"))
    made = write(tmp_path, make("c", "invalid", "c"))
    before = (tmp_path / "results" / "part-000002.parquet").stat().st_mtime_ns
    made.drop_superseded()
    assert read(tmp_path, "path", "verdict")[0] == [("b", "valid"), ("a", "valid"), ("c", "invalid")]
    assert read(tmp_path, "path", "message")[1] == [("b", "b"), ("a", "new"), ("c", "c")]
    assert (tmp_path / "results" / "part-000002.parquet").stat().st_mtime_ns == before  # nothing to drop there
    made.drop_superseded()
    assert len(read(tmp_path, "path")[0]) == 3


def test_names_that_are_no_text_are_written_out(tmp_path):
    write(tmp_path, make("a\udcff\u00e9.sdf", "valid", "m\udc9b"))
    assert read(tmp_path, "path")[0] == [("a\\xff\u00e9.sdf",)]
    assert [row["message"] for row in read_rows(name_folders(str(tmp_path))[1])] == ["m\\x9b"]
