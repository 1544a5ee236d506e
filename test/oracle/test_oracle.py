"""Our dynamics against Pinocchio and MuJoCo in random states, in every quantity that both sides have.

Errors are relative to the largest entry of the quantity in that state.
"""

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")

import describe
import probe
import report
import states

# Model -> number of random states.
MODELS = {
    "pendulum": 100, "double_pendulum": 100, "spring_mass": 100, "spinning_body": 100, "chain": 100, "arm": 100,
    "hand": 100, "quadruped": 100, "humanoid": 100, "all_joints": 100, "all_joints_free": 100,
    "all_joints_mujoco": 100, "free_bodies_and_arms": 3,
}
VALUES_WITHIN = 1e-10
DERIVATIVES_WITHIN = 1e-9
ZERO_BELOW = 1e-4  # in SI units: a smaller quantity vanishes by nature, and only its round-off is left


@pytest.fixture(scope="module", params=MODELS)
def scene(request):
    """A model's description, random states of it, and what we compute there."""
    description = probe.describe(request.param)
    some_states = states.random_states(description, states.fewer(MODELS[request.param], 20), seed=list(MODELS).index(request.param))
    return description, some_states, probe.our_answers(request.param, some_states, derivatives=True)


def allowed(quantity):
    return DERIVATIVES_WITHIN if "_dynamics_d" in quantity else VALUES_WITHIN


def relative_error(ours, theirs):
    return np.max(np.abs(ours - theirs)) / max(np.max(np.abs(theirs)), ZERO_BELOW)


def compare(oracle, scene, derivatives):
    """The largest relative error of every quantity over all states."""
    description, some_states, answers = scene
    worst = {}
    for state, ours in zip(some_states, answers):
        theirs = oracle.evaluate(state, derivatives)
        pairs = [(key, ours[key], value) for key, value in theirs.items()]
        pairs.append(("forward_dynamics_articulated", ours["forward_dynamics_articulated"], theirs["forward_dynamics"]))
        for key, our_value, their_value in pairs:
            worst[key] = max(worst.get(key, 0.0), relative_error(our_value, their_value))
    for key, error in worst.items():
        report.add(description["name"], f"us - {oracle.name}, scenes", {key: error}, allowed(key))
    return worst


def expect_agreement(worst):
    assert not {key: error for key, error in worst.items() if not error <= allowed(key)}


def test_agrees_with_pinocchio(scene):
    pytest.importorskip("pinocchio", reason="the package pin is not installed")
    from pinocchio_oracle import PinocchioOracle

    expect_agreement(compare(PinocchioOracle(scene[0]), scene, derivatives=True))


def test_agrees_with_mujoco(scene):
    pytest.importorskip("mujoco", reason="the package mujoco is not installed")
    from mujoco_oracle import MujocoOracle

    if not describe.can_mujoco_express(scene[0]):
        pytest.skip("has a joint that MuJoCo does not have")
    expect_agreement(compare(MujocoOracle(scene[0]), scene, derivatives=False))
