#!/bin/sh
# MuJoCo 3.13.0 ignores the rpy of <inertial><origin> in a URDF: it does not rotate the inertia of the link. MuJoCo
# 4.0.0 rotates the inertia. Masses, centres of mass and poses are the same; only the dynamics differ.
#
# The link has the moments 1, 2 and 2.5 kg m² along axes that are rotated by 90 degrees about z. Along the axes of the
# link, the moments are 2, 1 and 2.5 (URDF: the origin is the pose of the inertial frame in the link frame).
#
# Seen: 3.13.0  1 2 2.5     4.0.0  2 1 2.5     no warning from either
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/turned.urdf" <<'URDF'
<robot name="turned">
  <link name="base"/>
  <link name="turned">
    <inertial>
      <origin rpy="0 0 1.5707963267948966"/>
      <mass value="1"/>
      <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="free" type="floating"><parent link="base"/><child link="turned"/></joint>
</robot>
URDF
cat > "$folder/moments.py" <<'PYTHON'
"""Print the moments of inertia of the link about its own x, y and z axes, and MuJoCo's version."""
import sys

import mujoco
import numpy as np

model = mujoco.MjModel.from_xml_path(sys.argv[1])
body = model.body("turned").id
R = np.zeros(9)
mujoco.mju_quat2Mat(R, model.body_iquat[body])
R = R.reshape(3, 3)
tensor = R @ np.diag(model.body_inertia[body]) @ R.T
print(mujoco.__version__, *(f"{moment:.6g}" for moment in np.diag(tensor)))
PYTHON
for version in 3.13.0 4.0.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check "mujoco==$version" numpy
  "$folder/$version/bin/python" "$folder/moments.py" "$folder/turned.urdf" | tee -a "$folder/seen"
done
printf '3.13.0 1 2 2.5\n4.0.0 2 1 2.5\n' | diff - "$folder/seen"
