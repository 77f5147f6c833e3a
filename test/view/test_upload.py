"""Uploads: what a zip may hold, and that nothing outside of it is read."""
import io
import zipfile

import pytest

pytest.importorskip("trimesh")

from sdf_frames.view.upload import UploadRefused, hide_paths, list_findings, load_upload, unpack_upload  # noqa: E402

MODEL = """<sdf version="1.9"><model name="m"><link name="l"><collision name="c"><geometry><mesh><uri>{}</uri></mesh>
</geometry></collision></link></model></sdf>"""
CONFIG = "<model><name>m</name><sdf version='1.9'>model.sdf</sdf></model>"


def pack(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return stream.getvalue()


def test_zip_of_a_model_folder(tmp_path):
    content = pack(**{"top/m/model.config": CONFIG, "top/m/model.sdf": MODEL.format("model://m/part.stl"),
                      "top/m/part.stl": "solid\nendsolid"})
    robot = load_upload(unpack_upload("m.zip", content, tmp_path), tmp_path)
    assert list(robot.links) == ["l"]
    assert robot.links["l"].collisions[0].path.endswith("top/m/part.stl")


URDF = ('<robot name="r"><link name="l"><collision><geometry><mesh filename="{}"/></geometry></collision></link>'
        "</robot>")


@pytest.mark.parametrize("before", ["", "./"])
@pytest.mark.parametrize("name", ["m.zip", "zz (1).zip", "C:\\x\\m.zip", "...zip", "\ud800.zip", "n" * 300 + ".zip"])
@pytest.mark.parametrize(("files", "uri"), [
    ({"model.config": CONFIG, "model.sdf": MODEL}, "model://m m/meshes/part.stl"),
    ({"model.sdf": MODEL}, "model://m/meshes/part.stl"),
    ({"urdf/r.urdf": URDF}, "package://m/meshes/part.stl")])
def test_zip_of_a_model_without_its_folder(tmp_path, name, before, files, uri):
    """The folder has the name that its URIs have, whatever that of the zip."""
    content = pack(**{before + file: text.format(uri) for file, text in files.items()},
                   **{f"{before}meshes/part.stl": "solid\nendsolid"})
    found = load_upload(unpack_upload(name, content, tmp_path), tmp_path).links["l"].collisions[0].path
    assert found == str(tmp_path / uri.partition("://")[2])


@pytest.mark.parametrize("uri", ["model://../part.stl", "model://m/other.stl", "model://m/../part.stl",
                                 "file:///part.stl", "model://model.sdf/part.stl"])
def test_zip_whose_uris_name_no_folder_of_its_content(tmp_path, uri):
    content = pack(**{"model.sdf": MODEL.format(uri), "part.stl": "solid\nendsolid"})
    assert unpack_upload("m.zip", content, tmp_path) == tmp_path / "model.sdf"


def test_zip_with_the_separators_of_windows(tmp_path):
    content = pack(**{"m\\": "", "m\\model.config": CONFIG, "m\\model.sdf": MODEL.format("model://m/meshes/part.stl"),
                      "m\\meshes\\part.stl": "solid\nendsolid"})
    path = unpack_upload("x.zip", content, tmp_path)
    assert path == tmp_path / "m" and sorted(file.name for file in path.iterdir()) == [
        "meshes", "model.config", "model.sdf"]
    assert load_upload(path, tmp_path).links["l"].collisions[0].path == str(path / "meshes/part.stl")


def test_single_file(tmp_path):
    path = unpack_upload("../../robot.sdf", MODEL.format("x").encode(), tmp_path)
    assert path.parent == tmp_path
    assert list(load_upload(path, tmp_path).links) == ["l"]


@pytest.mark.parametrize("name", ["../out.sdf", "/etc/out.sdf", "a/../../out.sdf", "..\\out.sdf", "C:\\out.sdf"])
def test_zip_that_leads_out_is_refused(tmp_path, name):
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(UploadRefused, match="is outside of"):
        unpack_upload("evil.zip", pack(**{name: "x"}), inside)
    assert list(tmp_path.iterdir()) == [inside] and not list(inside.iterdir())


def test_files_outside_of_the_upload_are_not_read(tmp_path):
    secret = tmp_path / "secret.stl"
    secret.write_text("solid\nendsolid")
    inside = tmp_path / "inside"
    inside.mkdir()
    path = unpack_upload("m.sdf", MODEL.format(f"file://{secret}").encode(), inside)
    assert load_upload(path, inside).links["l"].collisions[0].path is None


def test_xacro_is_not_run(tmp_path):
    path = unpack_upload("evil.xacro", b"<robot/>", tmp_path)
    with pytest.raises(UploadRefused, match="cannot be confined"):
        load_upload(path, tmp_path)


@pytest.mark.parametrize(("files", "chosen"), [
    (["readme.sdf", "a/b/model.config", "a/b/model.sdf"], "a/b"),  # a model folder, though it is deeper
    (["z/model.config", "a/b/model.config"], "z"), (["b/model.config", "a/model.config"], "a"),
    (["w.world", "m.sdf", "deep/down/r.urdf"], "deep/down/r.urdf"), (["w.world", "a/m.sdf"], "a/m.sdf"),
    (["a/w.world", "b.txt"], "a/w.world"), (["a/b/r.urdf", "z/r.urdf"], "z/r.urdf"), (["b.sdf", "a.sdf"], "a.sdf")])
def test_the_description_in_a_zip_is_found(tmp_path, files, chosen):
    assert unpack_upload("m.zip", pack(**dict.fromkeys(files, "x")), tmp_path) == tmp_path / chosen


@pytest.mark.parametrize(("files", "size", "refused"), [(3, 10, False), (4, 10, True), (1, 30, False), (1, 31, True),
                                                        (3, 11, True)])
def test_limits_on_the_content_of_a_zip(tmp_path, monkeypatch, files, size, refused):
    """Three files of 30 bytes together."""
    monkeypatch.setattr("sdf_frames.view.upload.LARGEST", 30)
    monkeypatch.setattr("sdf_frames.view.upload.MOST_FILES", 3)
    content = pack(**{f"{i}.sdf": size * "x" for i in range(files)})
    if refused:
        with pytest.raises(UploadRefused, match="contains more than 3 files or 0 MB"):
            unpack_upload("m.zip", content, tmp_path)
        assert not list(tmp_path.iterdir())
    else:
        assert unpack_upload("m.zip", content, tmp_path) == tmp_path / "0.sdf"


ZIP = pack(**{"a.sdf": "x" * 99})
ENTRY, ENTRIES = ZIP.index(b"PK\3\4"), ZIP.index(b"PK\1\2")  # the headers of the one file, before it and at the end


def change(content, *places):
    """Overwrite bytes at offsets."""
    changed = bytearray(content)
    for at, new in places:
        changed[at:at + len(new)] = new
    return bytes(changed)


def deflate(text):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sdf", text)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "content", "said"), [
    ("m.zip", b"", "m.zip is not a zip archive"), ("M.ZIP", b"PK\3\4", "M.ZIP is not a zip archive"),
    ("m.zip", ZIP[:-30], "m.zip is not a zip archive"),
    ("m.zip", change(ZIP, (ENTRY + 40, b"?")), "m.zip cannot be unpacked: it is damaged, or packed in an unknown way"),
    ("m.zip", change(deflate("x" * 99), (35, b"\xff" * 6)),
     "m.zip cannot be unpacked: it is damaged, or packed in an unknown way"),
    ("m.zip", change(ZIP, (ENTRIES + 10, b"\x63"), (ENTRY + 8, b"\x63")),
     "m.zip cannot be unpacked: it is damaged, or packed in an unknown way"),
    ("m.zip", change(ZIP, (ENTRIES + 8, b"\1"), (ENTRY + 6, b"\1")),
     "m.zip is encrypted: upload an archive without a password"),
    ("m.zip", change(ZIP, (ZIP.index(b"a.sdf"), b"a\0"), (ZIP.rindex(b"a.sdf"), b"a\0")),
     "a\0sdf has a NUL character in its name"),
    ("m.zip", change(deflate("x" * 9**7), (deflate("x" * 9**7).index(b"PK\1\2") + 24, b"\x09\0\0\0")),
     "m.zip cannot be unpacked: it is damaged, or packed in an unknown way"),  # says that it holds 9 bytes
    ("m.zip", change(ZIP, (ENTRIES + 24, (500_000_001).to_bytes(4, "little"))),
     "the archive contains more than 10000 files or 500 MB"),
    ("m.zip", pack(**{"n" * 300: "x"}), f"{'n' * 99}… has too long a name, or too many folders around it"),
    ("m.zip", pack(**{"é" * 200: "x"}), f"{'é' * 99}… has too long a name, or too many folders around it"),
    ("m.zip", pack(**{"a/" * 2000 + "x": "x"}), f"{'a/' * 49}a… has too long a name, or too many folders around it"),
    ("m.zip", pack(**{"a/" * 60 + "b" * 200 + "/": "", "a/../b": ""}), "a/../b is outside of the folder of the upload"),
    ("m.zip", pack(**{"a": "x", "a/b": "x"}), "m.zip cannot be unpacked: Not a directory"),
    ("n" * 300, b"x", f"{'n' * 99}… has too long a name, or too many folders around it"),
    ("..", b"x", ".. is outside of the folder of the upload"),
    ("a/..", b"x", ".. is outside of the folder of the upload"),
    ("a\0.sdf", b"x", "a\0.sdf has a NUL character in its name")])
def test_what_is_said_of_an_upload_that_cannot_be_read(tmp_path, name, content, said):
    """One sentence, which names no path of this machine."""
    with pytest.raises(UploadRefused) as refused:
        unpack_upload(name, content, tmp_path)
    assert str(refused.value) == said


def test_what_is_said_of_an_upload_names_no_path_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("SDF_PATH", "/somewhere/else")
    inside = tmp_path / "inside"
    inside.mkdir()
    content = pack(**{"m/model.config": CONFIG, "m/model.sdf": MODEL.format("model://m/part.stl").replace(
        "</model>", "<include><uri>model://other</uri></include></model>")})
    robot = load_upload(unpack_upload("m.zip", content, inside), inside)
    found = list_findings(robot, inside)
    assert [d.code for d in found] == [d.code for d in list_findings(robot, None)] and len(found) > 1
    said = " ".join(f"{d.message} {d.hint}" for d in found)
    assert str(tmp_path) not in said and "/somewhere" not in said and "model://m/part.stl" in said
    assert str(tmp_path) in " ".join(f"{d.hint}" for d in list_findings(robot, None))
    (hidden,) = hide_paths([found[0]._replace(message=f"no {inside}/m/x in {inside}", hint="tried m/x")], inside)
    assert (hidden.message, hidden.hint) == ("no m/x in .", "tried m/x")
    with pytest.raises(UploadRefused) as refused:
        load_upload(inside / "gone", inside)
    assert str(refused.value) == "the file cannot be opened: No such file or directory"


def test_a_file_without_a_name_is_called_upload(tmp_path):
    assert unpack_upload("folder\\", b"x", tmp_path) == tmp_path / "upload"
    assert unpack_upload("folder\\a.sdf", b"x", tmp_path).read_bytes() == b"x"


def test_models_of_one_zip_find_each_other(tmp_path):
    """Below a common folder, as archives of GitHub have one."""
    include = '<sdf version="1.9"><model name="m"><include><uri>model://part</uri></include></model></sdf>'
    content = pack(**{"top-1.0/m/model.config": CONFIG, "top-1.0/m/model.sdf": include,
                      "top-1.0/part/model.config": CONFIG, "top-1.0/part/model.sdf": MODEL.format("x")})
    robot = load_upload(unpack_upload("m.zip", content, tmp_path), tmp_path)
    assert list(robot.links) == ["m::l"]
