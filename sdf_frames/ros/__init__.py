"""The ROS 2 nodes, with their parameters, services and messages. Only this package imports rclpy."""
