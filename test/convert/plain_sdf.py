"""Reading SDF back without the project's own reader: plain dictionaries and NumPy matrices."""
from __future__ import annotations

import numpy as np
from lxml import etree


def numbers(text: str | None, count: int) -> tuple:
    """`count` numbers of a text; zeros where it is empty."""
    values = tuple(float(part) for part in (text or "").split())
    return values if values else (0.0,) * count


def rotation(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rz(yaw)·Ry(pitch)·Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return z @ y @ x


def transform(xyz_rpy) -> np.ndarray:
    """4×4 matrix of x y z roll pitch yaw."""
    X = np.eye(4)
    X[:3, :3] = rotation(*xyz_rpy[3:])
    X[:3, 3] = xyz_rpy[:3]
    return X


class Sdf:
    """Links, joints and frames of an SDF model as dictionaries by name, poses resolved to the model frame."""

    def __init__(self, text_or_root):
        root = etree.fromstring(text_or_root.encode(), etree.XMLParser(remove_comments=True)) if isinstance(
            text_or_root, str) else text_or_root
        self.version = root.get("version")
        self.model = model = root.find("model")
        self.links = {e.get("name"): e for e in model.findall("link")}
        self.joints = {e.get("name"): e for e in model.findall("joint")}
        self.frames = {e.get("name"): e for e in model.findall("frame")}
        everything = [*model.findall("link"), *model.findall("joint"), *model.findall("frame")]
        names = [e.get("name") for e in everything]
        assert len(names) == len(set(names)), "names are not unique"
        self._elements = {e.get("name"): e for e in everything}
        self._poses = {"__model__": np.eye(4)}

    def raw_pose(self, name: str) -> tuple:
        """The frame that a pose is given in, and its six numbers."""
        e = self._elements[name]
        pose = e.find("pose")
        default = {"link": "__model__", "joint": e.findtext("child"), "frame": e.get("attached_to")}[e.tag]
        if pose is None:
            return default, (0.0,) * 6
        return pose.get("relative_to") or default, numbers(pose.text, 6)

    def pose(self, name: str) -> np.ndarray:
        """Pose in the model frame, walked without recursion."""
        chain = []
        while name not in self._poses:
            assert name not in chain, f"{name} is relative to itself"
            chain.append(name)
            name = self.raw_pose(name)[0]
        for link in reversed(chain):
            base, raw = self.raw_pose(link)
            self._poses[link] = self._poses[base] @ transform(raw)
        return self._poses[chain[0]] if chain else self._poses[name]

    def body(self, name: str) -> str:
        """The link that a name is attached to."""
        seen = []
        while name not in self.links and name != "world":
            assert name not in seen, f"{name} is attached to itself"
            seen.append(name)
            e = self._elements[name]
            name = e.findtext("child") if e.tag == "joint" else e.get("attached_to")
        return name

    def inertia(self, link: str) -> tuple:
        """Mass, 4×4 pose of the inertial frame in the link's, 3×3 tensor in the axes of that frame."""
        e = self.links[link].find("inertial")
        i = {t: float(e.findtext(f"inertia/{t}")) for t in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        tensor = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]],
                           [i["ixz"], i["iyz"], i["izz"]]])
        return float(e.findtext("mass")), transform(numbers(e.findtext("pose"), 6)), tensor

    def spatial_inertia(self, link: str) -> tuple:
        """Mass, first moment and second moment about the model's origin, in the model's axes."""
        return moments(*self.inertia(link), self.pose(link))


def moments(mass: float, X_LI: np.ndarray, tensor: np.ndarray, X_ML: np.ndarray) -> tuple:
    """Mass, m·c, and the tensor about the origin of M, of a body given in its inertial frame I."""
    X = X_ML @ X_LI
    R, c = X[:3, :3], X[:3, 3]
    return mass, mass * c, R @ tensor @ R.T + mass * (c @ c * np.eye(3) - np.outer(c, c))
