#!/bin/sh
# Drake refuses the <state> that Gazebo Classic writes into each saved world, although SDFormat 1.7, the version of the
# file, defines <state><model>. Drake 1.33.0 ignores the <state>, and loads the file.
#
# Seen: 1.33.0: loaded 1 model; 1.51.1: refused, "XML Element[model], child of element[state], not defined in SDF"
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/hall.sdf" <<'XML'
<sdf version="1.7">
  <world name="hall">
    <model name="box"><link name="body"/></model>
    <state world_name="hall">
      <model name="box"><pose>1 0 0 0 0 0</pose></model>
    </state>
  </world>
</sdf>
XML
cat > "$folder/load.py" <<'PYTHON'
"""Load a world and say what came of it."""
import logging
import sys

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

logging.getLogger("drake").setLevel(logging.ERROR)
plant = MultibodyPlant(0.001)
try:
    print(f"{sys.argv[2]}: loaded {len(Parser(plant).AddModels(sys.argv[1]))} model")
except RuntimeError as error:
    print(f"{sys.argv[2]}: refused, {str(error)[str(error).index('XML Element'):].partition('.')[0]}")
PYTHON
for version in 1.33.0 1.51.1; do
    python3 -m venv --clear "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "drake==$version" "numpy<2"
    "$folder/venv/bin/python" "$folder/load.py" "$folder/hall.sdf" "$version"
done | tee "$folder/seen"
printf '%s\n' '1.33.0: loaded 1 model' \
    '1.51.1: refused, XML Element[model], child of element[state], not defined in SDF' | diff - "$folder/seen"
