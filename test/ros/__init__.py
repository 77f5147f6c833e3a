"""Tests of the ROS side. A package, so that its conftest does not stand in for that of another folder."""
