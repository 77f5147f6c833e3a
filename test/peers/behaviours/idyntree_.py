import idyntree.bindings as idt
import numpy as np


def load(file):
    loader = idt.ModelLoader()
    if not loader.loadModelFromFile(file):
        raise ValueError("loadModelFromFile returns False")
    return loader


def masses(a):
    m = a.model()
    return {m.getLinkName(i): m.getLink(i).getInertia().getMass() for i in range(m.getNrOfLinks())}


def tensors(a):
    m, found = a.model(), {}
    for i in range(m.getNrOfLinks()):
        t = m.getLink(i).getInertia().getRotationalInertiaWrtCenterOfMass().toNumPy()
        found[m.getLinkName(i)] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(a, positions):
    m = a.model()
    k = idt.KinDynComputations()
    k.loadRobotModel(m)
    q = idt.VectorDynSize(m.getNrOfPosCoords())
    q.zero()
    for name, value in positions.items():
        q.setVal(m.getJoint(m.getJointIndex(name)).getPosCoordsOffset(), value)
    k.setJointPos(q)
    return {m.getFrameName(i): np.array(k.getRelativeTransform("base", m.getFrameName(i))
                                        .asHomogeneousTransform().toNumPy()) for i in range(m.getNrOfFrames())}


def _joints(a):
    m = a.model()
    return {m.getJointName(i): m.getJoint(i) for i in range(m.getNrOfJoints())}


def limits(a):
    return {name: [j.getMinPosLimit(0), j.getMaxPosLimit(0)] if j.hasPosLimits() else None
            for name, j in _joints(a).items()}


def dynamics(a):
    return {name: [j.getDamping(0), j.getStaticFriction(0)] for name, j in _joints(a).items()}


def freedom(a):
    return {"j": a.model().getNrOfDOFs()}
