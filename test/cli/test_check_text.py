"""What 'check' prints: findings, grouped or one a line, the verdict, and the summary of many files."""
import json

import pytest

from sdf_frames.cli import main

MODEL = '<sdf version="1.12"><model name="m">{}</model></sdf>'
LINKS = "\n".join(f'<link name="l{i}"><colour/></link>' for i in range(9))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.sdf").write_text(MODEL.format('<link name="l"/>'))
    (tmp_path / "many.sdf").write_text(MODEL.format("\n" + LINKS))
    (tmp_path / "bad.sdf").write_text(MODEL.format('\n<link name="l"/><frame name="f" attached_to="g"/>'))
    return tmp_path


def check(capsys, *arguments, status=0):
    assert main(["check", *arguments]) == status
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_one_cause_in_many_places_is_one_entry_with_a_count(folder, capsys):
    first, source, path, also, *_, verdict = check(capsys, "many.sdf")
    assert first.startswith("many.sdf:2:17: warning S003 element-unknown: ") and first.endswith(" [9 places]")
    assert source == '    | <link name="l0"><colour/></link>' and path.startswith("    at /sdf/model")
    # Lines 3 to 7 are shown; lines 8 to 10 are the three that are left.
    assert also == ("    also at 3:17 link 'l1', 4:17 link 'l2', 5:17 link 'l3', 6:17 link 'l4', 7:17 link 'l5', "
                    "and 3 more (--concise lists all)")
    assert verdict == "many.sdf: valid (9 warnings)"


def test_statistics_as_json_are_one_object(folder, capsys):
    (line,) = check(capsys, "--statistics", "--json", "many.sdf", "bad.sdf", status=1)
    text = check(capsys, "--statistics", "many.sdf", "bad.sdf", status=1)
    found = json.loads(line)
    assert (found["files"], found["valid"]) == (2, 1)
    assert [f"{row['count']} {row['code']} {row['severity']} {row['name']}" for row in found["statistics"]] == [
        " ".join(words.split()) for words in text[:-1]]


@pytest.mark.parametrize("below, said", [("a", ""), ("b", "; 2 of 3 links are not in the SDF"),
                                         ("c", "; 1 of 3 links is not in the SDF")])
def test_the_verdict_says_that_links_are_left_out(folder, capsys, below, said):
    """The joints of b and c form a loop, or c has itself as its parent."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{inertial}</link>' for name in "abc")
    parents = {"a": ("a", "b"), "b": ("c", "b"), "c": ("a", "c")}[below]
    joints = "".join(f'<joint name="{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/></joint>'
                     for parent, child in zip(parents, "bc"))
    (folder / "r.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    *_, verdict = check(capsys, "r.urdf")
    assert verdict.startswith("r.urdf: valid") and verdict.removeprefix("r.urdf: valid").partition(")")[2] == said
