"""What differs between two descriptions, by meaning: ``sf.diff``. Made from the public library alone."""
