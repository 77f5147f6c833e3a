"""rod, and JAXsim, which reads SDFormat through it."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("rod", "rod", "0.5", ("sdf",))
