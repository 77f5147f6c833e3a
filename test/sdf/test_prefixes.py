"""Elements and attributes of somebody's own, told by their prefix (sdformat.org, custom elements and attributes),
whatever it stands for."""
import pytest

from sdf_frames.load import load_text

URIS = ["http://example.org/own", "urn:own", "own"]


def load(uri, body, version="1.12"):
    return load_text(f'<sdf version="{version}" xmlns:own="{uri}"><model name="m">{body}</model></sdf>')


@pytest.mark.parametrize("uri", URIS)
@pytest.mark.parametrize("body", [
    '<link name="l"/><own:part name="a::b"/>',
    '<link name="l" own:colour="red"/>',
    '<link name="l"><inertial auto="true"><auto_inertia_params><own:voxel_size>0.01</own:voxel_size>'
    '</auto_inertia_params></inertial>'
    '<collision name="c"><density>1</density><geometry><sphere><radius>1</radius></sphere></geometry></collision>'
    '</link>',
])
def test_names_with_a_prefix_are_not_reported(uri, body):
    assert load(uri, body).diagnostics == ()


@pytest.mark.parametrize("uri", URIS)
def test_unknown_names_without_a_prefix_are_reported(uri):
    found = load(uri, '<link name="l" colour="red"><part/></link>').diagnostics
    assert [d.name for d in found] == ["attribute-unknown", "element-unknown"]


@pytest.mark.parametrize("uri", URIS)
def test_an_upgrade_leaves_it_alone(uri):
    """A pose's attribute is called relative_to since 1.7, but not in what is somebody else's."""
    root = load(uri, '<link name="l"/><own:part><link name="k"><pose frame="l"/></link></own:part>', "1.6").root
    assert [dict(pose.attrib) for pose in root.element.iter("pose")] == [{"frame": "l"}]
