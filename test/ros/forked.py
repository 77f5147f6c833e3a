"""Nodes in processes of their own that begin with all that a node imports: half of what starting one costs.

They tell their state four times a second, and look as often at TF, so that tests need not wait a second for each.
"""

import multiprocessing
import os
import runpy
import signal
import sys
from importlib import import_module

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["ros.forked", "sdf_frames.ros.lifecycle_node", "sdf_frames.ros.node"])


class Forked:
    """A program with arguments, and what `subprocess.Popen` has for it."""

    def __init__(self, program: str, arguments: list[str], environment: dict[str, str], log: str):
        self._process = _SERVER.Process(target=_run, args=(program, arguments, environment, log))
        self._process.start()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the status; nothing while the program runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the status as soon as the program has ended."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"the node runs after {timeout} s"
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the program, whatever it does."""
        self.send_signal(signal.SIGKILL)


def _run(program: str, arguments: list[str], environment: dict[str, str], log: str) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))  # as the first line of the program does
    for number, (file, mode) in enumerate(((os.devnull, os.O_RDONLY), *[(log, os.O_WRONLY | os.O_CREAT)] * 2)):
        os.dup2(os.open(file, mode | os.O_APPEND), number)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = [program, *arguments]
    for module, name in (("guard", "_SECOND"), ("tf_monitor", "_PAUSE")):
        setattr(import_module(f"sdf_frames.ros.{module}"), name, 0.25)
    runpy.run_path(program, run_name="__main__")
