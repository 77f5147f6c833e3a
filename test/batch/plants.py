"""A calculator of inertias that does to its process what a bad description might."""
import os
import time


def misbehave(density, mesh, params):
    if mesh.uri == "hang.stl":
        time.sleep(600)
    if mesh.uri == "slow.stl":
        time.sleep(0.6)
    if mesh.uri == "eat.stl":
        eaten = []
        while True:
            eaten.append(b"x" * 50_000_000)
    if mesh.uri == "print.stl":
        os.write(1, b"what a reader has to say")
    if mesh.uri == "crash.stl":
        os._exit(7)
