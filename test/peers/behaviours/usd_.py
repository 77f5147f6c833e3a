import math
import tempfile

import numpy as np
import urdf_usd_converter
from pxr import Usd, UsdGeom, UsdPhysics


def load(file):
    made = urdf_usd_converter.Converter().convert(file, tempfile.mkdtemp())
    return Usd.Stage.Open(made.path)


def _bodies(s):
    return {prim.GetName(): prim for prim in s.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)}


def masses(s):
    return {name: UsdPhysics.MassAPI(prim).GetMassAttr().Get() or 0 for name, prim in _bodies(s).items()}


def tensors(s):
    found = {}
    for name, prim in _bodies(s).items():
        api = UsdPhysics.MassAPI(prim)
        q = api.GetPrincipalAxesAttr().Get()
        w, (x, y, z) = q.GetReal(), q.GetImaginary()
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        t = R @ np.diag(api.GetDiagonalInertiaAttr().Get()) @ R.T
        found[name] = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    return found


def place(s, positions):
    if positions:
        raise LookupError("a stage stands still")
    cache = UsdGeom.XformCache()
    return {name: np.array(cache.GetLocalToWorldTransform(prim)).T for name, prim in _bodies(s).items()}


def limits(s):
    found = {}
    for prim in s.Traverse():
        for kind, unit in ((UsdPhysics.RevoluteJoint, math.pi / 180), (UsdPhysics.PrismaticJoint, 1)):
            if prim.IsA(kind):
                found[prim.GetName()] = [x.Get() * unit if x.Get() is not None else None for x in (
                    kind(prim).GetLowerLimitAttr(), kind(prim).GetUpperLimitAttr())]
    return found
