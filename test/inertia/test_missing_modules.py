"""Without a package that only some files need, the message names it, says how to get it, and every other file works."""
import sys

import pytest

from sdf_frames.cli import main

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "".join(
    f"f {f}\n" for f in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))
MODEL = """<sdf version="1.12"><model name="m"><link name="arm"><inertial auto="true"><density>1000</density></inertial>
  <collision name="c"><geometry><mesh><uri>{}</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def compute(tmp_path, monkeypatch, capsys):
    """Run `inertia` on a link with a mesh file of a name, while modules are hidden; its exit status and messages."""
    def compute(name, content, *hidden, options=()):
        (tmp_path / name).write_text(content)
        (tmp_path / "m.sdf").write_text(MODEL.format(name))
        for module in hidden:
            monkeypatch.setitem(sys.modules, module, None)
        status = main(["inertia", *options, str(tmp_path / "m.sdf")])
        captured = capsys.readouterr()
        return status, " ".join((captured.out + captured.err).split())
    return compute


@pytest.mark.parametrize("name, module, words", [
    ("part.glb", "trimesh",
     ["glTF and PLY files need trimesh", "pip install trimesh", "save the mesh as STL, OBJ or COLLADA"]),
    ("part.ply", "trimesh", ["glTF and PLY files need trimesh", "pip install trimesh"]),
])
def test_a_format_whose_reader_is_not_installed(compute, name, module, words):
    content = "ply\nformat ascii 1.0\nend_header\n" if name.endswith("ply") else "<COLLADA/>"
    status, said = compute(name, content, module)
    assert status == 1 and name in said
    assert [word for word in words if word not in said] == []
    assert "Traceback" not in said and "X011" not in said


def test_a_method_whose_module_is_not_installed(compute):
    status, said = compute("part.obj", CUBE, "scipy", "scipy.spatial", options=("--method", "hull"))
    assert status == 1
    assert "inertia-method-unavailable" in said and "apt-get install python3-scipy" in said and "--method" in said


def test_the_plain_formats_need_none_of_them(compute):
    status, said = compute("part.obj", CUBE, "trimesh", "collada", "scipy", "scipy.spatial")
    assert status == 0 and "1000" in said
