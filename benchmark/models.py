"""What is measured: robots of the corpus beside the project, and generated families of any size."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"

ROBOTS = {
    "PR2": "PR2+pr2_common/xacro_expanded/pr2_description/robots/pr2.urdf",
    "iCub GazeboV2_5": "robotology+icub-models/iCub/robots/iCubGazeboV2_5/model.urdf",
    "Atlas v5": "osrf+drcsim/xacro_expanded/atlas_description/robots/atlas_v5.urdf",
    "Valkyrie": "gkjohnson+nasa-urdf-robots/val_description/model/robots/valkyrie_sim.urdf",
    "R2 C1": "gkjohnson+nasa-urdf-robots/r2_description/robots/r2c1.urdf",
    "ANYmal C": "ANYbotics+anymal_c_simple_description/urdf/anymal.urdf",
    "large_model": "ros-simulation+gazebo_ros_pkgs/xacro_expanded/gazebo_plugins/test2/large_models/large_model.urdf",
}
GEN3 = "Kinovarobotics+ros_kortex/kortex_description/arms/gen3/7dof/urdf/GEN3-7DOF-VISION_ARM_URDF_V12.urdf"


def find_robots() -> dict[str, Path]:
    """Those of :data:`ROBOTS` that are there."""
    return {name: CORPUS / path for name, path in ROBOTS.items() if (CORPUS / path).exists()}


_URDF_LINK = """  <link name="link_{0}">
    <inertial><origin xyz="0.01 0.02 0.03" rpy="0.1 0.2 0.3"/><mass value="1.5"/>
      <inertia ixx="0.1" ixy="0.001" ixz="0.002" iyy="0.12" iyz="0.003" izz="0.14"/></inertial>
    <visual><origin xyz="0 0 0.05" rpy="0 0 0"/><geometry><box size="0.1 0.1 0.1"/></geometry></visual>
    <collision><origin xyz="0 0 0.05" rpy="0 0 0"/><geometry>
      <cylinder radius="0.05" length="0.1"/></geometry></collision>
  </link>
"""
_URDF_JOINT = """  <joint name="joint_{0}" type="{1}"><parent link="link_{2}"/><child link="link_{0}"/>
    <origin xyz="0.1 0 0.1" rpy="0.1 0 0.2"/>{3}</joint>
"""
_LIMITED = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="2"/>'


def _robot(n: int, parent_of: Callable[[int], int], type_of: Callable[[int], str]) -> str:
    joints = [_URDF_JOINT.format(i, kind, parent_of(i), "" if kind == "fixed" else _LIMITED)
              for i in range(1, n) for kind in [type_of(i)]]
    return f'<robot name="generated">\n{"".join(_URDF_LINK.format(i) for i in range(n))}{"".join(joints)}</robot>\n'


URDF_FAMILIES: dict[str, Callable[[int], str]] = {
    "chain, all fixed": lambda n: _robot(n, lambda i: i - 1, lambda i: "fixed"),
    "chain, alternating": lambda n: _robot(n, lambda i: i - 1, lambda i: "fixed" if i % 2 else "revolute"),
    "chain, all revolute": lambda n: _robot(n, lambda i: i - 1, lambda i: "revolute"),
    "star, all fixed": lambda n: _robot(n, lambda i: 0, lambda i: "fixed"),
    "star, all revolute": lambda n: _robot(n, lambda i: 0, lambda i: "revolute"),
}

_LINK = (
    '<link name="{}"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>')
_POSE = "<pose>0.1 0 0.2 0.1 0 0.3</pose>"


_BASE = _LINK.format("base")
_MODEL = (f'    <model name="n{{}}">{_POSE}{_BASE}<link name="arm">{_POSE}</link><joint name="j" type="revolute">'
          "<parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint></model>\n")


def _sdf(body: str) -> str:
    return f'<?xml version="1.0"?>\n<sdf version="1.9">\n{body}</sdf>\n'


def _frames(n: int, parent_of: Callable[[int], str]) -> str:
    frames = (f'    <frame name="f{i}" attached_to="{parent_of(i)}">{_POSE}</frame>\n' for i in range(n))
    return _sdf(f'  <model name="m">\n    {_BASE}\n{"".join(frames)}  </model>\n')


def _nested_siblings(n: int) -> str:
    models = (f'    <model name="n{i}">{_POSE}{_BASE}<frame name="f">{_POSE}</frame></model>\n' for i in range(n))
    return _sdf(f'  <model name="m">\n    {_BASE}\n{"".join(models)}  </model>\n')


def _nested_deep(n: int) -> str:
    return _sdf("".join(f'<model name="n{i}">{_POSE}{_BASE}\n' for i in range(n)) + "</model>" * n + "\n")


SDF_FAMILIES: dict[str, Callable[[int], str]] = {
    "frames, chained": lambda n: _frames(n, lambda i: f"f{i - 1}" if i else "base"),
    "frames, flat": lambda n: _frames(n, lambda i: "base"),
    "models, nested side by side": _nested_siblings,
    "models, nested in each other": _nested_deep,
    "world of models": lambda n: _sdf(f'  <world name="w">\n{"".join(map(_MODEL.format, range(n)))}  </world>\n'),
}
# Depth of XML is bounded: libsdformat's parser takes 100 levels, libxml2 256 unless told to trust the text.
DEEP_SIZES = {"models, nested in each other": [10, 90, 200]}
