"""urdfdom 6's own check_urdf, which comes with Pinocchio (pip install pin), on what versions of URDF differ in."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")

sys.path.insert(0, str(Path(__file__).parents[1] / "urdf"))
from test_versions import DROPPED, REFUSED, VERSIONS, write  # noqa: E402

HOME = next((Path(p) for p in map(Path(pinocchio.__file__).parents.__getitem__, range(6))
             if (p / "bin" / "check_urdf").exists()), None)


@pytest.mark.skipif(HOME is None, reason="this Pinocchio has no check_urdf")
@pytest.mark.parametrize("version", VERSIONS)
def test_urdfdom_refuses_what_the_table_says(version, tmp_path):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(HOME / "lib")}
    refused = []
    for content in REFUSED:
        (tmp_path / "r.urdf").write_text(write(content, version))
        if subprocess.run([HOME / "bin" / "check_urdf", tmp_path / "r.urdf"], env=environment, capture_output=True
                          ).returncode:
            refused.append(content)
    assert refused == [content for content, versions in REFUSED.items() if version in versions]


@pytest.mark.parametrize("version", VERSIONS)
def test_urdfdom_drops_the_shapes_that_the_table_says(version):
    """And the box behind them."""
    dropped = []
    for content in DROPPED:
        box = '<geometry><box size="1 1 1"/></geometry>'
        text = write(f'<link name="a"><visual>{content}</visual><visual>{box}</visual></link>', version)
        shapes = pinocchio.buildGeomFromUrdfString(pinocchio.buildModelFromXML(text), text,
                                                   pinocchio.GeometryType.VISUAL)
        assert shapes.ngeoms in (0, 2)
        if not shapes.ngeoms:
            dropped.append(content)
    assert dropped == [content for content, versions in DROPPED.items() if version in versions]
