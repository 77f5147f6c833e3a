import ikpy.chain
import numpy as np


def load(file):
    return ikpy.chain.Chain.from_urdf_file(file, base_elements=["base"]), file


def place(c, positions):
    import xml.etree.ElementTree as ET
    child = {j.get("name"): j.find("child").get("link") for j in ET.parse(c[1]).getroot().iter("joint")}
    frames = c[0].forward_kinematics([positions.get(link.name, 0) for link in c[0].links], full_kinematics=True)
    return {"base": np.eye(4), **{child[link.name]: X for link, X in zip(c[0].links, frames) if link.name in child}}


def limits(c):
    return {link.name: link.bounds for link in c[0].links}
