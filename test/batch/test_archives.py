"""What is in an archive: names, and entries that are no files, or are broken."""
import gzip
import io
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile

import pytest

from sdf_frames.batch import archives
from sdf_frames.batch.archives import open_archive, read_entry
from sdf_frames.batch.sources import list_items
from sdf_frames.batch.work import Task, do_work

TEXT = b'<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
#: Names that are paths, addresses or switches elsewhere; in an archive they are names.
NAMES = ["./a.urdf", "/abs.urdf", "../x.urdf", "s/../e.urdf", "a\\b.urdf", "a::b.urdf", "x::ftp://127.0.0.1:9/a.urdf",
         "s//d.urdf", "-o.urdf", "sp ace.urdf", "\u00e9.urdf", "a*?[b].urdf", "n" * 250 + ".urdf", "x\ny.urdf"]
WRITERS = {"zip": None, "tar": open, "tgz": gzip.open, "tar.gz": gzip.open, "tar.xz": lzma.open}


def write(path, entries):
    """An archive of entries: name and content, or for a tar a TarInfo."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in entries:
                archive.writestr(name, content)
        return str(path)
    with WRITERS[path.name.split(".", 1)[1]](path, "wb") as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in entries:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return str(path)


def work(path):
    """Rows of an archive's descriptions, by target."""
    return {item.target: do_work(item, Task()).row for item in list_items([path])}


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_name_has_its_row(tmp_path, suffix):
    path = write(tmp_path / f"m.{suffix}", [(name, TEXT + b" " * k) for k, name in enumerate(NAMES)])
    items = list(list_items([path]))
    scheme = "zip" if suffix == "zip" else "tar"
    assert [item.name for item in items] == [f"{scheme}://{name}::file://{path}" for name in NAMES]
    assert [read_entry(path, item.member, 10 ** 6) for item in items] == [TEXT + b" " * k for k in range(len(NAMES))]
    for item in items:
        out = os.path.normpath(os.path.join("/out/files", item.target))
        assert out.startswith("/out/files/") and "\n" not in out and len(os.path.basename(out)) <= 200
    assert {row["verdict"] for row in work(path).values()} == {"valid"}


@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_an_entry_is_read_up_to_the_limit(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(archives, "_PART", 10_000)
    path = write(tmp_path / f"m.{suffix}", [("a.urdf", b"x" * 50_000)])
    for most, size in ((10, 11), (29_999, 30_000), (49_999, 50_000), (50_000, 50_000), (99_999, 50_000)):
        assert len(read_entry(path, "a.urdf", most)) == size


def test_an_archive_that_changed_is_opened_anew(tmp_path):
    path = write(tmp_path / "m.zip", [("a.urdf", b"<a/>")])
    assert open_archive(path) is open_archive(path) and read_entry(path, "a.urdf", 99) == b"<a/>"
    write(tmp_path / "m.zip", [("a.urdf", b"<other/>")])
    assert read_entry(path, "a.urdf", 99) == b"<other/>"


@pytest.mark.parametrize(("kind", "said"), [
    (tarfile.SYMTYPE, "a symbolic link"), (tarfile.LNKTYPE, "a hard link"), (tarfile.FIFOTYPE, "a pipe"),
    (tarfile.CHRTYPE, "a device"), (tarfile.BLKTYPE, "a device")])
def test_what_is_no_file_in_a_tar_is_unreadable(tmp_path, kind, said):
    info = tarfile.TarInfo("no.urdf")
    info.type, info.linkname = kind, "/etc/passwd"
    rows = work(write(tmp_path / "m.tar", [("a.urdf", TEXT), (info, b""), ("z.urdf", TEXT)]))
    assert [(row["verdict"], row.get("reason")) for row in rows.values()] == [
        ("valid", None), ("unreadable", f"it is {said}, which is not read in an archive"), ("valid", None)]


@pytest.mark.parametrize(("kind", "said"), [
    (stat.S_IFLNK, "a symbolic link"), (stat.S_IFIFO, "a pipe"), (stat.S_IFCHR, "a device"), (stat.S_IFSOCK, "no file"),
    (stat.S_IFREG, None), (0, None)])
def test_what_is_no_file_in_a_zip_is_unreadable(tmp_path, kind, said):
    info = zipfile.ZipInfo("no.urdf")
    info.external_attr = (kind | 0o777) << 16
    rows = work(write(tmp_path / "m.zip", [(info, TEXT), ("a.urdf", TEXT)]))
    assert [(row["verdict"], row.get("reason")) for row in rows.values()] == [
        ("unreadable", f"it is {said}, which is not read in an archive") if said else ("valid", None), ("valid", None)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("suffix", WRITERS)
def test_an_archive_that_is_a_pipe_or_a_device_is_refused(tmp_path, suffix):
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"zero.{suffix}").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        (item,) = list_items([str(tmp_path / f"{name}.{suffix}")])
        assert item.problem == "it is not a file"


def test_broken_and_encrypted_entries_of_a_zip_are_unreadable(tmp_path):
    path = tmp_path / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("corrupt.urdf", "encrypted.urdf", "method.urdf", "whole.urdf"):
            archive.writestr(name, TEXT)
    content = bytearray(path.read_bytes())
    content[content.index(TEXT)] ^= 1  # no longer of its checksum
    for name, offset, value in (("encrypted.urdf", 8, 1), ("method.urdf", 10, 77)):
        entry = content.index(name.encode(), content.index(b"PK\x01\x02")) - 46  # in the list at the end
        content[entry + offset:entry + offset + 2] = struct.pack("<H", value)
        entry = content.index(name.encode()) - 30
        content[entry + offset - 2:entry + offset] = struct.pack("<H", value)
    path.write_bytes(content)
    rows = work(str(path))
    assert {name: row["verdict"] for name, row in rows.items()} == {
        "corrupt": "unreadable", "encrypted": "unreadable", "method": "unreadable", "whole": "valid"}
    assert "encrypted" in rows["encrypted"]["reason"] and "CRC" in rows["corrupt"]["reason"]


def make_header(size, kind=b"0"):
    header = tarfile.TarInfo("a.urdf").tobuf(tarfile.USTAR_FORMAT)
    header = bytearray(header)
    header[124:136] = size
    header[156:157] = kind
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 256 + sum(header[156:512]))
    return bytes(header)


@pytest.mark.parametrize(("header", "said"), [
    # A size of -512 leads back to the entry itself; a sparse file has another size beside it. Newer releases of Python
    # do not take it for a header.
    (make_header(b"\xff" * 10 + b"\xfe\0"), "('a.urdf' is in front of the one before|neither an entry nor the end)"),
    (make_header(b"\xff" * 10 + b"\xfe\0", b"S"), "('a.urdf' is in front of the one before|neither an entry nor)"),
    (make_header(b"\xff" * 10 + b"\xfe\0", b"x"), "(a header of -512 bytes|neither an entry nor the end)"),
    (make_header(b"77777777777\0", b"L"), "a header of .*more than 1048576"),
    (b"<robot/>" * 64, "neither an entry nor the end"),
    (make_header(b"77777777777\0"), "more than 4294967296 bytes")])
def test_a_tar_that_never_ends_is_refused(tmp_path, header, said):
    path = tmp_path / "m.tgz"
    with gzip.open(path, "wb") as stream:
        stream.write(make_header(b"00000000000\0") + header + bytes(1 << 21))
    (item,) = list_items([str(path)])
    assert item.name == str(path) and re.search(said, item.problem)
