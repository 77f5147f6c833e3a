"""`sf.check_many`: files in order, few at a time, bad ones too."""
import itertools

import pytest

import sdf_frames as sf

GOOD = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


@pytest.fixture
def paths(tmp_path):
    for i in range(50):
        (tmp_path / f"{i:02}.sdf").write_text(GOOD if i % 5 else "<sdf")
    return [*sorted(tmp_path.glob("*.sdf")), tmp_path / "none.sdf"]


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_files_in_order(paths, jobs):
    if jobs != 1:
        pytest.importorskip("joblib")
    found = list(sf.check_many(paths, jobs=jobs))
    assert [checked.path for checked in found] == [str(path) for path in paths]
    assert [checked.valid for checked in found] == [*[i % 5 != 0 for i in range(50)], False]
    assert found[-1].findings[0].name == "file-unreadable"


def test_a_name_that_is_nearly_right(paths):
    (checked,) = sf.check_many([paths[0].with_name("000.sdf")])
    assert checked.findings[0].hint == "did you mean '00.sdf'?"


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.filterwarnings("ignore")  # joblib's, of work that nobody waits for
def test_iterator_without_an_end(paths, jobs):
    if jobs > 1:
        pytest.importorskip("joblib")
    checked = sf.check_many(itertools.cycle(paths[1:3]), jobs)
    assert [c.valid for c in itertools.islice(checked, 3)] == [True, True, True]


@pytest.mark.parametrize("jobs", [-1, 1.5, "2", None])
def test_a_number_of_processes_that_cannot_be(paths, jobs):
    with pytest.raises(ValueError, match="jobs must be a whole number from 0 on, not"):
        sf.check_many(paths, jobs)


def test_options_are_those_of_load(paths):
    with pytest.raises(TypeError):
        sf.check_many(paths[1:], resource_paths="models")
    with pytest.raises(TypeError, match="takes no option strict"):
        sf.check_many(paths[1:], strict=True)
    with pytest.raises(ValueError, match="is not a .xacro file"):
        next(sf.check_many(paths[1:], xacro_args={"a": 1}))


@pytest.mark.parametrize("jobs", [1, 2])
def test_programs_to_judge_for(tmp_path, jobs):
    if jobs > 1:
        pytest.importorskip("joblib")
    massless = tmp_path / "r.urdf"
    massless.write_text('<robot name="r"><link name="l"/></robot>')  # for SDFormat, a link needs a mass
    (ros,), (both,), (gazebo,) = (list(sf.check_many([massless], jobs, asked)) for asked in (
        ["ros"], ["ros,gazebo"], ()))
    assert ros.valid and not both.valid and both == gazebo
    with pytest.raises(ValueError, match="unknown program 'rose'"):
        sf.check_many([massless], consumers=["rose"])


def test_files_share_what_they_include(paths, monkeypatch):
    from sdf_frames.sdf import included_tree
    prepared, real = [], included_tree.prepare_document
    monkeypatch.setattr(included_tree, "prepare_document", lambda document, *others: (
        prepared.append(document.file), real(document, *others))[1])
    for path in paths[:3]:
        path.write_text(f'<sdf version="1.9"><world name="w"><include><uri>{paths[4]}</uri></include></world></sdf>')
    assert all(checked.valid for checked in sf.check_many(paths[:3])) and prepared == [str(paths[4])]
