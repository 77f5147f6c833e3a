"""Measurements side by side with libsdformat and with a bare lxml parse: ``python -m benchmark --help``.

Absolute figures do not travel between machines. Everything that is compared is therefore measured in one run, turn by
turn (ours, theirs, ours, theirs, …), and reported as a ratio of medians.
"""
