"""Checks the address of a page, before anything slow is imported."""
from __future__ import annotations

import socket


def find_host_problem(host: str) -> str | None:
    """Return why no page can listen on an address, or None; the server itself would wait forever."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:  # no name at all, such as a..b
        return str(error)
    return None
