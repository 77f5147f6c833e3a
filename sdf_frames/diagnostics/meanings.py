"""Explanations of diagnostics for 'sdf_frames explain'; the examples are in ``examples/``."""

MEANINGS = {
    "C001": "SDFormat links need mass. A massless link behind a movable joint is removed from the SDF, with all "
            "links below it. Their frames stay in TF.",
    "C002": "With --massless error, a massless link behind a movable joint is an error.",
    "C003": "SDFormat links need mass. With --massless keep, a massless link gets a very small mass.",
    "C004": "SDFormat links need mass. The root link has none, and no fixed joint joins it to a link that has. The SDF "
            "would be empty.",
    "C006": "SDFormat links need mass. The root link has none, so it is joined with the first link that has mass.",
    "C007": "A massless link behind a movable joint is removed from the SDF with all links below it. This message "
            "counts what the robot loses through several of these links.",
    "C010": "In SDFormat, a link and a joint of one model cannot have the same name. In URDF they can.",
    "C012": "The visuals, collisions and sensors of a lumped link move to the link that it is lumped into. There, "
            "their names must be unique.",
    "C020": "SDFormat has no floating and no planar joint. The child link moves freely, as if there were no "
            "joint.",
    "C021": "The lower limit of the joint is above its upper limit.",
    "C022": "<mimic> names a joint that does not exist in the robot, or the joint itself.",
    "C030": "The reference of a <gazebo> element must be the name of a link or joint of the robot.",
    "C031": "A lumped fixed joint is a frame in the SDF. It has no place for the settings of a joint.",
    "C035": "Lumped links become one link, which has one value for gravity.",
    "C039": "A setting such as <mu1> or <material> is for all collisions, or all visuals, of the link that the "
            "reference names. This link has none, so the setting has no place in the SDF.",
    "C044": "Lumped links become one link, which has one value of each setting.",
    "C066": "A mimic joint follows another joint of the same robot. In a URDF, that joint must be in the tree.",
    "C067": "A <gazebo> element of a URDF can name a link, but no nested model. Its surface or material holds for all "
            "collisions, or all visuals, of that link.",
    "F001": "A frame must be attached to a link, joint, frame or model of the same scope. A name inside a nested "
            "model needs the name of that model in front, such as gripper::palm.",
    "F002": "Each of these frames is attached to another one of them, and none is attached to a link. So no link "
            "carries them.",
    "F003": "A model needs at least one link, in the model itself or in a nested model. A static model does not "
            "need a link.",
    "F004": "The frame of a model is attached to its canonical link. This must be a link of the model or of a "
            "nested model.",
    "F005": "The frame of a model is attached to its canonical link. A frame, joint or model cannot take this role.",
    "I001": "No rigid body can have this inertia: neither the mass nor a principal moment may be negative, and each "
            "moment is at most the sum of the other two. Often the values are in other units, or are not taken about "
            "the centre of mass.",
    "I002": "With auto=\"true\", the inertia is computed from the collisions of the link.",
    "J001": "SDFormat has the joint types ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw "
            "and universal.",
    "J002": "The child of a joint must be a link or frame in the scope of the joint.",
    "J003": "The parent of a joint must be a link or frame in the scope of the joint, or the world.",
    "J004": "A joint moves its child, and the world cannot move.",
    "J005": "The child of a joint is a link, or a frame that is attached to a link. It is not the joint itself.",
    "J006": "The parent of a joint is a link, or a frame that is attached to a link. It is not the joint itself.",
    "J007": "The parent and the child of a joint must be two different rigid bodies.",
    "J008": "expressed_in must name a frame in the scope of the joint. Without expressed_in, the axis is in the joint "
            "frame.",
    "J009": "An axis of length zero has no direction.",
    "J011": "No position is within these limits. With them, Gazebo's physics engine DART stops the simulation, or in "
            "versions from 2026 on leaves the limits out.",
    "K001": "Two joints have the same child link. This closes a kinematic loop, or one of the names is wrong.",
    "K002": "Some joints connect links that other joints connect already, as in a four-bar linkage.",
    "K003": "No joint has this link as parent or child. In simulation, the link moves independently of the rest of the "
            "model.",
    "M005": "A static transform stays in TF until its listeners restart, even if nobody publishes it any more.",
    "N001": "Siblings of one kind need different names.",
    "N002": "Links, joints, frames and nested models of a model need different names, so that a reference is "
            "unambiguous.",
    "N003": "SDFormat reserves 'world' and all names that start and end with two underscores.",
    "N004": "'::' separates the name of a nested model from a name in it, and cannot be part of a name.",
    "P001": "relative_to must name a link, joint, frame or model of the same scope.",
    "P002": "Each of these poses is relative to the next one, and the last is relative to the first. So none of them "
            "is defined.",
    "P003": "The pose of a model is the pose of its placement frame, which must be a frame of the model.",
    "R001": "<robot> needs a name attribute.",
    "R002": "<robot> needs at least one <link>.",
    "R004": "A link needs a name, because joints refer to links by name.",
    "R005": "Two links cannot have the same name, and two joints cannot have the same name.",
    "R006": "A joint needs a name.",
    "R007": "URDF has the joint types revolute, continuous, prismatic, fixed, floating and planar.",
    "R008": "A joint connects a parent link and a child link.",
    "R009": "The joint names a link that the robot does not have.",
    "R010": "The attribute must hold numbers.",
    "R012": "Revolute and prismatic joints need limits; use type continuous for a joint without limits.",
    "R014": "A URDF is one tree: every link but one is the child of a joint.",
    "R015": "A URDF is a tree: a link is the child of one joint. SDFormat allows closed chains.",
    "R023": "The <material> of this visual has no colour, and the robot defines no material of that name.",
    "R029": "The element or attribute is not part of URDF: it is misspelt, or an extension. URDF readers ignore it.",
    "R037": "URDF's schema has a <sensor> in <robot>, but the readers of urdfdom and libsdformat pass over it. Sensors "
            "for simulation are written under <gazebo>, as SDFormat has them.",
    "S001": "The version says which version of SDFormat the file is written in.",
    "S003": "SDFormat has no such element in this place: it is misspelt, in the wrong place, or an extension. "
            "Readers ignore it. Extensions need a namespace prefix, such as <mine:colour>.",
    "S004": "SDFormat has no such attribute for this element. Readers ignore it.",
    "S005": "The attribute is required.",
    "S006": "The attribute must not be empty.",
    "S008": "The value does not have the type of the element. 'sdf_frames describe ELEMENT' shows the types.",
    "S009": "The element is required.",
    "S011": "A file contains one or more worlds, or exactly one model, actor or light.",
    "S016": "The file is well-formed XML, but it describes nothing.",
    "T001": "In TF, every frame needs its own name. With these settings, two elements would have the same one.",
    "T002": "No transform was received. TF is empty, or its publishers are in another ROS domain.",
    "T003": "The model has a frame that no transform in TF mentions.",
    "T004": "TF and the model connect this frame with different parents. Often, a publisher uses another version "
            "of the description.",
    "T005": "TF has the right parent for this frame, but another pose. Often, a publisher uses an older "
            "description.",
    "T006": "In TF, a frame has one parent. With several, listeners use the transform that came last.",
    "T007": "Nothing connects this frame with its parent in the model, so no pose relates the two.",
    "T008": "Each of these frames is the child of another one. TF must be a tree.",
    "T009": "The frame is behind a movable joint. A transform on /tf_static says that it never moves.",
    "T010": "One publisher says that the frame never moves, and another one moves it.",
    "T011": "tf2 ignores a transform with an empty name, with the same frame as parent and child, or with numbers "
            "that are not finite or no rotation.",
    "T012": "A joint turns its child about its axis, or moves the child along it. No position of the joint gives "
            "the pose that TF has.",
    "T013": "The pose in TF is a position of the joint, but one that its limits exclude.",
    "U001": "<include> needs the <uri> of the model to include.",
    "U002": "The model is not in any of the folders that were searched. Add the folder that contains it to "
            "--resource-path, SDF_PATH or GZ_SIM_RESOURCE_PATH.",
    "U007": "With merge=\"true\", the content of the included model becomes part of the model around it.",
    "U020": "A relative URI leads from the folder of the file that contains it. A text on standard output has no "
            "folder, and that of a text from standard input is not known.",
    "X002": "The file is not well-formed XML. For example, a tag is not closed.",
    "X004": "The file is XML, but neither URDF, whose root is <robot>, nor SDFormat, whose root is <sdf>.",
    "X006": "In XML, a comment ends with -->, and must not contain -- before that.",
    "X030": "A file that a command reads is never overwritten, except by --fix and --write. An output replaces an "
            "older output of its own kind, such as a picture or an SDFormat file, but no other file.",
    "X021": "xacro reported an error in the .xacro file or in a file that it includes.",
    "X028": "A comment in the file can suppress a diagnostic. This one does not.",
}
