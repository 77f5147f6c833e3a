"""ROS: robot_state_publisher and RViz."""
from sdf_frames.checks.programs import Program
from sdf_frames.checks.refusals import check_files

PROGRAM = Program("ros", "ROS", "Lyrical: urdfdom 6.0", ("urdf",),
                  "robot_state_publisher and RViz read the robot; missing meshes are not shown",
                  "urdfdom 3.1", (check_files,))
