"""T: the TF tree."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("T001", "tf-name-taken", "warning", "{kind} {name!r} is left out of TF: a {other} there bears the same name",
         "rename one of the two"),
    Rule("T002", "tf-empty", "error", "nothing is published on /tf or /tf_static",
         "start robot_state_publisher, or a bridge from Gazebo, in this ROS domain; listen longer where "
         "messages are rare"),
    Rule("T003", "tf-frame-missing", "error", "frame {name!r} is not in TF{more}",
         "publish it, or give it the name that the model has"),
    Rule("T004", "tf-parent-differs", "error",
         "frame {name!r} hangs below {observed!r} in TF; in the model, below {expected!r}",
         "stop one of the publishers, or publish the chain of the model"),
    Rule("T005", "tf-pose-differs", "error",
         "frame {name!r} is {distance:.6g} m and {angle:.6g} rad off in {parent!r}: TF has {observed}, the model "
         "{expected}",
         "the publisher has another description, or an old one; static transforms stay until it is restarted"),
    Rule("T006", "tf-two-parents", "error", "frame {name!r} has several parents in TF: {parents}{more}",
         "a frame has one parent; beside robot_state_publisher set tf_mode to complement"),
    Rule("T007", "tf-disconnected", "error",
         "frame {name!r} has no parent in TF; in the model it hangs below {expected!r}",
         "publish the transform between the two"),
    Rule("T008", "tf-loop", "error",
         "the transforms in TF form a loop: {loop}", "reverse one of these transforms, or stop its publisher"),
    Rule("T009", "tf-movable-is-static", "warning", "frame {name!r} can move, but is on /tf_static{more}",
         "publish it on /tf from the position of its joint, as robot_state_publisher does"),
    Rule("T010", "tf-static-and-moving", "error",
         "frame {name!r} is on both /tf and /tf_static{more}: listeners see it jump",
         "stop one of the publishers; beside robot_state_publisher set tf_mode to complement"),
    Rule("T011", "tf-transform-refused", "error", "tf2 refuses the transform of frame {name!r} in {parent!r}: {reason}",
         "correct its publisher"),
    Rule("T012", "tf-joint-moves-otherwise", "error",
         "frame {name!r} is where joint {joint!r} cannot move it: {distance:.6g} m and {angle:.6g} rad off its motion "
         "in {parent!r}, "
         "which is to {how} {axis}",
         "the publisher has another description, with another origin or axis of this joint"),
    Rule("T013", "tf-joint-beyond-limits", "warning",
         "frame {name!r} puts joint {joint!r} at {position}, beyond its limits {limits}",
         "look at the position on joint_states, and at the limits"),
)
