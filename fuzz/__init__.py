"""Fuzzing: harnesses, the laws they hold the package to, and the inputs that once broke one (docs/fuzzing.md)."""
