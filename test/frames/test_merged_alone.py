"""A merged model must be sound on its own, as its file is; what is wrong with it is said once."""
import pytest

from sdf_frames.load import load_file

LINK = '<link name="l"/>'


def merge(folder, part, parent=LINK.replace('"l"', '"p"'), more=""):
    (folder / "part.sdf").write_text(f'<sdf version="1.12">\n<model name="part">\n{part}\n</model>\n</sdf>')
    (folder / "main.sdf").write_text(
        f'<sdf version="1.12"><model name="m">{parent}<include merge="true"><uri>part.sdf</uri>{more}</include>'
        f'</model></sdf>')
    loaded = load_file(folder / "main.sdf")
    return loaded, [(d.name, d.file.rpartition("/")[2], d.line) for d in loaded.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("part, name, line", [
    ("", "model-without-link", 2),
    (LINK + '<frame name="f" attached_to="p"/>', "frame-attached-to-unknown", 3),
    (LINK + '<frame name="f"><pose relative_to="p"/></frame>', "pose-relative-to-unknown", 3),
    (LINK + '<joint name="j" type="fixed"><parent>p</parent><child>l</child></joint>', "joint-parent-unknown", 3),
    (LINK + '<frame name="f" attached_to="nowhere"/>', "frame-attached-to-unknown", 3),
    (LINK + '<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>', "frame-attached-to-cycle", 3),
    (LINK + '<joint name="j" type="fixed"><parent>l</parent><child>l</child></joint>', "joint-parent-same-as-child", 3),
])
def test_a_merged_model_that_is_wrong_on_its_own(tmp_path, part, name, line):
    assert merge(tmp_path, part)[1] == [(name, "part.sdf", line)]


def test_a_sound_one_may_be_merged_where_it_is_posed_in_its_parent(tmp_path):
    loaded, errors = merge(tmp_path, LINK, more='<pose relative_to="p">1 0 0 0 0 0</pose>')
    assert errors == [] and {f.name: f.pose[0] for f in loaded.scopes[0].frames}["l"] == 1
