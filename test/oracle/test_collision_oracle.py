"""What touches, against MuJoCo: the same pairs of geoms with the same deepest distance, in keyframes and random states.

Both sides see the whole file: filters, hulls of meshes, poses. Pairs whose distance is within NEAR of zero may be on one
side only. Where the two disagree by more, MuJoCo's other routine, mj_geomDistance, is asked: it and mj_collision differ
from each other by up to their own precision, and a pair counts as wrong only if we are off from both.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import mjcf_oracle
import probe
import report
from states import fewer

SHARED = Path(os.environ.get("STICTION_SHARED", probe.ROOT.parent / "shared"))
NAMES = [
    "mujoco/humanoid/humanoid.xml",
    "pal_talos/scene_motor.xml",
    "shadow_hand/scene_right.xml",
    "franka_emika_panda/scene.xml",
]
FILES = [SHARED / "models" / name for name in NAMES if (SHARED / "models" / name).is_file()]
NEAR = 1e-6  # m
STATES = fewer(40, 10)
# m; MuJoCo finds the depth of convex pairs by iteration. Larger differences go to its other routine, so that what is
# printed as the largest difference is below this by construction.
DISTANCE_WITHIN = 2e-5

pytestmark = pytest.mark.skipif(not FILES, reason="the shared models are not there")


def touching(file, states):
    program = probe.build_folder() / "bin" / "stiction_collision_probe"
    question = json.dumps({"file": str(file), "states": [list(q) for q in states]})
    done = subprocess.run([program], input=question, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)["states"]


def sample(model, random):
    """Positions of MuJoCo: the initial ones, the keyframes, and random ones inside the limits."""
    start = [model.qpos0] + [model.key_qpos[k] for k in range(model.nkey)]
    for index in range(STATES):
        qpos = start[index % len(start)].copy()
        if index >= len(start):
            for joint in range(model.njnt):
                at, kind = model.jnt_qposadr[joint], model.jnt_type[joint]
                if kind == mujoco.mjtJoint.mjJNT_FREE:
                    qpos[at:at + 3] += random.uniform(-0.05, 0.05, 3)
                    qpos[at + 2] -= random.uniform(0.0, 0.3)
                    qpos[at + 3:at + 7] += random.uniform(-0.5, 0.5, 4)
                    qpos[at + 3:at + 7] /= np.linalg.norm(qpos[at + 3:at + 7])
                elif kind == mujoco.mjtJoint.mjJNT_BALL:
                    qpos[at:at + 4] = random.normal(size=4)
                    qpos[at:at + 4] /= np.linalg.norm(qpos[at:at + 4])
                elif model.jnt_limited[joint]:
                    qpos[at] = random.uniform(*model.jnt_range[joint])
                else:
                    qpos[at] += random.uniform(-1.0, 1.0)
        yield qpos


def their_distances(model, data, qpos):
    """The deepest distance of every pair of geoms that touches."""
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    found = {}
    for contact in data.contact:
        pair = tuple(sorted((int(contact.geom1), int(contact.geom2))))
        found[pair] = min(found.get(pair, np.inf), float(contact.dist))
    return found


def other_opinion(model, data, pair):
    if mujoco.mjtGeom.mjGEOM_HFIELD in (model.geom_type[pair[0]], model.geom_type[pair[1]]):
        return None
    return mujoco.mj_geomDistance(model, data, pair[0], pair[1], 1.0, None)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_same_pairs_touch_at_the_same_distance(file):
    oracle = mjcf_oracle.MjcfOracle(file, probe.describe({"file": str(file)}))
    model, data = oracle.model, oracle.data
    theirs_in_ours = np.argsort(oracle.q_places)
    qposes = list(sample(model, np.random.default_rng(5)))
    answers = touching(file, [qpos[theirs_in_ours] for qpos in qposes])

    pairs, wrong, unsure, errors, self_errors = 0, [], 0, [0.0], [0.0]
    for qpos, answer in zip(qposes, answers):
        theirs = their_distances(model, data, qpos)
        geoms = oracle.geom_of_shape
        ours = {tuple(sorted(geoms[s] for s in pair["shapes"])): pair["distance"] for pair in answer}
        for pair in set(theirs) | set(ours):
            ours_at, theirs_at = ours.get(pair, np.inf), theirs.get(pair, np.inf)
            if min(ours_at, theirs_at) > -NEAR:
                continue
            pairs += 1
            error = abs(ours_at - theirs_at)
            if error > DISTANCE_WITHIN:
                second = other_opinion(model, data, pair)
                if second is not None and abs(second - ours_at) <= DISTANCE_WITHIN:
                    unsure += 1
                    self_errors.append(abs(second - theirs_at) if np.isfinite(theirs_at) else abs(second))
                else:
                    wrong.append((model.geom(pair[0]).name, model.geom(pair[1]).name, int(model.geom_type[pair[0]]),
                                  int(model.geom_type[pair[1]]), ours_at, theirs_at, second))
            else:
                errors.append(error)
    name = f"{file.parent.name}/{file.stem}"
    print(f"mujoco {mujoco.__version__} {name}: {pairs} touching pairs in {len(qposes)} states, distances differ by "
          f"{max(errors):.1e} m; {unsure} where its two routines differ by up to {max(self_errors):.1e} m; "
          f"{len(wrong)} where we differ from both")
    report.add(name, oracle.name, {"contact distance (m)": max(errors)}, DISTANCE_WITHIN)
    assert pairs > 0
    assert not wrong, wrong[:10]
