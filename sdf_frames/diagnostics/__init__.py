"""Findings as data: what was found, where, why, and what to do about it.

Functions of the library return :class:`Diagnostic` tuples; they neither log nor raise. What happens to a finding
is the caller's policy.
"""
from sdf_frames.diagnostics.model import (
    ERROR,
    INFO,
    RANKS,
    WARNING,
    Diagnostic,
    Edit,
    Fix,
    Location,
    Related,
    diagnose,
    has_errors,
    relate,
    steps_of,
    tell_once,
)
from sdf_frames.diagnostics.words import (
    ANOTHER,
    LISTED,
    LONGEST,
    SAME_FILE,
    Comparisons,
    count_of,
    find_nearest,
    plural,
    shorten_name,
    suggest_name,
    times_of,
)

__all__ = ["ERROR", "INFO", "RANKS", "WARNING", "Diagnostic", "Edit", "Fix", "Location", "Related", "diagnose",
           "has_errors", "relate", "steps_of", "tell_once", "ANOTHER", "LISTED", "LONGEST", "SAME_FILE", "Comparisons",
           "count_of", "find_nearest", "plural", "shorten_name", "suggest_name", "times_of"]
