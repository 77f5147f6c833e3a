"""Reads the data of this package: files in a folder ``data`` beside the modules that use them."""
from __future__ import annotations

import os


def read_data(module: str, name: str) -> str:
    """Return the text of a file; `module` is the ``__file__`` of the module that uses the file."""
    with open(os.path.join(os.path.dirname(module), "data", name), encoding="utf-8") as stream:
        return stream.read()


def read_table(module: str, name: str) -> list[list[str]]:
    """Return the cells of a table with tabs, row by row, without its head; `module` as for :func:`read_data`."""
    return [line.split("\t") for line in read_data(module, name).splitlines()[1:]]
