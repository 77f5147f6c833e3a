"""Reads and writes URDF: typed model, parser and writer."""
