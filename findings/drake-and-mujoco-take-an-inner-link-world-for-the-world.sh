#!/bin/sh
# Drake 1.51.1 and MuJoCo 4.0.0 take a link of a URDF for the world if it is called "world", wherever it is in the tree,
# without a warning. URDF gives this name no meaning. Robots get such a link in their middle when a gripper whose file
# starts with <link name="world"/> is attached to an arm.
#
# The robot: base -(hinge)-> arm (1 kg) -(fixed, 1 m higher)-> world (no mass) -(fixed, 1 m higher)-> tool (1 kg).
# So the hinge turns 2 kg, and tool is 2 m above base, which nothing holds.
#
# Seen: Pinocchio 4.1.0  as above
#       Drake            tool is fixed to the world at z = 1, and the robot hangs on it: base is at z = -1, and there is
#                        one degree of freedom, not seven
#       MuJoCo           the hinge turns 1 kg: tool is part of the world
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/robot.py" <<'PYTHON'
"""Write the robot."""
import sys


def link(name):
    return (f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
            'iyz="0"/></inertial></link>')


def joint(name, kind, parent, child, z):
    return (f'<joint name="{name}" type="{kind}"><origin xyz="0 0 {z}"/><parent link="{parent}"/>'
            f'<child link="{child}"/><axis xyz="1 0 0"/></joint>')


print('<robot name="r">', link("base"), link("arm"), '<link name="world"/>', link("tool"),
      joint("hinge", "continuous", "base", "arm", 0), joint("a", "fixed", "arm", "world", 1),
      joint("b", "fixed", "world", "tool", 1), "</robot>", file=open(sys.argv[1], "w"))
PYTHON
cat > "$folder/ask.py" <<'PYTHON'
"""Print what each program makes of the robot."""
import sys

import mujoco
import pinocchio
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

model = pinocchio.buildModelFromUrdf(sys.argv[1])
data = model.createData()
pinocchio.framesForwardKinematics(model, data, pinocchio.neutral(model))
print(f"pinocchio {pinocchio.__version__}: hinge turns {model.inertias[1].mass:g} kg, "
      f"tool at z = {data.oMf[model.getFrameId('tool')].translation[2]:g}")

plant = MultibodyPlant(0.001)
Parser(plant).AddModels(sys.argv[1])
plant.Finalize()
context = plant.CreateDefaultContext()
X = [plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(name)).translation()[2] for name in ("base", "tool")]
print(f"drake: {plant.num_velocities()} degree of freedom, base at z = {X[0]:g}, tool at z = {X[1]:g}")

model = mujoco.MjModel.from_xml_path(sys.argv[1])
print(f"mujoco {mujoco.__version__}: {model.nbody} bodies, hinge turns {sum(model.body_mass[1:]):g} kg")
PYTHON
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check drake==1.51.1 mujoco==4.0.0 pin==4.1.0
"$folder/venv/bin/python" "$folder/robot.py" "$folder/robot.urdf"
"$folder/venv/bin/python" "$folder/ask.py" "$folder/robot.urdf" | tee "$folder/seen"
diff - "$folder/seen" <<'SEEN'
pinocchio 4.1.0: hinge turns 2 kg, tool at z = 2
drake: 1 degree of freedom, base at z = -1, tool at z = 1
mujoco 4.0.0: 2 bodies, hinge turns 1 kg
SEEN
