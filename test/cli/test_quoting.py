"""The lines that findings quote: of files, of standard input, and of a file as it was before it was written."""

from sdf_frames.cli.files import Sources


def test_lines_are_counted_from_one_and_end_as_in_any_text_file(tmp_path):
    file = tmp_path / "a.sdf"
    file.write_bytes("one\r\ntwo\u2028still two\nthree".encode())
    sources = Sources()
    assert [sources.find_line(str(file), number) for number in (0, 1, 2, 3, 4)] == [
        None, "one\n", "two\u2028still two\n", "three", None]


def test_a_file_is_read_in_the_encoding_that_it_declares(tmp_path):
    (tmp_path / "latin.sdf").write_bytes(b'<?xml version="1.0" encoding="latin-1"?>\nH\xe4xa\n')
    sources = Sources()
    assert sources.find_line(str(tmp_path / "latin.sdf"), 2) == "H\u00e4xa\n"
    assert sources.find_line(str(tmp_path / "none"), 1) is None


def test_a_file_is_quoted_as_it_was_first_read(tmp_path):
    file = tmp_path / "a.sdf"
    file.write_text("before\n")
    sources = Sources()
    sources.read(str(file))
    file.write_text("after\n")
    assert sources.find_line(str(file), 1) == "before\n" and Sources().find_line(str(file), 1) == "after\n"


def test_a_line_of_a_binary_file_is_not_quoted(tmp_path):
    """A mesh by mistake: its first line is a page of NUL characters."""
    (tmp_path / "arm.stl").write_bytes(bytes(80) + b"\x0c\n" + b"text")
    sources = Sources()
    assert [sources.find_line(str(tmp_path / "arm.stl"), number) for number in (1, 2)] == [None, "text"]


def test_what_is_kept_has_lines_as_a_file_has_them():
    """However they end; what is not UTF-8 is shown as such. A file of this name is not read any more."""
    sources = Sources()
    sources.keep("README.md", b"one\r\ntwo\rthr\xff\xc3\xa9e")
    assert [sources.find_line("README.md", n) for n in (1, 2, 3, 4)] == ["one\n", "two\n", "thr\ufffd\u00e9e", None]
