"""A law: whatever a URI says, a confined load reads nothing outside of the roots, and its answer does not depend on
it."""
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sdf_frames as sf
from sdf_frames.document.confinement import Boundary, hides_path
from sdf_frames.document.uris import Resolver
from sdf_frames.load import LoadOptions, load_text

MODEL = '<sdf version="1.12"><model name="part"><link name="l"/></model></sdf>'
TRIANGLE = (
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid "
    "s\n")
NAMES = ("secret.sdf", "secret.stl", "secret.gltf", "deep/secret.sdf", "package.xml", "model.config", "part/model.sdf",
         "7/model.sdf")


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Two trees alike, but for what is outside of their roots: in the first it exists, in the second it does not."""
    return [make_tree(tmp_path_factory.mktemp(name), name == "full") for name in ("full", "void")]


def make_tree(top, full: bool):
    for folder in ("res/part", "res/deep/er", "install/share/pack/urdf", "cache/a/b/models/c/1", "cache/a/b/models",
                   "out"):
        (top / folder).mkdir(parents=True, exist_ok=True)
    for name in ("res/part/model.sdf", "install/share/pack/urdf/x.sdf", "cache/a/b/models/c/1/model.sdf"):
        (top / name).write_text(MODEL)
    (top / "res/part/mesh.stl").write_text(TRIANGLE)
    (top / "res/part/model.config").write_text('<model><sdf version="1.12">model.sdf</sdf></model>')
    (top / "res/deep/model.config").write_text('<model><sdf version="1.12">../../out/secret.sdf</sdf></model>')
    (top / "res/part/out.gltf").write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"uri": "../../out/secret.stl", "byteLength": 8}], "scenes": '
        '[{"nodes": []}]}')
    for link in ("res/link", "res/part/link", "cache/a/b/models/d", "install/share/pack/link"):
        (top / link).symlink_to(top / "out")
    (top / "res/secret.sdf").symlink_to(top / "out" / "secret.sdf")
    (top / "res/alias").symlink_to(top / "res" / "part")
    if full:
        for name in NAMES:
            path = top / "out" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(TRIANGLE if name.endswith(".stl") else MODEL)
        (top / "secret.sdf").write_text(MODEL)
        (top / "out" / "back").symlink_to(top / "res" / "part")
        (top / "res-private").mkdir()
        (top / "res-private" / "secret.sdf").write_text(MODEL)
    return top


def encode(text: str, times: int) -> str:
    for _ in range(times):
        text = "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
    return text


PARTS = st.sampled_from([
    "..", ".", "", "part", "PART", "deep", "er", "link", "alias", "back", "pack", "urdf", "out", "res", "res-private",
    "a", "b", "models", "c",
    "d", "1", "7", "tip", "files", "secret.sdf", "secret.stl", "mesh.stl", "model.sdf", "x.sdf", "out.gltf", "{out}",
    "{top}/res", "{top}",
    "/", "//", "\\", "..\\", "\0", "etc", "passwd", "~", "%", "a" * 300, "\udcff", "é", "．．", "．"])
ENCODED = st.builds(encode, PARTS, st.sampled_from([0, 0, 0, 0, 1, 2, 3, 5]))
URIS = st.builds(lambda scheme, parts, joint, pad: pad + scheme + joint.join(parts) + pad,
                 st.sampled_from(["", "", "/", "file:", "file://", "file:///", "FILE://", "model://", "Model://",
                                  "package://", "http://",
                                  "https://a/1.0/b/models/", "https://", "HTTPS://a/b/models/c/1/", "x://", "model:",
                                  "{out}/", "file://{out}/"]),
                 st.lists(ENCODED, max_size=8) | st.integers(500, 3000).map(lambda n: ["a"] * n),
                 st.sampled_from(["/", "/", "/", "//", "%2F", "%252f", "\\", "%5c"]),
                 st.sampled_from(["", "", " ", "\n"]))
SEARCH = settings(max_examples=4 * settings.default.max_examples, deadline=None,
                  suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture
def confine(monkeypatch):
    def enter(top):
        monkeypatch.setenv("AMENT_PREFIX_PATH", str(top / "install"))
        monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(top / "cache"))
        monkeypatch.chdir(top)
        for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
            monkeypatch.delenv(name, raising=False)
        return (str(top / "res"),)
    return enter


def fill(uri: str, top) -> str:
    return uri.replace("{out}", str(top / "out")).replace("{top}", str(top))


def is_inside(path: str, top) -> bool:
    real = os.path.realpath(path)
    return any(real.startswith(f"{top}/{root}/") for root in ("res", "install/share", "cache"))


@SEARCH
@given(uri=URIS, base=st.sampled_from([None, "res/part/model.sdf", "res/x.sdf", "out/x.sdf", "x.sdf"]))
def test_a_confined_resolver_stays_inside_and_tells_nothing(trees, confine, uri, base):
    answers = []
    for top in trees:
        resolver = Resolver(confine(top), confined=True)
        base_file = base and str(top / base)
        found, tried = resolver.find(fill(uri, top), base_file), resolver.candidates(fill(uri, top), base_file)
        for path in tried if found is None else [found, *tried]:
            assert is_inside(path, top), path
            assert os.path.realpath(path) == path or not os.path.lexists(path), "what is looked at is what is opened"
        answers.append(repr((found, tried)).replace(str(top), "TOP"))
    assert answers[0] == answers[1]


@SEARCH
@given(uri=URIS, base=st.sampled_from([None, "res/part/model.sdf"]))
def test_nothing_outside_is_even_looked_at(trees, confine, monkeypatch, uri, base):
    """But for what links inside of the roots lead to, which somebody put there."""
    top, asked = trees[0], []
    resolver = Resolver(confine(top), confined=True)
    resolver.find("model://part")  # the roots themselves are looked at once
    with monkeypatch.context() as patch:
        for name in ("stat", "lstat", "listdir"):
            call = getattr(os, name)
            patch.setattr(os, name, lambda path, *a, call=call,
                          **k: (asked.append(os.fspath(path)), call(path, *a, **k))[1])
        resolver.find(fill(uri, top), base and str(top / base))
    linked = {str(top / "out"), str(top / "out" / "secret.sdf")}
    parents = {str(p) for p in (top / "res", *(top / "res").parents)}
    assert [p for p in asked if p not in linked | parents and not is_inside(p, top)
            and not p.startswith((f"{top}/res/", f"{top}/install/", f"{top}/cache/"))] == []


@SEARCH
@given(uri=URIS.filter(lambda u: u.isprintable() and "\udcff" not in u))
def test_a_confined_load_says_the_same_of_what_exists_outside(trees, confine, uri):
    """Of includes, meshes and the textures that ``check --assets`` looks for; in findings, hints and inertias."""
    from sdf_frames.checks.assets import check_assets
    answers = []
    for top in trees:
        quoted = fill(uri, top).replace("&", "&amp;").replace("<", "&lt;")
        paths = confine(top)
        loaded = load_text(
            f'<sdf version="1.12"><world name="w"><include><uri>{quoted}</uri></include><model name="m">'
            f'<link name="l"><inertial auto="true"/>'
            f'<collision name="c"><geometry><mesh><uri>{quoted}</uri></mesh></geometry></collision></link></model>'
            f'</world></sdf>',
            options=LoadOptions(paths, confined=True))
        inertias = loaded.inertias()
        findings = (*loaded.diagnostics, *inertias.diagnostics, *check_assets(loaded.root, loaded.resolver))
        answers.append(repr((findings, inertias.links)).replace(str(top), "TOP"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("uri", ["model://deep", "model://link", "model://link/back", "model://secret.sdf",
                                 "../out/back/model.sdf", "res-private",
                                 "model://part/out.gltf", "model://part/link/secret.stl", "https://a/b/models/d"])
def test_known_ways_out_tell_nothing(trees, confine, uri):
    """What random URIs may not hit: a model.config, a glTF buffer and links that lead outside."""
    test_a_confined_load_says_the_same_of_what_exists_outside.hypothesis.inner_test(trees, confine, uri)
    test_a_confined_resolver_stays_inside_and_tells_nothing.hypothesis.inner_test(trees, confine, uri, None)


@SEARCH
@given(uri=URIS)
def test_a_service_answers_the_same_of_what_exists_outside(trees, confine, uri):
    from sdf_frames.ros.jobs import load_uri
    answers = []
    for top in trees:
        loaded, found = load_uri(fill(uri, top), LoadOptions(confine(top), confined=True))
        assert loaded is None or is_inside(loaded.file, top)
        answers.append(repr((loaded and loaded.diagnostics, found)).replace(str(top), "TOP"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("paths", [[], ["."], ["res"]])
@pytest.mark.parametrize("name", ["{out}/secret.sdf", "../out/secret.sdf", "../../../../../../../../..{out}/secret.sdf",
                                  "link/secret.sdf", "secret.sdf", "alias/../../out/secret.sdf", "link", "{out}"])
@pytest.mark.parametrize("load", ["library", "node", "upload"])
def test_a_folder_that_is_loaded_leads_nowhere_else(trees, confine, monkeypatch, load, name, paths):
    """A model.config in it names a file outside, or a link to one: as if there were no such file."""
    answers = []
    for top in trees:
        confine(top)
        # In "link" and "secret.sdf" of the folder, links lead outside.
        monkeypatch.chdir(top if paths != ["."] else top / "res")
        (top / "res/model.config").write_text(f'<model><sdf version="1.12">{fill(name, top)}</sdf></model>')
        answers.append(refuse_folder(load, top / "res", paths).replace(str(top), "TOP"))
        (top / "res/model.config").unlink()
    assert answers[0] == answers[1]


def refuse_folder(load, folder, paths):
    if load == "node":
        from sdf_frames.ros.description_files import find_description
        with pytest.raises((OSError, ValueError)) as error:
            find_description(str(folder))
        return repr(error.value)
    if load == "upload":
        pytest.importorskip("trimesh")
        from sdf_frames.view.upload import load_upload
        robot = load_upload(folder, folder)
    else:
        robot = sf.load(folder, confined=True, resource_paths=paths)
    assert [d.code for d in robot.findings] == ["U008"]
    return repr(robot.findings)


def test_a_folder_that_is_loaded_may_be_read(tmp_path):
    """Also without resource paths: a person named it."""
    (tmp_path / "part.sdf").write_text(MODEL)
    (tmp_path / "model.config").write_text('<model><sdf version="1.12">model.sdf</sdf></model>')
    (tmp_path / "model.sdf").write_text(
        '<sdf version="1.7"><model name="m"><include><uri>part.sdf</uri></include></model></sdf>')
    robot = sf.load(tmp_path, confined=True)
    assert robot.valid and list(robot.links) == ["part::l"]
    assert robot.to_sdf("1.12"), "its names are settled with those of what it includes"


@pytest.mark.parametrize("uris, hide", [
    (["a%2fb", "%2e%2e/x", "%252e%252e/x", "%2525%32%65", "a%5Cb", "a\\b", "x/%00", "%25252525252e"], True),
    (["a/b", "../b", "a%20b/c", "100%25", "100%", "%C3%A9", "a.b", "..."], False)])
def test_encoded_separators_hide_a_path(uris, hide):
    assert [uri for uri in uris if hides_path(uri) is not hide] == []


def test_a_root_does_not_admit_itself_or_names_with_the_same_start(tmp_path):
    boundary = Boundary((str(tmp_path / "a"),))
    assert [boundary.admit(str(tmp_path / name)) for name in ("a", "a/.", "ab", "a/../ab", "a/b/../..")] == [None] * 5
    assert boundary.admit(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "b")


def test_a_root_in_another_may_be_behind_a_link(tmp_path):
    (tmp_path / "elsewhere" / "models").mkdir(parents=True)
    (tmp_path / "res").mkdir()
    (tmp_path / "res" / "link").symlink_to(tmp_path / "elsewhere")
    inner = tmp_path / "res" / "link" / "models"
    path = str(inner / "x.sdf")
    assert Boundary((str(tmp_path / "res"),)).admit(path) is None
    assert Boundary((str(tmp_path / "res"), str(inner))).admit(path) == str(tmp_path / "elsewhere" / "models" / "x.sdf")


def test_a_path_may_have_as_many_characters_as_the_system_takes(tmp_path):
    from sdf_frames.document.confinement import PATH_MAX, Boundary
    start = f"{tmp_path}/"
    longest = start + "a" * (PATH_MAX - len(start))
    boundary = Boundary([str(tmp_path)])
    assert boundary.admit(longest) == longest and boundary.admit(longest + "a") is None


def test_a_name_that_no_file_can_have_is_outside(tmp_path):
    assert Boundary([str(tmp_path)]).admit(f"{tmp_path}/\ud800") is None
