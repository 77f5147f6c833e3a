"""What programs other than Gazebo refuse in a URDF, found in small robots that were given to these programs."""
import pytest
from refused_robots import CASES, FILES

from sdf_frames.diagnostics.consumers import CONSUMERS, judge
from sdf_frames.load import load_file


@pytest.mark.parametrize("name", CASES)
def test_each_program_has_its_errors(name, tmp_path):
    text, errors = CASES[name]
    for file, content in FILES.items():
        (tmp_path / file).write_bytes(content)
    (tmp_path / "r.urdf").write_text(text)
    loaded = load_file(tmp_path / "r.urdf")
    found = [*loaded.diagnostics, *loaded.find_refusals(list(CONSUMERS))]
    said = {consumer: sorted(d.code for d in judge(found, consumer, loaded.kind, loaded.file) if d.severity == "error")
            for consumer in CONSUMERS}
    assert {consumer: codes for consumer, codes in said.items() if codes} == errors
    assert all(d.file == loaded.file and d.line for d in found)


def test_only_programs_that_were_asked_for_are_looked_into(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["COLLADA"][0])
    loaded = load_file(tmp_path / "r.urdf")
    assert loaded.find_refusals(["pinocchio", "urdfdom", "gazebo"]) == []
    assert {d.name for d in loaded.find_refusals(["drake"])} == {"collision-file-missing", "drake-mesh-format"}


def test_ros_is_warned_of_files_that_it_cannot_show(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["collision file missing"][0])
    loaded = load_file(tmp_path / "r.urdf")
    (finding,) = judge(loaded.find_refusals(["ros"]), "ros", "urdf", None)
    assert (finding.name, finding.severity) == ("collision-file-missing", "warning")
    assert finding.message == "the file 'gone.obj' of a collision is not found" and "gone.obj" in finding.hint


def test_a_file_that_is_missing_in_several_places_is_one_finding(tmp_path):
    text = CASES["collision file missing"][0]
    shape = text[text.index("<collision>"):text.index("</collision>") + len("</collision>")]
    (tmp_path / "r.urdf").write_text(text.replace(shape, shape + "\n" + shape))
    (finding,) = load_file(tmp_path / "r.urdf").find_refusals(["ros"])
    assert (finding.line, [place.line for place in finding.related]) == (1, [2])


def test_a_part_that_moves_may_have_its_inertia_from_several_points(tmp_path):
    """Two masses without tensor, fixed to each other, have one together."""
    from urdf_text import inertial, joint, link, robot
    point = inertial(moments=(0, 0, 0))
    text = robot(link("base", 1), f'<link name="a">{point}</link><link name="b">{point}</link>',
                 joint("j", "continuous", "base", "a"), joint("k", "fixed", "a", "b", xyz="1 2 3"))
    (tmp_path / "r.urdf").write_text(text)
    assert load_file(tmp_path / "r.urdf").find_refusals(["mujoco"]) == []
