"""Fuzzing: harnesses, the laws they hold the package to, and inputs that once broke one (docs/project/fuzzing.md)."""
