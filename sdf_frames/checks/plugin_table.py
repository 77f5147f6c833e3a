"""Which parameters of well-known plugins name links and joints of their model: one row for each plugin.

Rows are from the sources of the plugins, which they name. Parameters for something of the world, a TF frame or a topic
have no row.
"""
import re
from typing import NamedTuple

from sdf_frames.document.xml_in import Element

#: What a name must lead to: a link, any joint, a joint that is not fixed, or one that follows no other joint either.
LINK, JOINT, MOVABLE, FREE = "link", "joint", "movable joint", "free joint"


class Known(NamedTuple):
    """What a plugin reads.

    Attributes
    ----------
    source : the file that reads it, in the repository of its group.
    parameters : path of each parameter below ``<plugin>`` (``@`` before an attribute), and what it names.
    separator : between the names of one parameter that takes several.
    """

    source: str
    parameters: dict[str, str]
    separator: str = ""


def _name(kind: str, *paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, kind)


_WHEELS = _name(FREE, "left_joint", "right_joint")
_LINK_NAME = _name(LINK, "link_name")
_CLASSIC = "gazebo_plugins/src/gazebo_ros_{}.cpp"  # branches noetic-devel and ros2
#: Systems of gz-sim by the middle of their file names, as in gz-sim-diff-drive-system. Source: gz-sim, src/systems/.
SYSTEMS = {
    "ackermann-steering": Known("ackermann_steering/AckermannSteering.cc", {
        **_WHEELS, **_name(FREE, "left_steering_joint", "right_steering_joint")}),
    "advanced-lift-drag": Known("advanced_lift_drag/AdvancedLiftDrag.cc", {
        **_LINK_NAME, **_name(JOINT, "control_surface/name")}),
    "apply-joint-force": Known("apply_joint_force/ApplyJointForce.cc", _name(FREE, "joint_name")),
    "buoyancy-engine": Known("buoyancy_engine/BuoyancyEngine.cc", _LINK_NAME),
    "detachable-joint": Known("detachable_joint/DetachableJoint.cc", _name(LINK, "parent_link")),
    "diff-drive": Known("diff_drive/DiffDrive.cc", _WHEELS),
    "elevator": Known("elevator/Elevator.cc", _name(FREE, "cabin_joint")),
    "hydrodynamics": Known("hydrodynamics/Hydrodynamics.cc", _LINK_NAME),
    "joint-controller": Known("joint_controller/JointController.cc", _name(FREE, "joint_name")),
    "joint-position-controller": Known("joint_position_controller/JointPositionController.cc",
                                       _name(FREE, "joint_name")),
    "joint-state-publisher": Known("joint_state_publisher/JointStatePublisher.cc", _name(JOINT, "joint_name")),
    "joint-trajectory-controller": Known("joint_traj_control/JointTrajectoryController.cc",
                                         _name(FREE, "joint_name")),
    "kinetic-energy-monitor": Known("kinetic_energy_monitor/KineticEnergyMonitor.cc", _LINK_NAME),
    "lift-drag": Known("lift_drag/LiftDrag.cc", {**_LINK_NAME, **_name(JOINT, "control_joint_name")}),
    "lighter_than_air_dynamics": Known("lighter_than_air_dynamics/LighterThanAirDynamics.cc", _LINK_NAME),
    "lookup-wheel-slip": Known("lookup_wheel_slip/LookupWheelSlip.cc", _name(LINK, "wheel_link_name")),
    "mecanum-drive": Known("mecanum_drive/MecanumDrive.cc", _name(
        FREE, "front_left_joint", "front_right_joint", "back_left_joint", "back_right_joint")),
    "multicopter-control": Known("multicopter_control/Common.cc", {
        **_name(LINK, "comLinkName"), **_name(FREE, "rotorConfiguration/rotor/jointName")}),
    "multicopter-motor-model": Known("multicopter_motor_model/MulticopterMotorModel.cc", {
        **_name(FREE, "jointName"), **_name(LINK, "linkName")}),
    "spacecraft-thruster-model": Known("spacecraft_thruster_model/SpacecraftThrusterModel.cc", _LINK_NAME),
    "thruster": Known("thruster/Thruster.cc", _name(FREE, "joint_name")),
    "track-controller": Known("track_controller/TrackController.cc", _name(LINK, "link")),
    "tracked-vehicle": Known("tracked_vehicle/TrackedVehicle.cc", _name(
        LINK, "body_link", "left_track/link", "right_track/link")),
    "trajectory-follower": Known("trajectory_follower/TrajectoryFollower.cc", _LINK_NAME),
    "velocity-control": Known("velocity_control/VelocityControl.cc", _LINK_NAME),
    "wheel-slip": Known("wheel_slip/WheelSlip.cc", _name(LINK, "wheel/@link_name")),
}
#: Plugins of Gazebo Classic by their file names. Sources: gazebo_ros_pkgs for gazebo_ros_*, gazebo-classic for others.
CLASSIC = {
    "gazebo_ros_ackermann_drive": Known(_CLASSIC.format("ackermann_drive"), _name(
        FREE, "front_left_joint", "front_right_joint", "rear_left_joint", "rear_right_joint", "left_steering_joint",
        "right_steering_joint", "steering_wheel_joint")),
    "gazebo_ros_diff_drive": Known(_CLASSIC.format("diff_drive"), {**_WHEELS, **_name(
        FREE, "leftJoint", "rightJoint")}),
    "gazebo_ros_elevator": Known("plugins/ElevatorPlugin.cc", _name(FREE, "lift_joint", "door_joint")),
    "gazebo_ros_f3d": Known(_CLASSIC.format("f3d"), _name(LINK, "bodyName")),
    "gazebo_ros_force": Known(_CLASSIC.format("force"), _name(LINK, "bodyName", "link_name")),
    "gazebo_ros_ft_sensor": Known(_CLASSIC.format("ft_sensor"), {
        **_name(JOINT, "jointName", "joint_name"), **_name(LINK, "body_name")}),
    "gazebo_ros_hand_of_god": Known(_CLASSIC.format("hand_of_god"), _name(LINK, "linkName", "link_name")),
    "gazebo_ros_imu": Known(_CLASSIC.format("imu"), _name(LINK, "bodyName")),
    "gazebo_ros_joint_state_publisher": Known(_CLASSIC.format("joint_state_publisher"), _name(
        JOINT, "jointName", "joint_name"), ","),
    "gazebo_ros_p3d": Known(_CLASSIC.format("p3d"), _name(LINK, "bodyName", "body_name")),
    "gazebo_ros_projector": Known(_CLASSIC.format("projector"), _name(LINK, "projector_link")),
    "gazebo_ros_skid_steer_drive": Known(_CLASSIC.format("skid_steer_drive"), _name(
        FREE, "leftFrontJoint", "rightFrontJoint", "leftRearJoint", "rightRearJoint")),
    "gazebo_ros_tricycle_drive": Known(_CLASSIC.format("tricycle_drive"), {
        **_name(FREE, "steeringJoint", "actuatedWheelJoint", "steering_joint", "actuated_wheel_joint"),
        **_name(JOINT, "encoderWheelLeftJoint", "encoderWheelRightJoint", "encoder_wheel_left_joint",
                "encoder_wheel_right_joint")}),
    "gazebo_ros_vacuum_gripper": Known(_CLASSIC.format("vacuum_gripper"), _name(LINK, "bodyName", "link_name")),
    "gazebo_ros_wheel_slip": Known("plugins/WheelSlipPlugin.cc", _name(LINK, "wheel/@link_name")),
    "BuoyancyPlugin": Known("plugins/BuoyancyPlugin.cc", _name(LINK, "link/@name")),
    "DiffDrivePlugin": Known("plugins/DiffDrivePlugin.cc", _WHEELS),
    "ElevatorPlugin": Known("plugins/ElevatorPlugin.cc", _name(FREE, "lift_joint", "door_joint")),
    "LiftDragPlugin": Known("plugins/LiftDragPlugin.cc", {**_LINK_NAME, **_name(JOINT, "control_joint_name")}),
    "WheelSlipPlugin": Known("plugins/WheelSlipPlugin.cc", _name(LINK, "wheel/@link_name")),
}
_FILE = re.compile(r"(?:lib)?(?:(?:gz-sim|ignition-gazebo)\d*-(?P<system>.+?)-system|(?P<classic>.+?))"
                   r"(?:\.so|\.dylib|\.dll)?")


def find_plugin(plugin: Element) -> Known | None:
    """Return the row of a plugin; its file may have a folder, the prefix lib, and a suffix."""
    match = _FILE.fullmatch((plugin.get("filename") or "").rpartition("/")[2])
    return None if match is None else SYSTEMS.get(match["system"]) or CLASSIC.get(match["classic"])
