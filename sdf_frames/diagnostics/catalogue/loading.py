"""L: what programs other than Gazebo refuse or misread; only judged when one of them is asked for."""
from sdf_frames.diagnostics.catalogue.rule import Rule

_DRAKE, _MUJOCO = {"drake": "error"}, {"mujoco": "error"}

RULES = (
    Rule("L001", "format-not-read", "error", "{consumer} does not read {format}; it reads {formats}",
         "convert the file: 'sdf_frames convert' writes SDFormat, 'sdf_frames to-urdf' writes URDF",
         consumers=dict.fromkeys(("ros", "mujoco", "pinocchio", "urdfdom"), "error")),
    Rule("L002", "collision-file-missing", "error", "the file {uri!r} of a collision is not found",
         consumers={"drake": "error", "mujoco": "error", "ros": "warning"},
         meaning="Drake and MuJoCo refuse a robot if the mesh of a collision is missing. RViz leaves it out."),
    Rule("L003", "visual-file-missing", "error", "the file {uri!r} of a visual is not found",
         consumers={"drake": "error", "ros": "warning"},
         meaning="Drake refuses a robot if the mesh or texture of a visual is missing. RViz leaves it out. MuJoCo does "
                 "not read visuals of a URDF."),
    # Drake.
    Rule("L010", "drake-mesh-format", "error", "Drake does not read the file {file!r} of a collision; it reads {known}",
         "save the mesh as .obj, or use a simple shape", consumers=_DRAKE,
         meaning="Drake makes a convex hull of the mesh of each collision, and reads few kinds of files for it. "
                 "Visuals of other kinds are not shown."),
    Rule("L011", "drake-size-refused", "error", "link {link!r}: Drake refuses the sizes of the <{shape}>",
         "write positive sizes", consumers=_DRAKE,
         meaning="All sizes except the radius of a sphere must be positive; scales must be at least 1e-8."),
    Rule("L012", "drake-value-negative", "error", "joint {joint!r}: Drake refuses a negative {value}",
         "write its absolute value", consumers=_DRAKE),
    Rule("L013", "drake-mimic-refused", "error",
         "joint {joint!r} is {type} and cannot mimic {leader!r}, which is {other}, in Drake",
         "remove <mimic>, or change the type of one of the two joints", consumers=_DRAKE,
         meaning="In Drake, both joints must have as many degrees of freedom."),
    Rule("L014", "drake-material-refused", "error",
         "Drake refuses material {material!r} of the robot: it has {problem}",
         "give the material a name and a colour, or remove it", consumers=_DRAKE),
    Rule("L015", "drake-transmission-refused", "error", "Drake refuses the transmission: {problem}",
         "correct the transmission, or remove it", consumers=_DRAKE,
         meaning="Drake makes an actuator of each transmission of type SimpleTransmission."),
    Rule("L016", "drake-limits-reversed", "error",
         "joint {joint!r}: Drake refuses a lower limit {lower} above the upper limit {upper}", "swap them",
         consumers=_DRAKE),
    Rule("L017", "drake-joint-refused", "error", "Drake refuses joint {joint!r}: {problem}",
         "use another type, or two joints", consumers=_DRAKE,
         meaning="Drake has no revolute2 and gearbox joints, needs an <axis>, and takes only fixed joints in worlds "
                 "and static models."),
    Rule("L018", "drake-friction-refused", "error",
         "Drake refuses <mu2> {dynamic:g} above <mu> {static:g}", "write <mu> and <mu2> of the same value",
         consumers=_DRAKE, meaning="Drake takes <mu> for the static and <mu2> for the dynamic coefficient."),
    Rule("L019", "drake-element-unknown", "error", "Drake refuses <{tag}>, which SDFormat does not define",
         "write <frame_id>, which SDFormat 1.12 has, or remove it", consumers=_DRAKE),
    Rule("L040", "drake-several-or-nothing", "error", "Drake needs exactly one <world> or one <model> in a file",
         "give each its own file; Drake does not load lights and actors", consumers=_DRAKE),
    Rule("L041", "drake-file-suffix", "error",
         "Drake recognizes files by their suffix, and does not know that of {file}",
         "rename the file to .sdf", consumers=_DRAKE),
    Rule("L042", "drake-include-bare", "error", "Drake does not find {uri!r}, which is not beside the file",
         "write model://{uri}", consumers=_DRAKE),
    # MuJoCo.
    Rule("L020", "mujoco-collision-refused", "error", "link {link!r}: MuJoCo refuses a collision: {problem}",
         "correct the shape", consumers=_MUJOCO),
    Rule("L021", "mujoco-inertia-refused", "error", "link {link!r}: MuJoCo refuses its inertia: {problem}",
         "correct the inertia, or give it with more digits", consumers=_MUJOCO,
         meaning="MuJoCo refuses a tensor whose principal moments are below 1e-14 kg m², or one of which exceeds the "
                 "sum of the others. A tensor of zeros is allowed for a link that does not move by itself."),
    Rule("L022", "mujoco-size-refused", "error", "link {link!r}: MuJoCo refuses the sizes of the <{shape}>",
         "write positive sizes", consumers=_MUJOCO),
    Rule("L023", "mujoco-mesh-refused", "error", "MuJoCo refuses the file {file!r} of a collision: {problem}",
         "save the mesh as .obj or as binary .stl, or use a simple shape", consumers=_MUJOCO),
    Rule("L024", "mujoco-massless-body", "error",
         "MuJoCo refuses link {link!r}: it moves, and has no mass or no inertia",
         "give it a mass and an inertia, or a collision, whose mass MuJoCo computes", consumers=_MUJOCO,
         meaning="MuJoCo needs the mass and the inertia of every link behind a movable joint, together with the links "
                 "that are fixed to it. If a link has no <inertial>, it computes them from the collisions."),
    Rule("L025", "mujoco-world-moves", "error", "MuJoCo takes the link 'world' for its world, which joint {joint!r} "
         "cannot move", "rename the link", consumers=_MUJOCO),
    Rule("L026", "mujoco-floating-inside", "error",
         "the floating joint {joint!r} is behind another movable joint, which MuJoCo does not allow",
         "use another type, or let the joint start at the root link", consumers=_MUJOCO),
    # Pinocchio.
    Rule("L030", "pinocchio-value-negative", "error", "joint {joint!r}: Pinocchio refuses a negative {value}",
         "write its absolute value", consumers={"pinocchio": "error"}),
)
