# npm: three jsdom
"""Asks urdf-loader of npm, in the folder npm of this environment, through node."""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

SCRIPT = """
import {JSDOM} from 'jsdom'; import fs from 'fs'
const {window} = new JSDOM(''); globalThis.DOMParser = window.DOMParser; globalThis.Document = window.Document
globalThis.Element = window.Element; globalThis.XMLSerializer = window.XMLSerializer
const {default: URDFLoader} = await import('urdf-loader')
const loader = new URDFLoader(); loader.loadMeshCb = (path, manager, done) => done(null)
const robot = loader.parse(fs.readFileSync(process.argv[2], 'utf8')); const move = JSON.parse(process.argv[3])
for (const name in move) robot.setJointValue(name, move[name])
robot.updateMatrixWorld(true); const out = {links: {}, joints: {}}
for (const name in robot.links) out.links[name] = robot.links[name].matrixWorld.elements
for (const [name, j] of Object.entries(robot.joints)) out.joints[name] =
  {type: j.jointType, lower: j.limit.lower, upper: j.limit.upper, effort: j.limit.effort, velocity: j.limit.velocity}
console.log(JSON.stringify(out))
"""
HOME = Path(sys.prefix, "npm")


def _ask(file, positions):
    script = HOME / "ask.mjs"
    script.write_text(SCRIPT)
    done = subprocess.run(["node", script, file, json.dumps(positions)], capture_output=True, text=True, cwd=HOME)
    if done.returncode:
        raise ValueError(done.stderr[-300:])
    return json.loads(done.stdout)


def load(file):
    return file, _ask(file, {})


def place(r, positions):
    return {name: np.array(X).reshape(4, 4).T for name, X in _ask(r[0], positions)["links"].items()}


def limits(r):
    return {name: None if j["type"] == "continuous" else [j["lower"], j["upper"]] for name, j in r[1]["joints"].items()}


def efforts(r):
    return {name: [j["effort"], j["velocity"]] for name, j in r[1]["joints"].items()}
