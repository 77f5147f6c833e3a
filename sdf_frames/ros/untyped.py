"""The type of ROS messages, whose generated classes have no annotations. Imports no ROS."""
from __future__ import annotations

from typing import Any

#: A message, or a request or response of a service. The interfaces in ``msg/`` and ``srv/`` say what it holds.
Message = Any
