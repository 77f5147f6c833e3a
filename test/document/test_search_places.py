"""Where packages and models are found: the order of the places, and each place."""
import os
import shutil

import pytest

from sdf_frames.document.uris import Resolver


def find_package(name, file, paths=()):
    """The folder that ``$(find NAME)`` means."""
    return Resolver(paths).find_package(name, file)


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
        monkeypatch.delenv(variable, raising=False)
    tmp_path = tmp_path / "home" / "workspace"  # folders of other tests are too far above
    for folder, name in (("src/arm", "arm"), ("src/hands/gripper", "gripper"), ("src/checkout-2.1", "renamed"),
                         ("far/away", "away")):
        (tmp_path / folder / "urdf").mkdir(parents=True)
        (tmp_path / folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (tmp_path / "bare" / "urdf").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("name, file, paths, found", [
    ("arm", "src/arm/urdf/a.xacro", [], "src/arm"),  # the package around the file
    ("renamed", "src/checkout-2.1/urdf/a.xacro", [], "src/checkout-2.1"),  # by its package.xml
    ("gripper", "src/arm/urdf/a.xacro", [], "src/hands/gripper"),  # in another repository of the same workspace
    ("away", "src/arm/urdf/a.xacro", ["far"], "far/away"),  # DIR/NAME
    ("away", "src/arm/urdf/a.xacro", ["far/away"], "far/away"),  # DIR itself
    ("renamed", "src/arm/urdf/a.xacro", ["src/checkout-2.1"], "src/checkout-2.1"),
    ("renamed", "src/arm/urdf/a.xacro", [], "src/checkout-2.1"),  # a neighbour whose folder has another name
    ("renamed", "bare/urdf/a.xacro", ["src"], "src/checkout-2.1"),
    ("bare", "bare/urdf/a.xacro", [], "bare")])  # a folder of that name, without package.xml
def test_a_package_is_found(workspace, name, file, paths, found):
    path = find_package(name, str(workspace / file), [str(workspace / p) for p in paths])
    assert path == str(workspace / found)


def test_a_package_that_is_too_far_away_is_not_found(workspace):
    file = str(workspace / "src/arm/urdf/a.xacro")
    assert find_package("nowhere", file, [str(workspace / "far")]) is None
    # Two levels below a folder above the file is too far to look.
    assert find_package("urdf", file) == str(workspace / "src/arm/urdf")
    assert find_package("away", file) == str(workspace / "far/away")  # one level below


def test_folders_are_searched_in_this_order(workspace):
    """DIR/NAME, DIR itself, the folders around the file with those one level below, a folder of that name."""
    file = workspace / "arm" / "1" / "2" / "3" / "4" / "a.xacro"
    file.parent.mkdir(parents=True)
    places = [workspace / place for place in (
        "near/arm", "far/renamed", "arm/1/2/3/4/arm", "arm/1/2/3/4/other/arm", "arm/1/2/3/arm", "arm/arm", "x/arm")]
    for place in places:
        place.mkdir(parents=True)
        (place / "package.xml").write_text("<package><name>arm</name></package>")
    (workspace / "src" / "arm" / "package.xml").unlink()
    for place in (*places, workspace / "arm"):
        paths = [str(workspace / "near"), str(workspace / "far/renamed")]
        assert find_package("arm", str(file), paths) == str(place)
        if place in places:
            (place / "package.xml").unlink()
        if place == places[0]:
            place.rmdir()


@pytest.mark.parametrize("before, found", [(499, True), (500, False)])
def test_a_limited_number_of_packages_is_read_for_a_name(tmp_path, before, found):
    for folder, name in (*((f"p{i:03}", "other") for i in range(before)), ("q", "wanted")):
        (tmp_path / "many" / folder).mkdir(parents=True)
        (tmp_path / "many" / folder / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (tmp_path / "a").mkdir()
    path = find_package("wanted", str(tmp_path / "a" / "a.xacro"), [str(tmp_path / "many")])
    assert path == (str(tmp_path / "many" / "q") if found else None)


@pytest.mark.parametrize("levels, found", [(5, True), (6, False)])
def test_packages_are_searched_a_limited_number_of_levels_above_a_file(workspace, levels, found):
    folder = workspace.joinpath("deep", *map(str, range(levels)))
    folder.mkdir(parents=True)
    (workspace / "deep" / "tool").mkdir()
    (workspace / "deep" / "tool" / "package.xml").touch()
    path = find_package("tool", str(folder / "a.xacro"))
    assert path == (str(workspace / "deep" / "tool") if found else None)


def test_names_are_no_patterns(workspace):
    (workspace / "src" / "arm" / "[x]").mkdir()
    file = str(workspace / "src" / "arm" / "[x]" / "a.xacro")
    assert find_package("*", file) is None and find_package("[x]", file) == str(workspace / "src" / "arm" / "[x]")
    (workspace / "src" / "arm" / "[x]" / "y").mkdir()
    (workspace / "src" / "arm" / "[x]" / "y" / "package.xml").touch()
    assert find_package("y", file) == str(workspace / "src" / "arm" / "[x]" / "y")


@pytest.fixture
def anywhere(tmp_path, monkeypatch):
    """A folder for each place that is searched, in the stated order: what it has is ``arm/a.stl``.

    It is deep enough that no folder of another test is a neighbour of the file.
    """
    places = {}
    tmp_path = tmp_path / "a" / "b" / "c"
    for variable, below in (("SDF_PATH", "{}"), ("GZ_SIM_RESOURCE_PATH", "{}"), ("AMENT_PREFIX_PATH", "share/{}"),
                            ("ROS_PACKAGE_PATH", "stack/{}"), ("IGN_GAZEBO_RESOURCE_PATH", "{}"),
                            ("GAZEBO_MODEL_PATH", "{}"), ("GZ_FUEL_CACHE_PATH", "server/owner/models/{}/2"),
                            ("IGN_FUEL_CACHE_PATH", "server/owner/models/{}/1"),
                            ("ROBOT_DESCRIPTIONS_CACHE", "repository/robots/{}")):
        monkeypatch.setenv(variable, str(tmp_path / variable))
        places[variable] = tmp_path / variable / below.format("arm")
    monkeypatch.setattr("sys.prefix", str(tmp_path / "venv"))
    monkeypatch.setattr("sys.path", [str(tmp_path / "site")])
    file = tmp_path / "arm" / "in" / "urdf" / "a.urdf"
    order = [("--resource-path", tmp_path / "given" / "arm"), ("SDF_PATH", places["SDF_PATH"]),
             ("GZ_SIM_RESOURCE_PATH", places["GZ_SIM_RESOURCE_PATH"]),
             ("the package or model around the file", tmp_path / "arm" / "in"),
             *[(name, places[name]) for name in ("AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", "IGN_GAZEBO_RESOURCE_PATH",
                                                 "GAZEBO_MODEL_PATH")],
             ("a folder of that name above the file", tmp_path / "arm"),
             ("Gazebo's cache of Fuel", places["GZ_FUEL_CACHE_PATH"]),
             ("Ignition's cache of Fuel", places["IGN_FUEL_CACHE_PATH"]),
             ("the cache of robot_descriptions", places["ROBOT_DESCRIPTIONS_CACHE"]),
             ("the data of installed Python packages", tmp_path / "venv" / "share" / "arm"),
             ("the data of installed Python packages", tmp_path / "site" / "cmeel.prefix" / "share" / "arm")]
    for _, folder in order:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.stl").touch()
    file.parent.mkdir()
    (file.parents[1] / "package.xml").write_text("<package><name>arm</name></package>")
    return str(file), str(tmp_path / "given"), order


@pytest.mark.parametrize("scheme", ["package", "model"])
def test_uris_are_looked_for_in_this_order(anywhere, scheme):
    file, given, order = anywhere
    assert Resolver([given]).candidates(f"{scheme}://arm/a.stl", file) == [str(path / "a.stl") for _, path in order]
    for _, path in order:
        assert Resolver([given]).find(f"{scheme}://arm/a.stl", file) == str(path / "a.stl")
        (path / "a.stl").unlink()
    assert Resolver([given]).find(f"{scheme}://arm/a.stl", file) is None


def test_a_package_is_looked_for_in_the_same_order(anywhere):
    file, given, order = anywhere
    for title, path in order:
        resolver = Resolver([given])
        assert resolver.find_package("arm", file) == str(path)
        assert resolver.find_place("package://arm", file).title == title
        shutil.rmtree(path)
        if title == "the package or model around the file":
            os.makedirs(os.path.dirname(file))


def test_confined_the_caches_and_folders_above_are_not_looked_at(anywhere):
    file, given, order = anywhere
    allowed = [str(path / "a.stl") for title, path in order
               if title in ("--resource-path", "SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH")]
    root = os.path.dirname(given)
    assert Resolver([given], confined=True).candidates("package://arm/a.stl", file) == allowed
    named = Resolver([given], confined=True, named=[root]).candidates("package://arm/a.stl", file)
    assert named == [*allowed[:3], f"{root}/arm/in/a.stl", allowed[3]], "not even those that it may open"


def test_plain_uris_are_looked_for_in_the_folders_that_people_name(anywhere):
    file, given, _ = anywhere
    root = os.path.dirname(given)
    assert Resolver([given]).candidates("arm/a.stl", file) == [f"{folder}/arm/a.stl" for folder in (
        os.path.dirname(file), given, *[f"{root}/{name}" for name in (
            "SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH")])]


@pytest.mark.parametrize("layout", ["arm", "repository/arm", "repository/robots/arm", "arm-0123abc/arm"])
def test_the_cache_of_robot_descriptions_has_repositories(tmp_path, monkeypatch, layout):
    """As robot_descriptions 2.0 lays it out: the folder of a repository, or one for each commit of it."""
    monkeypatch.delenv("ROBOT_DESCRIPTIONS_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".cache" / "robot_descriptions" / layout
    folder.mkdir(parents=True)
    assert Resolver().find("package://arm") == str(folder)


@pytest.mark.parametrize("variable, folder", [("GZ_FUEL_CACHE_PATH", ".gz"), ("IGN_FUEL_CACHE_PATH", ".ignition")])
def test_the_caches_of_fuel_have_models_by_name_and_by_address(tmp_path, monkeypatch, variable, folder):
    for name in ("GZ_FUEL_CACHE_PATH", "IGN_FUEL_CACHE_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    model = tmp_path / folder / "fuel" / "server" / "owner" / "models" / "some arm"
    for version in ("2", "10"):
        (model / version).mkdir(parents=True)
    for uri in ("model://Some%20Arm", "https://server/1.0/Owner/models/Some Arm"):
        assert Resolver().find(uri) == str(model / "10")
    assert Resolver(confined=True).find("model://Some Arm") is None


def test_what_was_looked_for_once_is_not_looked_for_again(tmp_path, monkeypatch):
    """A robot has a hundred meshes in one package: the places are asked for the package, then it for each mesh."""
    prefixes = [tmp_path / str(number) for number in range(50)]
    (prefixes[-1] / "share" / "arm").mkdir(parents=True)
    monkeypatch.setenv("AMENT_PREFIX_PATH", os.pathsep.join(map(str, prefixes)))
    resolver, asked, access = Resolver(), [], os.access
    resolver.find("package://arm/0.stl")
    monkeypatch.setattr(os, "access", lambda path, mode: (asked.append(path), access(path, mode))[1])
    for number in range(100):
        resolver.find(f"package://arm/{number}.stl")
        resolver.find(f"package://gone/{number}.stl")
    asked = [path for path in map(str, asked) if path.startswith(str(tmp_path))]
    assert sum(path.endswith(".stl") for path in asked) == 99
    assert len(asked) == 99 + 50, "and each place once for the other package"


@pytest.mark.parametrize("text, found", [
    ("<package><name>\n a b </name><name>c</name></package>", True),
    ("<package><name>c</name><name>a b</name></package>", False),
    ("<package><!-- <name>a b</name> --><name>c</name></package>", False),
    ("<package/>", False), ("<package><name/></package>", False), ("<package><name>a b</name>", False),
    ("<package>" + " " * 65_000 + "<name>a b</name></package>", True),
    ("<package>" + " " * 66_000 + "<name>a b</name></package>", False)])  # at most 64 KiB are read
def test_the_first_name_in_a_package_counts(workspace, text, found):
    (workspace / "src/checkout-2.1/package.xml").write_text(text)
    path = find_package("a b", str(workspace / "src/arm/urdf/a.xacro"))
    assert path == (str(workspace / "src/checkout-2.1") if found else None)
