"""T: the TF tree."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("T001", "tf-name-taken", "warning", "{kind} {name!r} is left out of TF: a {other} there has the same name",
         "rename one of the two",
         meaning="In TF, every frame needs its own name. With these settings, two elements would have the same one."),
    Rule("T002", "tf-empty", "error", "nothing is published on /tf or /tf_static",
         "start robot_state_publisher or a Gazebo bridge in this ROS domain, or listen longer if messages are rare",
         meaning="No transform was received. TF is empty, or its publishers are in another ROS domain."),
    Rule("T003", "tf-frame-missing", "error", "frame {name!r} is not in TF{more}",
         "publish the frame, or give it the name that it has in the model",
         meaning="The model has a frame that no transform in TF mentions."),
    Rule("T004", "tf-parent-differs", "error",
         "frame {name!r} has the parent {observed!r} in TF, but {expected} in the model",
         "stop the publisher of the other parent, or publish the chain of the model",
         meaning="TF and the model connect this frame with different parents. Often, a publisher uses another version "
                 "of the description."),
    Rule("T005", "tf-pose-differs", "error",
         "frame {name!r} is {distance:.6g} m and {angle:.6g} rad off in {parent!r}: TF has {observed}, the model "
         "{expected}", "restart the publisher with the current description; static transforms stay until then",
         meaning="TF has the right parent for this frame, but another pose. Often, a publisher uses an older "
                 "description."),
    Rule("T006", "tf-two-parents", "error", "frame {name!r} has several parents in TF: {parents}{more}",
         "stop all publishers but one; beside robot_state_publisher, set tf_mode to complement",
         meaning="In TF, a frame has one parent. With several, listeners use the transform that came last."),
    Rule("T007", "tf-disconnected", "error",
         "frame {name!r} has no parent in TF; in the model its parent is {expected!r}",
         "publish the transform between the two",
         meaning="Nothing connects this frame with its parent in the model, so no pose relates the two."),
    Rule("T008", "tf-loop", "error", "the transforms in TF form a loop: {loop}",
         "reverse one of these transforms, or stop its publisher",
         meaning="Each of these frames is the child of another one. TF must be a tree."),
    Rule("T009", "tf-movable-is-static", "warning", "frame {name!r} can move, but is on /tf_static{more}",
         "publish it on /tf from the position of its joint, as robot_state_publisher does",
         meaning="The frame is behind a movable joint. A transform on /tf_static says that it never moves."),
    Rule("T010", "tf-static-and-moving", "error",
         "frame {name!r} is on both /tf and /tf_static{more}: listeners see it jump",
         "stop one of the publishers; beside robot_state_publisher, set tf_mode to complement",
         meaning="One publisher says that the frame never moves, and another one moves it."),
    Rule("T011", "tf-transform-refused", "error", "tf2 refuses the transform of frame {name!r} in {parent!r}: {reason}",
         "correct the publisher of this transform",
         meaning="tf2 ignores a transform with an empty name, with the same frame as parent and child, or with numbers "
                 "that are not finite or no rotation."),
    Rule("T012", "tf-joint-moves-otherwise", "error",
         "joint {joint!r} cannot reach this pose of frame {name!r}: in {parent!r} it can only {how} {axis}, which "
         "leaves {distance:.6g} m and {angle:.6g} rad",
         "restart the publisher with the current description; it uses another origin or axis for this joint",
         meaning="A joint turns its child about its axis, or moves the child along it. No position of the joint gives "
                 "the pose that TF has."),
    Rule("T013", "tf-joint-beyond-limits", "warning",
         "frame {name!r} puts joint {joint!r} at {position}, outside its limits {limits}",
         "check the position on joint_states, and the limits",
         meaning="The pose in TF is a position of the joint, but one that its limits exclude."),
)
