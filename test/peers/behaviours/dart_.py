import dartpy
import numpy as np

UNTOLD = ("follows",)  # its constraint acts only while it simulates


def load(file):
    return (dartpy.utils.SdfParser.readSkeleton(file) if file.endswith(".sdf")
            else dartpy.utils.DartLoader().parseSkeleton(file))


def _bodies(s):
    return {s.getBodyNode(i).getName(): s.getBodyNode(i) for i in range(s.getNumBodyNodes())}


def masses(s):
    return {name: b.getMass() for name, b in _bodies(s).items()}


def tensors(s):
    found = {}
    for name, b in _bodies(s).items():
        t = b.getInertia().getMoment()
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def _joints(s):
    return {s.getJoint(i).getName(): s.getJoint(i) for i in range(s.getNumJoints())}


def place(s, positions):
    for name, value in positions.items():
        _joints(s)[name].setPosition(0, value)
    return {name: b.getWorldTransform().matrix() for name, b in _bodies(s).items()}


def limits(s):
    return {name: np.ravel([*zip(j.getPositionLowerLimits(), j.getPositionUpperLimits())])
            for name, j in _joints(s).items() if j.getNumDofs()}


def efforts(s):
    return {name: [j.getForceUpperLimit(0), j.getVelocityUpperLimit(0)] for name, j in _joints(s).items()
            if j.getNumDofs()}


def dynamics(s):
    return {name: [j.getDampingCoefficient(0), j.getCoulombFriction(0)] for name, j in _joints(s).items()
            if j.getNumDofs()}


def freedom(s):
    return {"j": _joints(s)["j"].getNumDofs()}


def sizes(s):
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    b = _bodies(s)["tip"]
    for i in range(b.getNumShapeNodes()):
        node = b.getShapeNode(i)
        box, t = node.getShape().getBoundingBox(), node.getRelativeTranslation()
        low, high = np.minimum(low, box.getMin() + t), np.maximum(high, box.getMax() + t)
    return {"tip": high - low}


def _step(s):
    world = dartpy.simulation.World()
    world.addSkeleton(s)
    world.step()


def coast(s):
    s.setVelocities([0, 0, 0, 1, 0, 0])
    _step(s)
    return s.getVelocities()[3]


def fall(s):
    _step(s)
    return place(s, {})


def is_finite(s):
    _step(s)
    return np.isfinite(s.getPositions()).all()
