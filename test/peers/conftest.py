"""Peer tests: what other programs make of our output, and of the inputs that we read.

Each skips, saying so, where its program or the corpus is not there. ``SDF_FRAMES_PEERS=all`` asks about every
file in place of every fourth, or every eighth where the program is slow.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
