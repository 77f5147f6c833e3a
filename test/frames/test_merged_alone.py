"""A merged model must be sound on its own, as its file is; what is wrong with it is said once."""
import pytest

from sdf_frames.cli import main
from sdf_frames.load import load_file, load_text

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


def test_an_inertial_in_the_model_frame_of_an_old_file_keeps_its_pose(tmp_path, capsys):
    """004:8: until 1.6 an inertial could be in any frame; merged, the model frame of the file is its proxy's."""
    inertial = '<inertial><mass>2</mass><pose frame="__model__">0 1 0 0 0 0</pose></inertial>'
    (tmp_path / "part.sdf").write_text(
        f'<sdf version="1.6"><model name="part"><link name="l"><pose>3 0 0 0 0 0</pose>{inertial}</link></model></sdf>')
    file = tmp_path / "main.sdf"
    file.write_text('<sdf version="1.12"><model name="m"><link name="p"/><include merge="true"><uri>part.sdf</uri>'
                    '<pose>1 0 0 0 0 0</pose></include></model></sdf>')
    main(["print", str(file)])
    for loaded in (load_file(file), load_text(capsys.readouterr().out)):
        # The model is at x = 1, the link at x = 4.
        assert {link.name: link.pose[:3] for link in loaded.inertias().links}["l"] == (-3, 1, 0)


def test_what_is_wrong_in_both_files_is_said_of_each(tmp_path):
    part = LINK + '<frame name="f" attached_to="x"/>\n<frame name="g"><pose relative_to="y"/></frame>'
    _, errors = merge(tmp_path, part, LINK.replace('"l"', '"p"') + '<frame name="h" attached_to="z"/>')
    assert sorted(errors) == [
        ("frame-attached-to-unknown", "main.sdf", 1), ("frame-attached-to-unknown", "part.sdf", 3),
        ("pose-relative-to-unknown", "part.sdf", 4)]


POSE = "<pose>1 0 0 0 0 0</pose>"


# Verdicts of libsdformat 12.
@pytest.mark.parametrize("part, more, expected", [
    (' placement_frame="zz">' + LINK, POSE + "<placement_frame>l</placement_frame>", []),
    (' placement_frame="zz">' + LINK, POSE, [("placement-frame-unknown", "part.sdf", 2)]),
    (' placement_frame="l">' + LINK, POSE + "<placement_frame>zz</placement_frame>",
     [("placement-frame-unknown", "main.sdf", 1)]),
    (">" + LINK, POSE + "<placement_frame>p</placement_frame>", [("placement-frame-unknown", "main.sdf", 1)]),
    (">", "<static>true</static>", []), (">", "<static>false</static>", [("model-without-link", "part.sdf", 2)]),
    ("><static>true</static>", "", []),
    ("><static>true</static>", "<static>false</static>", [("model-without-link", "main.sdf", 1)])])
def test_what_its_include_changes_counts(tmp_path, part, more, expected):
    """Where an include makes a sound file wrong, this is said of the include."""
    (tmp_path / "part.sdf").write_text(f'<sdf version="1.9">\n<model name="part"{part}</model></sdf>')
    include = f'<include merge="true"><uri>part.sdf</uri>{more}</include>'
    (tmp_path / "main.sdf").write_text(f'<sdf version="1.9"><model name="m"><link name="p"/>{include}</model></sdf>')
    found = load_file(tmp_path / "main.sdf").diagnostics
    assert [(d.name, d.file.rpartition("/")[2], d.line) for d in found if d.severity == "error"] == expected


def test_each_change_of_a_file_that_is_merged_twice_counts(tmp_path):
    (tmp_path / "part.sdf").write_text('<sdf version="1.9">\n<model name="part"/></sdf>')
    includes = "".join(f'<include merge="true"><uri>part.sdf</uri><name>p{i}</name><static>{static}</static></include>'
                       for i, static in enumerate(["true", "false", "true", "false"]))
    (tmp_path / "main.sdf").write_text(f'<sdf version="1.9"><model name="m"><link name="p"/>{includes}</model></sdf>')
    found = load_file(tmp_path / "main.sdf").diagnostics
    assert [(d.name, d.file.rpartition("/")[2]) for d in found] == [("model-without-link", "part.sdf")]
