"""Pages whose rows have ids: each once, and none named that is not there."""
import re
from collections import Counter
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "differences.md"


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_rows_of_the_differences_have_ids_of_their_own():
    text = PAGE.read_text(encoding="utf-8")
    rows = Counter(re.findall(r"^\| (D\d+) \|", text, re.MULTILINE))
    assert rows and [row for row, count in rows.items() if count > 1] == []
    assert set(re.findall(r"\bD\d+\b", text)) == set(rows)
