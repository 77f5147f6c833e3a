"""Boxes around primitives."""
import pytest

from sdf_frames.inertia.plausibility import find_half_size
from sdf_frames.sdf.geometry import Box, Capsule, Cone, Cylinder, Ellipsoid, Empty, Sphere


@pytest.mark.parametrize("shape, half", [
    (Box((2, 4, 6)), (1, 2, 3)), (Sphere(3), (3, 3, 3)), (Ellipsoid((1, 2, 3)), (1, 2, 3)), (Cylinder(2, 6), (2, 2, 3)),
    (Cone(2, 6), (2, 2, 3)), (Capsule(2, 6), (2, 2, 5)), (Empty(), None), (None, None)])
def test_half_the_box_around_a_primitive(shape, half):
    assert find_half_size(shape) == half
