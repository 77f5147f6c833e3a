"""Which links libsdformat cannot lump: seen in libsdformat 12.3, whose conversion of URDF is that of 17."""
import pytest
from lumped_robots import LUMPED

from sdf_frames.load import load_text


@pytest.mark.parametrize("name", LUMPED)
def test_what_libsdformat_refuses_is_told(name):
    text, is_loaded = LUMPED[name]
    loaded = load_text(text)
    found = [d for d in loaded.diagnostics if d.name == "lumped-inertia-unreadable"]
    assert loaded.valid and len(found) == (is_loaded is not True)
    for d in found:
        assert d.severity == "warning" and ("; libsdformat may refuse this" in d.message) == (is_loaded is None)
        assert "loads the output of 'sdf_frames convert'" in d.message


def test_the_link_nearest_to_the_root_is_told_once_for_its_body():
    chain = LUMPED["no mass below no mass"][0].replace("</robot>", (
        '<link name="c"><inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
        '</inertial></link><joint name="jc" type="fixed"><parent link="b"/><child link="c"/></joint></robot>'))
    (finding,) = [d for d in load_text(chain).diagnostics if d.name == "lumped-inertia-unreadable"]
    assert finding.path == '/robot[@name="r"]/link[@name="a"]'
    only_ros = [d.name for d in load_text(chain).judge(["ros"])]
    assert "lumped-inertia-unreadable" not in only_ros
