"""The form of pages: lines that are not too long; rows with ids, each once, and none named that is not there."""
import re
from collections import Counter
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "differences.md"
PAGES = [*TOP.glob("[A-Z]*.md"),
         *(page for page in (TOP / "docs").rglob("*.md") if not {"_build", "generated"} & set(page.parts))]


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_rows_of_the_differences_have_ids_of_their_own():
    text = PAGE.read_text(encoding="utf-8")
    rows = Counter(re.findall(r"^\| (D\d+) \|", text, re.MULTILINE))
    assert rows and [row for row, count in rows.items() if count > 1] == []
    assert set(re.findall(r"\bD\d+\b", text)) == set(rows)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_no_line_of_prose_is_longer_than_100_columns(page):
    """Tables, blocks of code, and `code` on a line of its own may be."""
    prose = re.sub(r"(?ms)^ *```.*?^ *```$|^ *\|[^\n]*$", "", page.read_text(encoding="utf-8"))
    assert [line for line in prose.split("\n") if len(line) > 100 and re.sub("`[^`]*`", "", line).strip(" -:.")] == []


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_the_first_page_is_short():
    assert len((TOP / "README.md").read_text(encoding="utf-8").splitlines()) <= 140
