"""The engine room: jobs in processes of their own, with limits of time and memory.

A job is a function and its arguments, which pickle. What ends it early (its time, its memory, an exception, the death
of its process) gives an answer, too: a :class:`Failed` with a finding. Processes end with the one that started them,
whatever state they are in. `serving` is such a process, `worker` the other end of its socket and `Pool` many of them.
"""
from sdf_frames.work.serving import CRASHED, FAULT, MEMORY, TIMEOUT, Failed, describe_fault
from sdf_frames.work.worker import Pool, Worker, hold_back_interrupt, run_each

__all__ = ["CRASHED", "FAULT", "MEMORY", "TIMEOUT", "Failed", "Pool", "Worker", "describe_fault",
           "hold_back_interrupt", "run_each"]
