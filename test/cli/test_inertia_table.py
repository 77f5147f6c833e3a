"""Tables of inertia on terminals of every width: no digit of a name or number is lost."""
import sys

import pytest

from sdf_frames.cli import main

# 2 kg at (0.1, 0, -0.2), and 500 kg/m³ in a box of 6 l, 1 m away. About the common centre (0.64, 0, -0.08):
# ixx = 0.01 + 2 * 0.12² + 3 / 12 (0.2² + 0.3²) + 3 * 0.08² = 0.0905, and so on.
TWO = """<sdf version="1.11"><model name="m"><link name="base"><inertial><pose>0.1 0 -0.2 0 0 0</pose><mass>2</mass>
  <inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.025</izz><ixy>0.001</ixy><ixz>0</ixz><iyz>-0.002</iyz></inertia>
  </inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
  <link name="auto"><pose>1 0 0 0 0 0</pose><inertial auto="true"/><collision name="box"><density>500</density>
  <geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision></link></model></sdf>"""
WORLDS = """<sdf version="1.11"><world name="w"><model name="bad"><link name="l"><inertial>
  <pose>0 0 0 0 0 1.5707963267948966</pose><mass>1</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>5</izz></inertia>
  </inertial></link></model></world><world name="v"><model name="n"><link name="l"/></model></world></sdf>"""


@pytest.fixture
def table(tmp_path, monkeypatch, capsys):
    """What is printed of a text on a terminal of so many columns (None: no terminal)."""
    def table(text, width, *options):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "m.sdf").write_text(text)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: width is not None)
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("NO_COLOR", "1")
        main(["inertia", *options, "m.sdf"])
        return capsys.readouterr().out
    return table


WIDE = """m.sdf: model m
link   mass  com x  com y  com z     ixx    iyy     izz    ixy     ixz     iyz  source    remark
base      2    0.1      0   -0.2    0.01   0.02   0.025  0.001       0  -0.002  declared
auto      3      0      0      0  0.0325  0.025  0.0125      0       0       0  exact     500 kg/m³ (collision)
total     5   0.64      0  -0.08  0.0905  1.065  1.0095  0.001  -0.216  -0.002  2 links   in __model__
"""


def test_the_wide_table(table):
    """A quarter turn of the inertial frame about z swaps ixx and iyy: the table is along the axes of the links."""
    width = max(map(len, WIDE.splitlines()))
    assert table(TWO, None) == table(TWO, width) == WIDE
    assert table(TWO, width - 1) == NARROW
    assert table(WORLDS, None) == """m.sdf: world w
link    mass  com x  com y  com z  ixx  iyy  izz  ixy  ixz  iyz  source    remark
bad::l     1      0      0      0    2    1    5    0    0    0  declared  not physical
total      1      0      0      0    2    1    5    0    0    0  1 link    in world
m.sdf: world v
link   mass  com x  com y  com z  ixx  iyy  izz  ixy  ixz  iyz  source   remark
n::l      1      0      0      0    1    1    1    0    0    0  default
total     1      0      0      0    1    1    1    0    0    0  1 link   in world
"""


NARROW = """m.sdf: model m
link   mass  centre (m)   inertia (kg·m²)
base      2  com x   0.1  ixx   0.01  ixy  0.001  declared
                 y     0  iyy   0.02  ixz      0
                 z  -0.2  izz  0.025  iyz -0.002
auto      3  com x     0  ixx 0.0325  ixy      0  exact
                 y     0  iyy  0.025  ixz      0
                 z     0  izz 0.0125  iyz      0
  500 kg/m³ (collision)
total     5  com x  0.64  ixx 0.0905  ixy  0.001  2 links
                 y     0  iyy  1.065  ixz -0.216
                 z -0.08  izz   1.01  iyz -0.002
  in __model__
"""


def test_the_narrow_table(table):
    """Where it does not fit either, the source stands below, then long names stand above."""
    width = max(map(len, NARROW.splitlines()))
    assert table(TWO, width) == NARROW
    assert table(TWO, width - 1) == """m.sdf: model m
link   mass  centre (m)   inertia (kg·m²)
base      2  com x   0.1  ixx   0.01  ixy  0.001
                 y     0  iyy   0.02  ixz      0
                 z  -0.2  izz  0.025  iyz -0.002
  declared
auto      3  com x     0  ixx 0.0325  ixy      0
                 y     0  iyy  0.025  ixz      0
                 z     0  izz 0.0125  iyz      0
  500 kg/m³ (collision), exact
total     5  com x  0.64  ixx 0.0905  ixy  0.001
                 y     0  iyy  1.065  ixz -0.216
                 z -0.08  izz   1.01  iyz -0.002
  in __model__, 2 links
"""
    first = "base      2  com x   0.1  ixx   0.01  ixy  0.001"
    assert table(TWO, len(first)).splitlines()[2] == first
    assert table(TWO, len(first) - 1).splitlines()[-5:-1] == [
        "total", "         5  com x  0.64  ixx 0.0905  ixy  0.001", "                y     0  iyy  1.065  ixz -0.216",
        "                z -0.08  izz   1.01  iyz -0.002"]


def test_compared_inertias_have_rows_of_their_own(table):
    lines = table(TWO, None, "--compare").splitlines()
    assert [line.split()[0] for line in lines] == ["m.sdf:", "link", "base", "computed", "auto", "total"]
    assert lines[3] == ("  computed     2      0      0      0  0.333333  0.333333  0.333333      0       0       0  "
                        "exact     1000 kg/m³ (default)")
    lines = table(TWO, None, "--compare", "--recompute").splitlines()
    assert [line.split()[0] for line in lines] == ["m.sdf:", "link", "base", "declared", "auto", "total"]
    assert lines[2].split()[1:7] == ["2", "0", "0", "0", "0.333333", "0.333333"]
    assert lines[3].split()[1:7] == ["2", "0.1", "0", "-0.2", "0.01", "0.02"]


def test_recompute_says_which_links_it_cannot_compute(table):
    text = TWO.replace("</model>", "<link name='bare'><inertial><mass>1</mass></inertial></link></model>")
    remark = "no collision to compute it from"
    lines = table(text, None, "--recompute").splitlines()
    assert [line.split()[0] for line in lines if remark in line] == ["bare"]
    assert remark not in table(text, None) + table(text, None, "--compare")


def test_remarks_name_what_is_missing(table):
    text = ('<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="{}"><density>7'
            "</density><geometry><box><size>1 1 1</size></box></geometry></collision>{}</link></model></sdf>")
    lost = "".join(f'<collision name="{name}"><density>8</density><geometry><mesh><uri>no.stl</uri></mesh></geometry>'
                   "</collision>" for name in ("first", "second"))
    remark = "without first, second, 7 kg/m³ (collision), 8 kg/m³ (collision)"
    assert f"  {remark}\n" in table(text.format("box", lost), None)


@pytest.mark.parametrize("options, remark", [((), "1000 kg/m³ (default)"), (("--density", "7"), "7 kg/m³ (--density)")])
def test_the_remark_says_which_density_was_taken(options, remark, table, capsys):
    """Of three boxes of 1 m³ the collision states one, the link another, and nothing the third."""
    box = '<collision name="c">{}<geometry><box><size>1 1 1</size></box></geometry></collision>'
    links = [("a", "", "<density>3</density>"), ("b", "<density>5</density>", ""), ("c", "", "")]
    text = "".join(f'<link name="{name}"><inertial auto="true">{own}</inertial>{box.format(inside)}</link>'
                   for name, own, inside in links)
    lines = table(f'<sdf version="1.11"><model name="m">{text}</model></sdf>', None, *options).splitlines()
    assert [line.partition("exact     ")[2] or line.partition("exact    ")[2] for line in lines[2:5]] == [
        "3 kg/m³ (collision)", "5 kg/m³ (link)", remark]


def test_rounding_beside_larger_numbers_is_zero(table):
    """From a relative 1e-13 of moments on, and from 1e-12 m of centres."""
    text = ('<sdf version="1.11"><model name="m"><link name="l"><inertial><pose>1e-12 -2e-12 1e-11 0 0 0</pose><mass>1'
            "</mass><inertia><ixx>10</ixx><iyy>10</iyy><izz>10</izz><ixy>1e-12</ixy><ixz>2e-12</ixz><iyz>-2e-12</iyz>"
            "</inertia></inertial></link></model></sdf>")
    assert table(text, None).splitlines()[2].split()[2:11] == [
        "0", "-2e-12", "1e-11", "10", "10", "10", "0", "2e-12", "-2e-12"]


def test_nothing_but_a_line_where_there_are_no_links(table):
    assert table('<sdf version="1.11"><world name="w"/></sdf>', None) == "m.sdf: no links\n"


def test_the_title_is_bold_and_the_head_dim(table, tmp_path, monkeypatch, capsys):
    table(TWO, 200)
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "xterm")
    main(["inertia", "m.sdf"])
    title, head, row, *_ = capsys.readouterr().out.splitlines()
    assert title == "\x1b[1mm.sdf: model m\x1b[0m" and row == WIDE.splitlines()[2]
    assert head == f"\x1b[2m{WIDE.splitlines()[1]}\x1b[0m"


CUBE = "\n".join([*(f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)),
                  "f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4\n"])


def test_the_tables_of_a_mesh(table, tmp_path, monkeypatch, capsys):
    """1000 kg in 1 m³; 1000 / 6 about each axis. Two files have a blank line between them."""
    table(TWO, None)
    for name in ("cube.obj", "cub2.obj"):
        (tmp_path / name).write_text(CUBE)
    (tmp_path / "n.sdf").write_text(TWO)
    wide = ("cube.obj: mesh\n"
            "link      mass  com x  com y  com z      ixx      iyy      izz  ixy  ixz  iyz  source  remark\n"
            "cube.obj  1000    0.5    0.5    0.5  166.667  166.667  166.667    0    0    0  "
            "exact   1000 kg/m³ (default)\n")
    assert main(["inertia", "cube.obj", "cub2.obj"]) == 0
    assert capsys.readouterr().out == f"{wide}\n{wide.replace('cube', 'cub2')}"
    main(["inertia", "m.sdf", "n.sdf"])
    assert capsys.readouterr().out == f"{WIDE}\n{WIDE.replace('m.sdf', 'n.sdf')}"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    width = max(map(len, wide.splitlines()))
    monkeypatch.setenv("COLUMNS", str(width))
    main(["inertia", "cube.obj"])
    assert capsys.readouterr().out == wide
    monkeypatch.setenv("COLUMNS", str(width - 1))
    main(["inertia", "cube.obj"])
    assert capsys.readouterr().out == """cube.obj: mesh
link      mass  centre (m)  inertia (kg·m²)
cube.obj  1000  com x 0.5  ixx 166.667  ixy 0  exact
                    y 0.5  iyy 166.667  ixz 0
                    z 0.5  izz 166.667  iyz 0
  1000 kg/m³ (default)
"""


def test_a_total_that_no_number_holds(table):
    link = "<link name='{}'><inertial><mass>1e308</mass></inertial></link>"
    text = f"<sdf version='1.9'><model name='m'>{link.format('a')}{link.format('b')}</model></sdf>"
    total = table(text, None).splitlines()[-1]
    assert total.split() == ["total", "too", "large", "2", "links", "in", "__model__"]
