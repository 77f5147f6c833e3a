"""Files that a description refers to, each kind of place one by one."""
import json

import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.checks.assets import check_assets
from sdf_frames.cli import main
from sdf_frames.load import load_text

# Source: material.sdf of 1.12.
MAPS = [(kind, name) for kind in ("metal", "specular") for name in (
    "albedo_map", "ambient_occlusion_map", "normal_map", "emissive_map", "light_map", "environment_map",
    *(("roughness_map", "metalness_map") if kind == "metal" else ("specular_map", "glossiness_map")))]
MODEL = '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>'


def find_missing(text, **options):
    loaded = load_text(text, **options)
    assert loaded.root is not None
    return [(d.name, d.severity, d.message) for d in check_assets(loaded.root, loaded.resolver, loaded.robot)]


def expect(*uris):
    return [("asset-not-found", "error", f"the file {uri!r} is not found") for uri in uris]


@pytest.mark.parametrize("maps", [
    *[f"<pbr><{kind}><{name}>none.png</{name}></{kind}></pbr>" for kind, name in MAPS],
    '<shader type="normal_map_object_space"><normal_map>none.png</normal_map></shader>'])
def test_every_map_of_a_material_is_looked_for(maps):
    visual = f'<visual name="v"><geometry><box/></geometry><material>{maps}</material></visual>'
    assert find_missing(MODEL.format(visual)) == expect("none.png")


@pytest.mark.parametrize("part", ["visual", "collision"])
@pytest.mark.parametrize("shape", ["mesh", "heightmap", "image"])
def test_every_shape_with_a_file_is_looked_for(part, shape):
    shape = f"<{shape}><uri>none.stl</uri></{shape}>"
    assert find_missing(MODEL.format(f'<{part} name="p"><geometry>{shape}</geometry></{part}>')) == expect("none.stl")


@pytest.mark.parametrize("name", ["diffuse", "normal"])
def test_the_textures_of_a_heightmap_are_looked_for(name):
    shape = f"<heightmap><texture><size>1</size><{name}>none.png</{name}></texture></heightmap>"
    assert find_missing(MODEL.format(f'<visual name="v"><geometry>{shape}</geometry></visual>')) == expect("none.png")


def test_the_sky_of_a_world_is_looked_for():
    sky = "<scene><sky><cubemap_uri>none.dds</cubemap_uri></sky></scene>"
    assert find_missing(f'<sdf version="1.12"><world name="w">{sky}</world></sdf>') == expect("none.dds")


def test_colours_scripts_and_plugins_are_no_files():
    material = ("<material><diffuse>1 0 0 1</diffuse><script><uri>none.material</uri><name>n</name></script></material>"
                '<plugin name="p" filename="f"><albedo_map>none.png</albedo_map></plugin>')
    visual = f'<visual name="v"><geometry><plane><normal>0 0 1</normal></plane></geometry>{material}</visual>'
    assert find_missing(MODEL.format(visual)) == []


def test_each_missing_file_is_named_once_and_those_that_follow_one_that_is_there_too(tmp_path):
    (tmp_path / "there.stl").write_bytes(b"")
    shapes = "".join(f'<visual name="v{i}"><geometry><mesh><uri>{uri}</uri></mesh></geometry></visual>'
                     for i, uri in enumerate(("a.stl", "there.stl", "__default__", "", "a.stl", "b.stl")))
    (tmp_path / "m.sdf").write_text(MODEL.format(shapes))
    assert find_missing(MODEL.format(shapes), file=str(tmp_path / "m.sdf")) == expect("a.stl", "b.stl")


MESH = '<geometry><mesh filename="package://p/{}.stl"/></geometry>'


def test_all_files_of_a_urdf_are_looked_for_under_the_uris_that_it_has():
    """Whether the SDF has them or not: of a massless link on a moving joint, beside the tree, in <gazebo>, twice."""
    inside = f'<visual>{MESH.format("v")}<material name="x"><texture filename="package://p/t.png"/></material></visual>'
    whole = "<visual><material><pbr><metal><albedo_map>package://p/map.png</albedo_map></metal></pbr></material></visual>"
    text = "\n".join([
        '<robot name="r">', link("base", 1, inside), link("lost", None, f'<collision>{MESH.format("v")}</collision>'),
        joint("j", "continuous", "base", "lost"), link("a", None, f'<collision>{MESH.format("a")}</collision>'),
        link("b"), joint("ab", "fixed", "a", "b"), joint("ba", "fixed", "b", "a"), gazebo("lost", whole), "</robot>"])
    found = load_text(text, "r.urdf").find_missing_files()
    assert [(d.message, d.line, [r.line for r in d.related]) for d in found] == [
        (f"the file 'package://p/{name}' is not found", line, more)
        for name, line, more in (("v.stl", 2, [3]), ("t.png", 2, []), ("a.stl", 5, []), ("map.png", 9, []))]


def test_files_of_a_urdf_that_cannot_be_converted_are_looked_for():
    found = load_text(robot(link("base", None, f"<visual>{MESH.format('v')}</visual>"))).find_missing_files()
    assert [d.message for d in found] == ["the file 'package://p/v.stl' is not found"]


def test_files_of_a_model_that_a_urdf_includes_are_looked_for(tmp_path):
    mesh = '<visual name="v"><geometry><mesh><uri>none.stl</uri></mesh></geometry></visual>'
    (tmp_path / "part.sdf").write_text(MODEL.format(mesh))
    text = robot(link("base", 1), gazebo("", "<include><uri>part.sdf</uri></include>"))
    found = load_text(text, str(tmp_path / "r.urdf")).find_missing_files()
    assert [(d.message, d.file) for d in found] == [("the file 'none.stl' is not found", str(tmp_path / "part.sdf"))]


#: As git leaves it in a clone without Git LFS: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'5' * 64}\nsize 12345\n"


def test_meshes_that_cannot_be_read_are_warnings_and_pointers_of_git_lfs_errors(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pointer.stl").write_text(POINTER)
    (tmp_path / "pointer.png").write_text(POINTER)
    (tmp_path / "broken.obj").write_text("v 0 0 0\nf 1 2 9\n")
    (tmp_path / "empty.stl").write_bytes(bytes(84))
    shapes = "".join(f'<collision><geometry><mesh filename="{name}"/></geometry></collision>\n' for name in (
        "pointer.stl", "broken.obj", "pointer.stl", "empty.stl", "other.fbx"))
    (tmp_path / "other.fbx").write_text("only other programs read this")
    texture = '<material name="m"><texture filename="pointer.png"/></material>'
    (tmp_path / "r.urdf").write_text(robot(link("a", 2, "\n" + shapes), texture))
    assert main(["check", "--json", "r.urdf"]) == 0 and "broken" not in capsys.readouterr().out
    assert main(["check", "--assets", "--json", "r.urdf"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {(d["name"], d["severity"], d["line"]) for d in found} == {
        ("file-not-fetched", "error", 2), ("file-not-fetched", "error", 7), ("mesh-index-out-of-range", "warning", 3),
        ("mesh-empty", "warning", 5)}
    assert [d["related"][0]["line"] for d in found if d["line"] == 2] == [4]
    assert all("git lfs pull" in d["hint"] for d in found if d["name"] == "file-not-fetched")
    assert [d.name for d in sf.mesh_inertia("pointer.stl").findings] == ["file-not-fetched"]


@pytest.mark.parametrize("asked, codes", [
    ("gazebo", ["U016"]), ("drake", ["L002", "L003"]), ("gazebo,drake,ros", ["U016"])])
def test_a_missing_mesh_is_told_once_for_all_programs(asked, codes, tmp_path, capsys):
    shapes = "".join(f'<{tag}><geometry><mesh filename="none.obj"/></geometry></{tag}>' for tag in (
        "visual", "collision"))
    (tmp_path / "r.urdf").write_text(robot(link("a", 1, shapes)))
    assert main(["check", "--json", "--assets", "--for", asked, str(tmp_path / "r.urdf")]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [d["code"] for d in answer["diagnostics"] if d["severity"] == "error"] == codes
    assert answer["consumers"] == dict.fromkeys(answer["consumers"], False) | {"ros": True}
