"""The ROS 2 side: a node, its parameters and services, and the messages they speak. Only here is rclpy imported."""
