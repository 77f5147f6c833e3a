"""Which elements hold a URI: the table of SDFormat's elements knows each of them, as a text."""
from lxml import etree

from sdf_frames.sdf.table import TEXTURE_TAGS, URI_TAGS, find_uris, load_table


def walk(spec, seen):
    """Each row of the table with the one above it, once."""
    for child in spec.children.values():
        yield spec, child
        if child.number not in seen:
            seen.add(child.number)
            yield from walk(child, seen)


def test_the_elements_are_those_of_the_table():
    rows = [(above.tag, spec.tag) for above, spec in walk(load_table(), set())
            if spec.value and spec.value.type == "string"]
    assert {tag for _, tag in rows if tag.endswith(("uri", "_map"))} == {*URI_TAGS}
    assert {(above, tag) for above, tag in rows if tag in TEXTURE_TAGS} == {("texture", tag) for tag in TEXTURE_TAGS}


def test_colours_and_vectors_are_not_uris():
    tree = etree.fromstring("<model><plane><normal>0 0 1</normal></plane>"
                            "<material><diffuse>1 1 1 1</diffuse></material><mesh><uri>a</uri></mesh>"
                            "<texture><normal>b</normal></texture></model>")
    assert [(element.text, kind) for element, kind in find_uris(tree)] == [("a", "mesh"), ("b", "texture")]


def test_plugins_on_request():
    tree = etree.fromstring("<model><plugin><uri>a</uri></plugin><pbr><light_map>b</light_map></pbr></model>")
    assert [(element.text, kind) for element, kind in find_uris(tree)] == [("b", "light_map")]
    assert [(element.text, kind) for element, kind in find_uris(tree, plugins=True)] == [
        ("a", "plugin"), ("b", "light_map")]
