"""The three values of the configuration: nothing at loading, computed, computed and saved in the document."""
import pytest
from written_text import sdf_text_of

from sdf_frames.load import LoadOptions, load_text

# 1 x 2 x 3 m of density 1: 6 kg.
BOX = '<collision name="c"><density>1</density><geometry><box><size>1 2 3</size></box></geometry></collision>'
TEXT = f"""<?xml version="1.0" encoding="latin-1"?>
<sdf version="1.12"><world name="w"><model name="ä">
  <link name="a"><inertial auto="true"/>{BOX}</link>
  <model name="n"><link name="b"><inertial auto="true"/>{BOX}</link></model>
  <link name="c"><inertial><mass>2</mass></inertial>{BOX}</link>
</model></world></sdf>"""
# A mesh is opened once it is to be computed; that there is a collision is checked anyhow.
BAD = (f'<sdf version="1.12"><model name="m"><link name="l"><inertial '
       f'auto="true"/>{BOX.replace("<box><size>1 2 3</size></box>", "<mesh><uri>none.stl</uri></mesh>")}'
       '</link></model></sdf>')
EMPTY = '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/></link></model></sdf>'


def load(text, choice, file=None):
    return load_text(text, file, LoadOptions(auto_inertia=choice))


def test_nothing_is_found_that_was_not_asked_for():
    assert load(BAD, "skip").diagnostics == ()
    assert [d.code for d in load(BAD, "save").diagnostics] == ["U002"]
    assert [d.code for d in load(BAD, "save-in-element").diagnostics] == ["U002"]


@pytest.mark.parametrize("content", [TEXT, TEXT.replace("latin-1", "utf-8").encode()])
def test_saved_in_the_document(content):
    loaded = load(content, "save-in-element")
    assert [d.name for d in loaded.diagnostics if d.severity != "info"] == []
    assert [x.auto for x in loaded.computed.links] == [True, False, True]
    again = load_text(sdf_text_of(loaded))
    expected = [(x.name, x.mass, x.pose, x.inertia) for x in load(TEXT, "skip").inertias().links]
    for document in (loaded, again):
        result = document.inertias()
        assert [(x.name, x.mass, x.pose, x.inertia) for x in result.links] == expected
        assert {x.method for x in result.links} == {"declared"}
    assert "auto" not in sdf_text_of(loaded)
    model = loaded.root.worlds[0].models[0]
    assert model.links[0] in model.order and model.models[0] in model.order and model in loaded.root.worlds[0].order


@pytest.mark.parametrize("text", [BAD, EMPTY])
def test_a_failed_automatic_inertia_stays_automatic(text):
    loaded = load(text, "save-in-element")
    assert sdf_text_of(loaded) == text and loaded.root.model.links[0].inertial.auto
