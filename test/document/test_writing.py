"""Files are written whole or not at all, and stay what they were: owner, group, mode, links."""
import os
import re
import signal
import stat
import subprocess
import sys
from errno import ENOTDIR
from pathlib import Path

import pytest
import urdf_text

from sdf_frames.cli import main
from sdf_frames.document import writing
from sdf_frames.document.writing import KINDS, NEW, OutputRefused, find_refusal, tell_kind, write_whole

CLASH = '<sdf version="1.6"><model name="m"><link name="a"/><frame name="a"/></model></sdf>'
URDF = '<robot name="r"><link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>'
# Commands that rewrite a file: the arguments before its name, and what it holds before.
REWRITERS = {"check --fix": (["check", "--fix"], CLASH), "inertia --write": (["inertia", "--write"], URDF),
             "convert -o": (["convert", "--massless", "keep", "-o", "{out}"], URDF),
             "upgrade --output-dir": (["upgrade", "--output-dir", "{folder}"], CLASH)}


@pytest.fixture(params=REWRITERS)
def rewrite(request, tmp_path):
    """Runs a command that rewrites a file that is there; gives the path of that file."""
    arguments, content = REWRITERS[request.param]
    source = tmp_path / "m.sdf"
    source.write_text(content)
    (tmp_path / "folder").mkdir()
    targets = {"{out}": tmp_path / "out.sdf", "{folder}": tmp_path / "folder" / "m.sdf"}
    target = next((path for word, path in targets.items() if word in arguments), source)
    if target != source:
        target.write_bytes(b"<sdf/>")

    def run():
        before = target.read_bytes()
        words = [str(targets[w].parent if w == "{folder}" else targets[w]) if w in targets else w for w in arguments]
        main([*words, str(source)])
        assert target.read_bytes() != before
    run.target = target
    return run


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o4755, 0o2770])
def test_the_mode_stays(rewrite, mode):
    rewrite.target.chmod(mode)
    rewrite()
    assert stat.S_IMODE(rewrite.target.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_owner_and_group_stay(rewrite):
    os.chown(rewrite.target, 1234, 4321)
    rewrite.target.chmod(0o6755)
    rewrite()
    status = rewrite.target.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 4321, 0o6755)


def test_a_link_stays_and_what_it_leads_to_is_rewritten(rewrite, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    real = elsewhere / rewrite.target.name
    rewrite.target.rename(real)
    (tmp_path / "hop").symlink_to(real)
    rewrite.target.symlink_to(tmp_path / "hop")
    rewrite()
    assert rewrite.target.is_symlink() and (tmp_path / "hop").is_symlink() and not real.is_symlink()
    assert os.listdir(elsewhere) == [real.name]


def test_where_the_owner_cannot_be_kept_the_file_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "m.sdf"
    path.write_text("before")
    own = os.fstat
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result((*own(handle)[:4], 1234, *own(handle)[5:])))

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")
    monkeypatch.setattr(os, "fchown", refuse)
    with pytest.raises(PermissionError):
        write_whole(str(path), "after", NEW, replaces=b"before")
    monkeypatch.undo()
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["m.sdf"]


def test_the_content_is_on_the_disk_before_the_name_is_taken(tmp_path, monkeypatch):
    steps = []
    for name in ("fchmod", "fsync", "replace"):
        call = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name,
                            call=call: (steps.append((name, os.fstat(a[0]).st_size if name == "fsync" else None)),
                                                                       call(*a))[1])
    (tmp_path / "m.sdf").write_text("<sdf/>")
    write_whole(str(tmp_path / "m.sdf"), "12345", "sdf")
    assert steps == [("fchmod", None), ("fsync", 5), ("replace", None)]


def test_a_link_that_leads_in_a_circle_is_left_alone(tmp_path):
    for a, b in (("a", "b"), ("b", "a")):
        (tmp_path / a).symlink_to(tmp_path / b)
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(str(tmp_path / "a"), "x", "sdf")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"] and (tmp_path / "a").is_symlink()


def test_a_link_that_is_swapped_while_a_file_is_judged_leads_to_no_other(tmp_path, monkeypatch):
    judged, other, link = tmp_path / "a.sdf", tmp_path / "b.sdf", tmp_path / "link.sdf"
    judged.write_text("<sdf/>")
    other.write_text("<other/>")
    link.symlink_to(judged)

    def swap(head):
        link.unlink()
        link.symlink_to(other)
        return tell_kind(head)
    monkeypatch.setattr(writing, "tell_kind", swap)
    write_whole(str(link), "<sdf>new</sdf>", "sdf")
    assert (judged.read_text(), other.read_text()) == ("<sdf>new</sdf>", "<other/>")


def test_a_folder_that_gets_files_while_its_successor_is_made_stays(tmp_path):
    folder = tmp_path / "bundle"
    folder.mkdir()

    def refuse(name):
        return f"{name} has other files" if (folder / "kept").exists() else None
    (folder / "old").touch()
    with pytest.raises(OutputRefused, match="other files"), writing.write_folder(str(folder), refuse):
        (folder / "kept").touch()
    assert sorted(os.listdir(folder)) == ["kept", "old"] and os.listdir(tmp_path) == ["bundle"]


def test_a_link_that_comes_in_the_place_of_a_folder_is_not_replaced(tmp_path):
    folder, other = tmp_path / "bundle", tmp_path / "other"
    other.mkdir()
    with pytest.raises(OutputRefused, match="not a folder"), writing.write_folder(str(folder), lambda name: None):
        folder.symlink_to(other)
    assert folder.is_symlink() and os.listdir(other) == []


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("at", [1, 2])
def test_a_folder_that_is_not_replaced_stays(tmp_path, monkeypatch, error, at):
    """Also if Ctrl-C comes between the two renamings."""
    folder, calls, rename = tmp_path / "old", [], os.rename
    folder.mkdir()
    (folder / "a.txt").write_text("old")

    def fail(*names):
        calls.append(names)
        if len(calls) == at:
            raise error
        rename(*names)
    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(error), writing.write_folder(str(folder), lambda name: None) as new:
        Path(new, "a.txt").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"] and (folder / "a.txt").read_text() == "old"


@pytest.mark.parametrize("text", [
    "with write_folder('bundle', print):\n    signal.raise_signal(signal.SIGTERM)",
    "os.fsync = lambda handle: signal.raise_signal(signal.SIGTERM)\nwrite_whole('robot.sdf', '<sdf/>', 'sdf')"])
def test_a_process_that_is_terminated_leaves_nothing_half_written(tmp_path, text):
    begin = "import os, signal\nfrom sdf_frames.document.writing import write_folder, write_whole\n"
    ended = subprocess.run([sys.executable, "-c", begin + text], cwd=tmp_path, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr, os.listdir(tmp_path)) == (128 + signal.SIGTERM, b"", [])


def test_a_dangling_link_gets_what_it_leads_to(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new")
    mask = os.umask(0o027)
    try:
        write_whole(str(tmp_path / "link"), "x", "sdf")
    finally:
        os.umask(mask)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "new").read_text() == "x"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_missing_folders_are_made_if_asked_for(tmp_path):
    path = tmp_path / "a" / "b" / "m.sdf"
    with pytest.raises(FileNotFoundError):
        write_whole(str(path), "x", "sdf")
    assert os.listdir(tmp_path) == []
    for content in ("ä", b"\xff"):
        write_whole(str(path), content, "sdf", make_folders=True, replaces=path.read_bytes() if path.exists() else None)
        assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert os.listdir(path.parent) == ["m.sdf"]


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path):
    (tmp_path / "a").write_text("")
    for path in ("a/m.sdf", "a/b/m.sdf"):
        with pytest.raises(NotADirectoryError) as raised:
            write_whole(str(tmp_path / path), "x", "sdf", make_folders=True)
        assert raised.value.errno == ENOTDIR and raised.value.strerror == os.strerror(ENOTDIR)
    with pytest.raises(NotADirectoryError) as raised:
        write_whole(str(tmp_path / "a" / "m.sdf"), "x", "sdf", make_folders=True)
    assert raised.value.filename == str(tmp_path / "a")


def test_a_device_or_pipe_is_written_to(tmp_path):
    write_whole(os.devnull, "x", NEW)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(str(pipe), "ä", "sdf")
    assert os.read(reader, 9) == "ä".encode() and os.listdir(tmp_path) == ["pipe"]
    os.close(reader)


def test_a_new_file_is_written_beside_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = []
    real = os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: (made.append((os.path.split(old), new)), real(old, new)))
    write_whole("m.sdf", "x", "sdf")
    (((folder, name), new),) = made
    assert (folder, new) == (str(tmp_path), str(tmp_path / "m.sdf")) and re.fullmatch(r"\.[0-9a-f]{16}\.part", name)
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_whole("n.sdf", "x", "sdf")
    assert os.listdir(tmp_path) == ["m.sdf"]


@pytest.mark.parametrize("name", ["missing/out.txt", "out.txt"])
def test_an_error_names_the_file_that_was_to_be_written(tmp_path, monkeypatch, name):
    """Not the one beside it, whose name nobody knows."""
    path = str(tmp_path / name)
    if name == "out.txt":
        def fail(*_):
            raise OSError(28, "No space left on device", "/elsewhere/.x.part")
        monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match=r"No s") as caught:
        write_whole(path, "text", "sdf")
    assert caught.value.filename == path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="os.umask tells little there")
def test_the_mask_is_not_touched(tmp_path, monkeypatch):
    """Other threads would see it."""
    monkeypatch.setattr(os, "umask", lambda mask: 1 / 0)
    write_whole(str(tmp_path / "a.sdf"), "x", "sdf")
    assert (tmp_path / "a.sdf").read_text() == "x"


@pytest.mark.parametrize("hurdle", ["read-only", "hard links"])
def test_what_a_new_file_cannot_stand_for_is_not_rewritten(rewrite, hurdle, tmp_path, capsys):
    """Not even by root, and not by who may write to the folder."""
    before = rewrite.target.read_bytes()
    if hurdle == "read-only":
        rewrite.target.chmod(0o444)
    else:
        os.link(rewrite.target, tmp_path / "other")
    with pytest.raises(AssertionError):
        rewrite()
    assert hurdle in "".join(capsys.readouterr()) and rewrite.target.read_bytes() == before
    assert not list(tmp_path.rglob(".*.part"))


KIND_TEXTS = {
    "sdf": ['<?xml version="1.0"?>\n<!-- a --><sdf version="1.9"/>', '\ufeff<sdf><model name="a">', "<sdf"],
    "urdf": ['<robot name="r"><link name="a"/></robot>', '<robot name="r"><gazebo><ns>$(arg ns)</ns></gazebo></robot>',
             '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"/>', '<robot name="r"><!-- ${x} <xacro:a/>--></robot>'],
    "xacro": ['<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>', '<robot name="${name}"/>',
              '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="$(arg name)"/>'],
    "page": ["<!DOCTYPE html><html>", "\n<html lang='en'>"],
    "picture": ["<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4", "GIF89a", "%!PS-Adobe",
                '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd"><svg/>'],
    "drawing": ["digraph {", 'strict graph "a b" {', "graph TD\n  n0", "base\n├─ arm", "base\n└─ arm"],
    "baseline": ['{\n "sdf_frames": "baseline",\n "version": 1}', '{"sdf_frames":"baseline"}'],
    "table": ["PAR1"],
    "other": ["", " ", "print('a')", "#!/bin/sh\n", '{"a": 1}', "<COLLADA/>", "<model/>", "graph = 3",
              "solid a\n", "\0", "graph" + " " * 1_000_000]}  # square time: minutes


def test_kinds_are_told_from_the_content():
    assert {kind: {tell_kind(text.encode()) for text in texts} for kind, texts in KIND_TEXTS.items()} == {
        **{kind: {kind} for kind in KIND_TEXTS}, "sdf": {"sdf", "other"}}
    assert tell_kind(b"<sdf") == "other" and set(KIND_TEXTS) == set(KINDS)
    assert tell_kind(b"\x89PNG\r\n\x1a\n") == tell_kind(b"\xff\xd8\xff\xe0") == "picture"


@pytest.mark.parametrize("kind", [*KINDS, NEW])
def test_a_file_replaces_only_its_own_kind(kind, tmp_path):
    rows = [(other, text) for other, texts in KIND_TEXTS.items() for text in texts if text and text != "<sdf"]
    for number, (other, text) in enumerate(rows):
        path = tmp_path / str(number)
        path.write_text(text, encoding="utf-8")
        if other == kind != "other":
            write_whole(str(path), "x", kind)
            assert path.read_text() == "x"
        elif kind != "other":
            with pytest.raises(OutputRefused, match="name another output, or remove the file") as refused:
                write_whole(str(path), "x", kind)
            assert refused.value.filename == str(path) and path.read_text(encoding="utf-8") == text


def test_a_file_that_is_read_is_not_replaced_whatever_its_name(tmp_path):
    path = tmp_path / "a.sdf"
    path.write_text("<sdf/>")
    (tmp_path / "link").symlink_to(path)
    (tmp_path / "sub").mkdir()
    for name in (path, tmp_path / "link", tmp_path / "sub" / ".." / "a.sdf"):
        for read in (path, tmp_path / "link"):
            assert "would overwrite its input" in (find_refusal(str(name), "sdf", ["gone", str(read)]) or "")
        with pytest.raises(OutputRefused):
            write_whole(str(name), "x", "sdf", [str(path)])
    assert path.read_text() == "<sdf/>"
    for link in (path, tmp_path / "link"):
        with pytest.raises(OSError, match="it has changed since it was read"):
            write_whole(str(link), "x", NEW, [str(path)], replaces=b"<sdf>")
    assert path.read_text() == "<sdf/>"
    write_whole(str(path), "x", NEW, [str(path)], replaces=b"<sdf/>")
    assert path.read_text() == "x" and find_refusal(str(tmp_path / "new"), "sdf", iter(lambda: 1 / 0, None)) is None


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout here")
def test_standard_output_by_its_name_is_written_to_not_replaced(tmp_path):
    import subprocess
    (tmp_path / "a.urdf").write_text(urdf_text.robot(urdf_text.link("a", 1)))
    out = tmp_path / "all"
    out.write_text("before\n")
    with out.open("a") as stream:
        subprocess.run([sys.executable, "-m", "sdf_frames", "convert", str(tmp_path / "a.urdf"), "-o", "/dev/stdout"],
                       stdout=stream, check=True)
    assert out.read_text().startswith('before\n<?xml') and out.read_text().endswith("</sdf>\n")
