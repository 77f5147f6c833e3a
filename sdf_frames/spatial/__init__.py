"""Poses, inertias, solids and mesh integrals. Poses are 7-tuples (x, y, z, qw, qx, qy, qz), metres and a unit
quaternion."""
