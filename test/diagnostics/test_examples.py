"""Each example gives its code and is mended by what stands below it; `explain` shows both."""
import re
from pathlib import Path

import pytest

import sdf_frames
from sdf_frames.cli import main
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.diagnostics.examples import read_example
from sdf_frames.load import load_text

FOLDER = Path(sdf_frames.__file__).parent / "diagnostics" / "examples"
CODES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("code", CODES)
def test_the_first_gives_the_code_and_the_second_does_not(code):
    breaks, works = read_example(code)
    assert code in {d.code for d in load_text(breaks, "breaks").diagnostics}
    after = load_text(works, "works").diagnostics
    assert code not in {d.code for d in after} and not [d for d in after if d.severity == "error"]
    assert len(breaks.split("\n")) <= 25


def test_most_codes_of_a_single_file_have_an_example():
    assert set(CODES) <= set(BY_CODE) and len(CODES) >= 85
    for family, least in (("F", 1.0), ("J", 1.0), ("P", 0.6), ("R", 0.7), ("N", 0.5)):
        codes = [code for code in BY_CODE if code[0] == family]
        assert len(set(codes) & set(CODES)) >= least * len(codes), family


def test_explain_shows_both(capsys):
    assert main(["explain", "F002"]) == 0
    said = capsys.readouterr().out
    first, second = said.split("this causes it:")[1].split("this does not:")
    assert re.search(r'<frame name="b" attached_to="a"/>', first) and re.search(r'attached_to="base"/>', second)


def test_a_code_without_an_example_is_explained_all_the_same(capsys):
    assert read_example("X001") is None
    assert main(["explain", "X001"]) == 0 and "this gives it" not in capsys.readouterr().out
