"""Robots that we read from URDF files against what Pinocchio's own reader makes of the same files."""

import os

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
pytest.importorskip("pinocchio", reason="the package pin is not installed")

import probe
import report
import states
from urdf_pinocchio import UrdfPinocchio

SHARED = probe.shared_models()
ROBOTS = SHARED / "example-robot-data/robots"
FILES = {
    "mixed_joints": probe.ROOT / "test/data/urdf/mixed_joints.urdf",
    "solo": ROBOTS / "solo_description/robots/solo.urdf",
    "solo12": ROBOTS / "solo_description/robots/solo12.urdf",
    "allegro_left": ROBOTS / "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "allegro_right": ROBOTS / "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "barkour": SHARED / "google_barkour_vb/barkour_vb_rev_1_0_head_straight.urdf",
}
STATES = states.fewer(100, 20)
COMPARED = ("poses", "mass_matrix", "bias", "inverse_dynamics")
WITHIN = 1e-10            # relative to the largest entry: round-off of recursions over a dozen joints
INERTIAS_WITHIN = 1e-12   # sums and rotations of the file's numbers


@pytest.fixture(scope="module", params=[(name, base) for name in FILES for base in ("fixed", "floating")],
                ids=lambda parameter: "-".join(parameter))
def robot(request):
    name, base = request.param
    path = FILES[name]
    if not os.path.exists(path):
        pytest.skip(f"{path} is not there")
    model = {"file": str(path), "floating_base": base == "floating"}
    description = probe.describe(model)
    return model, description, UrdfPinocchio(path, description)


def test_dynamics_agree_in_random_states(robot):
    model, description, oracle = robot
    some_states = states.random_states(description, STATES, seed=len(description["bodies"]))
    worst = dict.fromkeys(COMPARED, 0.0)
    for state, ours in zip(some_states, probe.our_answers(model, some_states, derivatives=False)):
        theirs = oracle.evaluate(state, derivatives=False)
        for key in COMPARED:
            error = np.max(np.abs(ours[key] - theirs[key])) / np.max(np.abs(theirs[key]))
            worst[key] = max(worst[key], error)
    base = "floating" if model["floating_base"] else "fixed"
    report.add(f"{description['name']}, {base}", "us - pinocchio, urdf", worst, WITHIN)
    assert max(worst.values()) <= WITHIN, worst


def test_masses_and_inertias_agree(robot):
    _, description, oracle = robot
    ours = sum(body["mass"] for body in description["bodies"])
    # Pinocchio counts what is fixed to the world apart, as the inertia of its joint 0.
    theirs = sum(inertia.mass for inertia in oracle.model.inertias)
    assert abs(ours - theirs) <= INERTIAS_WITHIN * ours
    assert oracle.inertia_errors() <= INERTIAS_WITHIN
