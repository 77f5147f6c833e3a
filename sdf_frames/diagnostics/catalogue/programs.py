"""L: what programs other than Gazebo refuse or misread; only judged when one of them is asked for."""
from sdf_frames.diagnostics.catalogue.rule import Rule

_DRAKE, _MUJOCO = {"drake": "error"}, {"mujoco": "error"}

RULES = (
    Rule("L001", "format-not-read", "error", "{consumer} does not read {format}; it reads {formats}",
         "convert the file: 'sdf_frames convert' writes SDFormat, 'sdf_frames to-urdf' writes URDF",
         consumers=dict.fromkeys(("ros", "mujoco", "pinocchio", "urdfdom"), "error")),
    Rule("L002", "collision-file-missing", "error", "the file {uri!r} of a collision is not found",
         consumers={"drake": "error", "ros": "warning"},
         meaning="Drake refuses a robot if the mesh of a collision is missing. RViz leaves it out. MuJoCo looks for "
                 "meshes in its own way: mujoco-mesh-refused."),
    Rule("L003", "visual-file-missing", "error", "the file {uri!r} of a visual is not found",
         consumers={"drake": "error", "ros": "warning"},
         meaning="Drake refuses a robot if the mesh or texture of a visual is missing. RViz leaves it out. MuJoCo does "
                 "not read visuals of a URDF."),
    Rule("L047", "file-with-backslashes", "error", "the file {uri!r} of a {kind} is found only with slashes",
         consumers={"drake": "error", "ros": "warning"},
         meaning="On Linux and macOS, a backslash is part of a name. MuJoCo takes it for a slash. Drake refuses the "
                 "robot, and RViz shows it without the mesh."),
    Rule("L055", "rviz-uri-refused", "warning", "RViz does not open the URI {uri!r} of a file{times}",
         "write package://PACKAGE/PATH, or file:// and the whole path", consumers={"ros": "warning"},
         meaning="The file exists, but RViz opens only package://PACKAGE/PATH, file:///PATH, http:// and https://. It "
                 "shows the robot without this mesh or texture."),
    # Drake.
    Rule("L010", "drake-mesh-format", "error", "Drake does not read the file {file!r} of a collision; it reads {known}",
         "save the mesh as .obj, or use a simple shape", consumers=_DRAKE,
         meaning="Drake makes a convex hull of the mesh of each collision, and reads few kinds of files for it. "
                 "Visuals of other kinds are not shown."),
    Rule("L011", "drake-size-refused", "error", "link {link!r}: Drake refuses the numbers of the <{shape}>",
         "write positive sizes", consumers=_DRAKE, explains=("value-undefined", "inertia-invalid"),
         meaning="All sizes except the radius of a sphere must be positive; scales must be at least 1e-8."),
    Rule("L012", "drake-value-negative", "error", "joint {joint!r}: Drake refuses a negative {value}",
         "write its absolute value", consumers=_DRAKE),
    Rule("L013", "drake-mimic-refused", "error",
         "joint {joint!r} is {type} and cannot mimic {leader!r}, which is {other}, in Drake",
         "remove <mimic>, or change the type of one of the two joints", consumers=_DRAKE,
         meaning="In Drake, both joints must have as many degrees of freedom, and the leader must not be floating.",
         since={"drake": "since 1.37"}),
    Rule("L014", "drake-material-refused", "error",
         "Drake refuses material {material!r} of the robot: it has {problem}",
         "give the material a name and a colour, or remove it", consumers=_DRAKE),
    Rule("L015", "drake-transmission-refused", "error", "Drake refuses the transmission: {problem}",
         "correct the transmission, or remove it", consumers=_DRAKE,
         meaning="Drake makes an actuator of each transmission of type SimpleTransmission."),
    Rule("L016", "drake-limits-reversed", "error",
         "joint {joint!r}: Drake refuses a lower limit {lower} above the upper limit {upper}", "swap them",
         consumers=_DRAKE, explains=("joint-limits-reversed",)),
    Rule("L017", "drake-joint-refused", "error", "Drake refuses joint {joint!r}: {problem}",
         "use another type, or two joints", consumers=_DRAKE, explains=("value-undefined",),
         meaning="Drake has no revolute2 and gearbox joints, needs an <axis> that has a direction, takes only fixed "
                 "joints in worlds and static models, and mimics only joints that exist.",
         since={"drake": "mimics since 1.37"}),
    Rule("L018", "drake-friction-refused", "error",
         "Drake refuses <mu2> {dynamic:g} above <mu> {static:g}", "write <mu> and <mu2> of the same value",
         consumers=_DRAKE, meaning="Drake takes <mu> for the static and <mu2> for the dynamic coefficient."),
    Rule("L019", "drake-element-unknown", "error", "Drake refuses <{tag}>, which SDFormat 1.12 does not define here",
         "remove it", consumers=_DRAKE, since={"drake": "in <state> since 1.34"}),
    Rule("L040", "drake-several-or-nothing", "error", "Drake needs exactly one <world> or one <model> in a file",
         "give each its own file; Drake does not load lights and actors", consumers=_DRAKE),
    Rule("L041", "drake-file-suffix", "error",
         "Drake recognizes files by their suffix, and does not know that of {file}",
         "rename the file to .sdf", consumers=_DRAKE),
    Rule("L042", "drake-include-bare", "error",
         "Drake looks for {uri!r} in its working directory only",
         "write model://PACKAGE/{path}, and add the folder that has {path} to Drake's PackageMap as PACKAGE",
         consumers=_DRAKE),
    Rule("L043", "drake-name-empty", "error", "Drake refuses an empty name of a {what}", "write a name",
         consumers=_DRAKE, since={"drake": "since 1.25"}),
    Rule("L046", "drake-frame-refused", "error", "Drake refuses <frame> {name!r}: {problem}",
         "write <frame name=\"NAME\" link=\"LINK\"/>, or remove it", consumers=_DRAKE,
         meaning="URDF has no <frame>, but Drake reads it: a frame that is fixed to a link."),
    Rule("L059", "drake-name-unknown", "error", "<{tag}> names the {kind} {name!r}, which does not exist",
         "correct the name, or remove the element", consumers=_DRAKE,
         meaning="Drake refuses a name in its own elements that names nothing: a link of a collision group or a "
                 "constraint, a frame of a bushing, a group."),
    Rule("L048", "drake-name-taken", "error", "Drake adds two frames {name!r}, and refuses the file",
         "rename one of the two", consumers=_DRAKE,
         meaning="Drake adds a <frame> to the model of the link that it is attached to, which can be a nested model. "
                 "For a joint it adds the frame NAME_child to the model of its child."),
    Rule("L057", "drake-name-scoped", "error",
         "Drake takes the name of link {link!r} before the last :: for that of a model",
         "write names without ::, as 'sdf_frames upgrade FILE --to 1.12' does", consumers=_DRAKE,
         meaning="SDFormat before 1.8 allows :: in names. libsdformat makes nested models of them in worlds, not in "
                 "a model that is not in a world."),
    Rule("L058", "drake-inertia-refused", "error",
         "collision {collision!r}: Drake cannot compute an inertia from {what}, and refuses the file",
         consumers=_DRAKE,
         meaning="With <inertial auto=\"true\">, Drake computes an inertia from solid shapes and meshes, but not from "
                 "a polyline, and not from a mesh that is named by a relative path."),
    # Drake and MuJoCo.
    Rule("L044", "quaternion-passed-over", "warning",
         "Drake and MuJoCo ignore quat_xyzw, so this rotation is lost{times}",
         "write the same robot as URDF 1.0: sdf_frames upgrade --to 1.0 FILE -o OUT.urdf",
         consumers={**dict.fromkeys(_DRAKE, "warning"), **dict.fromkeys(_MUJOCO, "warning")},
         meaning="URDF 1.1 has quat_xyzw beside rpy. Drake and MuJoCo read URDF 1.0: they load the robot, and place "
                 "its parts without these rotations."),
    Rule("L056", "world-below-link", "warning",
         "the link 'world' is below joint {joint!r}: Drake and MuJoCo take it for the world",
         "rename the link, or, if it stands for the world, make it the root: sdf_frames reroot FILE world",
         consumers={**dict.fromkeys(_DRAKE, "warning"), **dict.fromkeys(_MUJOCO, "warning")},
         meaning="Drake fixes the link to the world, and so the robot. MuJoCo fixes the links below it to the world, "
                 "without the pose of the joint above 'world', and loses the mass of 'world'."),
    # MuJoCo.
    Rule("L020", "mujoco-collision-refused", "error", "link {link!r}: MuJoCo refuses a {kind}: {problem}",
         "correct the shape", consumers=_MUJOCO),
    Rule("L021", "mujoco-inertia-refused", "error", "link {link!r}: MuJoCo refuses its inertia: {problem}",
         "correct the inertia, or give it with more digits", consumers=_MUJOCO,
         meaning="MuJoCo refuses a tensor whose principal moments are below 1e-14 kg m², or one of which exceeds the "
                 "sum of the others. A tensor of zeros is allowed for a link that does not move by itself.",
         since={"mujoco": "small moments since 3.1.3"}),
    Rule("L022", "mujoco-size-refused", "error", "link {link!r}: MuJoCo refuses the sizes of the <{shape}>",
         "write positive sizes", consumers=_MUJOCO),
    Rule("L023", "mujoco-mesh-refused", "error", "MuJoCo refuses the file {file!r} of a {kind}: {problem}",
         "save the mesh as .obj or as binary .stl, or use a simple shape", consumers=_MUJOCO,
         meaning="MuJoCo does not open package:// and file:// URIs. It looks for a mesh in the folder of the URDF or "
                 "in meshdir of <compiler>: by its whole path, or only by its file name if strippath is true, the "
                 "default before 3.7.",
         since={"mujoco": "small volumes since 3.3"}),
    Rule("L024", "mujoco-massless-body", "error",
         "MuJoCo refuses link {link!r}: it moves, and has no mass or no inertia",
         "give it a mass and an inertia, or a collision, whose mass MuJoCo computes", consumers=_MUJOCO,
         meaning="MuJoCo needs the mass and the inertia of every link behind a movable joint, together with the links "
                 "that are fixed to it. If a link has no <inertial>, it computes them from the collisions."),
    Rule("L025", "mujoco-world-moves", "error", "MuJoCo takes the link 'world' for its world, which joint {joint!r} "
         "cannot move", "rename the link", consumers=_MUJOCO, explains=("world-below-link",)),
    Rule("L026", "mujoco-floating-inside", "error",
         "the floating joint {joint!r} is behind another movable joint, which MuJoCo does not allow",
         "use another type, or let the joint start at the root link", consumers=_MUJOCO),
    Rule("L027", "mujoco-joint-refused", "error", "MuJoCo refuses joint {joint!r}: {problem}",
         "write the attribute, or remove the element", consumers=_MUJOCO,
         meaning="MuJoCo needs an axis that has a direction, and a <mimic> that names another joint.",
         since={"mujoco": "mimics since 3.13"}),
    Rule("L049", "mujoco-mesh-confused", "warning",
         "MuJoCo loads {first!r} instead of {file!r}: both have the name {name!r}",
         "give one of the files another name", consumers=dict.fromkeys(_MUJOCO, "warning"),
         meaning="With strippath, MuJoCo knows a mesh by the name of its file, not by its folder. Before 4.0, it tells "
                 "meshes of the same scale apart only by the name without suffix."),
    Rule("L045", "mujoco-element-refused", "error", "MuJoCo refuses <{tag}> of a <{parent}>: {problem}",
         consumers=_MUJOCO,
         meaning="MuJoCo refuses a second element where it reads one, and a colour that is not four numbers. "
                 "It checks these things also in visuals that it leaves out."),
    # Pinocchio.
    Rule("L030", "pinocchio-value-negative", "error", "joint {joint!r}: Pinocchio refuses a negative {value}",
         "write its absolute value", consumers={"pinocchio": "error"}, since={"pinocchio": "since 4.0"}),
    Rule("L031", "pinocchio-mimic-refused", "warning",
         "joint {joint!r}: with mimic=True, Pinocchio refuses its <mimic> of {leader!r}: {problem}",
         "let it mimic a joint of the same type that comes first, or load the robot without mimic=True",
         consumers={"pinocchio": "warning"}, since={"pinocchio": "since 3.7"},
         meaning="By default, Pinocchio ignores every <mimic>. With mimic=True, the leader must come first. Pinocchio "
                 "orders joints along the tree, and the child joints of one link by name."),
    # What a program does with a robot that it loads: rows of checks/data/behaviours.tsv.
    *(Rule(code, name, severity, "{what}{times}; {becomes}", meaning=meaning)
      for code, name, severity, meaning in (
        ("L050", "program-refuses", "error", "A program that was asked for does not load such a robot. It is a warning "
         "if all programs were asked for, or if the program has a verdict on loading."),
        ("L051", "program-tells", "warning", "A program that was asked for reads this in another way, with a message."),
        ("L052", "program-changes", "warning",
         "A program that was asked for reads this in another way, without a message."),
        ("L053", "program-loses", "warning", "A program that was asked for ignores this, without a message."),
        ("L054", "program-fails-later", "warning",
         "A program that was asked for loads this, but fails or gives wrong numbers when it is used."))),
)
