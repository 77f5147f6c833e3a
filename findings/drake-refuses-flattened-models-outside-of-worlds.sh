#!/bin/sh
# Gazebo Classic wrote nested models "flattened": link palm of the nested model hand became a link hand::palm of the
# outer model, which SDFormat 1.7 and older allow. libsdformat makes nested models of them again in a world. In a file
# with one model and no world, it does not, and Drake 1.51.1 refuses the file as soon as a joint, a frame or the model
# itself refers to such a link: it looks for the model hand. Without such a reference, it loads it.
#
# Seen: in a world: loaded     joint: refused     frame: refused     first link: refused     alone: loaded
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check drake==1.51.1
cat > "$folder/load.py" <<'PYTHON'
"""Load a model with the link hand::palm."""
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

ARM, PALM = '<link name="arm"/>', '<link name="hand::palm"/>'
JOINT = '<joint name="wrist" type="fixed"><parent>arm</parent><child>hand::palm</child></joint>'
MODEL = '<model name="robot">{}</model>'
for name, text in {
        "in a world": f'<world name="w">{MODEL.format(ARM + PALM + JOINT)}</world>',
        "joint": MODEL.format(ARM + PALM + JOINT),
        "frame": MODEL.format(ARM + PALM + '<frame name="grasp" attached_to="hand::palm"/>'),
        "first link": MODEL.format(PALM + ARM),
        "alone": MODEL.format(ARM + PALM)}.items():
    plant = MultibodyPlant(0.001)
    try:
        Parser(plant).AddModelsFromString(f'<sdf version="1.7">{text}</sdf>', "sdf")
        plant.Finalize()
        print(f"{name}: loaded")
    except RuntimeError as error:
        print(f"{name}: refused" if "no model instance named 'robot::hand'" in str(error) else f"{name}: {error}")
PYTHON
"$folder/venv/bin/python" "$folder/load.py" | tee "$folder/seen"
diff - "$folder/seen" <<'SEEN'
in a world: loaded
joint: refused
frame: refused
first link: refused
alone: loaded
SEEN
