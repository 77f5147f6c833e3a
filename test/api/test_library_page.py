"""The programs of docs/library.md, run as they stand there."""

import re
import shutil
from pathlib import Path

import pytest

import sdf_frames as sf

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
ROBOT = Path(__file__).parents[2] / "robots" / "mobile_manipulator"
PROGRAMS = [program for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
            if program.count("\n") > 1]
EXPECTED = ["camera_optical_frame frame base_footprint", "[", "joint base_joint lumped base_footprint", "",
            "[0.1 0.1 0.1] usable, method exact\n[[0.144 0.    0.   ]", ""]
# Corners of a cube, whose numbers are 4 x + 2 y + z.
QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def write_cube(path: Path, edge: float) -> None:
    """An STL of a cube whose corner is the origin."""
    corners = [f"vertex {x} {y} {z}\n" for x in (0, edge) for y in (0, edge) for z in (0, edge)]
    faces = [(quad[0], *quad[k:k + 2]) for quad in QUADS for k in (1, 2)]
    path.write_text("solid cube\n" + "".join(
        f"facet normal 0 0 0\nouter loop\n{''.join(corners[n] for n in face)}endloop\nendfacet\n" for face in faces)
        + "endsolid cube\n")


def test_every_public_name_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    attributes = [name for name in dir(sf.RobotDescription) if not name.startswith("_")]
    assert [name for name in (*attributes, "file", "kind", "findings") if f"`{name}`" not in page
            and f"`{name}(" not in page] == []
    assert [name for name in sf.__all__ if f"sf.{name}" not in page and f"`{name}`" not in page] == []


def test_the_classes_of_modules_are_those_of_the_objects(tmp_path):
    row = r"\| (?:`(\w+)`, |the classes of `shape)[^|]* \| `(sdf_frames\.[\w.]+)` \|"
    rows = re.findall(row, PAGE.read_text(encoding="utf-8"))
    robot = sf.load(ROBOT / "mobile_manipulator.urdf")
    (checked,) = sf.check_many([ROBOT / "mobile_manipulator.urdf"])
    shape = next(shape for link in robot.links.values() for shape in link.visuals)
    objects = {"": shape.geometry, "Part": robot.parts[0], "FileReference": robot.uris[0],
               "Bundle": robot.save_bundle(tmp_path / "bundle"), "Checked": checked}
    assert {(name, type(objects[name]).__module__) for name, _ in rows} == {*rows} and len(rows) == len(objects)


def test_there_are_six_programs_of_at_most_eight_lines():
    assert len(PROGRAMS) == 6
    assert max(program.count("\n") for program in PROGRAMS) <= 8


@pytest.mark.parametrize("number", range(6))
def test_a_program_runs(number, tmp_path, monkeypatch, capsys):
    shutil.copytree(ROBOT / "meshes", tmp_path / "meshes")
    shutil.copy(ROBOT / "mobile_manipulator.urdf", tmp_path / "my_robot.urdf")
    write_cube(tmp_path / "part.stl", 0.2)
    monkeypatch.chdir(tmp_path)
    exec(compile(PROGRAMS[number], f"{PAGE.name}, program {number}", "exec"), {})
    said = capsys.readouterr().out
    assert EXPECTED[number] in said
    if number == 2:
        assert said.endswith("True\n")
    if number == 3:
        assert "error" not in said
    if number == 5:
        before, after = ((tmp_path / name).read_text().splitlines() for name in ("my_robot.urdf", "heavier.urdf"))
        assert [(old.strip(), new.strip()) for old, new in zip(before, after) if old != new] == [
            ('<mass value="38"/>', '<mass value="40"/>')]
        assert len(before) == len(after) and (tmp_path / "heavier.urdf").read_text().endswith("</robot>\n")
