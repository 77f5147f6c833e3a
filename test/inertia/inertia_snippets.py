"""What the tests of inertia share."""
from pathlib import Path

import numpy as np

MODELS = Path(__file__).resolve().parents[1] / "models" / "inertia"
AUTO = '<inertial auto="true"/>'
#: A cube of 1 m.
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], float)
FLOOR, LID = [(0, 2, 1), (0, 3, 2)], [(4, 5, 6), (4, 6, 7)]
WALLS = [(k, (k + 1) % 4, (k + 1) % 4 + 4) for k in range(4)] + [(k, (k + 1) % 4 + 4, k + 4) for k in range(4)]
CUBE = np.array(FLOOR + LID + WALLS)


def codes(result) -> list:
    """Codes of a result's findings, in order."""
    return [d.code for d in result.diagnostics]
