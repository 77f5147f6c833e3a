"""T: the TF tree."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("T001", "tf-name-taken", "warning", "{kind} {name!r} is left out of TF: a {other} there has the same name",
         "rename one of the two"),
    Rule("T002", "tf-empty", "error", "nothing is published on /tf or /tf_static",
         "start robot_state_publisher or a Gazebo bridge in this ROS domain, or listen longer if messages are rare"),
    Rule("T003", "tf-frame-missing", "error", "frame {name!r} is not in TF{more}",
         "publish the frame, or give it the name that it has in the model"),
    Rule("T004", "tf-parent-differs", "error",
         "frame {name!r} has the parent {observed!r} in TF, but {expected} in the model",
         "stop the publisher of the other parent, or publish the chain of the model"),
    Rule("T005", "tf-pose-differs", "error",
         "frame {name!r} is {distance:.6g} m and {angle:.6g} rad off in {parent!r}: TF has {observed}, the model "
         "{expected}", "restart the publisher with the current description; static transforms stay until then"),
    Rule("T006", "tf-two-parents", "error", "frame {name!r} has several parents in TF: {parents}{more}",
         "stop all publishers but one; beside robot_state_publisher, set tf_mode to complement"),
    Rule("T007", "tf-disconnected", "error",
         "frame {name!r} has no parent in TF; in the model its parent is {expected!r}",
         "publish the transform between the two"),
    Rule("T008", "tf-loop", "error",
         "the transforms in TF form a loop: {loop}", "reverse one of these transforms, or stop its publisher"),
    Rule("T009", "tf-movable-is-static", "warning", "frame {name!r} can move, but is on /tf_static{more}",
         "publish it on /tf from the position of its joint, as robot_state_publisher does"),
    Rule("T010", "tf-static-and-moving", "error",
         "frame {name!r} is on both /tf and /tf_static{more}: listeners see it jump",
         "stop one of the publishers; beside robot_state_publisher, set tf_mode to complement"),
    Rule("T011", "tf-transform-refused", "error", "tf2 refuses the transform of frame {name!r} in {parent!r}: {reason}",
         "correct the publisher of this transform"),
    Rule("T012", "tf-joint-moves-otherwise", "error",
         "frame {name!r} is where joint {joint!r} cannot move it: {distance:.6g} m and {angle:.6g} rad away from its "
         "motion in {parent!r}, which is to {how} {axis}",
         "restart the publisher with the current description; it uses another origin or axis for this joint"),
    Rule("T013", "tf-joint-beyond-limits", "warning",
         "frame {name!r} puts joint {joint!r} at {position}, outside its limits {limits}",
         "check the position on joint_states, and the limits"),
)
