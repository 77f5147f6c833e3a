"""Names that only includes make equal: which of two siblings is reported, where, and how both are read."""
import pytest

from sdf_frames.checks.names import pair_with_merges
from sdf_frames.load import load_file

PART = "<include><uri>p.sdf</uri></include>"
MERGED = '<include merge="true"><uri>{}.sdf</uri></include>'
FILES = {"p": '<model name="p">\n <link name="l"/></model>',
         "f": '<model name="f">\n <frame name="l"/><link name="k"/></model>'}


@pytest.mark.parametrize("first, second, message, related, place, other, names", [
    ('<link name="p"/>', PART, "<model> and its sibling <link> are both named 'p'", "link", ("main", 3, 1),
     ("main", 2, 13), ["p", "p"]),
    (PART, '<link name="p"/>', "<link> and its sibling <model> are both named 'p'", "model", ("main", 3, 13),
     ("main", 2, 1), ["p", "p"]),
    (PART, PART, "two <model> siblings are named 'p'", "model", ("main", 3, 1), ("main", 2, 1), ["p", "p"]),
    (MERGED.format("p"), '<frame name="l"/>', "<frame> and its sibling <link> are both named 'l'", "link",
     ("main", 3, 14), ("p", 2, 14), ["_merged__p__model__", "l", "l_frame"]),
    ('<frame name="l"/>', MERGED.format("p"), "<link> and its sibling <frame> are both named 'l'", "frame",
     ("p", 2, 14), ("main", 2, 14), ["l_frame", "_merged__p__model__", "l"]),
    (MERGED.format("p"), MERGED.format("f"), "<frame> and its sibling <link> are both named 'l'", "link",
     ("f", 2, 15), ("p", 2, 14), ["_merged__p__model__", "l", "_merged__f__model__", "l_frame", "k"])])
def test_a_clash_that_an_include_brings_is_reported_at_the_later_one(tmp_path, first, second, message, related, place,
                                                                    other, names):
    for name, text in FILES.items():
        (tmp_path / f"{name}.sdf").write_text(f'<sdf version="1.12">{text}</sdf>')
    main = tmp_path / "main.sdf"
    main.write_text(f'<sdf version="1.12"><model name="m"><link name="b"/>\n{first}\n{second}</model></sdf>')
    loaded = load_file(main)
    (found,) = [d for d in loaded.diagnostics if d.severity == "error"]
    assert found.name == ("name-duplicate" if message.startswith("two") else "name-shared")
    assert (found.message, found.file, found.line, found.column) == (message, str(tmp_path / f"{place[0]}.sdf"),
                                                                     *place[1:])
    merging = [line for line, text in ((3, second), (2, first)) if text.startswith('<include merge="true"')]
    assert [(r.message, r.file, r.line, r.column) for r in found.related] == [
        (f"<{related}> of that name", str(tmp_path / f"{other[0]}.sdf"), *other[1:]),
        *[("the <include> that merges it", str(main), line, 1) for line in merging]]
    assert [entity.name for entity in loaded.root.model.order] == ["b", *names]


def test_a_clash_with_what_a_merged_model_merges_names_the_include_of_the_file(tmp_path):
    """p merges q, and what follows the include in the file is none of its."""
    files = {"q": '<model name="q"><link name="l"/></model>',
             "p": f'<model name="p">{MERGED.format("q")}<link name="k"/></model>'}
    for name, text in files.items():
        (tmp_path / f"{name}.sdf").write_text(f'<sdf version="1.12">{text}</sdf>')
    main = tmp_path / "main.sdf"
    main.write_text('<sdf version="1.12"><model name="m"><link name="l"/>\n<link name="k"/>\n'
                    f'{MERGED.format("p")}\n<frame name="f"/></model></sdf>')
    loaded = load_file(main)
    assert [(d.name, [(r.file, r.line) for r in d.related if "merges" in r.message])
            for d in loaded.diagnostics if d.severity == "error"] == 2 * [("name-duplicate", [(str(main), 3)])]
    merged = [entity.name for entity, include in pair_with_merges(loaded.root.model.order) if include is not None]
    assert merged == ["_merged__q__model__", "l", "k"] and loaded.root.model.order[-1].name == "f"
