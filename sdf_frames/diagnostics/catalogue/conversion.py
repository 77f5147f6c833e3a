"""C: URDF to SDF."""
from sdf_frames.diagnostics.catalogue.rule import Rule

_KEEP = "give it a mass and an inertia, or convert with massless=keep (--massless keep)"

_PARITY = "pose frame semantics, parity with URDF"

RULES = (
    # Massless links. The seed's chain of messages is in the hint and the related places.
    Rule("C001", "massless-link-dropped", "warning", "link [{link}] {problem} and {reason}: it is not modelled in SDF, "
         "nor is what hangs below it", _KEEP, "LINK_INERTIA_INVALID"),
    Rule("C002", "massless-link-refused", "error",
         "link [{link}] {problem} and {reason}", _KEEP, "LINK_INERTIA_INVALID"),
    Rule("C003", "massless-link-kept", "info", "link [{link}] {problem}: it is given {mass} kg",
         "its own mass and inertia would be better", "LINK_INERTIA_INVALID"),
    Rule("C006", "fixed-joint-lumped-for-root", "warning",
         "fixed joint [{joint}] is lumped although it was to be preserved: root "
         "link [{root}] has no mass of its own and takes that of [{link}]", "give the root a mass to keep the joint"),
    Rule("C007", "massless-subtree-dropped", "warning",
         "{part}: they hang on massless links behind moving joints: {links}",
         "give these links a mass and an inertia, or convert with massless=keep (--massless keep)",
         "LINK_INERTIA_INVALID"),
    Rule("C004", "robot-without-mass", "error", "no link of robot [{robot}] is left: its root [{link}] {problem}",
         _KEEP, "MODEL_WITHOUT_LINK"),
    # Names.
    Rule("C010", "joint-renamed", "warning",
         "joint [{joint}] is named like a link, which SDF does not allow: it becomes [{new}]",
         "rename it in the URDF, if others refer to it by name", "DUPLICATE_NAME"),
    Rule("C011", "name-not-allowed", "warning",
         "{kind} [{called}] has a name that SDF does not allow: it becomes [{new}]",
         "names hold no :: and are neither world nor enclosed in __", "RESERVED_NAME"),
    Rule("C012", "moved-name-taken", "warning",
         "<{tag}> [{called}] moves from link [{source}] to [{link}], which has one of "
         "that name: it becomes [{new}]", "", "DUPLICATE_NAME"),
    Rule("C013", "added-name-taken", "warning",
         "<{tag}> [{called}] under <gazebo> bears the name of a link or joint of the robot: "
         "it becomes [{new}]", "give it another name, or references to it may mean the robot's own", "DUPLICATE_NAME"),
    # Joints.
    Rule("C020", "joint-without-counterpart", "warning",
         "{type} joint [{joint}] has no counterpart in SDF: it becomes a frame, "
         "and its child link [{link}] {free}",
         "to keep it in the plane, write two prismatic joints and a continuous one, with light "
         "links between"),
    Rule("C021", "limit-reversed", "warning",
         "joint [{joint}] has a lower limit {lower} above its upper limit {upper}: "
         "they are swapped", "swap them in the URDF"),
    Rule("C022", "mimic-joint-missing", "error", "joint [{joint}] mimics [{leader}], {problem}", "",
         "JOINT_AXIS_MIMIC_INVALID"),
    Rule("C024", "mimic-leader-fixed", "warning",
         "joint [{joint}] mimics [{leader}], which is fixed: it is held at its offset {offset}",
         "make it a fixed joint, or its leader a moving one"),
    Rule("C023", "mimic-dropped", "warning", "joint [{joint}] mimics [{leader}], which is {problem} in SDF: "
         "it moves on its own", "keep the leader a moving joint"),
    # <gazebo>.
    Rule("C030", "gazebo-reference-unknown", "warning",
         "<gazebo reference=\"{called}\"> names neither a link nor a joint",
         "what it holds is left out; correct the reference"),
    Rule("C031", "extension-of-lost-joint", "warning",
         "<{tag}> is set for joint [{joint}], which {fate}: it is left out",
         "add <preserveFixedJoint>true</preserveFixedJoint> to <gazebo reference=\"{joint}\">"),
    Rule("C032", "sensor-without-joint", "warning",
         "{type} sensor [{sensor}] cannot attach to joint [{joint}], which {fate}",
         "add <preserveFixedJoint>true</preserveFixedJoint> to <gazebo reference=\"{joint}\">"),
    Rule("C033", "extension-value-malformed", "warning",
         "<{tag}>{text}</{tag}> for [{called}] is not a number: it is left out", ""),
    Rule("C034", "moved-pose-malformed", "warning",
         "<{tag}> [{called}] of lumped link [{link}] has a pose that cannot be read: "
         "\"{text}\"", "write x y z roll pitch yaw; it is taken as zeros"),
    Rule("C035", "gravity-of-lumped-link", "warning",
         "turnGravityOff of lumped link [{source}] overrides that of [{link}]",
         "gravity acts on a whole link; set both alike"),
    Rule("C036", "extension-of-lost-link", "warning",
         "<{tag}> is set for link [{link}], which becomes no link of the SDF: it is "
         "left out", "a link with a mass and an inertia becomes one, unless it is a root named world"),
    Rule("C037", "world-link-content", "warning",
         "the root link [world] has {what}: the SDF world takes no content, it is left out",
         "name the link otherwise, and fix it to a link named world"),
    Rule("C038", "lumping-tag-without-effect", "warning", "{tags} for [{called}] has no effect: {problem}", "{remedy}"),
    # Versions and options.
    Rule("C040", "sdf-version-too-low", "error", "SDF {version} cannot express {content}; it takes {needed}",
         "leave the version out: the lowest that does is chosen"),
    Rule("C041", "sdf-version-unknown", "error", "SDF version [{version}] cannot be written", "1.7 to 1.12 can"),
    Rule("C042", "scoped-name-in-extension", "error",
         "SDF {version} does not allow :: in the name [{called}] of <{tag}>",
         "rename it; SDF 1.7 allows it, where nothing else takes a later version", "RESERVED_NAME"),
    Rule("C043", "number-overflow", "error",
         "numbers of the robot are so large that a pose or inertia worked out from them "
         "is not finite", "look for a mass or length in wrong units", "ELEMENT_INVALID"),
    Rule("C050", "already-sdf", "error", "this is SDFormat already: there is nothing to convert",
         "'sdf_frames upgrade' writes it in another version", "PARSING_ERROR"),
    Rule("C060", "urdf-needs-one-model", "error",
         "URDF describes one robot; the file has {count} models in a world: {models}",
         "name one of them with --model NAME"),
    Rule("C061", "urdf-joint-dropped", "warning", "joint {name!r} is not in the URDF: {reason}", ""),
    Rule("C062", "urdf-joint-type-unsupported", "warning",
         "URDF has no {type} joint: {name!r} is written as a {instead} one", ""),
    Rule("C063", "urdf-link-floats", "info",
         "no joint holds link {name!r}: in the URDF a floating joint {joint!r} joins it to {root!r}",
         "add a fixed joint if it is to stay where it is"),
    Rule("C064", "already-urdf", "error", "{file} is a URDF already", ""),
    Rule("C065", "urdf-name-taken", "warning",
         "{kind} {name!r} is called {new!r} in the URDF, where {name!r} is the inertial frame",
         "rename it"),
    # What keeps SDFormat from being copied into URDF ('sdf_frames check --urdf').
    Rule("C070", "direct-urdf-nested-model", "error", "URDF has no nested models: {name!r}", "", None, _PARITY),
    Rule("C071", "direct-urdf-frame", "error",
         "URDF has no frames: {name!r} would be a link without mass", "", None, _PARITY),
    Rule("C072", "direct-urdf-not-a-tree", "error", "URDF is a tree of links: {problem}", "", None, _PARITY),
    Rule("C073", "direct-urdf-joint-type", "error", "URDF has no {type} joint: {name!r}", "", None, _PARITY),
    Rule("C074", "direct-urdf-joint-end", "error",
         "the {role} of joint {joint!r} is the {kind} {name!r}; in URDF it is a link", "",
         None, _PARITY),
    Rule("C075", "direct-urdf-joint-pose", "error", "the pose of joint {name!r} is not relative to {wanted!r}",
         "write it relative to the parent link", None, _PARITY),
    Rule("C076", "direct-urdf-axis", "error",
         "the axis of joint {name!r} is expressed in {frame!r}, not in the joint", "", None, _PARITY),
    Rule("C077", "direct-urdf-link-pose", "error", "link {name!r} does not stand where its joint {joint!r} does",
         '<pose relative_to="{joint}"/> puts it there', None, _PARITY),
    Rule("C078", "direct-urdf-root-pose", "error",
         "root link {name!r} is not at the model's origin", "", None, _PARITY),
    Rule("C079", "direct-urdf-part-pose", "error",
         "the pose of {name!r} is relative to {frame!r}, not to its link", "", None, _PARITY),
    Rule("C081", "direct-urdf-pose-form", "error",
         "the pose of {name!r} is written {form}; URDF has roll, pitch and yaw in radians",
         "write it so", None, _PARITY),
    Rule("C082", "direct-urdf-model-pose", "error", "URDF has no place for the pose of model {name!r}",
         "remove it: who spawns the robot says where", None, _PARITY),
    Rule("C083", "direct-urdf-mimic", "error",
         "joint {name!r} mimics with a reference, which URDF's offset would have to take in",
         "write the offset that has the reference in it", None, _PARITY),
    Rule("C084", "direct-urdf-inertia", "error", "the inertia of link {name!r} is not written: it is to be computed",
         "'sdf_frames inertia --write' writes it", None, _PARITY),
    Rule("C080", "direct-urdf-shape", "error", "URDF has no {shape}: {name!r}", "", None, _PARITY),
)
