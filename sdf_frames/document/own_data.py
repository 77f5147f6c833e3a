"""Reads the data of this package: files in a folder ``data`` beside the modules that use them."""
from __future__ import annotations

import os

from sdf_frames.document.door import UNCONFINED


def read_data(module: str, name: str) -> str:
    """Return the text of a file; `module` is the ``__file__`` of the module that uses the file."""
    return UNCONFINED.read(os.path.join(os.path.dirname(module), "data", name)).decode()


def read_table(module: str, name: str) -> list[list[str]]:
    """Return the cells of a table with tabs, row by row, without its head; `module` as for :func:`read_data`."""
    return [line.split("\t") for line in read_data(module, name).splitlines()[1:]]
