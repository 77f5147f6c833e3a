"""Loading: what cannot be read is one finding that says why, never an exception."""
import pytest

from sdf_frames.load import LoadOptions, load_file, load_text


def only(loaded):
    (found,) = loaded.diagnostics
    assert loaded.root is None and not loaded.valid and loaded.kind is None
    return found


def test_a_file_that_is_not_there(tmp_path):
    found = only(load_file(tmp_path / "none.sdf"))
    assert (found.name, found.severity, found.file) == ("file-unreadable", "error", str(tmp_path / "none.sdf"))
    assert "No such file or directory" in found.message and "Errno" not in found.message


def test_a_folder(tmp_path):
    assert "Is a directory" in only(load_file(tmp_path)).message


def test_a_name_that_no_file_can_have():
    """Python raises a ValueError, which has no strerror."""
    found = only(load_file("a\0b.sdf"))
    assert found.name == "file-unreadable" and "null" in found.message


@pytest.mark.parametrize("text, name, kind", [
    ("", "xml-malformed", None), ("<a/>", "not-a-robot-description", None), ("<sdf", None, None)])
def test_texts_that_are_no_description(text, name, kind):
    loaded = load_text(text)
    assert (loaded.root, loaded.kind, loaded.valid, loaded.scopes, loaded.graphs) == (None, kind, False, (), ())
    assert name is None or name in [d.name for d in loaded.diagnostics]


def test_the_text_of_a_description_is_kept_and_of_a_urdf_made():
    sdf = '<sdf version="1.6"><model name="m"><link name="l"/></model></sdf>'
    for text in (sdf, sdf.encode()):
        assert (load_text(text).sdf_text, load_text(text).kind) == (sdf, "sdf")
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    loaded = load_text(f'<robot name="r"><link name="l">{solid}</link></robot>')
    assert loaded.kind == "urdf" and loaded.sdf_text.startswith("<?xml") and '<model name="r">' in loaded.sdf_text


@pytest.mark.parametrize("options, words", [
    ({"inertia_failure": "ignore"}, "inertia_failure must be one of error, default"),
    ({"auto_inertia": "never"}, "auto_inertia must be one of")])
def test_values_that_an_option_cannot_have(options, words):
    with pytest.raises(ValueError, match=words):
        load_text('<sdf version="1.12"><model name="m"><link name="l"/></model></sdf>', options=LoadOptions(**options))


def test_a_text_that_only_lenient_reading_accepts_is_left_as_it_is():
    """Computed inertias are put into the model, and one warning says that the text cannot take them."""
    text = ('<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>'
            '<box><size>1 1 1</size></box>'
            '</geometry></collision></link></model><a:b/></sdf>')
    loaded = load_text(text, options=LoadOptions(auto_inertia="save-in-element"))
    (link,) = loaded.root.model.links
    assert not link.inertial.auto and link.inertial.mass == 1000
    said = [d.name for d in loaded.diagnostics]
    assert ("inertia-not-written" in said) == ('auto="true"' in loaded.sdf_text)


def test_each_finding_is_there_once():
    text = '<sdf version="1.12"><model name="m"><link name="l"/><frame name="f" attached_to="x"/></model></sdf>'
    loaded = load_text(text)
    assert [d.name for d in loaded.diagnostics] == ["frame-attached-to-unknown"] and len(set(loaded.diagnostics)) == 1
