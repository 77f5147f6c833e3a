#!/bin/sh
# Drake 1.51.1 places an SDFormat <frame> wrongly if the frame that it is attached to comes later in the file. In
# SDFormat the order of frames has no meaning: "front" is 1 m along x from the link in both models below, because its
# <pose> is relative to the link. Nothing is reported.
#
# Seen (1.51.1): the base declared first: 1 0 0; the base declared last: 1 -5 0
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check drake==1.51.1
cat > "$folder/place.py" <<'PYTHON'
"""Print where Drake has the frame "front", with the frame that it is attached to declared before and after it."""
import logging

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

logging.getLogger("drake").setLevel(logging.ERROR)
MODEL = '<sdf version="1.9"><model name="m"><link name="a"/>{}{}</model></sdf>'
BASE = '<frame name="base" attached_to="a"><pose>0 5 0 0 0 0</pose></frame>'
FRONT = '<frame name="front" attached_to="base"><pose relative_to="a">1 0 0 0 0 0</pose></frame>'

for order, frames in (("first", (BASE, FRONT)), ("last", (FRONT, BASE))):
    plant = MultibodyPlant(0.001)
    Parser(plant).AddModelsFromString(MODEL.format(*frames), "sdf")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    pose = plant.GetFrameByName("front").CalcPose(context, plant.GetFrameByName("a"))
    print(f"the base declared {order}:", *(f"{value:.6g}" for value in pose.translation()))
PYTHON
"$folder/venv/bin/python" "$folder/place.py" | tee "$folder/seen"
printf '%s\n' 'the base declared first: 1 0 0' 'the base declared last: 1 -5 0' | diff - "$folder/seen"
