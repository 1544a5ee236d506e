#!/usr/bin/env python3
"""Write the contact graphs on which the sparse factorisation is raced, under bench/data/contact_graphs/.

    python tools/make_contact_graphs.py [--only clutter_40 ...] [--out FOLDER]

The clutter scenes (spheres and cubes that fell for 3 s) run in MuJoCo with the CG solver, elliptic cones and a step of 2 ms;
the scene text comes from peers/clutter.py of the shared folder (STICTION_SHARED, default ../shared). The lattice
is a synthetic dense pile: 10 x 10 x 10 bodies, each touching its neighbours along the axes.
A graph is {"scene", "bodies", "pairs": [[a, b], ...]} with a < b, one entry per touching pair of bodies; the world is no node.
Needs the Python package mujoco; the 4000 bodies take about two minutes. A pile is chaotic: another version of MuJoCo or
another processor gives another graph of the same kind.
"""
import argparse
import itertools
import json
import os
import pathlib
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
FALL_SECONDS, STEP_SECONDS = 3.0, 0.002
CLUTTER = {  # scene: bodies, walls, columns
    "clutter_40": (40, True, 4),
    "clutter_160": (160, True, 4),
    "clutter_1000": (1000, False, 100),
    "clutter_4000": (4000, False, 400),
}
LATTICE_SIDE = 10


def clutter_pairs(bodies, walls, columns):
    """The pairs of bodies that touch at the end of the fall."""
    shared = pathlib.Path(os.environ.get("STICTION_SHARED", REPOSITORY.parent / "shared"))
    sys.path.insert(0, str(shared / "peers"))
    import clutter
    import mujoco

    model = mujoco.MjModel.from_xml_string(clutter.mjcf(bodies, walls, STEP_SECONDS, columns))
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
    model.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    data = mujoco.MjData(model)
    for _ in range(round(FALL_SECONDS / STEP_SECONDS)):
        mujoco.mj_step(model, data)

    # Body 0 is the world: it holds no unknowns.
    pairs = set()
    for contact in data.contact:
        a, b = sorted(int(model.geom_bodyid[g]) for g in (contact.geom1, contact.geom2))
        if a > 0:
            pairs.add((a - 1, b - 1))
    return sorted(pairs)


def lattice_pairs(side):
    """Each body touches the next one along x, y and z."""
    index = lambda x, y, z: (z * side + y) * side + x
    pairs = []
    for x, y, z in itertools.product(range(side), repeat=3):
        for next_x, next_y, next_z in ((x + 1, y, z), (x, y + 1, z), (x, y, z + 1)):
            if max(next_x, next_y, next_z) < side:
                pairs.append((index(x, y, z), index(next_x, next_y, next_z)))
    return sorted(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*CLUTTER, "lattice_1000"], default=[*CLUTTER, "lattice_1000"])
    parser.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "bench" / "data" / "contact_graphs")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for scene in arguments.only:
        if scene == "lattice_1000":
            bodies, pairs = LATTICE_SIDE**3, lattice_pairs(LATTICE_SIDE)
        else:
            bodies, pairs = CLUTTER[scene][0], clutter_pairs(*CLUTTER[scene])
        graph = {"scene": scene, "bodies": bodies, "pairs": pairs}
        (arguments.out / f"{scene}.json").write_text(json.dumps(graph, separators=(",", ":")) + "\n")
        print(f"{scene}: {bodies} bodies, {len(pairs)} pairs")


if __name__ == "__main__":
    main()
