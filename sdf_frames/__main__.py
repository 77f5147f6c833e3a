"""Entry of ``python -m sdf_frames``."""
import sys

from sdf_frames.cli import main

if __name__ == "__main__":
    sys.exit(main())
