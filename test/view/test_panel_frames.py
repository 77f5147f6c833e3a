"""The list of frames on the page, and what is said of frames that are hard to find or to place."""
import pytest

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
