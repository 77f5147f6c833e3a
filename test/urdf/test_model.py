"""What a URDF does not say is what urdfdom takes it for."""
from sdf_frames.urdf.model import NO_ORIGIN, Dynamics, Limit, Mimic, Origin


def test_defaults_are_zero_except_for_the_multiplier():
    assert Limit() == (0, 0, 0, 0, None, None, None, None) and Dynamics()[:2] == (0, 0)
    assert Mimic("j")[:3] == ("j", 1, 0)
    assert Origin() == NO_ORIGIN == ((0, 0, 0), (0, 0, 0))
