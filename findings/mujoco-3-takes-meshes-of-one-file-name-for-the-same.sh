#!/bin/sh
# MuJoCo 3.13.0 loads a URDF in which two links use the files left/part.obj and right/part.obj: both links get the mesh
# of the first file, without a message. The whole paths are used to find the files (strippath="false", the default since
# 3.7), but the name of a mesh is the name of its file without folder and suffix. part.obj and part.stl in one folder
# are mixed up, too. MuJoCo 4.0.0 keeps them apart.
#
# Seen (half sizes of the two boxes, which are 0.1 m and 0.3 m): 3.13.0: 0.05 0.05; 4.0.0: 0.05 0.15
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/load.py" <<'PYTHON'
"""Write the robot and its two boxes, and print the half sizes that MuJoCo has."""
import sys
from pathlib import Path

import mujoco

FACES = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
LINK = '<link name="{0}">{1}<collision><geometry><mesh filename="{0}/part.obj"/></geometry></collision></link>'

here = Path(sys.argv[1])
for name, side in (("left", 0.1), ("right", 0.3)):
    corners = [(x, y, z) for x in (0, side) for y in (0, side) for z in (0, side)]
    (here / name).mkdir(exist_ok=True)
    (here / name / "part.obj").write_text("".join(
        [f"v {x} {y} {z}\n" for x, y, z in corners]
        + [f"f {a} {b} {c}\nf {a} {c} {d}\n" for a, b, c, d in FACES]))
(here / "robot.urdf").write_text(
    '<robot name="r"><mujoco><compiler strippath="false"/></mujoco>'
    + LINK.format("left", INERTIAL) + LINK.format("right", INERTIAL)
    + '<joint name="j" type="continuous"><parent link="left"/><child link="right"/></joint></robot>')
model = mujoco.MjModel.from_xml_path(str(here / "robot.urdf"))
print(f"{mujoco.__version__}:", *(f"{model.geom(i).size[0]:.6g}" for i in range(model.ngeom)))
PYTHON
for version in 3.13.0 4.0.0; do
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check "mujoco==$version"
    "$folder/$version/bin/python" "$folder/load.py" "$folder"
done | tee "$folder/seen"
printf '%s\n' '3.13.0: 0.05 0.05' '4.0.0: 0.05 0.15' | diff - "$folder/seen"
