#!/bin/sh
# scikit-robot 0.4.7 changes three parts of a URDF without a warning:
# 1. A revolute joint whose <limit> has no lower and upper gets limits of -90 and 90 degrees
#    (URDF: the default of both is 0; most programs use 0, or no limit).
# 2. The rpy of <inertial><origin> is ignored: the moments 1, 2 and 2.5 along axes rotated by 90 degrees about z stay
#    1, 2 and 2.5 along the axes of the link (URDF: 2, 1 and 2.5).
# 3. A link without <inertial> has a mass of 1 g and moments of 1e-6 kg m².
#
# Seen (0.4.7): limits -1.5708 1.5708 / moments 1 2 2.5 / mass of the tool 0.001, moments 1e-06 1e-06 1e-06
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scikit-robot==0.4.7
cat > "$folder/arm.urdf" <<'URDF'
<robot name="arm">
  <link name="base"/>
  <link name="upper_arm">
    <inertial>
      <origin rpy="0 0 1.5707963267948966"/>
      <mass value="1"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper_arm"/><axis xyz="0 0 1"/><limit effort="10" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="upper_arm"/><child link="tool"/></joint>
</robot>
URDF
cat > "$folder/show.py" <<'PYTHON'
"""Print limits, moments and masses in scikit-robot."""
import sys

from skrobot.models.urdf import RobotModelFromURDF

robot = RobotModelFromURDF(urdf_file=sys.argv[1])
links = {link.name: link for link in robot.link_list}
shoulder = next(joint for joint in robot.joint_list if joint.name == "shoulder")


def show(*words):
    print(*(word if isinstance(word, str) else f"{word:.6g}" for word in words))


show("limits", shoulder.min_angle, shoulder.max_angle)
show("moments", *links["upper_arm"].inertia_tensor.diagonal())
show("tool", links["tool"].mass, *links["tool"].inertia_tensor.diagonal())
PYTHON
"$folder/venv/bin/python" "$folder/show.py" "$folder/arm.urdf" | tee "$folder/seen"
diff - "$folder/seen" <<'SEEN'
limits -1.5708 1.5708
moments 1 2 2.5
tool 0.001 1e-06 1e-06 1e-06
SEEN
