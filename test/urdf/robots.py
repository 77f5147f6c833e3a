"""Hypothesis strategies for robots: small trees with everything that URDF has."""
from hypothesis import strategies as st

from sdf_frames.urdf import model as urdf


def make(kind, *values):
    """Values of a type from strategies for its fields; `st.builds` of older versions of Hypothesis cannot read `int |
    None`."""
    return st.tuples(*values).map(lambda drawn: kind(*drawn))


number = st.floats(-10, 10, allow_nan=False, width=64, allow_subnormal=False).map(lambda v: v if abs(v) > 1e-6 else 0.0)
positive = st.floats(0.01, 10, allow_subnormal=False)
vector = st.tuples(number, number, number)
origins = st.one_of(st.just(urdf.NO_ORIGIN), make(urdf.Origin, vector, vector))
names = st.text("abcXYZ_09.-/", min_size=1, max_size=6)
geometries = st.one_of(
    make(urdf.Box, st.tuples(positive, positive, positive)), make(urdf.Sphere, positive),
    make(urdf.Cylinder, positive, positive), make(urdf.Capsule, positive, positive),
    make(urdf.Mesh, names, st.one_of(st.just((1.0, 1.0, 1.0)), vector.filter(all))))
colours = st.tuples(*[st.floats(0, 1, allow_subnormal=False)] * 4)
materials = make(urdf.Material, names, colours, st.one_of(st.none(), names))


@st.composite
def inertials(draw):
    """Possible inertias: three principal moments that obey the triangle inequality, in turned axes."""
    a, b, c = draw(positive), draw(positive), draw(positive)
    return urdf.Inertial(draw(origins), draw(positive), b + c, 0.0, 0.0, a + c, 0.0, a + b)


@st.composite
def robots(draw, massless=True, kinds=("revolute", "continuous", "prismatic", "fixed", "floating", "planar"),
           shapes=True):
    """A robot whose links are l0 … ln, each joined to an earlier one; its root has mass."""
    count = draw(st.integers(1, 8))
    links, joints = [], []
    for i in range(count):
        mass = draw(inertials()) if i == 0 or not massless or draw(st.booleans()) else None
        visuals = collisions = ()
        if shapes:
            visuals = tuple(draw(st.lists(make(urdf.Visual, st.one_of(st.just(""), names), origins, geometries,
                                                    st.none()), max_size=2)))
            collisions = tuple(
                draw(st.lists(make(urdf.Collision, st.one_of(st.just(""), names), origins, geometries), max_size=2)))
        links.append(urdf.Link(f"l{i}", mass, visuals, collisions))
        if i:
            kind = draw(st.sampled_from(kinds))
            limit = draw(make(urdf.Limit, number, number, positive, positive))
            if kind not in ("revolute", "prismatic"):
                limit = draw(st.one_of(st.none(), st.just(limit)))
            joints.append(urdf.Joint(
                draw(st.sampled_from("azQ")) + f"{i}", kind, f"l{draw(st.integers(0, i - 1))}", f"l{i}", draw(origins),
                None if kind in ("fixed", "floating") else draw(vector.filter(any)), limit,
                draw(st.one_of(st.none(), make(urdf.Dynamics, positive, positive))), None,
                draw(st.one_of(st.none(), make(urdf.Safety, positive, positive, number, number))),
                draw(st.one_of(st.none(), make(urdf.Calibration, positive, positive)))))
    return urdf.Robot("r", tuple(links), tuple(joints), "l0")


@st.composite
def painted_robots(draw):
    """As :func:`robots`, with materials, some of them by name, and mimicking joints."""
    robot = draw(robots())
    table = draw(st.lists(materials, max_size=3, unique_by=lambda m: m.name))
    taken = {m.name for m in table}
    own = draw(materials.filter(lambda m: m.name not in taken))
    paint = st.one_of(st.none(), st.sampled_from([*table, own]))
    links = tuple(link._replace(visuals=tuple(v._replace(material=draw(paint)) for v in link.visuals))
                  for link in robot.links)
    joints = tuple(j._replace(mimic=draw(st.one_of(st.none(), make(urdf.Mimic, st.just(j.name), number, number))))
                   for j in robot.joints)
    return urdf.Robot("r", links, joints, "l0", tuple(table))
