"""What to write for a name that people try and that does not exist; imported when that happens."""
from __future__ import annotations

#: How an element of a description is changed.
CHANGE = "change the XML: tree = robot.tree, then robot = sf.loads(tree)"
_JOINTS = "for j in robot.joints.values() if j.movable]"
_KINEMATICS = {
    ".pose(frame, relative_to=…, positions=…)": "get_transform transform get_pose frame_pose",
    ".poses(positions)": "fk link_fk forward_kinematics compute_fk cfg",
    ".pose(frame, positions=…), or .poses(positions)": "update_cfg set_joint_positions set_positions",
    ".inertias().total.mass": "mass total_mass", ".inertias().total.com": "com center_of_mass center_mass",
    ".inertias()": "inertia total_inertia",
    "set(robot.links) - {j.child for j in robot.joints.values()}": "root root_link base_link base",
    f"[j {_JOINTS}": "actuated_joints", f"[j.name {_JOINTS}": "actuated_joint_names movable_joints",
    f"len([j {_JOINTS})": "dof dofs ndof num_dofs num_actuated_joints",
    "len(robot.joints)": "num_joints", "len(robot.links)": "num_links",
    "list(robot.joints)": "joint_names", "list(robot.links)": "link_names", "list(robot.frames)": "frame_names",
    ".joints": "joint_map", ".links": "link_map", ".links[name]": "link link_by_name get_link",
    ".joints[name]": "joint joint_by_name get_joint", ".frames[name]": "frame frame_by_name get_frame",
    ".models[name]": "model model_by_name",
    "[(j.parent, j.child) for j in robot.joints.values()]": "chain get_chain children parent_map",
    "[p for p in robot.parts if p.kind == 'sensor'], or another kind": "sensors lights plugins",
}
#: By the class of an object ("": the package): what to write here for the names of other libraries.
INSTEAD: dict[str, dict[str, str]] = {
    "": {
        "sf.load(path)": "parse read open from_file load_file load_urdf load_sdf load_robot read_urdf read_sdf URDF "
                         "Root Robot RobotModel buildModelFromUrdf",
        "sf.loads(text)": "parse_string load_string from_string from_xml_string",
        "sf.load(path).findings": "validate is_valid issues",
        "sf.load(path).poses(positions)": "fk forward_kinematics compute_fk",
        "sf.load(path).findings, or sf.load(path).verdict('drake')": "check",
        "sf.load(path).to_sdf()": "urdf_to_sdf to_sdf",
        "sf.load(path).to_urdf()": "sdf_to_urdf to_urdf", "sf.show(robot)": "view visualize draw plot render",
        "robot.save(path)": "save write dump export", "sf.diff(a, b)": "compare", "robot.simplify()": "simplify",
        "sf.mesh_inertia(path), or robot.inertias()": "inertia"},
    "World": _KINEMATICS,
    "RobotDescription": {
        **_KINEMATICS,
        "sf.load(path)": "load from_file from_xml_file", "sf.loads(text)": "from_string from_xml_string",
        ".valid": "is_valid", ".findings": "validate diagnostics problems messages issues",
        ".poses()": "transforms", ".joints[name].limits": "limits joint_limits",
        ".links[name].collisions": "collisions",
        ".frames, .links and .joints, or run sdf_frames frames --json FILE": "to_dict to_json as_dict",
        ".findings, or .verdict('drake')": "check", "sf.diff(a, b)": "compare diff",
        ".show()": "visualize view scene draw plot animate render",
        ".save(path)": "write export dump to_file write_xml_file save_sdf save_urdf",
        ".to_sdf() or .to_urdf()": "to_xml to_string convert to_sdf_string write_xml_string",
        ".to_sdf()": "sdf", ".to_urdf()": "urdf", ".tree": "xml", ".list_files()": "files",
        ".uris, or .links[name].visuals": "meshes mesh_files assets",
        ".links[name].visuals": "visuals materials colors"},
    "Frame": {".attached_to, .relative_to or .body": "parent parent_frame", ".pose": "transform", ".body": "link"},
    "Link": {"[j.parent for j in robot.joints.values() if j.child == link.name]": "parent",
             "[j for j in robot.joints.values() if j.child == link.name]": "parent_joint",
             "[j.child for j in robot.joints.values() if j.parent == link.name]": "children",
             ".com": "center_of_mass center_mass", ".pose": "origin", ".mass, .com and .inertia": "inertial",
             ".visuals": "visual", ".collisions": "collision"},
    "Joint": {"robot.pose(joint.name, relative_to=joint.parent)": "origin",
              "[p.settings for p in robot.parts if p.name == joint.name]": "dynamics damping friction",
              ".limits": "limit", ".limits.lower": "lower", ".limits.upper": "upper", ".limits.effort": "effort",
              ".limits.velocity": "velocity", ".axes[0].xyz": "axis", ".type": "joint_type", ".parent": "parent_link",
              ".child": "child_link", "not joint.movable": "is_fixed"},
    "Axes": {"joint.axes[0].xyz": "xyz", "joint.limits": "limits", "joint.mimic": "mimic"},
    "Shape": {".colour": "color rgba", ".colour and .texture": "material", ".geometry": "mesh",
              ".path or .uri": "filename", ".pose": "origin"},
    "Pose": {".xyz": "position translation trans t p", ".rpy, .quat_wxyz or .matrix": "rotation euler",
             ".matrix[:3, :3]": "R", ".quat_wxyz": "orientation quaternion quat wxyz",
             ".quat_wxyz[..., [1, 2, 3, 0]]": "xyzw quat_xyzw", ".matrix": "homogeneous T as_matrix to_matrix",
             ".inverse()": "inv invert", "sf.Pose()": "identity", ".from_rpy(xyz, rpy)": "from_xyz_rpy",
             "points @ X.matrix[:3, :3].T + X.xyz": "apply transform_points",
             ".xyz[0]": "x", ".xyz[1]": "y", ".xyz[2]": "z"},
    "Inertia": {".tensor": "inertia moment_inertia I matrix", ".com": "center_of_mass center_mass",
                ".valid, .verdict and .findings": "is_watertight", ".valid": "is_volume",
                ".mass / density": "volume", "sf.mesh_inertia(path)": "from_mesh",
                **{f".tensor[{i}, {j}]": f"i{'xyz'[i]}{'xyz'[j]}" for i in range(3) for j in range(i, 3)}},
}
#: What the library does not do, or a command does.
_ELSEWHERE = {
    "sdf_frames has none; use Pinocchio on robot.to_urdf()":
        "jacobian jac get_jacobian mass_matrix gravity_torque rnea crba aba inverse_dynamics ik inverse_kinematics",
    CHANGE: "rename rename_link rename_joint set_name prefix add_link add_joint remove_link",
    "run sdf_frames view FILE --png OUT": "picture screenshot", "run sdf_frames graph FILE": "graph",
}


def explain_name(owner: str, name: str) -> str:
    """The text of the error for a name that objects of the class `owner` do not have; "" is the package."""
    said = f"{owner!r} object" if owner else "module 'sdf_frames'"
    words = {f"write {word}": names for word, names in INSTEAD.get(owner, {}).items()}
    if owner in ("", "World", "RobotDescription"):
        words |= _ELSEWHERE
    return "; ".join([f"{said} has no attribute {name!r}",
                      *[word for word, names in words.items() if name in names.split()]])
