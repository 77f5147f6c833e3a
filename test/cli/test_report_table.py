"""The conversion report as text: counts first, rows as wide as the terminal, some actions only."""
import pytest

from sdf_frames.cli import main
from sdf_frames.cli.report_table import render_report
from sdf_frames.convert.report import Row
from sdf_frames.diagnostics.render import Terminal

ROWS = [Row("link", "base", "kept", None, 3),
        Row("joint", "camera_joint", "lumped", "base", 12, "fixed joint, now a frame"),
        Row("link", "camera", "lumped", "base", 9, "behind a fixed joint, now a frame"),
        Row("mu1", "camera", "dropped", None, 20, "the link has no collision that could have it"),
        Row("collision", "c", "renamed", "c_1", None, "two had one name")]


def test_counts_come_first_and_links_and_joints_first_among_them():
    assert render_report("r.urdf", ROWS, None, Terminal()).splitlines() == [
        "r.urdf: 5 elements: 1 kept, 2 lumped, 1 renamed, 1 dropped",
        "             kept  lumped  renamed  dropped",
        "  link          1       1",
        "  joint                 1",
        "  collision                      1",
        "  mu1                                     1",
        "",
        "line  element    name          action   into  reason",
        "   3  link       base          kept",
        "  12  joint      camera_joint  lumped   base  fixed joint, now a frame",
        "   9  link       camera        lumped   base  behind a fixed joint, now a frame",
        "  20  mu1        camera        dropped        the link has no collision that could have it",
        "      collision  c             renamed  c_1   two had one name"]


def test_rows_fit_a_narrow_terminal():
    text = render_report("r.urdf", ROWS, None, Terminal(50))
    lines = text.splitlines()
    assert lines[7:13] == ["    3  kept      link base", "   12  lumped    joint camera_joint",
                           "                 -> base: fixed joint, now a frame", "    9  lumped    link camera",
                           "                 -> base: behind a fixed joint,", "                    now a frame"]
    assert max(map(len, lines[6:])) <= 50 and lines[-2:] == [
        "       renamed   collision c", "                 -> c_1: two had one name"]
    assert [word for row in ROWS for word in (row.name, *(row.reason or "").split()) if word not in text] == []


def test_one_element_is_singular():
    assert render_report("r.urdf", ROWS[:1], None, Terminal()).startswith("r.urdf: 1 element: 1 ")


def test_some_actions_only():
    lines = render_report("r.urdf", ROWS, ("dropped", "renamed"), Terminal()).splitlines()
    assert lines[0].startswith("r.urdf: 5 elements") and [line.split()[-1] for line in lines[-2:]] == ["it", "name"]
    assert len(lines) == 10
    assert len(render_report("r.urdf", ROWS, ("to-frame",), Terminal()).splitlines()) == 6  # the counts alone


URDF = """<robot name="r"><link name="a">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""


def test_the_option_shows_the_report(tmp_path, capsys):
    (tmp_path / "r.urdf").write_text(URDF)
    assert main(["convert", "--only", "lumped", str(tmp_path / "r.urdf")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("<?xml") and err.startswith(f"{tmp_path / 'r.urdf'}: 3 elements: 1 kept, 2 lumped")
    with pytest.raises(SystemExit):
        main(["convert", "--only", "lumped,lost", str(tmp_path / "r.urdf")])
    assert "unknown action 'lost'; choose from kept, lumped" in capsys.readouterr().err


@pytest.mark.parametrize("more, wide", [(0, True), (-1, False)])
def test_the_table_is_narrow_where_its_columns_do_not_fit(more, wide):
    """Five gaps of two blanks between six columns."""
    rows = [Row("link", "a" * 30, "kept", "b" * 20, 3, "c" * 10)]
    width = sum(map(len, ("line", "element", "a" * 30, "action", "b" * 20, "c" * 10))) + 10
    lines = render_report("r.urdf", rows, None, Terminal(width + more)).splitlines()
    assert any(line.startswith("line  element  name") for line in lines) == wide


def test_kinds_are_sorted_behind_links_and_joints_and_actions_have_their_columns():
    rows = [Row("zeta", "z", "kept", None, 1), Row("alpha", "a", "kept", None, 2),
            Row("joint", "j", "dropped", None, 3), *[Row("link", f"l{i}", "kept", None, 4) for i in range(10)]]
    assert render_report("x", rows, (), Terminal()).splitlines() == [
        "x: 13 elements: 12 kept, 1 dropped", "         kept  dropped", "  link     10", "  joint              1",
        "  alpha     1", "  zeta      1"]


def test_names_that_would_steer_a_terminal_are_escaped():
    rows = [Row("a\x1bb", "c\nd", "kept", "e\x07", 1, "f\x9b")]
    for width in (None, 40):
        text = render_report("t\x1b", rows, None, Terminal(width))
        assert text.startswith("t\\x1b: 1 element: ") and text.isascii() and not set(text) & set("\x1b\x07")
        assert all(word in text for word in ("a\\x1bb", "c\\nd", "e\\x07", "f\\x9b"))


def test_colours():
    lines = render_report("r.urdf", ROWS, ("renamed", "dropped", "kept"), Terminal(100, True)).splitlines()
    assert lines[0] == "\x1b[1mr.urdf: 5 elements: 1 kept, 2 lumped, 1 renamed, 1 dropped\x1b[0m"
    assert lines[1] == "             kept  lumped  renamed  dropped"
    assert lines[7:] == [
        "\x1b[2mline  element    name    action   into  reason\x1b[0m",
        "   3  link       base    kept",
        "\x1b[1;31m  20  mu1        camera  dropped        the link has no collision that could have it\x1b[0m",
        "\x1b[1;33m      collision  c       renamed  c_1   two had one name\x1b[0m"]
    narrow = render_report("r.urdf", ROWS, ("renamed", "dropped", "kept"), Terminal(40, True)).splitlines()
    assert narrow[7:] == ["    3  kept      link base", "   20  \x1b[1;31mdropped \x1b[0m  mu1 camera",
                          "                 the link has no", "                    collision that could",
                          "                    have it", "       \x1b[1;33mrenamed \x1b[0m  collision c",
                          "                 -> c_1: two had one", "                    name"]


@pytest.mark.parametrize(("width", "lines"), [
    (40, ["    3  kept      link a  -> b: because"]), (38, ["    3  kept      link a  -> b: because"]),
    (37, ["    3  kept      link a", "                 -> b: because"])])
def test_a_reason_stands_behind_the_name_where_it_fits(width, lines):
    found = render_report("x", [Row("link", "a", "kept", "b", 3, "because")], None, Terminal(width))
    assert found.splitlines()[4:] == lines


def test_what_a_row_lacks_is_left_out():
    rows = [Row("link", "a", "kept", "b"), Row("link", None, "kept", None, 5, "because"), Row("link", "c", "kept")]
    assert render_report("x", rows, None, Terminal(30)).splitlines()[4:] == [
        "       kept      link a  -> b", "    5  kept      link ", "                 because",
        "       kept      link c"]
    assert render_report("x", rows, None, Terminal()).splitlines()[4:] == [
        "line  element  name  action  into  reason", "      link     a     kept    b",
        "   5  link           kept          because", "      link     c     kept"]
