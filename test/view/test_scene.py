"""What is drawn, and where: poses by hand, colours as written."""
from dataclasses import replace

import numpy as np
import pytest
from urdf_text import link

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.view.build_scene import build_scene, build_scenes  # noqa: E402

ARM = """<sdf version="1.9"><model name="arm">
  <link name="base"><visual name="plate"><pose>0 0 .1 0 0 0</pose><geometry><box><size>.4 .2 .1</size></box></geometry>
    <material><diffuse>1 0 0 1</diffuse></material><transparency>0.25</transparency></visual></link>
  <link name="tip"><pose>0 0 1 0 0 0</pose>
    <inertial><mass>2</mass><inertia><ixx>.02</ixx><iyy>.02</iyy><izz>.01</izz></inertia></inertial>
    <collision name="ball"><pose relative_to="sensor"/><geometry><sphere><radius>.1</radius></sphere></geometry>
    </collision>
    <visual name="lost"><geometry><mesh><uri>model://nowhere/lost.stl</uri></mesh></geometry></visual></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>tip</child><axis><xyz>0 1 0</xyz>
    <limit><lower>-1</lower><upper>2</upper></limit></axis></joint>
  <frame name="sensor" attached_to="tip"><pose>.5 0 0 0 0 0</pose></frame>
</model></sdf>"""


@pytest.fixture(scope="module")
def arm():
    robot = sf.loads(ARM)
    return build_scene(robot, robot.inertias())


LIMB = """<robot name="r">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="tip"><visual name="v"><origin xyz="0 0 .5"/><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="plate"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius=".1"/></geometry></collision></link>
  <joint name="swing" type="continuous"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/><axis xyz="1 0 0"/>
  </joint>
  <joint name="weld" type="fixed"><parent link="base"/><child link="plate"/><origin xyz="3 0 0"/></joint></robot>"""


def test_a_urdf_is_drawn_as_its_file_has_it_or_as_its_sdf_has_it():
    """The tip has no mass, so Gazebo has no tip: RViz draws it, half a metre above its joint, and turns it."""
    robot = sf.loads(LIMB)
    (own,), (made,) = build_scenes(robot), build_scenes(robot, as_sdf=True)
    assert {shape.body for shape in own.shapes} == {"tip", "plate"} and {s.body for s in made.shapes} == {"base"}
    assert {box.body for box in own.inertias} == {"base", "plate"} and {b.body for b in made.inertias} == {"base"}
    moved = own.place({"swing": np.pi / 2})["tip"] @ own.shapes[0].X_BS
    np.testing.assert_allclose(moved.xyz, (0, -.5, 1), atol=1e-12)
    np.testing.assert_allclose(own.place({})["plate"].xyz, (3, 0, 0))


#: A rail above the canonical link: below `world`, or below a link that follows in the file.
GANTRY = """<sdf version="1.11"><model name="m"><pose>0 7 0 0 0 0</pose>
  <link name="cart"><pose>0 0 1 0 0 0</pose></link><link name="arm"><pose>0 0 1 0 0 0</pose></link>{1}
  <joint name="rail" type="prismatic"><parent>{0}</parent><child>cart</child><axis><xyz>1 0 0</xyz></axis></joint>
  <joint name="turn" type="revolute"><parent>cart</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint>
  <link name="lone"><pose>0 0 2 0 0 0</pose></link></model></sdf>"""
CRANE = f"""<robot name="r"><link name="world"/>{link("cart", 1)}{link("arm", 1)}
  <joint name="rail" type="prismatic"><parent link="world"/><child link="cart"/><origin xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="turn" type="continuous"><parent link="cart"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


@pytest.mark.parametrize(("text", "still"), [
    (CRANE, {"world": (0, 0, 0)}), (GANTRY.format("world", ""), {"lone": (0, 0, 2)}),
    (GANTRY.format("base", '<link name="base"><pose>0 3 0 0 0 1</pose></link>'),
     {"base": (0, 3, 0), "lone": (0, 0, 2)})])
def test_a_joint_above_the_canonical_link_moves_what_is_below_it(text, still):
    """As in RViz: 0.8 m along x, and the arm turns by a quarter."""
    for as_sdf in (False, True):
        scene = build_scene(sf.loads(text), as_sdf=as_sdf)
        poses = scene.place({"rail": .8, "turn": np.pi / 2})
        for name, xyz in {"cart": (.8, 0, 1), "arm": (.8, 0, 1), **still}.items():
            if name in scene.bodies:
                np.testing.assert_allclose(poses[name].xyz, xyz, atol=1e-12)
        assert poses["cart"].rpy == pytest.approx((0, 0, 0), abs=1e-12)
        np.testing.assert_allclose((poses["arm"] @ sf.Pose((0, 0, 1))).xyz, (1.8, 0, 1), atol=1e-12)


def test_pose_relative_to_a_frame_is_one_in_the_link(arm):
    ball = next(shape for shape in arm.shapes if shape.layer == "collisions")
    np.testing.assert_allclose(ball.X_BS.xyz, (.5, 0, 0), atol=1e-15)
    assert ball.colour is None


def test_unreadable_description_has_no_scene():
    assert build_scenes(sf.loads("<sdf")) == []


def test_frames_of_one_place_share_a_label(arm):
    labels = {(label.body, label.text): label.xyz.tolist() for label in arm.list_labels()}
    assert labels == {("base", "base +1"): [0, 0, 0], ("tip", "tip"): [0, 0, 0]}, \
        "the model's frame counts, the joint's own does not; no link stands at the sensor"
    compared = replace(arm, bodies={f"A {name}": X for name, X in arm.bodies.items()})
    assert {label.text for label in compared.list_labels()} == {"base +1", "tip", "sensor"}


def test_small_models_of_a_world_have_short_axes():
    model = ('<model name="{0}"><pose>{1} 0 0 0 0 0</pose><link name="l"/><frame name="f">'
             '<pose>0 0 {2} 0 0 0</pose></frame></model>')
    models = "".join([model.format("tall", -10, 4), model.format("low", 0, 1), model.format("flat", 10, 0)])
    scene = build_scene(sf.loads(f'<sdf version="1.9"><world name="w">{models}</world></sdf>'))
    lengths = {drawn.frame.name: drawn.length for drawn in scene.frames}
    assert lengths["tall::f"] == pytest.approx(4 * lengths["low::f"])
    assert lengths["low::l"] == lengths["low::f"] == pytest.approx(lengths["flat::l"])  # a twentieth of the world
    np.testing.assert_allclose((scene.low, scene.high), ((-10, 0, 0), (10, 0, 4)))


@pytest.mark.parametrize(("urdf", "seen"), [(True, None), (False, (1, 0, 0, 1))])
def test_colours_of_a_mesh_file_count_more_than_a_urdfs_material(tmp_path, urdf, seen):
    """As in RViz; a material of SDFormat replaces them, as in Gazebo."""
    pytest.importorskip("PIL")  # trimesh reads colours with it
    import trimesh
    box = trimesh.creation.box((1, 1, 1))
    box.visual = trimesh.visual.TextureVisuals(
        material=trimesh.visual.material.PBRMaterial(baseColorFactor=[0, 0, 255, 255]))
    box.export(tmp_path / "box.glb")
    if urdf:
        text = """<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0"
          ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="box.glb"/></geometry>
          <material name="red"><color rgba="1 0 0 1"/></material></visual></link></robot>"""
    else:
        text = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry>
          <mesh><uri>box.glb</uri></mesh></geometry>
          <material><diffuse>1 0 0 1</diffuse></material></visual></link></model></sdf>"""
    path = tmp_path / ("r.urdf" if urdf else "m.sdf")
    path.write_text(text)
    (shape,) = build_scene(sf.load(path)).shapes
    assert shape.problem is None and shape.colour == seen


LINKS = '<link name="a"/><link name="b"><pose>10 0 0 0 0 0</pose></link>'


def build(inside, **options):
    return build_scene(sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>'), **options)


@pytest.mark.parametrize(("distance", "texts"), [(.004, ["a +2", "b"]), (.006, ["a +1", "b"])])
def test_frames_within_a_thousandth_of_the_scene_share_a_label(distance, texts):
    """10 m long: half a centimetre is where the next place begins."""
    scene = build(LINKS + f'<frame name="f" attached_to="a"><pose>{distance} 0 0 0 0 0</pose></frame>')
    assert [label.text for label in scene.list_labels()] == texts


def test_many_frames_at_one_place_take_no_quadratic_work(arm):
    """Each name is looked up a few times, not once for each other name."""
    looked_up = []

    class Name(str):
        def __hash__(self):
            looked_up.append(self)
            return super().__hash__()

    frame = next(drawn for drawn in arm.frames if drawn.frame.name == "sensor")
    many = [replace(frame, frame=replace(frame.frame, name=Name(f"f{n}"))) for n in range(300)]
    labels = replace(arm, frames=(*arm.frames, *many)).list_labels()
    assert [label.text for label in labels] == ["base +1", "tip"]
    assert len(looked_up) < 10 * 300


@pytest.mark.parametrize(("kinds", "name"), [
    ("mjf", "f"), ("jm", "m"), ("jl", "l"), ("lf", "l"), ("fm", "f"), ("jf", "f"), ("j", "j"), ("gf", "f"),
    ("fg", "g")])
def test_whose_name_a_label_has(kinds, name):
    """A link's, then that of the last frame, model, world or joint."""
    from sdf_frames.view.scene import DrawnFrame, _write_label
    words = {"l": "link", "f": "frame", "g": "frame", "m": "model", "j": "joint"}
    drawn = [DrawnFrame(sf.loads(ARM).frames["base"], "", sf.Pose(), 1.0) for _ in kinds]
    drawn = [replace(one, frame=replace(one.frame, name=kind, kind=words[kind])) for one, kind in zip(drawn, kinds)]
    assert _write_label(drawn) == (f"{name} +{len(kinds) - 1}" if len(kinds) > 1 else name)


@pytest.mark.parametrize("letters", [40, 41, 42])
def test_the_end_of_a_long_name_is_shown(letters):
    name = "x" + "y" * (letters - 1)
    scene = build(f'<link name="l"/><link name="{name}"><pose>1 0 0 0 0 0</pose></link>')
    assert scene.list_labels()[1].text == (name if letters <= 40 else "…" + "y" * 40)


def test_scenes_have_the_box_around_frames_and_shapes():
    """A box of 2 x 4 x 6 m, turned by a quarter about z, 10 m along x; a plane, which has no end, does not count."""
    inside = ('<link name="l"><pose>10 0 0 0 0 1.5707963267948966</pose><collision name="c"><geometry><box><size>2 4 6'
              '</size></box></geometry></collision><visual name="p"><geometry><plane><size>99 99</size></plane>'
              "</geometry></visual></link>")
    scene = build(inside)
    np.testing.assert_allclose((scene.low, scene.high), ((0, -1, -3), (12, 1, 3)), atol=1e-9)
    assert scene.extent == pytest.approx(12)
    assert [drawn.length for drawn in scene.frames] == pytest.approx([.06 * 12] * 2)
    assert build('<link name="l"/>').extent == 1


def test_a_missing_mesh_is_seen_in_a_large_world_and_hides_nothing_of_a_small_robot():
    """A fortieth of the longest side, but not above 0.1 m unless that is less than a hundredth."""
    lost = '<link name="l"><visual name="v"><geometry><mesh><uri>no.stl</uri></mesh></geometry></visual></link>'
    for far, edge in ((2, .05), (5, .1), (10, .1), (50, .5)):
        scene = build(lost + f'<frame name="f"><pose>{far} 0 0 0 0 0</pose></frame>')
        np.testing.assert_allclose(scene.shapes[0].surfaces[0].extents, (edge,) * 3, rtol=.03)
        assert scene.shapes[0].problem == "no.stl is not found"


GONE = '<visual name="{0}"><geometry><mesh><uri>{0}.stl</uri></mesh></geometry></visual>'
BALLS = "".join(f'<collision name="{name}"><geometry><sphere><radius>.5</radius></sphere></geometry></collision>'
                for name in ("c", "d"))
LOST = '<collision name="e"><geometry><mesh><uri>e.stl</uri></mesh></geometry></collision>'


@pytest.mark.parametrize("inside, expected", [
    (GONE.format("v") + BALLS, [("l::c", False, "v.stl is not found"), ("l::d", False, None)]),
    (GONE.format("v") + GONE.format("w") + BALLS + LOST,
     [("l::c", False, "v.stl is not found; w.stl is not found"), ("l::d", False, None)]),
    (GONE.format("v") + LOST, [("l::v", True, "v.stl is not found")]),
    (GONE.format("v"), [("l::v", True, "v.stl is not found")]),
    ('<visual name="b"><geometry><box/></geometry></visual>' + GONE.format("v") + BALLS,
     [("l::b", False, None), ("l::v", True, "v.stl is not found")])])
def test_collisions_stand_for_visuals_of_which_none_can_be_drawn(inside, expected):
    scene = build(f'<link name="l">{inside}</link>')
    assert [(shape.name, shape.is_box, shape.problem) for shape in scene.shapes
            if shape.layer == "visuals"] == expected
    assert [shape.name for shape in scene.shapes if shape.layer == "collisions" and not shape.is_box] == (
        ["l::c", "l::d"] if BALLS in inside else [])


def test_impossible_inertias_are_not_drawn():
    inertia = "<inertial><mass>1</mass><inertia><ixx>{}</ixx></inertia></inertial>"
    text = "".join(f'<link name="{name}">{inertia.format(xx)}</link>' for name, xx in (("a", 1), ("b", 5)))
    robot = sf.loads(f'<sdf version="1.11"><model name="m">{text}</model></sdf>')
    scene = build_scene(robot, robot.inertias())
    assert [box.body for box in scene.inertias] == ["a"]
    assert build_scene(robot).inertias == ()


def test_of_several_worlds_the_first_has_inertias():
    world = '<world name="{}"><model name="m"><link name="l"><inertial><mass>2</mass></inertial></link></model></world>'
    scenes = build_scenes(sf.loads(f'<sdf version="1.11">{world.format("a")}{world.format("b")}</sdf>'))
    assert [(scene.source.name, len(scene.inertias)) for scene in scenes] == [("a", 1), ("b", 0)]
    (one,) = build_scenes(sf.loads(f'<sdf version="1.11">{world.format("a")}</sdf>'))
    assert [box.body for box in one.inertias] == ["m::l"]


def test_positions_of_joints_that_do_not_move_are_left_alone(arm):
    assert arm.keep_known({"hinge": 1.0, "elsewhere": 2.0}) == {"hinge": 1.0}
    assert arm.place({"elsewhere": 1}) is arm.bodies and arm.place(None) is arm.bodies
    assert arm.keep_known({"hinge": [1, 2]}) == {}  # of an older file, where it is universal
    held = build('<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent>a</parent><child>b</child>'
                 "</joint>")
    assert held.keep_known({"j": 1}) == {} and [joint.name for joint in held.joints] == ["j"]


def test_what_could_not_be_read_is_an_empty_scene():
    scene = build_scene(sf.loads("<sdf"))
    assert (scene.low.tolist(), scene.high.tolist(), scene.extent) == ([0, 0, 0], [0, 0, 0], 1)
    assert scene.frames == scene.shapes == scene.joints == ()


def test_the_box_of_an_inertia_is_turned_with_its_axes():
    """2 kg of 0.1 x 0.2 x 0.3 m, turned by 30° about z and 1 m away: its corners are where the tensor says."""
    ixx, iyy, izz, angle = .13 / 6, .1 / 6, .05 / 6, np.pi / 6
    inside = (f'<link name="l"><inertial><pose>1 0 0 0 0 {angle}</pose><mass>2</mass><inertia><ixx>{ixx}</ixx>'
              f"<iyy>{iyy}</iyy><izz>{izz}</izz></inertia></inertial></link>")
    robot = sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>')
    (box,) = build_scene(robot, robot.inertias()).inertias
    assert sorted(box.size) == pytest.approx([.1, .2, .3])
    corner = (box.X_BI @ sf.Pose(np.array(box.size) / 2)).xyz - box.X_BI.xyz
    c, s = np.cos(angle), np.sin(angle)
    local = np.array((c * corner[0] + s * corner[1], c * corner[1] - s * corner[0], corner[2]))
    np.testing.assert_allclose(np.abs(local), (.05, .1, .15), atol=1e-9)
    np.testing.assert_allclose(box.X_BI.xyz, (1, 0, 0), atol=1e-12)
