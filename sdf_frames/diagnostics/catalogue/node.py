"""M: what only a running node can find: nothing received, a frame asked for that is not there, a fault."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("M001", "description-missing", "error", "no robot description was received yet",
         "publish one on {topic}, or set the parameter robot_description"),
    Rule("M002", "frame-unknown", "error", "there is no frame {frame!r}", "{nearest}"),
    Rule("M003", "frame-unresolved", "error", "the pose of frame {frame!r} in {other!r} is too large for a number",
         "look for a length in wrong units"),
    Rule("M004", "frames-unrelated", "error", "{frame!r} is in {scope!r}, {other!r} in {other_scope!r}; nothing relates the two",
         "ask within one model or world"),
    Rule("M005", "frame-left-in-tf", "warning", "no longer published, but kept by listeners: {frames} ({count} in all)",
         "static transforms cannot be withdrawn; restart the listeners to be rid of them"),
    Rule("M006", "not-a-urdf", "error", "the text to convert is no URDF: its root element is not <robot>",
         "an SDF needs no conversion; validate_sdf checks it"),
    Rule("M007", "node-fault", "error", "the node could not process this: {problem}",
         "this is a defect of sdf_frames; please report it with the description"),
    Rule("M008", "uri-not-permitted", "error", "{uri!r} leads to no file that may be read: {tried}",
         "requests come from the network, so only files below the parameter resource_paths, SDF_PATH, "
         "GZ_SIM_RESOURCE_PATH and installed ROS packages are read"),
    Rule("M009", "policy-unknown", "error", "there is no policy {policy!r} for links without mass", "one of {known}"),
    Rule("M010", "markers-unavailable", "warning", "inertia_markers is set, but visualization_msgs is not installed",
         "install the ROS package visualization_msgs; all else works without it"),
    Rule("M011", "description-in-error", "error", "no good robot description was received yet; the last one has {errors}: {problem}",
         "validate_sdf gives everything that was found in it"),
    Rule("M012", "time-limit-reached", "error", "the node stopped the work on this after {seconds:g} s, the parameter time_limit",
         "set time_limit higher, use a larger voxel_size, or give a smaller description"),
    Rule("M013", "worker-ended", "error", "the process that worked on this ended before it had an answer ({how})",
         "the system kills a process that needs too much memory; the node's other work goes on"),
    Rule("M014", "sdf-withheld", "warning", "the description has frames but cannot be converted: TF is published, the SDF is not{stays}",
         "correct what the errors name; 'check' and validate_sdf give all of them"),
    Rule("M015", "urdf-withheld", "info", "the description cannot be written as URDF, so robot_description_urdf is not published{stays}: {problem}",
         "RViz's RobotModel and robot_state_publisher take URDF only; TF has all frames"),
)
