#!/bin/sh
# Pinocchio 4.1.0 reads URDF with urdfdom 6.0.0. If a blank follows one number of <inertia>, the model keeps the link's
# mass and centre of mass with a tensor of zero, and the link has no shapes. An error is printed, and none is raised.
# XML Schema's xs:double, the type of these attributes in urdf.xsd, allows white space around a number.
#
# Seen (pin 4.1.0, cmeel-urdfdom 6.0.0): the second line below
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pin==4.1.0 cmeel-urdfdom==6.0.0
cat > "$folder/read.py" <<'PYTHON'
"""Print mass, moments and number of collisions of a link, with ixx written without and with a blank behind it."""
import pinocchio as pin

ROBOT = """<robot name="r"><link name="l">
  <inertial><mass value="2"/><inertia ixx="{}" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/></inertial>
  <collision><geometry><sphere radius="0.1"/></geometry></collision>
</link></robot>"""
for ixx in ("0.3", "0.3 "):
    text = ROBOT.format(ixx)
    model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    body = model.inertias[1]
    shapes = pin.buildGeomFromUrdfString(model, text, pin.GeometryType.COLLISION)
    print(f"{body.mass:g} kg,", *[f"{moment:g}" for moment in body.inertia.diagonal()], f"kg m2, {shapes.ngeoms} shapes")
PYTHON
"$folder/venv/bin/python" "$folder/read.py" 2>/dev/null | tee "$folder/seen"
printf '%s\n' "2 kg, 0.3 0.3 0.3 kg m2, 1 shapes" "2 kg, 0 0 0 kg m2, 0 shapes" | diff - "$folder/seen"
