"""Checks of a read document, one file a family; each takes typed models or graphs and returns findings."""
