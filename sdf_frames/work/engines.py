"""What runs the workers of a batch: processes here (loky), a Dask cluster, a Ray cluster. Each gives futures."""
from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import joblib

from sdf_frames.work.serving import end_with_parent

ENGINES = ("loky", "dask", "ray")
#: For Dask in this process. Workers that are started here do not look a hundred times a second at what they are doing.
#: The last thousand messages are not kept, with all descriptions in them.
_DASK_SETTINGS = {"distributed.worker.profile.enabled": False, "distributed.admin.low-level-log-length": 0,
                  "distributed.worker.multiprocessing-method": "spawn"}


class Engine(NamedTuple):
    """A running engine.

    Attributes
    ----------
    submit : give a function and its arguments to a worker. The future has an exception if the worker is lost.
    workers : how many work at once.
    """

    submit: Callable[..., Future[Any]]
    workers: int


@contextmanager
def open_engine(name: str = "loky", jobs: int = 1, address: str | None = None) -> Iterator[Engine]:
    """Start an engine, or connect to its cluster; end what was started.

    Parameters
    ----------
    name : one of `ENGINES`.
    jobs : workers to start here; 0 for one a core. A cluster at `address` has its own.
    address : scheduler of a running cluster.

    Raises
    ------
    ModuleNotFoundError
        The engine is not installed.
    """
    yield from {"loky": _open_loky, "dask": _open_dask, "ray": _open_ray}[name](jobs or joblib.cpu_count(), address)


def _open_loky(jobs: int, address: str | None) -> Iterator[Engine]:
    from joblib.externals.loky import get_reusable_executor

    def get_executor() -> Any:  # started anew after a worker was lost
        return get_reusable_executor(jobs, initializer=end_with_parent, initargs=(os.getpid(),))
    try:
        yield Engine(lambda *work: get_executor().submit(*work), jobs)
    finally:
        get_executor().shutdown(kill_workers=True)


def _open_dask(jobs: int, address: str | None) -> Iterator[Engine]:
    import dask
    from dask.distributed import Client
    started = {} if address else {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    with dask.config.set(_DASK_SETTINGS), Client(address, **started) as client:
        if not address:
            client.run(end_with_parent, os.getpid())
        yield Engine(client.get_executor(pure=False).submit, sum(client.ncores().values()) or jobs)


def _open_ray(jobs: int, address: str | None) -> Iterator[Engine]:
    import ray
    ray.init(address=address, num_cpus=None if address else jobs, include_dashboard=None if address else False,
             log_to_driver=False, logging_level=logging.ERROR)
    # What is made anew for each call is sent to the workers anew.
    make_remote = cache(ray.remote(max_retries=0))
    try:
        yield Engine(lambda function, *arguments: make_remote(function).remote(*arguments).future(),
                     int(ray.cluster_resources().get("CPU", jobs)))
    finally:
        ray.shutdown()
