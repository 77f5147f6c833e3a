"""Debian's libsdformat as the judge of what we write; skips where it is not installed."""
import shutil
import subprocess
from pathlib import Path

import pytest
from urdf_text import joint, link, robot
from written_text import convert_text

from sdf_frames.convert.urdf_to_sdf import ConvertOptions

MODELS = Path(__file__).parent.parent / "models"
IGN = shutil.which("ign")
pytestmark = pytest.mark.skipif(IGN is None,
                                reason="ign (Debian package ignition-tools, with libsdformat-dev) is not installed")


def judge(text: str, path) -> str:
    path.write_text(text)
    done = subprocess.run([IGN, "sdf", "-k", str(path)], capture_output=True, text=True, timeout=60)
    return done.stdout.strip() if "Valid" in done.stdout else done.stdout + done.stderr


@pytest.mark.parametrize("name", ["fixed_lumped", "fixed_preserved", "moving_as_printed", "moving_preserved_below",
                                  "moving_lumped_below", "force_torque"])
def test_examples_load(name, tmp_path):
    text, _, _ = convert_text((MODELS / "massless" / f"{name}.urdf").read_bytes())
    assert "Valid" in judge(text, tmp_path / "robot.sdf")


def test_floating_joint_and_kept_massless_link_load(tmp_path):
    text, _, _ = convert_text(
        robot(link("world"), link("base", 1), link("hub"), link("hand", 1), joint("free", "floating", "world", "base"),
              joint("hub", "continuous", "base", "hub"), joint("k", "continuous", "hub", "hand")),
        options=ConvertOptions(massless="keep"))
    assert "Valid" in judge(text, tmp_path / "robot.sdf")
