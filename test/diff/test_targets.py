"""The files that two descriptions lead to."""
import pytest

import sdf_frames as sf

ROBOT = """<robot name="r"><link name="l"><visual><geometry><mesh filename="{0}/a.stl"/></geometry><material name="m">
<texture filename="{0}/a.png"/></material></visual></link></robot>"""
MODEL = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v">
<geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal><albedo_map>{0}/a.png</albedo_map></metal></pbr>
</material></visual></link></model></sdf>"""


@pytest.fixture
def load(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        for name in ("a.stl", "a.png"):
            (tmp_path / folder / name).write_text(name)

    def load(text, uri, folder):
        path = tmp_path / folder / "robot"
        path.write_text(text.format(uri))
        return sf.load(path)
    load.folder = tmp_path
    return load


@pytest.mark.parametrize("text", [ROBOT, MODEL])
def test_what_leads_to_the_same_files_does_not_differ(load, text):
    robot = load(text, ".", "one")
    assert [*sf.diff(robot, load(text, "../one", "two"))] == []
    assert [*sf.diff(robot, load(text, ".", "two"))] == [], "the same content"


@pytest.mark.parametrize("text", [ROBOT, MODEL])
def test_a_file_that_one_finds_alone_or_that_is_another_differs(load, text):
    robot, files = load(text, ".", "one"), [name for name in ("./a.stl", "./a.png") if name[2:] in text]
    other = load(text, ".", "two")
    for name in files:
        (load.folder / "two" / name).write_text("more")
    assert [(c.subject, c.name, c.what) for c in sf.diff(robot, other)] == [("file", name, "path") for name in files]
    for name in files:
        (load.folder / "two" / name).unlink()
    other = sf.load(load.folder / "two" / "robot")
    for old, new, said in ((robot, other, " -> not found"), (other, robot, "not found -> ")):
        changes = [c for c in sf.diff(old, new) if c.subject == "file"]
        assert [(c.name, (c.old is None) is (old is other), said in c.text) for c in changes] == [
            (name, True, True) for name in files]


def test_what_is_included_is_compared_by_itself(tmp_path):
    robots = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.sdf").write_text(
            f'<sdf version="1.9"><!-- {name} --><model name="p"><link name="l"/></model></sdf>')
        (tmp_path / name / "m.sdf").write_text(
            '<sdf version="1.9"><model name="m"><include><uri>part.sdf</uri></include></model></sdf>')
        robots.append(sf.load(tmp_path / name / "m.sdf"))
    assert [*sf.diff(*robots)] == [] and all(robot.valid for robot in robots)


PART = """<sdf version="1.9"><model name="p"><link name="l"><visual name="v">
<geometry><mesh><uri>{0}</uri></mesh></geometry><material><pbr><metal><albedo_map>{0}</albedo_map></metal></pbr></material></visual></link></model></sdf>"""


@pytest.mark.parametrize("uris, contents, differing", [
    (("f", "f", "f"), "abc", []), (("f", "f", "f"), "xbc", ["file one"]),
    (("f", "f", "f"), "bac", ["file one", "file two"]),
    (("f", "../one/f", "f"), "abx", ["file three", "visual two", "visual two"]),
    (("f", "../three/f", "../two/f"), "acb", [])])
def test_included_models_with_one_uri_have_their_own_files(tmp_path, uris, contents, differing):
    """The files of A contain a, b and c; a visual with another URI has another mesh and another texture."""
    def build(folder, uris, contents):
        names = ("one", "two", "three")
        for name, uri, content in zip(names, uris, contents):
            (tmp_path / folder / name).mkdir(parents=True)
            (tmp_path / folder / name / "model.sdf").write_text(PART.format(uri))
            (tmp_path / folder / name / "f").write_text(content)
        (tmp_path / folder / "m.sdf").write_text('<sdf version="1.9"><model name="m">' + "".join(
            f"<include><uri>{n}/model.sdf</uri><name>{n}</name></include>" for n in names) + "</model></sdf>")
        return sf.load(tmp_path / folder / "m.sdf")

    changes = sf.diff(build("a", ("f", "f", "f"), "abc"), build("b", uris, contents))
    assert sorted(f"{change.subject} {change.old.split('/')[-2] if change.subject == 'file' else change.name[:-6]}"
                  for change in changes) == differing
