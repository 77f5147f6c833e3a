"""Every cause of an error that a file can have: which findings it gives, at which line and path.

``models/errors/CODE`` is one of libsdformat's error codes: small files that just break one of its rules, files that
just do not, and ``expect.json`` with the verdict and exactly the findings (name, line, path, and the file where it is
another). The rules are those of SDFormat's documents on frames, names and versions; ``why`` names the row of
docs/differences.md where libsdformat's verdict is another.
"""
import json
from pathlib import Path

import pytest

from sdf_frames.diagnostics.catalogue import CATALOGUE
from sdf_frames.load import load_file

ERRORS = Path(__file__).parent / "models" / "errors"
EXPECTED = {f"{path.parent.name}/{name}": row
            for path in sorted(ERRORS.glob("*/expect.json"))
            for name, row in json.loads(path.read_text(encoding="utf-8")).items()}


def test_every_model_has_an_expectation():
    assert {f"{p.parent.name}/{p.name}" for p in ERRORS.glob("*/*.sdf")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings_are_exactly_the_defects(name):
    loaded, expected = load_file(ERRORS / name), EXPECTED[name]
    folder = (ERRORS / name).parent
    found = [[d.name, d.line, d.path,
              *([str(Path(d.file).relative_to(folder))] if d.file != str(ERRORS / name) else [])]
             for d in loaded.diagnostics if d.severity != "info"]
    assert found == expected["diagnostics"]
    assert loaded.valid is expected["valid"]


def test_a_defect_says_what_libsdformat_calls_it():
    """One finding at least bears the code of the folder."""
    for name, expected in EXPECTED.items():
        codes = {CATALOGUE[row[0]].sdformat for row in expected["diagnostics"]}
        assert expected["valid"] or name.partition("/")[0] in codes, name
