"""Sphinx: `make docs`, and rosdoc2. Pages are Markdown; docs/reference_pages.py writes those that come from the
code."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# rosdoc2 runs this file from within a conf.py of its own, beside a copy of the pages; that one names the original.
ORIGINAL = re.search(r'exec\(open\("(.+?)"\)', Path(__file__).read_text(encoding="utf-8"))
ROOT = Path(ORIGINAL[1]).parents[1] if ORIGINAL else HERE.parent
sys.path[:0] = [str(HERE), str(ROOT)]

import reference_pages  # noqa: E402

import sdf_frames  # noqa: E402

project = "sdf_frames"
author = "sdf_frames maintainers"
copyright = "sdf_frames maintainers, Apache-2.0"
version = release = sdf_frames.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
exclude_patterns = ["_build"]
# Docstrings quote names in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_use_rtype = False
napoleon_use_ivar = True  # fields of tuples would be described twice

html_theme = "furo"
html_title = f"sdf_frames {release}"
html_copy_source = False

reference_pages.write_pages(HERE / "generated", ROOT)


def setup(app):
    """Let links to pages at the top of the repository, which GitHub follows, lead to the pages here."""

    def rewrite(_app, name, source):
        source[0] = reference_pages.link_generated(source[0], name.count("/"))

    app.connect("source-read", rewrite)
