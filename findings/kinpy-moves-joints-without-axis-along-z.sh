#!/bin/sh
# kinpy 0.6.1 moves a joint without <axis> along z. URDF's default is "1 0 0"; the parser of ROS and most other programs
# use it. The carriage below should move 0.1 m along x.
#
# Seen (0.6.1): 0 0 0.1
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check kinpy==0.6.1
cat > "$folder/slide.urdf" <<'URDF'
<robot name="slide">
  <link name="base"/>
  <link name="carriage"/>
  <joint name="slide" type="prismatic">
    <parent link="base"/><child link="carriage"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
URDF
cat > "$folder/move.py" <<'PYTHON'
"""Print the position of the carriage with the joint at 0.1 m."""
import sys
from pathlib import Path

import kinpy

chain = kinpy.build_chain_from_urdf(Path(sys.argv[1]).read_text())
print(*(f"{value:.6g}" for value in chain.forward_kinematics({"slide": 0.1})["carriage"].pos))
PYTHON
"$folder/venv/bin/python" "$folder/move.py" "$folder/slide.urdf" | tee "$folder/seen"
echo "0 0 0.1" | diff - "$folder/seen"
