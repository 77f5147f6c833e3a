"""The file to source that `make setup` writes, with the ROS 2 from PyPI."""

import os
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / ".ros" / "setup.bash"


def test_libraries_of_an_overlay_come_first(tmp_path):
    if not SETUP.exists() or "SDF_FRAMES_WHEELS=1" not in SETUP.read_text():
        pytest.skip("this work tree does not use the ROS 2 from PyPI")
    show = "import os; print(os.environ['LD_LIBRARY_PATH'].split(':')[0])"
    script = (f'. {SETUP} && export LD_LIBRARY_PATH={tmp_path}:$LD_LIBRARY_PATH && '
              f'for i in 1 2 3 4 5; do python -c "{show}"; done')
    done = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True, check=True,
                          env={"PATH": os.defpath, "HOME": str(tmp_path)})
    assert done.stdout.split() == [str(tmp_path)] * 5
