"""Each example gives its code and is mended by what stands below it; `explain` shows both."""
import re
from collections import Counter
from pathlib import Path

import pytest

import sdf_frames
from sdf_frames.cli import main
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.load import LoadOptions, load_text

FOLDER = Path(sdf_frames.__file__).parent / "diagnostics" / "examples"
CODES = sorted(path.stem for path in FOLDER.glob("*.txt"))


#: What the second description lacks, although neither its finding nor its hint names it.
LOST = {"J009": {"0"},  # of the axis of length zero
        "R028": {"m", "1", "http", "www.ros.org", "wiki", "xacro"}}  # xacro takes its own elements away


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Resource paths with a model `arm`, which examples include."""
    folder = tmp_path_factory.mktemp("models") / "arm"
    folder.mkdir()
    (folder / "model.config").write_text('<model><name>arm</name><sdf version="1.12">arm.sdf</sdf></model>')
    (folder / "arm.sdf").write_text('<sdf version="1.12"><model name="arm"><link name="base"/></model></sdf>')
    return LoadOptions(resource_paths=(str(folder.parent),))


def list_data(text: str) -> Counter:
    """Values of attributes and words of texts, without comments and the names of tags and attributes."""
    text = re.sub(r"(?s)<!--.*?-->|</?[\w:]+|[\w:]+=(?=[\"'])", " ", text)
    return Counter(re.findall(r"[\w.+-]+", text))


@pytest.mark.parametrize("code", CODES)
def test_the_second_is_the_first_with_the_hint_applied(code, options):
    """It is valid, has no finding that the first does not have, and lacks only what finding or hint call wrong."""
    breaks, works = BY_CODE[code].example
    before, after = [load_text(text, "f", options).diagnostics for text in (breaks, works)]
    finding = next(d for d in before if d.code == code)
    assert {d.code for d in after} <= {d.code for d in before} - {code}
    assert not [d for d in after if d.severity == "error"]
    assert len(breaks.split("\n")) <= 25
    assert finding.hint
    lost = (list_data(breaks) - list_data(works)).keys() - LOST.get(code, set())
    assert "remove" in finding.hint or lost <= list_data(finding.message).keys()


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
    assert BY_CODE["X001"].example is None
    assert main(["explain", "X001"]) == 0 and "this gives it" not in capsys.readouterr().out
