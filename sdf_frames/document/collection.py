"""Cyclic garbage collection out of the way of loading and converting."""
from __future__ import annotations

import gc
from functools import wraps


def without_collection(function):
    """`function` with cyclic garbage collection paused: it makes many objects and no garbage, and each pass looks at all."""
    @wraps(function)
    def run(*arguments, **named):
        if not gc.isenabled():
            return function(*arguments, **named)
        gc.disable()
        try:
            return function(*arguments, **named)
        finally:
            gc.enable()
    return run
