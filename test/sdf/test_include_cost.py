"""What includes cost: files are read, and elements built, no more often than they have to be."""
from collections import Counter

import pytest

from sdf_frames.document import xml_in
from sdf_frames.document.budget import Budget
from sdf_frames.document.places import Source
from sdf_frames.load import LoadOptions, load_file
from sdf_frames.sdf import reading as module

PARAMS = ('<experimental:params><visual element_id="l" action="add" name="v"><geometry><empty/></geometry></visual>'
          "</experimental:params>")


def sdf(body):
    return f'<sdf version="1.12" xmlns:experimental="e">{body}</sdf>'


@pytest.fixture
def read(monkeypatch):
    """Files that were read for includes, each time that they were."""
    files, real = Counter(), module.read_xml

    def count(content, path, **options):
        files[path.rpartition("/")[2]] += 1
        return real(content, path, **options)
    monkeypatch.setattr(module, "read_xml", count)
    return files


@pytest.mark.parametrize("attribute", ["", ' merge="true"'])
def test_files_that_include_the_next_twice_with_params_end_in_one_error(tmp_path, read, attribute):
    """2^24 models, from 24 files."""
    for i in range(24):
        nested = [f"<include{attribute}><uri>c{i + 1}.sdf</uri><name>{n}</name>{PARAMS}</include>" for n in "ab"
                  if i < 23]
        (tmp_path / f"c{i}.sdf").write_text(sdf(f'<model name="c{i}"><link name="l"/>{"".join(nested)}</model>'))
    loaded = load_file(tmp_path / "c0.sdf")
    assert [d.name for d in loaded.diagnostics if d.severity == "error"] == ["include-too-large"]
    assert len(read) == 23 and max(read.values()) <= 4


def test_two_includes_of_one_file_are_equal(tmp_path, read):
    (tmp_path / "p.sdf").write_text(sdf('<model name="p"><link name="l"/></model>'))
    (tmp_path / "o.sdf").write_text(sdf('<model name="o">' + "".join(
        f"<include><uri>p.sdf</uri><name>{n}</name><pose>{i} 0 0 0 0 0</pose></include>" for i, n in enumerate("abc"))
        + "</model>"))
    change = PARAMS.replace('element_id="l"', 'element_id="b::l"')
    (tmp_path / "w.sdf").write_text(sdf(f'<world name="w"><include><uri>o.sdf</uri>{change}</include></world>'))
    loaded = load_file(tmp_path / "w.sdf")
    # A file that includes others is looked at before, for names that those may change.
    assert loaded.diagnostics == () and read == {"o.sdf": 2, "p.sdf": 1}
    (model,) = loaded.root.worlds[0].models
    assert [(m.name, m.pose.X[0], len(m.links[0].parts)) for m in model.models] == [("a", 0, 0), ("b", 1, 1),
        ("c", 2, 0)]


def test_siblings_are_counted_once_however_many_have_params(tmp_path, monkeypatch):
    """Each include's place among its siblings is asked for, while the trees of what is included change."""
    counted = []

    class Numbers(dict):
        def pop(self, parent, *default):
            numbers = super().pop(parent, *default)
            if numbers is None and parent.tag == "world":
                counted.append(parent)
            return numbers

    def make_source(*arguments, **keywords):
        source = Source(*arguments, **keywords)
        source.siblings = Numbers()
        return source
    monkeypatch.setattr(xml_in, "Source", make_source)
    (tmp_path / "p.sdf").write_text(sdf('<model name="p"><link name="l"/></model>'))
    (tmp_path / "w.sdf").write_text(sdf('<world name="w">' + "".join(
        f"<include><uri>p.sdf</uri><name>p{i}</name>{PARAMS}</include>" for i in range(100)) + "</world>"))
    assert load_file(tmp_path / "w.sdf").diagnostics == () and len(counted) == 1


def test_parts_that_are_merged_count_once_more(tmp_path):
    """Each merge copies them, which can double their number in each file of a chain."""
    (tmp_path / "p.sdf").write_text(sdf('<model name="p"><link name="l"/><frame name="f"/></model>'))
    # 4 elements, p.sdf has 4, 2 of them parts
    text = sdf('<model name="m"><include merge="true"><uri>p.sdf</uri></include></model>')
    (tmp_path / "m.sdf").write_text(text)
    assert load_file(tmp_path / "m.sdf", LoadOptions(budget=Budget(elements=10))).diagnostics == ()
    (found,) = load_file(tmp_path / "m.sdf", LoadOptions(budget=Budget(elements=9))).diagnostics
    assert found.name == "limit-exceeded" and found.message.startswith("10 ") and found.message.endswith(" is 9")
