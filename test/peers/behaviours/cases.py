"""Small robots, one a feature: what is asked of a program that loads it, and what the format means by it.

A program's file here defines ``load(file)`` and whatever of these it can tell of what that returns: ``masses`` and
``tensors`` (about the centre of mass, along the axes of the link: ixx, iyy, izz, ixy, ixz, iyz) and ``sizes`` (extents
of its shapes) by link; ``place(robot, positions)``, the 4x4 poses of links; ``limits`` (lower, upper), ``efforts``
(effort, velocity), ``dynamics`` (damping, friction) and ``mimics`` (multiplier, offset) by joint; ``is_finite``,
whether its first step gives finite numbers.
"""
import math
import struct
from typing import NamedTuple

LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="3"/>'
SOLID = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#: A box of 1 x 2 x 3 in centimetres.
DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="0.01"
name="centimeter"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g" name="g"><mesh><source id="p">
<float_array id="a" count="24">0 0 0 0 0 3 0 2 0 0 2 3 1 0 0 1 0 3 1 2 0 1 2 3</float_array><technique_common><accessor
source="#a" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z"
type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4 1 5 7 1 7 3</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s">
<node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene
url="#s"/></scene></COLLADA>"""


class Case(NamedTuple):
    """A robot, what is asked of it, as (quantity, key), the positions of joints, and what the format means.

    The quantity is a function of a program's file, or ``loads``, ``slide`` (the x of a link), ``turn`` (its angle),
    ``height`` (its z), ``follows`` (the position of a joint that mimics), ``couples`` (whether there is a constraint),
    ``total`` (the mass of all links), ``extra`` (that of some links beyond 1 kg), ``falls``, ``coasts`` (keeps its
    speed) or ``keeps`` (is there).
    """

    text: str
    ask: tuple[str, str]
    meant: object
    move: dict[str, float] = {}


def link(name, inside=SOLID):
    return f'<link name="{name}">{inside}</link>'


def joint(name, kind, parent, child, inside=LIMIT, origin=""):
    return (f'<joint name="{name}" type="{kind}">{origin}<parent link="{parent}"/><child link="{child}"/>'
            f'{inside}</joint>')


def robot(*parts, attributes=""):
    return f'<robot name="r"{attributes}>{"".join(parts)}</robot>'


def arm(inside=f'<axis xyz="1 0 0"/>{LIMIT}', kind="prismatic", tip=SOLID, origin="", attributes=""):
    return robot(link("base"), link("tip", tip), joint("j", kind, "base", "tip", inside, origin), attributes=attributes)


def chain(*mimics):
    """Links that slide along x on the base: a, and one that mimics for each of (name, leader, multiplier, offset)."""
    x = '<axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="10" velocity="3"/>'
    parts = [link("base"), link("a"), joint("ja", "prismatic", "base", "a", x)]
    for name, leader, multiplier, offset in mimics:
        parts += [link(name), joint(f"j{name}", "prismatic", "base", name,
                                    f'{x}<mimic joint="j{leader}" multiplier="{multiplier}" offset="{offset}"/>')]
    return robot(*parts)


def shaped(shape, **more):
    return arm(tip=f"{SOLID}<collision><geometry>{shape}</geometry></collision>", **more)


def weighed(tensor, rpy="0 0 0"):
    values = " ".join(f'{key}="{value}"' for key, value in zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), tensor))
    return arm(tip=f'<inertial><origin rpy="{rpy}"/><mass value="1"/><inertia {values}/></inertial>')


def seen(shape):
    return arm(tip=f"{SOLID}<visual><geometry>{shape}</geometry></visual>")


def bounded(limit):
    return arm(f'<axis xyz="1 0 0"/><limit {limit} effort="10" velocity="3"/>', "revolute")


S = math.sin(0.5) ** 2
NEW = ' version="1.1"'
MIDDLE = [link("base"), link("mid", ""), link("tip"), joint("a", "revolute", "base", "mid"),
          joint("b", "revolute", "mid", "tip")]
TURN = f'<axis xyz="%s"/>{LIMIT}'
ZERO = SOLID.replace('"1"', '"0"')


def middle(inside):
    """A robot whose middle link has other contents."""
    return robot(*MIDDLE).replace('<link name="mid">', f'<link name="mid">{inside}')


def ended(inside=""):
    """A robot with a link without mass that is fixed to its last link."""
    return robot(link("base"), link("mid"), link("tip", inside), joint("i", "revolute", "base", "mid"),
                 joint("j", "fixed", "mid", "tip", ""))


URDF = {
    "massless-link-moving": Case(robot(*MIDDLE), ("masses", "mid"), 0),
    "massless-link-with-collision": Case(middle(BOX), ("masses", "mid"), 0),
    "massless-leaf-moving": Case(arm(tip=""), ("is_finite", ""), True),
    "massless-leaf-with-collision": Case(arm(tip=BOX), ("is_finite", ""), True),
    "massless-link-fixed": Case(ended(), ("extra", "mid tip"), 0),
    "massless-link-fixed-with-collision": Case(ended(BOX), ("extra", "mid tip"), 0),
    "zero-mass-link-moving": Case(middle(ZERO), ("masses", "mid"), 0),
    "zero-mass-link-with-collision": Case(middle(ZERO + BOX), ("masses", "mid"), 0),
    "zero-mass-leaf-moving": Case(arm(tip=ZERO), ("is_finite", ""), True),
    "zero-mass-with-tensor": Case(arm(tip=SOLID.replace("mass value=\"1\"", "mass value=\"0\"")), ("masses", "tip"), 0),
    "massless-root": Case(robot(link("foot", ""), link("base"), link("tip"), joint("f", "fixed", "foot", "base", ""),
                                joint("j", "revolute", "base", "tip")), ("masses", "foot"), 0),
    "mass-with-zero-inertia": Case(weighed((0,) * 6), ("tensors", "tip"), [0] * 6),
    "mimic": Case(chain(("b", "a", -2, 0.3)), ("follows", "jb"), 0.1, {"ja": 0.1}),
    "mimic-of-a-mimic": Case(chain(("b", "a", -2, 0.3), ("c", "b", 3, 0.1)), ("follows", "jc"), 0.4, {"ja": 0.1}),
    "mimic-of-a-fixed-joint": Case(
        chain(("b", "a", 1, 0)).replace('"ja" type="prismatic"', '"ja" type="fixed"'), ("loads", ""), True),
    "mimic-on-a-fixed-joint": Case(
        chain(("b", "a", 1, 0)).replace('"jb" type="prismatic"', '"jb" type="fixed"'), ("loads", ""), True),
    "mimic-offset-at-rest": Case(chain(("b", "a", -2, 0.3)), ("slide", "b"), 0.3),
    "continuous-joint-with-limits": Case(arm(TURN % "1 0 0", "continuous"), ("limits", "j"), None),
    "continuous-joint-limit-without-bounds": Case(
        arm('<axis xyz="1 0 0"/><limit effort="10" velocity="3"/>', "continuous"), ("limits", "j"), None),
    "limit-without-lower-and-upper": Case(
        arm('<axis xyz="1 0 0"/><limit effort="10" velocity="3"/>', "revolute"), ("limits", "j"), [0, 0]),
    "limit-without-lower": Case(bounded('upper="1"'), ("limits", "j"), [0, 1]),
    "limit-without-upper": Case(bounded('lower="-1"'), ("limits", "j"), [-1, 0]),
    "limits-reversed": Case(bounded('lower="1" upper="-1"'), ("limits", "j"), [1, -1]),
    "limits-equal": Case(bounded('lower="0.5" upper="0.5"'), ("limits", "j"), [0.5, 0.5]),
    "limits-zero": Case(
        arm('<axis xyz="1 0 0"/><limit lower="0" upper="0" effort="10" velocity="3"/>'), ("limits", "j"), [0, 0]),
    "limits": Case(arm(), ("limits", "j"), [-1, 1]),
    "limits-beyond-a-turn": Case(
        arm('<axis xyz="1 0 0"/><limit lower="-8" upper="8" effort="10" velocity="3"/>', "revolute"), ("limits", "j"),
        [-8, 8]),
    "effort-and-velocity": Case(
        arm('<axis xyz="1 0 0"/><limit effort="10" velocity="3"/>', "continuous"), ("efforts", "j"), [10, 3]),
    "effort-zero": Case(arm().replace('effort="10"', 'effort="0"'), ("efforts", "j"), [0, 3]),
    "limit-without-effort-and-velocity": Case(
        arm('<axis xyz="1 0 0"/><limit lower="-1" upper="1"/>', attributes=' version="1.2"'), ("efforts", "j"),
        [None, None]),
    "joint-damping": Case(arm(f'<axis xyz="1 0 0"/>{LIMIT}<dynamics damping="0.5"/>'), ("dynamics", "j"), [0.5, 0]),
    "joint-friction": Case(arm(f'<axis xyz="1 0 0"/>{LIMIT}<dynamics damping="0" friction="0.25"/>'), ("dynamics", "j"),
                           [0, 0.25]),
    "joint-without-axis": Case(arm(LIMIT), ("slide", "tip"), 0.1, {"j": 0.1}),
    "axis-not-unit-prismatic": Case(arm(TURN % "2 0 0"), ("slide", "tip"), 0.1, {"j": 0.1}),
    "axis-not-unit-revolute": Case(arm(TURN % "0 0 2", "revolute"), ("turn", "tip"), 0.5, {"j": 0.5}),
    "axis-oblique-at-rest": Case(arm(TURN % "0.6 0 0.8", "revolute"), ("turn", "tip"), 0),
    "planar-joint": Case(arm('<axis xyz="0 0 1"/>', "planar"), ("freedom", "j"), 3),
    "floating-joint": Case(arm("", "floating", origin='<origin xyz="0 0 0.5"/>'), ("height", "tip"), 0.5),
    "version-1.1": Case(arm(attributes=NEW), ("loads", ""), True),
    "quat-xyzw": Case(arm(f'<axis xyz="1 0 0"/>{LIMIT}', origin='<origin quat_xyzw="0 0 0.6 0.8"/>', attributes=NEW),
                      ("turn", "tip"), 2 * math.acos(0.8)),
    "capsule": Case(shaped('<capsule radius="0.1" length="0.4"/>', attributes=NEW), ("sizes", "tip"), [0.2, 0.2, 0.6]),
    "cylinder": Case(shaped('<cylinder radius="0.1" length="0.4"/>'), ("sizes", "tip"), [0.2, 0.2, 0.4]),
    "sphere-of-radius-zero": Case(shaped('<sphere radius="0"/>'), ("loads", ""), True),
    "two-collisions": Case(arm(tip=SOLID + BOX + BOX.replace("<geom", '<origin xyz="0 0 1"/><geom')),
                           ("sizes", "tip"), [0.1, 0.1, 1.1]),
    "mesh-scale-uneven": Case(shaped('<mesh filename="t.obj" scale="1 2 3"/>'), ("sizes", "tip"), [1, 2, 3]),
    "mesh-scale-mirrored": Case(shaped('<mesh filename="t.obj" scale="1 -1 1"/>'), ("sizes", "tip"), [1, 1, 1]),
    "dae-collision": Case(shaped('<mesh filename="t.dae"/>'), ("sizes", "tip"), [0.01, 0.02, 0.03]),
    "stl-collision": Case(shaped('<mesh filename="t.stl"/>'), ("sizes", "tip"), [1, 1, 1]),
    "file-uri": Case(shaped('<mesh filename="file://FOLDER/t.obj"/>'), ("sizes", "tip"), [1, 1, 1]),
    "package-uri": Case(shaped('<mesh filename="package://p/t.obj"/>'), ("loads", ""), True),
    "visual-package-uri": Case(seen('<mesh filename="package://p/t.obj"/>'), ("loads", ""), True),
    "collision-file-missing": Case(shaped('<mesh filename="missing.obj"/>'), ("loads", ""), True),
    "visual-file-missing": Case(seen('<mesh filename="missing.obj"/>'), ("loads", ""), True),
    "inertia": Case(weighed((1, 2, 2.5, 0, 0, 0)), ("tensors", "tip"), [1, 2, 2.5, 0, 0, 0]),
    "inertial-origin-rotated": Case(weighed((1, 2, 2.5, 0, 0, 0), "0 0 0.5"), ("tensors", "tip"), [
        1 + S, 2 - S, 2.5, -math.sin(0.5) * math.cos(0.5), 0, 0]),
    "inertia-off-diagonal": Case(weighed((2, 2, 3, 0.5, 0, 0)), ("tensors", "tip"), [2, 2, 3, 0.5, 0, 0]),
    "fixed-joint": Case(robot(link("base"), link("tip"), link("end"), joint("j", "revolute", "base", "tip"),
                              joint("f", "fixed", "tip", "end", "")), ("keeps", "end"), True),
    "root-with-mass": Case(arm(), ("masses", "base"), 1),
    "single-link-robot": Case(robot(link("base")), ("keeps", "base"), True),
    "link-and-joint-of-one-name": Case(arm().replace('"j"', '"tip"'), ("loads", ""), True),
    "foreign-elements": Case(
        arm().replace("</robot>", '<ros2_control name="c" type="system"/><gazebo/><x:y xmlns:x="u"/></robot>'),
        ("loads", ""), True),
    "origin-without-xyz": Case(arm(origin='<origin rpy="0 0 0.5"/>'), ("turn", "tip"), 0.5),
}
MODEL = '<sdf version="%s"><model name="r">%s</model></sdf>'


def body(name, inside="", pose=""):
    tensor = "".join(f"<{key}>{key[1] == key[2]:d}</{key}>" for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    return (f'<link name="{name}">{pose}<inertial><mass>1</mass><inertia>{tensor}</inertia></inertial>{inside}</link>')


def model(version, *parts):
    return MODEL % (version, "".join(parts))


def linked(kind, inside="<axis><xyz>1 0 0</xyz><limit><lower>-9</lower><upper>9</upper></limit></axis>", version="1.6",
           child="tip"):
    """A model with the links base and tip and a joint between them."""
    return model(version, body("base"), body("tip"), f'<joint name="j" type="{kind}"><parent>base</parent>'
                 f'<child>{child}</child>{inside}</joint>')


def solid(shape, version="1.6"):
    return model(version, body("base", f'<collision name="c"><geometry>{shape}</geometry></collision>'))


SDF_LIMIT = "<limit><lower>-9</lower><upper>9</upper></limit>"
TALL = "<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz>%s</inertia>"
FIXED = '<joint name="j" type="fixed"><parent>base</parent><child>tip</child></joint>'
AXIS2 = "".join(f"<{tag}><xyz>{xyz}</xyz><limit><lower>-9</lower><upper>9</upper></limit></{tag}>"
                for tag, xyz in (("axis", "1 0 0"), ("axis2", "0 1 0")))
SDF = {
    "frame-relative-to": Case(
        model("1.7", body("base"), '<frame name="f"><pose>0 0 1 0 0 0</pose></frame>',
              body("tip", pose='<pose relative_to="f">0 0 2 0 0 0</pose>'), FIXED), ("height", "tip"), 3),
    "frame-attached-to-posed": Case(
        model("1.9", body("base"), body("tip"), FIXED.replace("<parent>", "<pose>0.5 0 0 0 0 0</pose><parent>"),
              '<frame name="f" attached_to="j"><pose relative_to="base">0.1 0 0 0 0 0</pose></frame>'),
        ("slide", "f"), 0.1),
    "pose-quaternion": Case(
        model("1.9", body("base"), body("tip", pose='<pose rotation_format="quat_xyzw">0 0 1 0 0 0.6 0.8</pose>'),
              FIXED), ("turn", "tip"), 2 * math.acos(0.8)),
    "pose-degrees": Case(
        model("1.9", body("base"), body("tip", pose='<pose degrees="true">0 0 1 0 0 90</pose>'), FIXED),
        ("turn", "tip"), math.pi / 2),
    "nested-model": Case(
        model("1.6", body("base"), f'<model name="inner">{body("inside")}</model>'), ("total", ""), 2),
    "link-without-inertial": Case(model("1.6", '<link name="base"/>'), ("masses", "base"), 1),
    "auto-inertial": Case(
        model("1.11", '<link name="base"><inertial auto="true"/><collision name="c"><density>3000</density><geometry>'
              '<box><size>0.1 0.1 0.1</size></box></geometry></collision></link>'), ("masses", "base"), 3),
    "mimic": Case(
        model("1.11", body("base"), body("a"), body("b"), *[
            f'<joint name="j{name}" type="prismatic"><parent>base</parent><child>{name}</child><axis><xyz>1 0 0</xyz>'
            f'{more}<limit><lower>-9</lower><upper>9</upper></limit></axis></joint>' for name, more in (("a", ""), (
                "b", '<mimic joint="ja"><multiplier>-2</multiplier><offset>0.3</offset><reference>0</reference>'
                     '</mimic>'))]), ("couples", ""), True),
    "revolute-without-limits": Case(linked("revolute", "<axis><xyz>1 0 0</xyz></axis>"), ("loads", ""), True),
    "joint-continuous": Case(linked("continuous", "<axis><xyz>1 0 0</xyz></axis>", "1.7"), ("loads", ""), True),
    "joint-ball": Case(linked("ball", ""), ("loads", ""), True),
    "joint-universal": Case(linked("universal", AXIS2), ("loads", ""), True),
    "joint-revolute2": Case(linked("revolute2", AXIS2), ("loads", ""), True),
    "joint-screw": Case(linked("screw"), ("loads", ""), True),
    "joint-fixed-to-world": Case(
        model("1.6", body("base"), '<joint name="w" type="fixed"><parent>world</parent><child>base</child></joint>'),
        ("loads", ""), True),
    "shape-ellipsoid": Case(solid("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "1.8"), ("loads", ""), True),
    "shape-cone": Case(solid("<cone><radius>1</radius><length>2</length></cone>", "1.11"), ("sizes", "base"),
                       [2, 2, 2]),
    "shape-polyline": Case(
        solid("<polyline><point>0 0</point><point>1 0</point><point>0 2</point><height>3</height></polyline>"),
        ("sizes", "base"), [1, 2, 3]),
    "screw-thread-pitch": Case(linked("screw", "<screw_thread_pitch>0.5</screw_thread_pitch><axis><xyz>1 0 0</xyz>"
                                      "</axis>", "1.10"), ("pitches", "j"), 0.5),
    "universal-joint-limits": Case(linked("universal", AXIS2), ("limits", "j"), [-9, 9, -9, 9]),
    "screw-joint-limits": Case(linked("screw"), ("limits", "j"), [-9, 9]),
    "joint-pose": Case(linked("revolute", f"<pose>-0.5 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz>{SDF_LIMIT}</axis>"),
                       ("slide", "tip"), -0.5 + 0.5 * math.cos(0.7), {"j": 0.7}),
    "use-parent-model-frame": Case(
        linked("prismatic", f"<axis><xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>{SDF_LIMIT}"
               "</axis>").replace('name="tip">', 'name="tip"><pose>0 0 0 0 0 1.5707963267948966</pose>'),
        ("slide", "tip"), 0.1, {"j": 0.1}),
    "static-true": Case(model("1.6", "<static>true</static>", body("base")), ("falls", "base"), False),
    "gravity-false": Case(model("1.6", body("base", "<gravity>false</gravity>")), ("falls", "base"), False),
    "kinematic-true": Case(model("1.6", body("base", "<kinematic>true</kinematic>")), ("falls", "base"), False),
    "velocity-decay": Case(model("1.6", body("base", "<velocity_decay><linear>50</linear></velocity_decay>")),
                           ("coasts", "base"), False),
    "inertia": Case(model("1.6", f'<link name="base"><inertial><mass>1</mass>{TALL}</inertial></link>')
                    % "<ixy>0</ixy><ixz>0</ixz><iyz>0</iyz>", ("tensors", "base"), [1, 2, 2.5, 0, 0, 0]),
    "inertia-without-products": Case(
        model("1.6", f'<link name="base"><inertial><mass>1</mass>{TALL % ""}</inertial></link>'), ("tensors", "base"),
        [1, 2, 2.5, 0, 0, 0]),
    "mass-without-tensor": Case(
        model("1.7", '<link name="base"><inertial><mass>5</mass></inertial></link>'), ("masses", "base"), 5),
    "version-1.6": Case(model("1.6", body("base")), ("loads", ""), True),
    "version-1.7": Case(model("1.7", body("base")), ("loads", ""), True),
    "version-1.12": Case(model("1.12", body("base")), ("loads", ""), True),
}
_CORNERS = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
            ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
STL = b" " * 80 + struct.pack("<I", 4) + b"".join(
    struct.pack("<12fH", 0, 0, 0, *[x for corner in face for x in corner], 0) for face in _CORNERS)
FILES = {"t.obj": OBJ.encode(), "t.dae": DAE.encode(), "t.stl": STL}
CASES = {"urdf": URDF, "sdf": SDF}
