"""The mends: what people write in the wrong place, or under another name, and what to write instead.

Other hints come from the tables of the formats: similar names, and the elements that may hold an element.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sdf_frames.diagnostics import LONGEST
from sdf_frames.document.elements import Element

SDF, URDF = "sdf", "urdf"


class Mend(NamedTuple):
    """What to do about an element or attribute that its format does not have there.

    Attributes
    ----------
    hint : what to write; ``{text}`` is the text of the element or the value of the attribute, ``{attributes}`` the
        attributes of the element, ``{link}`` the name of the link or joint around it, ``{filename}`` an attribute.
    source : the file that shows that readers ignore it, or once read it.
    meant : the tag or attribute of the same parent that it stands for; "" if there is none.
    """

    hint: str
    source: str
    meant: str = ""


_MODEL_AXIS = ('until SDFormat 1.6; since 1.7 write <xyz expressed_in="__model__"> where it is true, '
               "and nothing where it is false")
_LIMIT = ("libsdformat read it from URDFs until version 5, without any effect; "
          "<physics><ode><limit> has <cfm> and <erp>, a URDF's <gazebo> block <stopCfm> and <stopErp>")
_PARSER_URDF = "sdformat 5, src/parser_urdf.cc"
_EXTENSIONS = "sdformat, src/parser_urdf.cc"
_SURFACE = "sdformat, sdf/1.12/surface.sdf"
_XSD = "urdfdom, xsd/urdf.xsd"
_PYBULLET = Mend("leave it for PyBullet, which reads it; Gazebo and Drake do not",
                 "bullet3, examples/Importers/ImportURDFDemo/UrdfParser.cpp")
_LINK_POSE = Mend("the pose of a link is the <origin> of the joint that it is the child of: move it there", _XSD)
_CONTROL = Mend("move it below <robot>: controller_manager and its hardware read it only there",
                "ros2_control, hardware_interface/src/component_parser.cpp")
_FRAME_ID = "write <gz_frame_id>{text}</gz_frame_id>"
_FROM_GAZEBO = 'Gazebo takes it from <gazebo reference="{link}">: write <{tag}>{text}</{tag}> there'

_OF_SDF = {
    ("sensor", "ignition_frame_id"): Mend(
        "only Fortress and Garden read it: write <gz_frame_id>, which they and all later releases of Gazebo read",
        "sensor_ids.py"),
    **{("sensor", tag): Mend(f"plugins of Gazebo Classic read it; for the sensor of a new Gazebo, {_FRAME_ID}",
                             "gazebo_ros_pkgs, gazebo_plugins/src")
       for tag in ("frameName", "frame_name", "frameId", "frameID")},
    **{(tag, "frame_id"): Mend(f"{_FRAME_ID} into <sensor>, or since SDFormat 1.12 <frame_id>",
                               "sdformat, sdf/1.12/sensor.sdf") for tag in ("lidar", "ray", "imu", "gps", "navsat")},
    ("imu", "noise"): Mend(
        "until SDFormat 1.5; since 1.6 each axis of <angular_velocity> and <linear_acceleration> has a <noise>",
        "sdformat, sdf/1.6/1_5.convert"),
    ("imu", "topic"): Mend("until SDFormat 1.6; the sensor itself has a <topic>", "sdformat, sdf/1.6/imu.sdf"),
    **{(axis, "use_parent_model_frame"): Mend(_MODEL_AXIS, "sdformat, sdf/1.7/1_6.convert")
       for axis in ("axis", "axis2")},
    ("joint", "use_parent_model_frame"): Mend(f"its place was <axis>, {_MODEL_AXIS}", "sdformat, sdf/1.7/1_6.convert"),
    **{(axis, "initial_position"): Mend("until SDFormat 1.8", "sdformat, sdf/1.8/joint.sdf")
       for axis in ("axis", "axis2")},
    **{(parent, "frame"): Mend(
        "only SDFormat 1.5 and 1.6 had it here; since 1.7 write the model's <frame>, and <pose relative_to>",
        "sdformat, sdf/1.6/frame.sdf")
       for parent in ("actor", "audio_source", "camera", "collision", "inertial", "joint", "light", "link",
                      "population", "projector", "visual")},
    **{("auto_inertia_params", tag): Mend(
        f"of Gazebo's own parameters, the name is <gz:{tag}>", "the automatic-inertia proposal")
       for tag in ("method", "voxel_size")},
    ("mesh", "filename"): Mend(
        "its name is <uri>; <filename> was deprecated in SDFormat 1.2", "sdformat, sdf/1.2/geometry.sdf"),
    ("geometry", "filename"): Mend("write <mesh><uri>{text}</uri></mesh>", "sdformat, sdf/1.12/geometry.sdf"),
    ("geometry", "uri"): Mend("write <mesh><uri>{text}</uri></mesh>", "sdformat, sdf/1.12/geometry.sdf"),
    ("material", "texture"): Mend(
        "write <pbr><metal><albedo_map>{filename}</albedo_map></metal></pbr>", "sdformat, sdf/1.12/material.sdf"),
    **{("inertia", tag): Mend(f"the tensor is symmetric: write <{name}>", "sdformat, sdf/1.12/inertial.sdf")
       for tag, name in (("iyx", "ixy"), ("izx", "ixz"), ("izy", "iyz"))},
    ("collision", "material"): Mend(
        "<material> belongs in a <visual> of the link", "sdformat, sdf/1.12/visual_shape.sdf"),
    ("model", "gazebo"): Mend(
        "only URDF has <gazebo>: write its content into the link or joint that it names, <mu1> and <mu2> as <mu> and "
        "<mu2> into <surface><friction><ode> of each <collision>", _EXTENSIONS),
    **{("link", tag): Mend(
        f"a URDF's <gazebo reference> has it as <{tag}{'1' * (tag == 'mu')}>; in SDFormat, <mu> and <mu2> belong in "
        "<surface><friction><ode> of a <collision>", _EXTENSIONS) for tag in ("mu", "mu2")},
    **{(parent, tag): _CONTROL for parent in ("model", "link", "joint") for tag in ("ros2_control", "transmission")},
    ("inertial", "damping"): Mend(
        "<velocity_decay> of the link is its name since SDFormat 1.2", "sdformat, sdf/1.2/1_0.convert"),
    ("frame", "link"): Mend('write the name of the link as <frame attached_to="…">', "sdformat, sdf/1.12/frame.sdf"),
    ("include", "scale"): Mend(
        "an <include> scales no model: write <scale> into each <mesh> of the model",
        "sdformat, sdf/1.12/mesh_shape.sdf"),
    ("sdf", "robot"): Mend("a URDF has no <sdf> around its <robot>: remove <sdf> and </sdf>", _XSD),
    ("joint", "stopKp"): Mend(_LIMIT, _PARSER_URDF),
    ("joint", "stopKd"): Mend(_LIMIT, _PARSER_URDF),
    ("physics/ode", "provide_feedback"): Mend(
        "<provide_feedback> belongs in the joint's <physics>", "sdformat, sdf/1.7/joint.sdf"),
    ("joint", "initial_joint_position"): Mend(
        "only Gazebo before version 1 read it, from URDF", "ROS simulator_gazebo, gazebo_tools/src/urdf2model.cpp"),
    **{(parent, "dt"): Mend("since SDFormat 1.4 write <max_step_size> into <physics>", "sdformat, sdf/1.4/1_3.convert")
       for parent in ("solver", "bullet")},
    ("link", "contact"): _PYBULLET,
    **{("collision", name): _PYBULLET for name in ("concave", "group", "mask")},
    ("friction/ode", "max_vel"): Mend("<max_vel> belongs in <surface><contact><ode>", _SURFACE),
    ("friction/ode", "min_depth"): Mend("<min_depth> belongs in <surface><contact><ode>", _SURFACE),
}
_OF_URDF = {
    ("link", "pose"): _LINK_POSE, ("link", "origin"): _LINK_POSE,
    **{(parent, "pose"): Mend("write <origin {attributes}/>", _XSD, "origin")
       for parent in ("joint", "inertial", "visual", "collision")},
    ("robot", "plugin"): Mend("<plugin> belongs in <gazebo>", _EXTENSIONS),
    **{(parent, "plugin"): Mend('<plugin> belongs in <gazebo reference="{link}">', _EXTENSIONS)
       for parent in ("link", "joint")},
    ("link", "sensor"): Mend('<sensor> belongs in <gazebo reference="{link}">', _EXTENSIONS),
    ("collision", "surface"): Mend(
        '<surface> is SDFormat: write its <mu> and <mu2> as <mu1> and <mu2> into <gazebo reference="{link}">',
        _EXTENSIONS),
    **{(parent, tag): _CONTROL for parent in ("link", "joint") for tag in ("ros2_control", "transmission")},
    **{(parent, tag): Mend(_FROM_GAZEBO.replace("{tag}", tag), _EXTENSIONS) for parent, tags in (
        ("link", ("mu1", "mu2", "kp", "kd", "fdir1", "maxVel", "minDepth", "maxContacts", "gravity", "turnGravityOff",
                  "selfCollide", "dampingFactor", "laserRetro")),
        ("joint", ("provideFeedback", "implicitSpringDamper", "springStiffness", "springReference", "stopCfm",
                   "stopErp", "fudgeFactor", "preserveFixedJoint", "disableFixedJointLumping"))) for tag in tags},
    **{("joint", f"@{name}"): Mend(f'write <{name} link="{{text}}"/>', _XSD, name) for name in ("parent", "child")},
    ("joint", "@axis"): Mend('write <axis xyz="{text}"/>', _XSD, "axis"),
    ("inertial", "@mass"): Mend('write <mass value="{text}"/>', _XSD, "mass"),
    ("axis", "@rpy"): Mend("remove it: <origin> alone turns the axis", _XSD),
}
#: By format, parent (``a/b`` is a <b> in an <a>), and tag or ``@attribute``.
MENDS = {**{(SDF, *key): mend for key, mend in _OF_SDF.items()},
         **{(URDF, *key): mend for key, mend in _OF_URDF.items()}}


def spell_attributes(element: Element, names: Sequence[str]) -> str:
    """Return the attributes of an element as written; "" if they are longer than six numbers and their names."""
    if sum(len(name) + len(element.get(name, "")) for name in names) > 2 * LONGEST:
        return ""
    return " ".join([f'{name}="{element.get(name)}"' for name in names])


def find_mend(form: str, parents: tuple[str, ...], what: str, element: Element, text: str) -> Mend | None:
    """Return the mend for a child `element`, or for an ``@attribute`` of `element`, with its hint filled in."""
    mend = next((MENDS[form, parent, what] for parent in parents if (form, parent, what) in MENDS), None)
    if mend is None or "{" not in mend.hint:
        return mend
    attributes = spell_attributes(element, [str(key) for key in element.attrib])
    if "{text}" in mend.hint and not 0 < len(text.strip()) <= LONGEST or "{attributes}" in mend.hint and not attributes:
        return None
    around = next((e for e in element.iterancestors("link", "joint")), None)
    return mend._replace(hint=mend.hint.format(
        text=text, attributes=attributes, filename=element.get("filename", text)[:LONGEST],
        link="" if around is None else around.get("name", "")))
