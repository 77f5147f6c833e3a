"""Mass, centre of mass and inertia tensor of links: declared, or computed from collision geometry.

Meshes alone need NumPy; it is not imported before the first one.
"""
