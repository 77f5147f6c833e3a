"""Compares the content of two descriptions: ``sf.diff``. Uses only the public library."""
