"""Between URDF and SDF: what is lumped, what is written, and the report of where everything went."""
