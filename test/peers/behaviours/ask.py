"""Run in the environment of a program: answers a line of JSON for each line, a question about a file."""
import importlib
import json
import math
import os
import sys

import numpy as np

FAR = 1e6  # of limits: none
JUDGED = {
    "keeps": lambda program, robot, key: key in program.place(robot, {}),
    "couples": lambda program, robot, key: bool(program.couples(robot)),
    "total": lambda program, robot, key: float(sum(program.masses(robot).values())),
    "extra": lambda program, robot, key: float(sum(
        mass for name, mass in program.masses(robot).items() if name in key.split())) - 1,
    "falls": lambda program, robot, key: bool(program.fall(robot)[key][2, 3] < -1e-6),
    "coasts": lambda program, robot, key: bool(program.coast(robot) > 0.9)}


class Refused(Exception):
    """The program does not load the file."""


def answer(program, file, quantity, key, move):
    try:
        robot = program.load(file)
    except BaseException as error:  # noqa: BLE001 - a program may raise anything
        raise Refused(" ".join(f"{type(error).__name__}: {error}".split())[:300]) from error
    if quantity == "loads":
        return robot is not None
    if robot is None:
        raise Refused("it returns nothing")
    if quantity in getattr(program, "UNTOLD", ()):
        raise LookupError(f"it does not tell {quantity}")
    if quantity == "follows":
        return follow(program, robot, key, move)
    if quantity in JUDGED:
        return JUDGED[quantity](program, robot, key)
    if quantity in ("slide", "turn", "height"):
        poses = program.place(robot, move)
        X = np.linalg.inv(poses.get("base", np.eye(4))) @ poses[key]
        if quantity == "turn":
            return math.acos(max(-1.0, min(1.0, (np.trace(X[:3, :3]) - 1) / 2)))
        return float({"slide": X[0, 3], "height": X[2, 3]}[quantity])
    if quantity == "is_finite" and hasattr(program, quantity):
        try:
            return bool(program.is_finite(robot))
        except Exception:  # noqa: BLE001 - it says that it cannot
            return False
    return tidy(quantity, getattr(program, quantity)(robot), key)


def tidy(quantity, values, key):
    """One of the values by name, as plain numbers; None for what is not limited and for a shape that is not there."""
    if quantity in ("limits", "efforts"):
        value = values.get(key)
        given = [None if x is None or not abs(x) < FAR else float(x) for x in (() if value is None else value)]
        if quantity == "limits":
            return given if any(x is not None for x in given) else None
        return given or [None, None]
    value = values.get(key) if quantity == "masses" else values[key]
    if value is None or quantity == "sizes" and not np.isfinite(value).all():
        return None
    return float(value) if np.ndim(value) == 0 else [float(x or 0) for x in value]


def follow(program, robot, key, move):
    """The position of a joint that mimics: as its constraint says, or as its link slides."""
    if hasattr(program, "mimics"):
        mimics, position = program.mimics(robot), dict(move)
        leader = {"jb": "ja", "jc": "jb"}
        for name in ("jb", "jc"):
            if name in mimics and leader[name] in position:
                multiplier, offset = mimics[name]
                position[name] = multiplier * position[leader[name]] + offset
        return float(position[key]) if key in position else None
    poses = program.place(robot, move)
    return float((np.linalg.inv(poses.get("base", np.eye(4))) @ poses[key[1:]])[0, 3])


def main(name):
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the program prints is no answer
    program = importlib.import_module(f"{name}_")
    for line in sys.stdin:
        try:
            said = {"seen": answer(program, *json.loads(line))}
        except Refused as error:
            said = {"refused": str(error)}
        except BaseException as error:  # noqa: BLE001 - a program may raise anything
            said = {"failed": f"{type(error).__name__}: {error}"[:300]}
        out.write(json.dumps(said) + "\n")
        out.flush()


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main(sys.argv[1])
