"""F, P, J, K: frame graphs, poses, joints, kinematics."""
from sdf_frames.diagnostics.catalogue.rule import Rule

_SEMANTICS = "pose frame semantics"

_POSE_UNKNOWN = "the pose of {kind} {name!r} is relative to {reference!r}, which is not in its scope"

RULES = (
    Rule("F001", "frame-attached-to-unknown", "error",
         "frame {name!r} is attached to {reference!r}, which is not in its scope",
         meaning="A frame must be attached to a link, joint, frame or model of the same scope. A name inside a nested "
                 "model needs the name of that model in front, such as gripper::palm.",
         sdformat="FRAME_ATTACHED_TO_INVALID", reference=f"{_SEMANTICS} 4.2, 5.2"),
    Rule("F002", "frame-attached-to-cycle", "error", "attached_to forms a cycle: {cycle}; no link carries these frames",
         "attach one of them to a link",
         meaning="Each of these frames is attached to another one of them, and none is attached to a link. So no link "
                 "carries them.", sdformat="FRAME_ATTACHED_TO_CYCLE", reference=f"{_SEMANTICS} 4.2, 5.2"),
    Rule("F003", "model-without-link", "error", "model {name!r} has no link and no nested model",
         "add a link, or make the model static",
         meaning="A model needs at least one link, in the model itself or in a nested model. A static model does not "
                 "need a link.", sdformat="MODEL_WITHOUT_LINK", reference=f"{_SEMANTICS} 2.1"),
    Rule("F004", "canonical-link-unknown", "error", "the canonical link {reference!r} of model {name!r} does not exist",
         meaning="The frame of a model is attached to its canonical link. This must be a link of the model or of a "
                 "nested model.", sdformat="MODEL_CANONICAL_LINK_INVALID", reference=f"{_SEMANTICS} 2.1"),
    Rule("F005", "canonical-link-is-no-link", "error", "the canonical link {reference!r} of model {name!r} is a {kind}",
         "name a link in canonical_link",
         meaning="The frame of a model is attached to its canonical link. A frame, joint or model cannot take this "
                 "role: gz sdf --check refuses the file, though Drake loads it.",
         sdformat="MODEL_CANONICAL_LINK_INVALID", reference=f"{_SEMANTICS}, model phase 4",
         consumers={"drake/sdf": "warning"}),
    Rule("F008", "canonical-link-on-nothing", "error",
         "the canonical link {reference!r} of model {name!r} is a {kind} that is attached to no link",
         "name a link in canonical_link",
         meaning="The frame of a model is attached to its canonical link. A frame that is attached to the model cannot "
                 "take this role: the two would be attached to each other.",
         sdformat="FRAME_ATTACHED_TO_CYCLE", reference=f"{_SEMANTICS} 2.1"),
    Rule("F006", "sensor-frame-unknown", "warning",
         "the messages of sensor {name!r} are in frame {id!r}, which does not exist; the sensor is at {pose} in "
         "{link!r}",
         "name a frame at the pose of the sensor",
         meaning="A program that looks up the frame of these messages in TF finds none. With sensor_frames:=true, "
                 "sdf_frames publishes a frame of this name at the sensor."),
    Rule("F007", "sensor-frame-elsewhere", "warning",
         "the messages of sensor {name!r} are in frame {id!r}, which is {error} away from the sensor: in {link!r}, the "
         "sensor is at {pose}, the frame at {framed}", "name a frame at the pose of the sensor",
         meaning="Programs interpret measurements in the frame that the messages name. A camera may also name its "
                 "optical frame, whose z axis points forward and whose x axis points to the right (REP 103).",
         reference="REP 103"),
    Rule("P001", "pose-relative-to-unknown", "error",
         "the pose of {kind} {name!r} is relative to {reference!r}, which is not in its scope",
         meaning="relative_to must name a link, joint, frame or model of the same scope.",
         sdformat="POSE_RELATIVE_TO_INVALID", reference=f"{_SEMANTICS} 6"),
    Rule("P002", "pose-relative-to-cycle", "error", "relative_to forms a cycle: {cycle}",
         "make one of these poses relative to a frame outside the cycle",
         meaning="Each of these poses is relative to the next one, and the last is relative to the first. So none of "
                 "them is defined.", sdformat="POSE_RELATIVE_TO_CYCLE", reference=f"{_SEMANTICS} 6"),
    Rule("P003", "placement-frame-unknown", "error", "the placement frame {reference!r} is not in model {name!r}",
         meaning="The pose of a model is the pose of its placement frame, which must be a frame of the model.",
         sdformat="POSE_RELATIVE_TO_INVALID"),
    Rule("P004", "part-pose-relative-to-unknown", "warning", _POSE_UNKNOWN,
         sdformat="POSE_RELATIVE_TO_INVALID", reference=f"{_SEMANTICS} 6", consumers={"drake/sdf": "error"}),
    Rule("P007", "unread-pose-relative-to-unknown", "warning", _POSE_UNKNOWN,
         meaning="Programs that ignore the part load the file. For a collision or visual (P004), Drake refuses "
                 "the file.",
         sdformat="POSE_RELATIVE_TO_INVALID", reference=f"{_SEMANTICS} 6"),
    Rule("P005", "pose-overflow", "error",
         "the pose of {kind} {name!r} in the {scope} is too large for a floating-point number",
         "check the units of its lengths, and those of the frames that its pose is relative to"),
    Rule("P006", "friction-direction-frame-unknown", "warning",
         "the first friction direction of collision {name!r} is expressed in {reference!r}, which is not in its scope",
         meaning="<fdir1 gz:expressed_in> must name a link or frame of the same scope."),
    Rule("J001", "joint-type-invalid", "error", "joint {name!r} has the unknown type {type!r}",
         "use one of: ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw, universal",
         meaning="SDFormat has the joint types ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw "
                 "and universal.", sdformat="ATTRIBUTE_INVALID"),
    Rule("J002", "joint-child-unknown", "error", "the child {reference!r} of joint {name!r} is not in its scope",
         meaning="The child of a joint must be a link or frame in the scope of the joint.",
         sdformat="JOINT_CHILD_LINK_INVALID", reference=f"{_SEMANTICS}, model phase 3"),
    Rule("J003", "joint-parent-unknown", "error", "the parent {reference!r} of joint {name!r} is not in its scope",
         meaning="The parent of a joint must be a link or frame in the scope of the joint, or the world.",
         sdformat="JOINT_PARENT_LINK_INVALID", reference=f"{_SEMANTICS}, model phase 3",
         consumers={"drake/sdf": "error"}),
    Rule("J004", "joint-child-is-world", "error", "the child of joint {name!r} is the world", "swap parent and child",
         meaning="A joint moves its child, and the world cannot move.", sdformat="JOINT_CHILD_LINK_INVALID",
         reference=f"{_SEMANTICS} 2.3", consumers={"drake/sdf": "error"}),
    Rule("J005", "joint-is-own-child", "error", "joint {name!r} names itself as its child", "name a link as the child",
         meaning="The child of a joint is a link, or a frame that is attached to a link. It is not the joint itself.",
         sdformat="JOINT_CHILD_LINK_INVALID"),
    Rule("J006", "joint-is-own-parent", "error", "joint {name!r} names itself as its parent",
         "name a link as the parent",
         meaning="The parent of a joint is a link, or a frame that is attached to a link. It is not the joint itself.",
         sdformat="JOINT_PARENT_LINK_INVALID"),
    Rule("J007", "joint-parent-same-as-child", "error", "parent and child of joint {name!r} are the same body {link!r}",
         meaning="The parent and the child of a joint must be two different rigid bodies.",
         sdformat="JOINT_PARENT_SAME_AS_CHILD", reference=f"{_SEMANTICS}, model phase 3"),
    Rule("J008", "joint-axis-expressed-in-unknown", "error",
         "the axis of joint {name!r} is expressed in {reference!r}, which is not in its scope",
         meaning="expressed_in must name a frame in the scope of the joint. Without expressed_in, the axis is in the "
                 "joint frame.", sdformat="JOINT_AXIS_EXPRESSED_IN_INVALID", reference=f"{_SEMANTICS} 7",
         consumers={"drake/sdf": "error"}),
    Rule("J009", "joint-axis-zero", "error", "the axis of joint {name!r} has no direction: its length is {length:.3g}",
         "write the direction of the axis as xyz, such as 0 0 1",
         meaning="An axis of length zero has no direction; libsdformat takes up to 1e-6 for zero. In ROS, "
                 "robot_state_publisher publishes NaN as the pose of the child, which tf2 refuses.",
         sdformat="ELEMENT_INVALID", consumers={"ros": "warning"}),
    Rule("J010", "joint-mimic-invalid", "error", "joint {name!r} mimics {leader!r}: {problem}",
         "name another joint and its axis, or remove <mimic>", sdformat="JOINT_AXIS_MIMIC_INVALID"),
    Rule("J011", "joint-limits-reversed", "warning",
         "joint {name!r} has a lower limit {lower} above its upper limit {upper}; libsdformat keeps them as they are",
         "swap <lower> and <upper>",
         meaning="No position is within these limits. With them, Gazebo's physics engine DART stops the simulation, or "
                 "in versions from 2026 on leaves the limits out."),
    Rule("J012", "joint-turns-no-inertia", "warning",
         "joint {name!r} turns no moment of inertia about its axis: link {link!r} has none",
         "write the real <inertia> of the link",
         meaning="All mass that moves with the joint is on its axis, and no tensor is positive about it. Physics "
                 "engines divide by this moment: Gazebo's DART ends, and Drake stops with an error.",
         consumers={"drake": "warning"}),
    Rule("K001", "link-with-several-parents", "warning",
         "link {link!r} is the child of joint {joint!r} and of joint {first!r}",
         "unless a loop is meant, correct the child, or exchange parent and child of one of the joints; URDF and TF "
         "use only the first",
         meaning="Two joints have the same child link. This closes a kinematic loop, or one of the names is wrong. "
                 "Old versions of Drake, such as 1.15, refuse it, also without a loop."),
    Rule("K002", "kinematic-loops", "info", "the joints form {loops}, closed by {joints}",
         "URDF cannot express them; some physics engines need extra settings for them",
         meaning="Some joints connect links that other joints connect already, as in a four-bar linkage.",
         consumers={"drake/sdf": "error"}),
    Rule("K003", "link-unjoined", "info", "no joint connects link {link!r} to the rest of its model",
         "it moves freely in simulation; add a fixed joint if it is part of the robot",
         meaning="No joint has this link as parent or child. In simulation, the link moves independently of the rest "
                 "of the model."),
    Rule("K004", "distance-suspicious", "warning",
         "{kind} {name!r} is {distance} m away from the frame that its pose is relative to{rest}",
         "check the unit: lengths are in metres, not in millimetres"),
)
