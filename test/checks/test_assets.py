"""Files that a description refers to, each kind of place one by one."""
import pytest

from sdf_frames.checks.assets import check_assets
from sdf_frames.load import load_text

# Source: material.sdf of 1.12.
MAPS = [(kind, name) for kind in ("metal", "specular") for name in (
    "albedo_map", "ambient_occlusion_map", "normal_map", "emissive_map", "light_map", "environment_map",
    *(("roughness_map", "metalness_map") if kind == "metal" else ("specular_map", "glossiness_map")))]
SOLID = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
MODEL = '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>'


def find_missing(text, **options):
    loaded = load_text(text, **options)
    assert loaded.root is not None
    return [(d.name, d.severity, d.message) for d in check_assets(loaded.root, loaded.resolver, loaded.robot)]


def expect(*uris):
    return [("asset-not-found", "error", f"the file {uri!r} is not found") for uri in uris]


@pytest.mark.parametrize("kind, name", MAPS)
def test_every_map_of_a_material_is_looked_for(kind, name):
    material = f"<material><pbr><{kind}><{name}>none.png</{name}></{kind}></pbr></material>"
    visual = f'<visual name="v"><geometry><box/></geometry>{material}</visual>'
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


def test_the_normal_map_of_a_shader_is_looked_for():
    shader = '<shader type="normal_map_object_space"><normal_map>none.png</normal_map></shader>'
    visual = f'<visual name="v"><geometry><box/></geometry><material>{shader}</material></visual>'
    assert find_missing(MODEL.format(visual)) == expect("none.png")


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
                     for i, uri in enumerate(
        ("a.stl", "there.stl", "__default__", "", "a.stl", "b.stl")))
    (tmp_path / "m.sdf").write_text(MODEL.format(shapes))
    assert find_missing(MODEL.format(shapes), file=str(tmp_path / "m.sdf")) == expect("a.stl", "b.stl")


def test_uris_of_a_urdf_are_quoted_as_it_has_them():
    """The conversion writes model:// for package://; a texture is a file too."""
    shape = '<geometry><mesh filename="package://p/{}.stl"/></geometry>'
    robot = (f'<robot name="r"><link name="l">{SOLID}<visual>{shape.format("v")}<material name="x">'
             f'<texture filename="package://p/t.png"/></material>'
             f'</visual><collision>{shape.format("c")}</collision></link></robot>')
    found = find_missing(robot)
    assert [message for _, _, message in found] == [f"the file 'package://p/{name}' is not found" for name in (
        ("c.stl", "v.stl", "t.png") if "c.stl" in found[0][2] else ("v.stl", "t.png", "c.stl"))]
