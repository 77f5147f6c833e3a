"""What diagnostics mean, in words, for 'sdf_frames explain'; the examples are in ``examples/``."""

MEANINGS = {
    "C001": "SDFormat needs mass to simulate a link. A link without mass behind a moving joint leaves the SDF "
            "with all that hangs on it; its frames stay in TF. Give it a mass, or use --massless keep.",
    "C004": "Without a link of any mass, nothing is left for SDFormat to simulate.",
    "C010": "In SDFormat links and joints share their names, in URDF they do not.",
    "C020": "SDFormat has no joint that floats or moves in a plane. The child link moves freely, as without a "
            "joint.",
    "C021": "The lower limit is above the upper one.",
    "C022": "The joint follows another one, which the robot does not have.",
    "C030": "What stands in <gazebo> is meant for a link or joint that the robot does not have.",
    "F001": "A frame must be attached to a link, joint, frame or model of the same scope. Names inside a nested "
            "model need its name in front, such as gripper::palm.",
    "F002": "Each frame follows another one, and none of them is attached to a link, so that no body carries "
            "them.",
    "F003": "A model that can move needs at least one link, its own or one of a nested model. A static model does "
            "not.",
    "F004": "The canonical link carries the frame of the model. It must be a link of the model or of a nested "
            "one.",
    "F005": "The canonical link carries the frame of the model. Frames, joints and models cannot do so.",
    "I001": "No distribution of mass has these moments: each is at most the sum of the other two. Often the "
            "numbers are in other units, or about another point than the centre of mass.",
    "I002": "auto=\"true\" asks to compute the inertia from the collisions of the link.",
    "J001": "SDFormat has the joint types ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw "
            "and universal.",
    "J002": "A joint moves its child, which must be in the scope of the joint.",
    "J003": "The parent of a joint must be in its scope, or be the world.",
    "J004": "A joint moves its child, and nothing moves the world. Swap parent and child.",
    "J005": "The child of a joint is a link or a frame that is attached to one, not the joint itself.",
    "J006": "The parent of a joint is a link or a frame that is attached to one, not the joint itself.",
    "J007": "Parent and child are one rigid body, so that there is nothing to join.",
    "J008": "expressed_in must name a frame of the joint's scope. Without it, the axis is in the joint frame.",
    "J009": "An axis of length zero has no direction.",
    "K001": "Two joints move one link. That is a closed chain if it is meant, and a wrong name if it is not.",
    "K003": "No joint leads to the link. In simulation it falls and drifts away from the rest of the model.",
    "N001": "Siblings of one kind need different names.",
    "N002": "Links, joints, frames and models of one model share their names, so that a reference means one "
            "thing.",
    "N003": "Names that begin and end with two underscores, and 'world', belong to the format.",
    "N004": "'::' separates the name of a nested model from a name in it, and cannot be part of a name.",
    "P001": "relative_to must name a link, joint, frame or model of the same scope.",
    "P002": "Each pose is given relative to the next one, and the last relative to the first: none is known.",
    "P003": "The pose of a model places its placement frame, which must be in the model.",
    "R001": "A robot needs a name.",
    "R002": "A robot needs at least one link.",
    "R004": "Joints refer to links by their names.",
    "R005": "Two links, or two joints, cannot have one name.",
    "R006": "A joint needs a name.",
    "R007": "URDF has the joint types revolute, continuous, prismatic, fixed, floating and planar.",
    "R008": "A joint joins two links.",
    "R009": "The joint names a link that the robot does not have.",
    "R010": "The attribute cannot be read as numbers.",
    "R012": "Revolute and prismatic joints need limits; a revolute joint without limits is of type continuous.",
    "R014": "A URDF is one tree: every link but one is the child of a joint.",
    "R015": "A URDF is a tree: a link is the child of one joint. SDFormat allows closed chains.",
    "R023": "The material has no colour of its own here, and the robot defines none of that name.",
    "R029": "The element or attribute is no part of URDF: it is misspelt, or of somebody else. Readers ignore it.",
    "S001": "The version says which rules the file follows.",
    "S003": "The element is not part of SDFormat here: it is misspelt, stands in the wrong place, or is of "
            "somebody else. Readers ignore it. Elements of others have a prefix, such as <mine:colour>.",
    "S004": "The attribute is not part of SDFormat here. Readers ignore it.",
    "S005": "The element cannot be understood without the attribute.",
    "S006": "The attribute needs a value.",
    "S008": "The value is not of the element's type. 'sdf_frames describe ELEMENT' shows the types.",
    "S009": "The element must be there.",
    "S011": "A file holds worlds, or one model, actor or light.",
    "S016": "The file is well-formed, but describes nothing.",
    "U001": "<include> needs the URI of the model.",
    "U002": "The model is in none of the folders that were searched. Give the folder that holds it with "
            "--resource-path, SDF_PATH or GZ_SIM_RESOURCE_PATH.",
    "X002": "The text is no XML: a tag is not closed, for example.",
    "X004": "The file is XML, but neither URDF, whose root is <robot>, nor SDFormat, whose root is <sdf>.",
    "X006": "XML ends comments with --> and allows no other -- in them.",
}
