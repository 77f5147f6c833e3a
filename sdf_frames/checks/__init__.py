"""Checks of a description: one file for each family. A check takes typed models or graphs, and yields findings."""
