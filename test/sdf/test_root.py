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


# Verdicts of libsdformat 17 on the same files.
@pytest.mark.parametrize("content, name", [
    ("MODEL ACTOR", "several-root-entities"), ("LIGHT LIGHT", "several-root-entities"),
    ("LIGHT MODEL", "several-root-entities"),
    ("LIGHT", None), ("ACTOR", None), ("NAMED", "name-reserved"), ("<world name='w'>NAMED</world>", "name-reserved"),
    ("<model name='m'><link name='l'/>NAMED</model>", None), ("<world name='w'>ACTOR ACTOR</world>", "name-duplicate"),
    ("<model name='m'><link name='l'>LIGHT LIGHT</link></model>", "name-duplicate"),
    ("<model name='m'><link name='l'>INCLUDED</link></model>", None),
    ("<model name='m'><link name='l'>INCLUDED INCLUDED</link></model>", "name-duplicate")])
def test_included_lights_and_actors_count_as_those_in_the_file(tmp_path, content, name):
    texts = {"LIGHT": '<light name="l" type="point"/>',
             "ACTOR": '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>',
             "INCLUDED": '<model name="i"><link name="l"/></model>'}
    for word, text in texts.items():
        (tmp_path / f"{word}.sdf").write_text(f'<sdf version="1.12">{text}</sdf>')
        content = content.replace(word, f"<include><uri>{word}.sdf</uri></include>")
    content = content.replace("NAMED", "<include><uri>LIGHT.sdf</uri><name>world</name></include>")
    content = content.replace("MODEL", '<model name="m"><link name="l"/></model>')
    found = load_text(f'<sdf version="1.12">{content}</sdf>', str(tmp_path / "it.sdf")).diagnostics
    assert [d.name for d in found if d.severity == "error"] == ([name] if name else [])


def test_an_include_that_fails_is_its_own_finding():
    assert [d.name
        for d in load_text(
                '<sdf version="1.12"><include><uri>absent</uri></include></sdf>').diagnostics] == ["uri-not-found"]
