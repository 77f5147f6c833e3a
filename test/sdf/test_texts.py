"""Names in the text of elements, includes that stand where nothing is read, and those that bring no model."""
import pytest

from sdf_frames.load import LoadOptions, load_text

PART = '<sdf version="1.12"><model name="part"><link name="l"/></model></sdf>'


def load(body, tmp_path):
    (tmp_path / "part.sdf").write_text(PART)
    return load_text(f'<sdf version="1.12">{body}</sdf>', options=LoadOptions((str(tmp_path),)))


# tinyxml2 collapses white space in text, not in attributes; the verdicts are libsdformat 17's.
@pytest.mark.parametrize("name, text, errors", [
    ("a b", "a  b", []), ("a b", "\n a\t\n b ", []), ("a  b", "a  b", ["joint-child-unknown"])])
def test_white_space_in_names_of_links(tmp_path, name, text, errors):
    loaded = load(f'<model name="m"><link name="{name}"/><link name="c"/><joint name="j" type="fixed">'
                  f"<parent>c</parent><child>{text}</child></joint></model>", tmp_path)
    assert [d.name for d in loaded.diagnostics if d.severity == "error"] == errors


def test_white_space_in_the_name_of_an_include(tmp_path):
    loaded = load('<world name="w"><include><uri>part.sdf</uri><name> plate (-1,\n  0) </name></include></world>',
                  tmp_path)
    assert [m.name for m in loaded.root.worlds[0].models] == ["plate (-1, 0)"] and loaded.valid


@pytest.mark.parametrize("uri, errors", [("part.sdf", []), ("absent.sdf", ["uri-not-found"])])
def test_includes_of_a_population_are_looked_for(tmp_path, uri, errors):
    loaded = load(f'''<world name="w"><population name="p"><model name="m"><include><uri>{uri}</uri></include></model>
        <pose>0 0 0 0 0 0</pose><box><size>1 1 1</size></box><model_count>2</model_count>
        <distribution><type>random</type></distribution></population></world>''', tmp_path)
    assert [d.name for d in loaded.diagnostics if d.severity == "error"] == errors
    assert loaded.root.worlds[0].models == ()


def test_each_include_where_nothing_reads_it_is_looked_at(tmp_path):
    """Also behind one that a plugin holds, which is the plugin's own."""
    loaded = load('<world name="w"><plugin name="p" filename="f"><include><uri>gone.sdf</uri></include></plugin>'
                  '<model name="m"><link name="l"/></model><state world_name="w"><model name="m"><include>\n'
                  "<uri>absent.sdf</uri></include></model></state>"
                  '<population name="p"><model name="k">\n<include><uri>missing.sdf</uri></include></model>'
                  '<pose>0 0 0 0 0 0</pose><box><size>1 1 1</size></box><model_count>2</model_count>'
                  "<distribution><type>random</type></distribution></population></world>", tmp_path)
    assert [(d.name, d.line) for d in loaded.diagnostics if d.name == "uri-not-found"] == [("uri-not-found", 3)]
