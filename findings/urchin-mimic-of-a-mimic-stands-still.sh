#!/bin/sh
# urchin 0.0.30 computes a joint that mimics another mimic joint as if that joint were at 0, without a warning. Below,
# the leader is at 0.1 m, "follower" is at twice the leader, and "last" at twice the follower: the links should be at
# 0.1, 0.2 and 0.4 m.
#
# Seen (0.0.30): 0.1 0.2 0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check urchin==0.0.30
cat > "$folder/gripper.urdf" <<'URDF'
<robot name="gripper">
  <link name="palm"/>
  <link name="first_finger"/>
  <link name="second_finger"/>
  <link name="third_finger"/>
  <joint name="leader" type="prismatic">
    <parent link="palm"/><child link="first_finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="follower" type="prismatic">
    <parent link="palm"/><child link="second_finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="leader" multiplier="2"/>
  </joint>
  <joint name="last" type="prismatic">
    <parent link="palm"/><child link="third_finger"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="follower" multiplier="2"/>
  </joint>
</robot>
URDF
cat > "$folder/move.py" <<'PYTHON'
"""Print the x of the three fingers with the leader at 0.1 m."""
import sys

from urchin import URDF

poses = URDF.load(sys.argv[1]).link_fk(cfg={"leader": 0.1}, use_names=True)
print(*(f"{poses[f'{finger}_finger'][0, 3]:.6g}" for finger in ("first", "second", "third")))
PYTHON
"$folder/venv/bin/python" -W ignore::DeprecationWarning "$folder/move.py" "$folder/gripper.urdf" | tee "$folder/seen"
echo "0.1 0.2 0" | diff - "$folder/seen"
