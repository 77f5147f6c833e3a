"""Tables of inertia on terminals of every width: no digit of a name or number is lost."""
import re
import sys

import pytest

from sdf_frames.cli import main

LONG = "left_arm_wrist_3_link_with_flange_and_gripper_adapter"
INERTIAL = ("<inertial><pose>0.012345 -0.000123456 0.1 0 0 0</pose><mass>{}</mass><inertia><ixx>0.01</ixx>"
            "<iyy>0.0200001</iyy>"
            "<izz>0.015</izz><ixy>-0.0000123</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><link name="a">{INERTIAL.format(1)}</link>'
                    f'<link name="{LONG}">{INERTIAL.format(1234.5)}</link></model></sdf>')
    return str(path)


def show(file, capsys, monkeypatch, width, **environment):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in {"COLUMNS": str(width), "NO_COLOR": "", **environment}.items():
        monkeypatch.setenv(name, value)
    assert main(["inertia", file]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_a_link_takes_three_lines_where_one_is_too_narrow(width, file, capsys, monkeypatch):
    text = re.sub("\x1b\\[[0-9;]*m", "", show(file, capsys, monkeypatch, width))
    _, *lines = text.splitlines()  # the title holds the file's name
    assert max(map(len, lines)) <= width
    assert LONG in text and text.count("ixx") == 3  # two links and the total
    (at,) = [i for i, line in enumerate(lines) if line.startswith("a ")]
    rows = [line.split() for line in lines[at:at + 3]]
    assert rows[0][:8] == ["a", "1", "com", "x", "0.01235", "ixx", "0.01", "ixy"]
    assert rows[1][:6] == ["y", "-0.0001235", "iyy", "0.02", "ixz", "0"] and rows[2][:4] == ["z", "0.1", "izz", "0.015"]
    assert text.count("declared") == 2


def test_a_link_takes_one_line_where_it_fits(file, capsys, monkeypatch):
    text = re.sub("\x1b\\[[0-9;]*m", "", show(file, capsys, monkeypatch, 200))
    title, head, first, second, total = text.splitlines()
    assert head.split()[:2] == ["link", "mass"] and first.split()[:3] == ["a", "1", "0.012345"]
    assert second.startswith(LONG + "  1234.5") and total.split()[:2] == ["total", "1235.5"]


def test_colours_are_for_terminals_that_want_them(file, capsys, monkeypatch):
    assert "\x1b[" in show(file, capsys, monkeypatch, 80)
    assert "\x1b[" not in show(file, capsys, monkeypatch, 80, NO_COLOR="1")
    assert "\x1b[" not in show(file, capsys, monkeypatch, 80, TERM="dumb")
    monkeypatch.undo()
    assert main(["inertia", file]) == 0 and "\x1b[" not in capsys.readouterr().out
