"""The list of frames on the page, and what is said of frames that are hard to find or to place."""
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from test_panel import find, look, page, read  # noqa: E402, F401

#: The model of shelf is not found, so that no link carries shelf.
LOOSE = ('<sdf version="1.6"><world name="w"><model name="shelf"><include><uri>model://not_here</uri></include>'
         '<pose>1 0 0 0 0 0</pose></model><model name="m"><link name="a"/><link name="b"/><joint name="j" '
         'type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
         "</model></world></sdf>")


def test_a_frame_whose_link_is_not_found_has_a_pose_until_a_joint_moves(page):  # noqa: F811
    """It is not known whether the joint moves the frame."""
    unknown = "| pose | not known: the link that carries the frame 'shelf' cannot be resolved"
    panel = look(page, LOOSE)
    panel.select("shelf")
    assert "| position | 1 0 0 m |" in read(panel.details)
    find(panel, "Slider", "m::j").value = .5
    said = read(panel.details)
    assert unknown in said and "position" not in said and "| kind | model |" in said
    panel.select("m::b")
    assert "| roll\xa0pitch\xa0yaw | 0 0 28.65° |" in read(panel.details)  # half a radian
    panel.base.value = "shelf"
    assert unknown in read(panel.details)
    panel.holds.value = True
    find(panel, "Slider", "m::j").value = .25
    assert unknown in read(panel.details)


def test_a_frame_has_no_findings_of_the_same_line_of_another_file(page, tmp_path):  # noqa: F811
    """Both links are in line 3 of their files."""
    link = '<sdf version="1.9">\n<model name="{}">\n<link name="{}">{}</link>\n{}</model></sdf>'
    (tmp_path / "part.sdf").write_text(link.format("part", "inside", "<colour/>", ""))
    (tmp_path / "m.sdf").write_text(link.format("m", "a", "", "<include><uri>part.sdf</uri></include>"))
    page.add(lambda: sf.load(tmp_path / "m.sdf"))
    panel = page.shown[0].panel
    panel.select("part::inside")
    assert "S003 warning, line 3" in read(panel.details)
    panel.select("a")
    assert "| defined\xa0in | m.sdf:3 |" in read(panel.details) and "S003" not in read(panel.details)
