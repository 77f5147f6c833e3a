import numpy as np
from pydrake.geometry import Role
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

UNTOLD = ("follows", "efforts")  # constraints act only while it simulates; a <transmission> makes actuators


def load(file):
    builder = DiagramBuilder()
    plant, scene = AddMultibodyPlantSceneGraph(builder, 0.001)
    parser = Parser(plant)
    parser.AddModels(file)
    plant.Finalize()
    return plant, builder.Build(), scene


def _bodies(p):
    return {plant_body.name(): plant_body for i in p[0].GetBodyIndices(p[0].GetModelInstanceByName("r"))
            for plant_body in [p[0].get_body(i)]}


def couples(p):
    return p[0].num_constraints()


def masses(p):
    return {name: b.default_mass() for name, b in _bodies(p).items()}


def tensors(p):
    found = {}
    for name, b in _bodies(p).items():
        t = b.default_spatial_inertia().CalcRotationalInertia().CopyToFullMatrix3()
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(p, positions):
    c = p[0].CreateDefaultContext()
    for name, value in positions.items():
        p[0].SetPositions(c, p[0].GetPositions(c))
        j = p[0].GetJointByName(name)
        q = p[0].GetPositions(c)
        q[j.position_start()] = value
        p[0].SetPositions(c, q)
    frames = [p[0].get_frame(i) for i in p[0].GetFrameIndices(p[0].GetModelInstanceByName("r"))]
    return {frame.name(): frame.CalcPoseInWorld(c).GetAsMatrix4() for frame in frames}


def _joints(p):
    return {p[0].get_joint(i).name(): p[0].get_joint(i) for i in p[0].GetJointIndices()}


def limits(p):
    return {name: np.ravel([*zip(j.position_lower_limits(), j.position_upper_limits())])
            for name, j in _joints(p).items() if j.num_positions() in (1, 2)}


def efforts(p):
    force = {p[0].get_joint_actuator(i).joint().name(): p[0].get_joint_actuator(i).effort_limit()
             for i in p[0].GetJointActuatorIndices()}
    return {name: [force.get(name), j.velocity_upper_limits()[0]] for name, j in _joints(p).items()
            if j.num_velocities() == 1}


def dynamics(p):
    return {name: [j.default_damping() if hasattr(j, "default_damping") else j.damping(), None]
            for name, j in _joints(p).items() if j.num_velocities() == 1}


def freedom(p):
    return {"j": _joints(p)["j"].num_velocities()}


def sizes(p):
    """Tell shapes that are left out; Drake gives no extents of the others."""
    frame, inspector = p[0].GetBodyFrameIdOrThrow(p[0].GetBodyByName("base").index()), p[2].model_inspector()
    if inspector.NumGeometriesForFrameWithRole(frame, Role.kProximity):
        raise LookupError("it does not tell sizes")
    return {"base": np.full(3, np.nan)}


def fall(p):
    simulator = Simulator(p[1])
    simulator.AdvanceTo(0.01)
    c = p[0].GetMyContextFromRoot(simulator.get_context())
    return {name: p[0].EvalBodyPoseInWorld(c, b).GetAsMatrix4() for name, b in _bodies(p).items()}


def coast(p):
    simulator = Simulator(p[1])
    c, base = p[0].GetMyMutableContextFromRoot(simulator.get_mutable_context()), p[0].GetBodyByName("base")
    p[0].SetFreeBodySpatialVelocity(base, SpatialVelocity([0, 0, 0], [1, 0, 0]), c)
    simulator.AdvanceTo(0.01)
    return p[0].EvalBodySpatialVelocityInWorld(c, base).translational()[0]


def is_finite(p):
    Simulator(p[1]).AdvanceTo(0.01)
    return True
