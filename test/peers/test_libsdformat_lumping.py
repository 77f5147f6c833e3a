"""libsdformat 12 refuses the robots that check says it cannot lump, and loads what this project makes of them."""
import json

import pytest
from lumped_robots import LUMPED
from programs import Program
from test_behaviours import ASK, HOME

import sdf_frames as sf

SOURCE = HOME / "libsdformat12==12.3.0"


@pytest.fixture(scope="module")
def libsdformat():
    if not (SOURCE / "ready").exists():
        pytest.skip("libsdformat 12 is missing (make peers, on Debian 12)")
    process = Program((SOURCE / "bin" / "python").absolute(), ASK, "fortress", PYTHONPATH="")
    yield lambda file: "seen" in process.ask(json.dumps([str(file), "loads", "", {}]))
    process.end()


@pytest.mark.parametrize("name", LUMPED)
def test_lumping(name, libsdformat, tmp_path):
    text, is_loaded = LUMPED[name]
    (tmp_path / "r.urdf").write_text(text)
    (tmp_path / "r.sdf").write_text(sf.loads(text).to_sdf())
    assert is_loaded is None or libsdformat(tmp_path / "r.urdf") == is_loaded
    assert libsdformat(tmp_path / "r.sdf")
