"""What is remembered of meshes from one description to the next changes no result, and spares the work."""
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sdf_frames.batch.sources import Item
from sdf_frames.batch.work import Task, do_work
from sdf_frames.document.budget import Budget
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.memory import Memory
from sdf_frames.inertia import meshes as integrating
from sdf_frames.inertia.meshes import hash_mesh_file
from sdf_frames.load import load_text
from sdf_frames.options import LoadOptions

CORNERS = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
FACES = ["0 2 1", "0 1 3", "1 2 3", "2 0 3"]


def write_off(faces):
    return "\n".join(["OFF", f"4 {len(faces)} 0", *CORNERS, *(f"3 {face}" for face in faces)])


FILES = {
    "whole.off": write_off(FACES), "copy.off": write_off(FACES), "open.off": write_off(FACES[:3]),
    "torn.off": write_off(FACES[:3]),
    "flat.off": write_off(FACES[:1]), "broken.off": "OFF\n4 4", "double.off": write_off(FACES * 2),
    "parts.obj": "".join(f"v {corner}\n" for corner in CORNERS) + "".join(
        f"o {name}\n" + "".join("f " + " ".join(str(int(i) + 1) for i in face.split()) + "\n" for face in FACES)
        for name in ("a", "b")),
}
MESHES = st.tuples(st.sampled_from([*FILES, "none.off"]), st.sampled_from(["1 1 1", "2 1 1", "-1 1 1"]),
                   st.sampled_from(["", "a", "c"]), st.booleans())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def describe(meshes):
    links = "\n".join(f"""<link name="l{i}"><inertial auto="true"/><collision name="c"><geometry><mesh>
<uri>{uri}</uri><scale>{scale}</scale>{f'<submesh><name>{part}</name><center>{str(center).lower()}</center></submesh>'
                                       if part else ''}</mesh></geometry></collision></link>"""
                      for i, (uri, scale, part, center) in enumerate(meshes))
    return f'<sdf version="1.11"><model name="m">{links}</model></sdf>'


WHOLE, WIDE = ("whole.off", "1 1 1", "", False), ("whole.off", "2 1 1", "", False)
OPEN, TORN = ("open.off", "1 1 1", "", False), ("torn.off", "1 1 1", "", False)


@example([([WHOLE], 4, "auto"), ([WHOLE, WIDE], 4, "auto")], 10**6, "error")  # one file, remembered and then read
@example([([WHOLE], 9, "auto"), ([OPEN], 9, "auto"), ([WHOLE, OPEN, TORN], 9, "auto")], 10**6, "error")
@example([([OPEN], 4, "auto"), ([TORN], 4, "auto")], 10**6, "error")  # findings name the file
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(MESHES, min_size=1, max_size=4), st.sampled_from([4, 8, 9, 12, 1000]),
                          st.sampled_from(["auto", "exact", "hull"])), min_size=2, max_size=5),
       st.sampled_from([2000, 6000, 10**6]), st.sampled_from(["error", "default"]))
def test_results_are_those_without_a_memory(folder, descriptions, most, failure):
    memory = Memory(most)
    for number, (meshes, faces, method) in enumerate(descriptions):
        text, file = "\n" * number + describe(meshes), str(folder / f"{number}.sdf")
        options = LoadOptions(inertia_failure=failure, budget=Budget(faces=faces))
        alone = load_text(text, file, options).inertias(method=method)
        assert load_text(text, file, options._replace(memory=memory)).inertias(method=method) == alone


@pytest.fixture
def reads(monkeypatch):
    """The mesh files that are read."""
    paths, read = [], integrating.read_mesh_file

    def note(path, *rest):
        paths.append(path.rpartition("/")[2])
        return read(path, *rest)

    monkeypatch.setattr(integrating, "read_mesh_file", note)
    return paths


def test_a_mesh_is_read_once_for_all_descriptions(folder, reads):
    memory = Memory()
    for number in range(3):
        text = describe([(name, "1 1 1", "", False) for name in ("whole.off", "copy.off", "open.off")])
        outcome = do_work(Item(str(folder / f"{number}.sdf"), "x", text), Task("inertia"), None, memory)
        # A tetrahedron with three edges of 1 m holds 1/6 m³: of water 1000/6 kg. The second is its copy, and the third,
        # whose hole is plane, becomes one.
        assert outcome.row["mass"] == pytest.approx(3 * 1000 / 6)
    assert reads == ["whole.off", "open.off"]


def test_a_file_that_changed_is_read_again(tmp_path, reads):
    memory, masses = Memory(), []
    for size in ("1", "2", "1"):
        (tmp_path / "m.off").write_text(FILES["whole.off"].replace("1 0 0", f"{size} 0 0"))
        text = describe([("m.off", "1 1 1", "", False)])
        described = load_text(text, str(tmp_path / "m.sdf"), LoadOptions(memory=memory))
        masses += [link.mass for link in described.inertias().links]
    assert masses == pytest.approx([1000 / 6, 2000 / 6, 1000 / 6])
    assert reads == ["m.off"] * 2


def test_files_that_are_not_known_by_their_content(tmp_path):
    for name in ("m.gltf", "m.stl"):
        (tmp_path / name).write_bytes(b"12345")
    assert hash_mesh_file(str(tmp_path / "m.gltf"), 100, UNCONFINED) is None, "its buffers are other files"
    assert hash_mesh_file(str(tmp_path / "m.stl"), 4, UNCONFINED) is None
    assert hash_mesh_file(str(tmp_path), 100, UNCONFINED) is None
    assert hash_mesh_file(str(tmp_path / "m.stl"), 5, UNCONFINED)[0] == "stl"


def test_a_mesh_of_several_collisions_is_integrated_once(folder, monkeypatch):
    done, integrate = [], integrating.integrate_surface_by

    def note(*of):
        done.append(of[1].rpartition("/")[2])
        return integrate(*of)

    monkeypatch.setattr(integrating, "integrate_surface_by", note)
    text = describe([WHOLE, WHOLE, WIDE, WHOLE]).replace("><", ">\n<")
    result = load_text(text, str(folder / "m.sdf")).inertias()
    assert [link.mass for link in result.links] == pytest.approx([1000 / 6, 1000 / 6, 2000 / 6, 1000 / 6])
    assert done == ["whole.off"] * 2  # once for each scale
