#!/bin/sh
# Drake 1.51.1 makes frames of its own from the names of joints: NAME_child for each joint, and NAME_parent unless that
# is at the origin of the parent link. It refuses an SDFormat file in which a <frame> has such a name, which SDFormat
# does not reserve. Both frames are in the model of the child link: in a nested model, the same names are no obstacle
# to a joint whose child is outside.
#
# Seen (1.51.1): elbow_parent: refused; elbow_child: refused; elbow_frame: loaded; elbow_child in the hand: loaded
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check drake==1.51.1
cat > "$folder/load.py" <<'PYTHON'
"""Load an arm with a frame of each name."""
import logging

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

logging.getLogger("drake").setLevel(logging.ERROR)
ARM = """<sdf version="1.9"><model name="arm"><link name="upper"/><link name="lower"><pose>1 0 0 0 0 0</pose></link>
<joint name="elbow" type="revolute"><parent>{}</parent><child>lower</child><axis><xyz>0 0 1</xyz></axis></joint>
{}</model></sdf>"""
HAND = '<model name="hand"><link name="palm"/><frame name="elbow_child"/></model>'
CASES = {f"elbow_{end}": ("upper", f'<frame name="elbow_{end}"/>') for end in ("parent", "child", "frame")}
for name, (parent, inside) in {**CASES, "elbow_child in the hand": ("hand::palm", HAND)}.items():
    plant = MultibodyPlant(0.001)
    try:
        Parser(plant).AddModelsFromString(ARM.format(parent, inside), "sdf")
        print(f"{name}: loaded")
    except RuntimeError as error:
        assert "already contains a frame named" in str(error), error
        print(f"{name}: refused")
PYTHON
"$folder/venv/bin/python" "$folder/load.py" | tee "$folder/seen"
printf '%s\n' 'elbow_parent: refused' 'elbow_child: refused' 'elbow_frame: loaded' 'elbow_child in the hand: loaded' |
    diff - "$folder/seen"
