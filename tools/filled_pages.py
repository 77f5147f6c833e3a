"""Pages that hold what the sources say: written, or with `--check` compared with what they should be."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
BEGIN, END = "<!-- tools/{} writes this table -->\n", "<!-- end of the table -->\n"


def fill(name: str, *tables: str) -> str:
    """Return a page of docs/ with these tables in its places, in order."""
    begin = BEGIN.format(Path(sys.argv[0]).name)
    first, *rest = (ROOT / "docs" / name).read_text(encoding="utf-8").split(begin)
    return first + "".join(f"{begin}\n{table}\n\n{END}{part.split(END)[1]}" for table, part in zip(tables, rest))


def write_pages(pages: dict[str, str]) -> int:
    """Write pages of docs/; with `--check` only return 1 if one differs."""
    for name, text in pages.items():
        page = ROOT / "docs" / name
        if "--check" not in sys.argv:
            page.write_text(text, encoding="utf-8")
        elif not page.exists() or page.read_text(encoding="utf-8") != text:
            return 1
    return 0
