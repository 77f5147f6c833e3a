"""Where the tests import the package from, and how Hypothesis draws.

Hypothesis draws the same examples each time, or, with HYPOTHESIS_PROFILE=search, many new ones.
"""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The sources come before what is installed, which adds the generated messages to them (pytest 6 has no `pythonpath`).
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Fixtures of these tests are folders and readers, which one example may take over from the last.
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("search", settings.get_profile("ci"), derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long value by its argument: a list of tests is short, and the same in processes that run side by side."""
    return argname if isinstance(val, str | bytes) and len(val) > 80 else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Run files with many tests and files with few in turn: the few mostly wait, for nodes and other processes."""
    from xdist.scheduler import LoadFileScheduling

    class InTurn(LoadFileScheduling):
        few = False

        def _assign_work_unit(self, node: object) -> None:
            if self.few:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            self.few = not self.few
            super()._assign_work_unit(node)

    return InTurn(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Leave the list of tests, which is large and stays, out of every garbage collection: a sixth of the time."""
    gc.collect()
    gc.freeze()
