"""Mass, centre of mass and inertia tensor of links: declared, or computed from collision geometry.

Only meshes need NumPy, which is imported for the first mesh.
"""
