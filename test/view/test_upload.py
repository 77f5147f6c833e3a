"""Uploads: what a zip may hold, and that nothing outside of it is read."""
import io
import zipfile

import pytest

pytest.importorskip("trimesh")

from sdf_frames.view.upload import UploadRefused, load_upload, unpack_upload  # noqa: E402

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


def test_single_file(tmp_path):
    path = unpack_upload("../../robot.sdf", MODEL.format("x").encode(), tmp_path)
    assert path.parent == tmp_path
    assert list(load_upload(path, tmp_path).links) == ["l"]


@pytest.mark.parametrize("name", ["../out.sdf", "/etc/out.sdf", "a/../../out.sdf", "..\\out.sdf", "C:\\out.sdf"])
def test_zip_that_leads_out_is_refused(tmp_path, name):
    inside = tmp_path / "inside"
    inside.mkdir()
    with pytest.raises(UploadRefused, match="leads out"):
        unpack_upload("evil.zip", pack(**{name: "x"}), inside)
    assert list(tmp_path.iterdir()) == [inside] and not list(inside.iterdir())


def test_what_is_outside_is_not_read(tmp_path):
    secret = tmp_path / "secret.stl"
    secret.write_text("solid\nendsolid")
    inside = tmp_path / "inside"
    inside.mkdir()
    path = unpack_upload("m.sdf", MODEL.format(f"file://{secret}").encode(), inside)
    assert load_upload(path, inside).links["l"].collisions[0].path is None


def test_zip_that_holds_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr("sdf_frames.view.upload.LARGEST", 1000)
    with pytest.raises(UploadRefused, match="holds more than"):
        unpack_upload("m.zip", pack(**{"a.sdf": "x" * 2000}), tmp_path)


def test_zip_without_a_description(tmp_path):
    with pytest.raises(UploadRefused, match=r"holds no model\.config"):
        unpack_upload("m.zip", pack(readme="x"), tmp_path)


def test_xacro_is_not_run(tmp_path):
    path = unpack_upload("evil.xacro", b"<robot/>", tmp_path)
    with pytest.raises(UploadRefused, match="cannot be confined"):
        load_upload(path, tmp_path)
