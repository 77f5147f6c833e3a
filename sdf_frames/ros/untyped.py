"""What rclpy and the classes that ROS generates from interfaces have no types for, under one name. Imports no ROS."""
from __future__ import annotations

from typing import Any

#: A message, or a request or response of a service. The interfaces in ``msg/`` and ``srv/`` say what it holds.
Message = Any
