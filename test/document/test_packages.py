"""Packages are found without ROS: by resource paths, and around a file."""
import pytest

from sdf_frames.document.packages import find_package


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
        monkeypatch.delenv(variable, raising=False)
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
    path, _ = find_package(name, str(workspace / file), [str(workspace / p) for p in paths])
    assert path == str(workspace / found)


def test_a_package_that_is_not_there_says_what_was_tried(workspace):
    file = str(workspace / "src/arm/urdf/a.xacro")
    path, tried = find_package("nowhere", file, [str(workspace / "far")])
    assert path is None and tried == [str(workspace / "far" / "nowhere"), f"packages around {file}"]
    # Two levels below a folder above the file is too far to look.
    assert find_package("urdf", file)[0] == str(workspace / "src/arm/urdf")
    assert find_package("away", file)[0] == str(workspace / "far/away")  # one level below


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
        assert find_package("arm", str(file), paths)[0] == str(place)
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
    path, _ = find_package("wanted", str(tmp_path / "a" / "a.xacro"), [str(tmp_path / "many")])
    assert path == (str(tmp_path / "many" / "q") if found else None)


@pytest.mark.parametrize("levels, found", [(5, True), (6, False)])
def test_packages_are_searched_a_limited_number_of_levels_above_a_file(workspace, levels, found):
    folder = workspace.joinpath("deep", *map(str, range(levels)))
    folder.mkdir(parents=True)
    (workspace / "deep" / "tool").mkdir()
    (workspace / "deep" / "tool" / "package.xml").touch()
    path, _ = find_package("tool", str(folder / "a.xacro"))
    assert path == (str(workspace / "deep" / "tool") if found else None)


def test_names_are_no_patterns(workspace):
    (workspace / "src" / "arm" / "[x]").mkdir()
    file = str(workspace / "src" / "arm" / "[x]" / "a.xacro")
    assert find_package("*", file)[0] is None and find_package("[x]", file)[0] == str(workspace / "src" / "arm" / "[x]")
    (workspace / "src" / "arm" / "[x]" / "y").mkdir()
    (workspace / "src" / "arm" / "[x]" / "y" / "package.xml").touch()
    assert find_package("y", file)[0] == str(workspace / "src" / "arm" / "[x]" / "y")
