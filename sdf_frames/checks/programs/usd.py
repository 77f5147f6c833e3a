"""USD, as urdf-usd-converter writes it from a URDF, for Isaac Sim and others."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("usd", "USD (urdf-usd-converter)", "0.3")
