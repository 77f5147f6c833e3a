"""The list of frames on the page, and what is said of frames that are hard to find or to place."""
import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from test_panel import LINK, find, look, page, read  # noqa: E402, F401

from sdf_frames.view import panel as panels  # noqa: E402

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


def test_a_search_also_finds_the_frame_in_which_a_pose_is_shown(page, monkeypatch):  # noqa: F811
    """The frame stays when the search changes; what a message of no browser brought does not."""
    monkeypatch.setattr(panels, "_MOST_LISTED", 2)
    panel, nowhere = look(page, LINK), "(world or model)"
    assert panel.base.options == (nowhere, "base", "arm")
    panel.search.value = "a"
    panel.select("arm")
    panel.search.value = "SLIDE"
    assert panel.base.options == (nowhere, "slide")
    panel.base.value = "slide"
    panel.search.value = "b"
    assert (panel.base.value, panel.base.options) == ("slide", (nowhere, "slide", "base", "bar"))
    panel.select("base")
    assert "| position | 0 0 -2 m |" in read(panel.details)
    panel.base.value = "no such"
    panel.search.value = ""
    assert (panel.base.value, panel.base.options) == (nowhere, (nowhere, "base", "arm"))
    assert "| position | 0 0 0 m |" in read(panel.details)


def test_names_of_a_deep_chain_fit_into_the_list(page):  # noqa: F811
    """By at most ten indents, and each name has its own place."""
    links = "".join(f'<link name="l{i}"/>' for i in range(14))
    joints = "".join(f'<joint name="j{i}" type="fixed"><parent>l{i}</parent><child>l{i + 1}</child></joint>'
                     for i in range(13))
    panel = look(page, f'<sdf version="1.11"><model name="m">{links}{joints}</model></sdf>')
    assert [len(shown) - len(name) for shown, name in panel.listed.items()][:14] == [*range(10), 10, 10, 10, 10]


def test_frames_of_the_same_name_of_several_worlds_can_be_chosen(page):  # noqa: F811
    """By a click, in the list, as a base, and by a finding; a name of one world stands alone."""
    world = ('<world name="{0}"><model name="m"><pose>0 0 {1} 0 0 0</pose><link name="a"/><link name="b">'
             '<pose>{1} 0 0 0 0 0</pose></link><colour/></model><frame name="of_{0}"/></world>')
    panel = look(page, f'<sdf version="1.11">{world.format("w1", 1)}{world.format("w2", 5)}</sdf>')
    assert {"w1: m::a", "w2: m::a", "of_w1", "of_w2"} <= {*panel.frames} and "m::a" not in panel.frames
    assert panel.about.options[1:] == ("w1: m", "w2: m")
    for nodes, number, height in zip(panel.scenes, (1, 2), (1, 5)):
        nodes.on_click("m::a")
        assert panel.chosen.value == f"w{number}: m::a" and panel._find_chosen()[0] is nodes
        panel.base.value = "(world or model)"
        assert f"| position | 0 0 {height} m |" in read(panel.details)
        panel.base.value = f"w{number}: m::b"
        assert f"| position | {-height} 0 0 m |" in read(panel.details)
    panel.base.value = "w1: m::b"
    assert read(panel.details) == "m::a has no pose in w1: m::b"
