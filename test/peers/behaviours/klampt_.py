import xml.etree.ElementTree as ET

import klampt
import numpy as np

UNTOLD = ("follows",)  # its drivers hold the coupling, which a configuration need not obey


def load(file):
    world = klampt.WorldModel()
    robot = world.loadRobot(file)
    if robot.index < 0:
        raise ValueError("the robot is not loaded")
    return world, robot, {j.get("name"): j.find("child").get("link") for j in ET.parse(file).getroot().iter("joint")}


def _links(r):
    return {r[1].link(i).getName(): r[1].link(i) for i in range(r[1].numLinks())}


def masses(r):
    return {name: link.getMass().mass for name, link in _links(r).items()}


def tensors(r):
    return {name: [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]] for name, link in _links(r).items()
            for t in [np.array(link.getMass().inertia).reshape(3, 3)]}


def place(r, positions):
    world, robot, children = r
    config = robot.getConfig()
    for name, value in positions.items():
        config[robot.link(children[name]).getIndex()] = value
    robot.setConfig(config)
    poses = {}
    for name, link in _links(r).items():
        R, t = link.getTransform()
        poses[name] = np.eye(4)
        poses[name][:3, :3], poses[name][:3, 3] = np.array(R).reshape(3, 3).T, t
    return poses
