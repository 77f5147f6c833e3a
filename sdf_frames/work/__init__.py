"""Runs jobs in separate processes, with limits of time and memory.

A job is a function and its arguments, which can be pickled. A job that ends early (time, memory, an exception, the end
of its process) has a result, too: a :class:`Failed` with a finding. Processes end with the process that started them,
in any state. `serving` is such a process, `worker` the other end of its socket, and `Pool` several of them.
"""
from sdf_frames.work.serving import CRASHED, FAULT, MEMORY, TIMEOUT, Failed, describe_fault
from sdf_frames.work.worker import Pool, Worker, hold_back_interrupt, run_each

__all__ = ["CRASHED", "FAULT", "MEMORY", "TIMEOUT", "Failed", "Pool", "Worker", "describe_fault",
           "hold_back_interrupt", "run_each"]
