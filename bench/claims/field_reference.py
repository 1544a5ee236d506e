#!/usr/bin/env python3
"""Drake beside row B4 of the ledger: its pressure fields against the closed forms, as JSON. usage: field_reference.py

{"version", "force": [[mean, least, largest] over twelve ways to turn the ball, of the force over the exact one, at 1 and 5 mm],
 "rocking": stiffness of a flat cube over the exact one, "speeds": m/s of a cube at rest at h 1, 5, 10 and 20 ms}
"""

import importlib.metadata
import json
import logging
import math
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "race"))
from drake_fields import Pair, Run  # noqa: E402

E, R, EDGE = 1e7, 0.05, 0.1  # Pa, m, m
HINT = 0.02  # m, the default of Drake's parser
UPRIGHT = [1.0, 0.0, 0.0, 0.0]


def shape(kind, size, modulus, position, quaternion=UPRIGHT):
    return {"kind": kind, "size": size, "modulus": modulus, "depth": 0.0, "dissipation": 50.0, "friction": 1.0,
            "hint": HINT, "position": position, "quaternion": quaternion}


FLOOR = shape("half_space", [], 0.0, [0.0, 0.0, 0.0])


def force_on_floor(d, quaternion):
    """Over that of the closed form."""
    exact = math.pi * E * d * d * (1.0 - 2.0 * d / (3.0 * R))
    ball = shape("sphere", [R], E, [0.0, 0.0, R - d], quaternion)
    force = np.zeros(3)
    for surface in Pair([FLOOR, ball]).surfaces():
        field = surface.poly_e_MN()
        for i in range(surface.num_faces()):
            pressure = field.EvaluateCartesian(i, surface.centroid(i))
            force += surface.area(i) * pressure * np.asarray(surface.face_normal(i))
    return float(np.linalg.norm(force)) / exact


def rocking():
    """Sum of A kappa y^2 over the faces, which have one point each; the rim is 1e-5 m wide."""
    cube = shape("box", [EDGE] * 3, E, [0.0, 0.0, 0.5 * EDGE - 1e-5])
    kappa, total = 2.0 * E / EDGE, 0.0
    for surface in Pair([FLOOR, cube]).surfaces():
        total += sum(surface.area(i) * kappa * surface.centroid(i)[1] ** 2 for i in range(surface.num_faces()))
    return total / (kappa * EDGE**4 / 12.0)


def speed_at_rest(h):
    axis = np.array([1.0, 0.3, 0.0]) / math.hypot(1.0, 0.3)
    tilt = [math.cos(0.005), *(math.sin(0.005) * axis)]
    moment = EDGE**2 / 6.0
    cube = {"name": "cube", "mass": 1.0, "moments": [moment] * 3, "quaternion": tilt, "position": [0.0, 0.0, 0.5 * EDGE + 2e-3],
            "shapes": [shape("box", [EDGE] * 3, E, [0.0, 0.0, 0.0])]}
    run = Run({"law": "lagged", "h": h, "fixed": [FLOOR], "bodies": [cube]})
    for _ in range(round(3.0 / h)):
        run.step()
    return float(np.linalg.norm(run.free[0][0].EvalSpatialVelocityInWorld(run.context).translational()))


def main():
    logging.getLogger("drake").setLevel(logging.ERROR)
    random = np.random.default_rng(1)
    turns = [UPRIGHT] + [list(q / np.linalg.norm(q)) for q in random.normal(size=(11, 4))]
    forces = []
    for d in (1e-3, 5e-3):
        ratios = [force_on_floor(d, q) for q in turns]
        forces.append([sum(ratios) / len(ratios), min(ratios), max(ratios)])
    print(json.dumps({"version": importlib.metadata.version("drake"), "force": forces, "rocking": rocking(),
                      "speeds": [speed_at_rest(h) for h in (1e-3, 5e-3, 1e-2, 2e-2)]}))


if __name__ == "__main__":
    main()
