"""Where URIs lead, and where they must not."""
import os

import pytest

from sdf_frames.document.uris import Resolver
from sdf_frames.load import LoadOptions, load_text

MODEL = '<sdf version="1.12"><model name="part"><link name="l"/></model></sdf>'


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH", "GZ_FUEL_CACHE_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def models(tmp_path):
    """``res/part`` with a model inside of the resource path, ``secret.sdf`` outside of it."""
    part = tmp_path / "res" / "part"
    part.mkdir(parents=True)
    (part / "model.sdf").write_text(MODEL)
    (part / "model.config").write_text(
        '<model><sdf version="1.6">old.sdf</sdf><sdf version="1.12">model.sdf</sdf></model>')
    (tmp_path / "secret.sdf").write_text(MODEL)
    return tmp_path


@pytest.mark.parametrize("uri",
    ["model://part/model.sdf", "package://part/model.sdf", "part/model.sdf", " model://part/model.sdf\n"])
def test_names_are_looked_up_below_the_resource_paths(models, uri):
    assert Resolver((models / "res",)).find(uri) == str(models / "res" / "part" / "model.sdf")


ESCAPES = ["model://../secret.sdf", "model://part/../../secret.sdf", "../secret.sdf", "file://{}/secret.sdf",
           "{}/secret.sdf",
           "model://%2e%2e/secret.sdf", "package://part/..//../secret.sdf", "model://link/secret.sdf",
           "model://link.sdf",
           "file://{}/res/../secret.sdf", "model:///{}/secret.sdf", "https://a/../../../secret.sdf/x/y",
           "FILE://{}/secret.sdf"]


@pytest.mark.parametrize("uri", ESCAPES)
def test_confined_nothing_outside_of_the_paths_is_found(models, uri, monkeypatch):
    """Neither by ``..``, nor absolute, nor percent-encoded, nor through symbolic links."""
    (models / "res" / "link").symlink_to(models)
    (models / "res" / "link.sdf").symlink_to(models / "secret.sdf")
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(models / "res"))
    resolver = Resolver((models / "res",), confined=True)
    assert resolver.find(uri.format(models)) is None
    loaded = load_text(
        f'<sdf version="1.12"><world name="w"><include><uri>{uri.format(models)}</uri></include></world></sdf>',
                       options=LoadOptions((str(models / "res"),), confined=True))
    assert not loaded.valid and loaded.root.worlds[0].models == ()


def test_confined_what_is_inside_is_found(models):
    resolver = Resolver((models / "res",), confined=True)
    for uri in ("model://part", "part/model.sdf", f"{models}/res/part/model.sdf", f"file://{models}/res/part/model.sdf",
                "model://part/../part/model.sdf"):
        assert resolver.find(uri) is not None, uri


def test_confined_files_of_installed_packages_may_be_links(models, tmp_path, monkeypatch):
    # As `colcon build --symlink-install` leaves them: folders are folders, files are links into the sources.
    sources, share = tmp_path / "src" / "arm", tmp_path / "install" / "arm" / "share" / "arm"
    (sources / "urdf").mkdir(parents=True)
    (share / "urdf").mkdir(parents=True)
    (sources / "urdf" / "arm.urdf").write_text("<robot/>")
    (share / "urdf" / "arm.urdf").symlink_to(sources / "urdf" / "arm.urdf")
    (share / "folder").symlink_to(sources)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "install" / "arm"))
    resolver = Resolver(confined=True)
    assert resolver.find("package://arm/urdf/arm.urdf") == str(share / "urdf" / "arm.urdf")
    assert resolver.find("../urdf/arm.urdf", str(share / "worlds" / "w.sdf")) == str(share / "urdf" / "arm.urdf")
    assert resolver.find("arm.urdf", str(share / "urdf" / "w.sdf")) == str(share / "urdf" / "arm.urdf")
    for uri in ("package://arm/folder/urdf/arm.urdf", str(sources / "urdf" / "arm.urdf"),
                "package://arm/../../../../src/arm/urdf/arm.urdf"):
        assert resolver.find(uri) is None, uri


@pytest.fixture
def workspace(tmp_path):
    """A package in a folder of another name, below one that has no name."""
    package = tmp_path / "src" / "folder"
    (package / "urdf").mkdir(parents=True)
    (package / "meshes" / "a b").mkdir(parents=True)
    (package / "meshes" / "x.stl").touch()
    (package / "meshes" / "a b" / "y.stl").touch()
    (package / "package.xml").write_text(
        '<?xml version="1.0"?>\n<package format="3"><name> my_robot\n</name></package>')
    (tmp_path / "package.xml").write_text("no package")
    (tmp_path / "secret").touch()
    return package


@pytest.mark.parametrize("scheme", ["package", "model", "PACKAGE"])
def test_the_package_around_a_file_needs_no_resource_path(workspace, scheme, monkeypatch):
    file = str(workspace / "urdf" / "r.urdf")
    found = str(workspace / "meshes" / "x.stl")
    assert Resolver().find(f"{scheme}://my_robot/meshes/x.stl", file) == found
    assert Resolver().find(f"{scheme}://my_robot/meshes/a%20b/y.stl",
                           file) == str(workspace / "meshes" / "a b" / "y.stl")
    assert Resolver().find(f"{scheme}://my_robot", file) == str(workspace)
    for uri in ("my_robot2/meshes/x.stl", "fold/meshes/x.stl", "my_robot/meshes/none.stl", "my_robot//secret"):
        assert Resolver().find(f"{scheme}://{uri}", file) is None, uri
    assert Resolver().candidates(f"{scheme}://my_robot/meshes/x.stl", file) == [found]
    assert Resolver().find(f"{scheme}://my_robot/meshes/x.stl") is None, "text that is no file's"
    monkeypatch.chdir(workspace / "urdf")
    assert Resolver().find(f"{scheme}://my_robot/meshes/x.stl", "r.urdf") == found


def test_the_model_folder_around_a_file_needs_no_resource_path(models):
    file = str(models / "res" / "part" / "model.sdf")
    assert Resolver().find("model://part/model.config", file) == str(models / "res" / "part" / "model.config")
    (models / "res" / "part" / "model.config").unlink()
    resolver = Resolver((models / "res",), confined=True)
    assert resolver.find_place("model://part", file).title == "--resource-path"
    resolver = Resolver((models / "res" / "part",), confined=True)
    assert resolver.find("model://part/model.sdf", file) is None, "confined, it is a folder like any other"


def test_confined_the_package_around_a_file_counts_inside_of_the_paths_alone(workspace):
    uri, file = "package://my_robot/meshes/x.stl", str(workspace / "urdf" / "r.urdf")
    assert Resolver((workspace / "urdf",), confined=True).candidates(uri,
        file) == [str(workspace / "urdf" / "my_robot" / "meshes" / "x.stl")]
    assert Resolver((workspace,), confined=True).find(uri, file) == str(workspace / "meshes" / "x.stl")
    assert Resolver((workspace,), confined=True).find("package://my_robot/../../secret", file) is None
    (workspace / "package.xml").unlink()
    (workspace / "package.xml").symlink_to(workspace.parent.parent / "outside.xml")
    (workspace.parent.parent / "outside.xml").write_text("<package><name>my_robot</name></package>")
    assert Resolver((workspace,), confined=True).find(uri, file) is None, "its package.xml is outside"


def test_confined_without_paths_nothing_is_found(models, monkeypatch):
    monkeypatch.chdir(models)
    assert Resolver(confined=True).find("secret.sdf") is None
    assert Resolver(confined=True).find("secret.sdf", "x.sdf") is None
    # An empty text, as of a variable that is not set, is no path: it is not the working directory.
    assert Resolver([""], confined=True).find("secret.sdf") is None
    assert Resolver(["."], confined=True).find("secret.sdf") == str(models / "secret.sdf")


@pytest.mark.parametrize("confined", [False, True])
@pytest.mark.parametrize("end", ["%2Fetc%2Fpasswd", "..", "%2e%2e/%2e%2e", "..%2f..", ".", "a%00", "a%5c..%5cb",
                                 "files/%2Fetc%2Fpasswd"])
def test_a_cached_model_is_named_by_parts_that_are_names(tmp_path, monkeypatch, confined, end):
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(tmp_path))
    (tmp_path / "a" / "b" / "models" / "c" / "1").mkdir(parents=True)
    assert Resolver(["models"], confined=confined).candidates(f"https://a/b/models/c/1/{end}") == []
    assert Resolver(["models"], confined=confined).candidates(f"https://{end}/b/models/c/1/{end}") == []


def test_confined_the_cache_is_a_root(tmp_path, monkeypatch):
    """Models in it, and what these refer to, are found; a link out of it is not followed."""
    cache = tmp_path / "cache"
    thing = cache / "a" / "b" / "models" / "c" / "1"
    thing.mkdir(parents=True)
    (thing / "mesh.stl").touch()
    (tmp_path / "mesh.stl").touch()
    (thing / "out.stl").symlink_to(tmp_path / "mesh.stl")
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(cache))
    resolver = Resolver(confined=True)
    assert resolver.find("https://a/b/models/c/1/mesh.stl") == str(thing / "mesh.stl")
    assert resolver.find("mesh.stl", str(thing / "model.sdf")) == str(thing / "mesh.stl")
    assert resolver.find("https://a/b/models/c/1/out.stl") is None
    (cache / "a" / "b" / "models" / "d").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "7").mkdir(parents=True)
    assert resolver.candidates("https://a/b/models/d") == [], "no version of it is told"


@pytest.mark.parametrize("confined", [False, True])
@pytest.mark.parametrize("uri",
    ["model://" + "a/" * 30_000, "a/" * 30_000, "file:///" + "a/" * 30_000, "https://" + "a/" * 30_000,
                                 "model://" + "%25" * 2_000, "/" * 5_000])
def test_a_uri_longer_than_a_path_is_refused_before_the_file_system_is_asked(models, monkeypatch, confined, uri):
    resolver, asked = Resolver((models / "res",), confined=confined), []
    with monkeypatch.context() as patch:
        for name in ("stat", "lstat", "listdir"):
            patch.setattr(os, name, lambda path, *_, **__: asked.append(path))
        try:
            found = resolver.find(uri, str(models / "res" / "part" / "model.sdf"))
        except Exception as error:  # of a file system that answers nothing
            found = error
    assert (found, asked) == (None, [])


def test_confined_a_path_of_many_parts_is_followed_once(models, monkeypatch):
    """One question for each part that exists, and one more; and one for the folder of its name."""
    asked = []
    lstat = os.lstat
    resolver = Resolver((models / "res",), confined=True)
    deep = models / "res"
    for _ in range(60):
        deep = deep / "d"
        deep.mkdir()
    uri = "model://" + "d/" * 1_500
    resolver.candidates("model://part")  # the roots are looked at once
    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", lambda path, **more: (asked.append(path), lstat(path, **more))[1])
        assert resolver.find(uri) is None
    assert len(asked) == 62


def test_confined_the_path_returned_is_the_one_that_was_looked_at(models):
    """Its real path: what a link leads to cannot be exchanged between the look and the opening."""
    (models / "res" / "alias").symlink_to(models / "res" / "part")
    (models / "link-to-res").symlink_to(models / "res")
    real = str(models / "res" / "part" / "model.sdf")
    assert Resolver((models / "res",), confined=True).find("model://alias/model.sdf") == real
    assert Resolver((models / "link-to-res",), confined=True).find("model://alias/model.sdf") == real
    assert Resolver((models / "link-to-res",), confined=True).find(f"{models}/link-to-res/part/model.sdf") == real


@pytest.mark.parametrize("uri", ["", "model://", "model://nowhere/x", "https://",
                                 "https://fuel.example.org/1.0/me/models/none", "\0", "model://\0",
                                 "model://" + "a" * 100_000, "a" * 300, "model://\udcff",
                                 "file://[", "model://part/model.sdf/x"])
def test_impossible_paths_are_not_found(models, uri):
    assert Resolver((models / "res",)).find(uri) is None
    assert Resolver((models / "res",), confined=True).find(uri) is None


@pytest.mark.parametrize("scheme", ["", "file://"])
@pytest.mark.parametrize("base, first", [("here/m.sdf", "here"), ("m.sdf", "."), ("", "."), (None, "res")])
def test_where_a_bare_uri_is_looked_for_first(tmp_path, monkeypatch, scheme, base, first):
    """Beside the file that holds it; without one, below the resource paths, and in the working directory last."""
    monkeypatch.chdir(tmp_path)
    for folder in ("here", "res", "."):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "a.stl").write_text("")
    found = Resolver(["res"]).find(f"{scheme}a.stl", base)
    assert os.path.normpath(found) == os.path.normpath(f"{first}/a.stl")
    (tmp_path / "res/a.stl").unlink()
    (tmp_path / "here/a.stl").unlink()
    assert base == "here/m.sdf" or os.path.normpath(Resolver(["res"]).find(f"{scheme}a.stl", base)) == "a.stl"


@pytest.mark.parametrize("uri, base, expected", [
    ("model://n/a%20b", None, ["r/n/a b", "s/n/a b", "i/share/n/a b"]),
    ("a%20b", "d/m.sdf", ["d/a%20b", "r/a%20b", "s/a%20b", "d/a b", "r/a b", "s/a b"]),
    ("file://a", None, ["r/a", "s/a", "./a"]), ("file:///a%20b", "d/m.sdf", ["/a b"]),
    ("file://%2Fa", None, ["r/%2Fa", "s/%2Fa", "./%2Fa", "/a"]),
    ("/a", None, ["/a", "r/a", "s/a", "./a"]), ("model:///n", None, ["r/n", "s/n", "i/share/n"]),
    ("x-y+z.1://n", None, ["r/n", "s/n", "i/share/n"]), ("1x://n", None, ["r/1x://n", "s/1x://n", "./1x://n"])])
def test_every_place_that_is_tried_in_order(monkeypatch, uri, base, expected):
    monkeypatch.setenv("AMENT_PREFIX_PATH", os.pathsep.join(["", "i"]))
    monkeypatch.setenv("SDF_PATH", os.pathsep)  # no folder, not even the working directory
    assert Resolver(["r", "s", "r"]).candidates(uri, base) == expected
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    assert Resolver(["r", "s"]).candidates(uri, base) == [path for path in expected if not path.startswith("i/")]


@pytest.mark.parametrize("uri, expected", [
    ("https://S/1.0/Me/Models/A%20B", ["S/me/models/a b/*"]), ("http://s/me/models/n/3", ["s/me/models/n/3"]),
    ("https://s/1.0/me/models/n/tip/files/a/B.dae", ["s/me/models/n/*"]),
    ("https://s/me/models/n/3/a/b", ["s/me/models/n/3/a/b"]),
    ("https://s/me/models/n/3/files/files/b", ["s/me/models/n/3/files/b"]), ("https://s/1.0/me/models", []),
    ("https://s/v1/me/models/n", ["s/v1/me/models/*"]), ("https://s//me/models/n/", ["s/me/models/n/*"])])
def test_places_in_the_cache(monkeypatch, tmp_path, uri, expected):
    monkeypatch.setenv("GZ_FUEL_CACHE_PATH", str(tmp_path))
    assert Resolver().candidates(uri) == [str(tmp_path / path) for path in expected]


def test_of_the_cache_the_newest_version_that_has_the_file_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".gz" / "fuel" / "s" / "me" / "models" / "n"
    for version in ("2", "10", "9", "x"):
        (folder / version).mkdir(parents=True)
    assert Resolver().candidates("https://s/me/models/n/files/m.sdf") == [
        str(folder / version / "m.sdf") for version in ("10", "9", "2")]
    (folder / "9" / "m.sdf").touch()
    assert Resolver().find("https://s/me/models/n/files/m.sdf") == str(folder / "9" / "m.sdf")
