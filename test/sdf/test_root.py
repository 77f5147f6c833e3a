"""Documents that describe nothing, or just something; libsdformat takes all of them."""
import pytest

from sdf_frames.load import load_text


@pytest.mark.parametrize("content, also", [("", []), ("<!-- nothing -->", []), ("<foo/>", ["element-unknown"])])
def test_a_document_that_describes_nothing_is_valid_but_suspicious(content, also):
    loaded = load_text(f'<?xml version="1.0"?>\n<sdf version="1.12">{content}</sdf>')
    assert loaded.valid and [d.name for d in loaded.diagnostics] == [*also, "nothing-described"]
    finding = loaded.diagnostics[-1]
    assert (finding.severity, finding.line, finding.path) == ("warning", 2, "/sdf")


@pytest.mark.parametrize("content", [
    '<world name="w"/>', '<model name="m"><link name="l"/></model>', '<light name="l" type="point"/>',
    '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>'])
def test_a_world_a_model_a_light_or_an_actor_is_enough(content):
    assert load_text(f'<sdf version="1.12">{content}</sdf>').diagnostics == ()


def test_an_include_that_fails_is_its_own_finding():
    assert [d.name for d in load_text('<sdf version="1.12"><include><uri>absent</uri></include></sdf>').diagnostics] == ["uri-not-found"]
