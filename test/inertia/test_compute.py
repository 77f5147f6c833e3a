"""The inertia of several links together."""
import pytest

from sdf_frames.inertia.compute import total_inertia
from sdf_frames.load import load_text

LINK = ('<link name="{}"><pose>{} 0 0 0 0 0</pose><inertial><mass>{}</mass><inertia><ixx>1</ixx><iyy>1</iyy>'
        '<izz>1</izz></inertia>'
        "</inertial></link>")


def test_no_links_have_no_mass():
    loaded = load_text(f'<sdf version="1.12"><model name="m">{LINK.format("a", 0, 1)}</model></sdf>')
    assert total_inertia(loaded.graphs, []) == (0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


def test_two_links_about_their_common_centre():
    """2 kg at x = 0 and 1 kg at x = 3: the centre at 1; m r² adds 2·1 + 1·4 to the moments across."""
    loaded = load_text(
        f'<sdf version="1.12"><model name="m">{LINK.format("a", 0, 2)}{LINK.format("b", 3, 1)}</model></sdf>')
    mass, centre, moments = total_inertia(loaded.graphs, loaded.inertias().links)
    assert (mass, centre) == (3, pytest.approx((1, 0, 0)))
    assert moments == pytest.approx((2, 8, 8, 0, 0, 0))


def test_links_of_other_scopes_are_left_out():
    world = '<world name="{0}"><model name="m">{1}</model></world>'
    loaded = load_text(
        f'<sdf version="1.12">{world.format("v", LINK.format("a", 0, 2))}{world.format("w", LINK.format("b", 0, 5))}'
        f'</sdf>')
    assert total_inertia(loaded.graphs, loaded.inertias().links)[0] == 2
