"""What files before 1.7 say of joints, axes and inertials, the same in every command.

Lines of the seeds are in the comments: 001 is "Specifying model kinematics", 004 "Pose Frame Semantics" of 1.4 to 1.6.
"""
import pytest
from readings import every_reading, frames, include, joint, joints, link, sdf
from written_text import upgrade_text

from sdf_frames.load import load_text
from sdf_frames.spatial.pose import compose, invert, pose_from_rpy

IN_MODEL = "<use_parent_model_frame>true</use_parent_model_frame>"
TURNED = ('<link name="l"><pose>0 0 2 0 0 0</pose></link>'
          '<joint name="j" type="revolute"><pose>0 0 6 0 0 0</pose><parent>l</parent>'
          "<child>world</child><axis><xyz>0 1 0</xyz></axis></joint>")


@pytest.mark.parametrize("version", ["1.4", "1.5", "1.6"])
def test_a_joint_with_the_world_as_child_stays_where_it_is_in_the_world(version, parts, capsys):
    """004:375, 004:129: its pose is in its child, the world, wherever an include puts the model."""
    X_WM = pose_from_rpy(1, -2, 3, 0.3, 0.2, 1.1)
    folder = parts(part=sdf(TURNED, version))
    placed = include("part", "p", "<pose>1 -2 3 0.3 0.2 1.1</pose>")
    outer = f'<sdf version="{version}"><world name="w">{placed}</world></sdf>'
    for loaded in every_reading(outer, folder, capsys):
        found = frames(loaded)
        assert found["p"][2] == pytest.approx(X_WM, abs=1e-9)
        assert found["p::j"][2][:3] == pytest.approx((0, 0, 6), abs=1e-9)
        assert joints(loaded)["p::j"][:2] == ("world", "p::l")
    alone = sdf("<pose>1 -2 3 0.3 0.2 1.1</pose>" + TURNED, version)
    for loaded in every_reading(alone, folder, capsys):
        assert frames(loaded)["j"][2] == pytest.approx(compose(invert(X_WM), (0, 0, 6, 1, 0, 0, 0)), abs=1e-9)


def test_a_joint_between_the_world_and_the_world_is_one_error_that_helps():
    """004:375: one but not both of the ends."""
    loaded = load_text(sdf(link("l") + joint("j", "world", "world")))
    (only,) = [d for d in loaded.diagnostics if d.severity != "info"]
    assert only.name == "joint-child-is-world" and "swap" not in only.hint and "name a link" in only.hint


@pytest.mark.parametrize("version, flag", [("1.4", ""), ("1.5", IN_MODEL)])
def test_an_axis_without_xyz_has_the_default_one(version, flag, tmp_path, capsys):
    """001:142: 0 0 1, in the model frame."""
    body = link("l") + '<link name="k"><pose>0 0 0 1.5707963267948966 0 0</pose></link>'
    body += joint("j", "l", "k", f"<axis>{flag}</axis>")
    for loaded in every_reading(sdf(body, version), tmp_path, capsys):
        assert joints(loaded)["j"][2] == [(0, 1, 0)] and not [d for d in loaded.diagnostics if d.severity != "info"]


@pytest.mark.parametrize("version", ["1.5", "1.6"])
def test_an_inertials_pose_may_be_in_a_frame(version, tmp_path, capsys):
    """004:8: as a visual's: b is 3 above the link, and the centre of mass 1 beside b."""
    body = link("l") + '<link name="b"><pose>0 0 3 0 0 0</pose></link>' + link(
        "k", 5, '<inertial><pose frame="b">1 0 0 0 0 0</pose><mass>2</mass></inertial>')
    for loaded in every_reading(sdf(body, version), tmp_path, capsys):
        assert [d for d in loaded.diagnostics if d.severity != "info"] == []
        inertia = next(row for row in loaded.inertias().links if row.name == "k")
        assert inertia.pose[:3] == pytest.approx((-4, 0, 3))


@pytest.mark.parametrize("version", ["1.7", "1.8", "1.12"])
def test_a_pose_beyond_its_model_makes_no_model_of_a_delimited_name(version):
    """Both joints end in the world, so neither pose is written as it is; ``n::b`` then refers to nothing outside."""
    text = """<sdf version="1.5"><world name="w"><model name="a">
      <model name="n::b"><pose frame="k">0 0 1 0 0 0</pose><link name="l"/><joint name="q" type="revolute">
        <pose>1 0 0 0 0 0</pose><parent>l</parent><child>world</child><axis><xyz>1 0 0</xyz></axis></joint></model>
      <link name="c"/><joint name="k" type="revolute"><pose frame="n::b::q">1 2 3 0 0 0</pose>
        <parent>c</parent><child>world</child><axis><xyz>1 0 0</xyz></axis></joint></model></world></sdf>"""
    upgraded, _ = upgrade_text(text, None, version)
    before, after = load_text(text).scopes[0].frames, load_text(upgraded).scopes[0].frames
    assert [f.name for f in after] == [f.name.replace("n::b", "n_b") for f in before]
    assert [f.pose for f in after] == [pytest.approx(f.pose, abs=1e-12) for f in before]
