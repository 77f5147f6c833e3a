"""What the tests of inertia share."""
from pathlib import Path

MODELS = Path(__file__).resolve().parents[1] / "models" / "inertia"
AUTO = '<inertial auto="true"/>'


def codes(result) -> list:
    """Codes of a result's findings, in order."""
    return [d.code for d in result.diagnostics]
