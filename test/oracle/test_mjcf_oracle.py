"""MJCF files as our loader reads them against MuJoCo: bodies, joints, inertias, geoms, actuators, keyframes, and the
dynamics in random states.

The files are those of the shared folder that MuJoCo itself loads, and our own small ones, which have what robots rarely
use. Errors are relative to the largest entry of a quantity in a state.
"""

import os
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import mjcf_oracle
import probe
import report
import states

SHARED = Path(os.environ.get("STICTION_SHARED", probe.ROOT.parent / "shared"))
OWN = sorted((probe.ROOT / "test" / "data" / "mjcf").glob("*.xml"))
ROBOTS = sorted((SHARED / "models").glob("**/*.xml")) if (SHARED / "models").is_dir() else []

DYNAMICS_WITHIN = 1e-10
INERTIA_WITHIN = 1e-12
# MuJoCo keeps principal moments and axes, and stops turning to them when the cosine of a turn is within 1e-12 of 1:
# an inertia is off by this times the spread of its moments.
AXES_WITHIN = 1.5e-6
INERTIA_CUT = 2e-12  # kg m^2, of what it leaves off the diagonal
POSE_WITHIN = 1e-9
# MuJoCo's reader of OBJ files rounds numbers to single precision, now and then to the wrong side.
OBJ_WITHIN = 1e-9
WEIGHED_BY_OBJ = {"replicate/bunnies"}
ZERO_BELOW = 1e-4  # in SI units: a smaller quantity vanishes by nature, and only its round-off is left
LARGE = 200  # velocities, above which a model is asked for few states and no matrices


def label(file):
    return f"{file.parent.name}/{file.stem}"


@pytest.fixture(scope="module", params=OWN + ROBOTS, ids=label)
def pair(request):
    """A file's description by us, and MuJoCo's model of it."""
    file = request.param
    try:
        mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        pytest.skip(f"MuJoCo does not load it: {error}")
    description = probe.describe({"file": str(file)})
    return file, description, mjcf_oracle.MjcfOracle(file, description)


def relative_error(ours, theirs):
    if np.size(theirs) == 0:
        return 0.0
    return np.max(np.abs(ours - theirs)) / max(np.max(np.abs(theirs)), ZERO_BELOW)


def same_positions(oracle, ours, theirs):
    """Whether positions are equal; quaternions may have either sign, and zeros are no rotation."""
    ours, theirs = np.array(ours), np.array(theirs)
    for joint, index in oracle.joints:
        if joint["type"] in ("ball", "free"):
            begin = oracle.model.jnt_qposadr[index] + (3 if joint["type"] == "free" else 0)
            a, b = ours[begin:begin + 4], theirs[begin:begin + 4]
            if not b.any():
                b[0] = 1.0
            b /= np.linalg.norm(b)
            a *= np.sign(a @ b)
    return ours == pytest.approx(theirs, abs=1e-12)


def test_bodies_weigh_the_same(pair):
    file, description, oracle = pair
    within = OBJ_WITHIN if label(file) in WEIGHED_BY_OBJ else INERTIA_WITHIN
    worst = 0.0
    for body, (mass, com, inertia) in zip(description["bodies"][1:], oracle.inertias()):
        ours = np.array(body["I_com"])
        worst = max(worst, abs(body["mass"] - mass) / max(mass, 1e-12))
        assert body["mass"] == pytest.approx(mass, rel=within), body["name"]
        if mass > 0.0:
            assert np.array(body["com"]) == pytest.approx(com, rel=within, abs=within), body["name"]
        moments = np.linalg.eigvalsh(inertia)
        assert np.linalg.eigvalsh(ours) == pytest.approx(moments, rel=within, abs=INERTIA_CUT), body["name"]
        allowed = INERTIA_CUT + within * moments[2] + AXES_WITHIN * (moments[2] - moments[0])
        assert np.max(np.abs(ours - inertia)) <= allowed, body["name"]
    report.add(description["name"], oracle.name + " mjcf", {"mass of a body": worst})


def test_joints_have_the_same_numbers(pair):
    _, description, oracle = pair
    model = oracle.model
    assert description["gravity"] == pytest.approx(model.opt.gravity)
    assert same_positions(oracle, oracle.positions(np.array(description["q0"])), model.qpos0)
    for joint, index in oracle.joints:
        dof, name = model.jnt_dofadr[index], joint["name"]
        armature, damping = oracle.rotor(index)
        assert joint["armature"][0] == pytest.approx(model.dof_armature[dof] + armature), name
        assert joint["damping"][0] == pytest.approx(model.dof_damping[dof] + damping), name
        assert joint["stiffness"][0] == pytest.approx(model.jnt_stiffness[index]), name
        assert joint["friction_loss"][0] == pytest.approx(model.dof_frictionloss[dof]), name
        assert joint["limited"] == bool(model.jnt_limited[index]), name
        if joint["limited"] and joint["num_v"] == 1:
            assert [joint["lower"][0], joint["upper"][0]] == pytest.approx(model.jnt_range[index]), name
        if joint["num_v"] == 1:
            assert joint["neutral"][0] == pytest.approx(model.qpos_spring[model.jnt_qposadr[index]]), name


def test_geoms_stand_at_the_same_places(pair):
    _, description, oracle = pair
    ours = [[] for _ in description["bodies"]]
    for shape in description["shapes"]:
        ours[shape["body"]].append(shape)
    for body, theirs in zip(ours, oracle.geoms()):
        assert len(body) == len(theirs)
        for shape, (name, (R, p)) in zip(body, theirs):
            assert name in ("", shape["name"])
            assert np.array(shape["X_BS"]["p"]) == pytest.approx(p, abs=POSE_WITHIN), shape["name"]
            assert np.array(shape["X_BS"]["R"]) == pytest.approx(R, abs=POSE_WITHIN), shape["name"]


def test_actuators_have_the_same_law(pair):
    _, description, oracle = pair
    model = oracle.model
    assert len(description["actuators"]) == model.nu
    for index in range(model.nu):
        name = model.actuator(index).name
        ours = next((a for a in description["actuators"] if name and a["name"] == name), description["actuators"][index])
        assert mjcf_oracle.GAINS.index(ours["gain"]) == model.actuator_gaintype[index], name
        assert mjcf_oracle.BIASES.index(ours["bias"]) == model.actuator_biastype[index], name
        assert ours["gain_parameters"] == pytest.approx(model.actuator_gainprm[index]), name
        assert ours["dynamics_parameters"] == pytest.approx(model.actuator_dynprm[index]), name
        assert ours["gear"] == pytest.approx(model.actuator_gear[index]), name
        if ours["damping_ratio"] == 0.0:
            assert ours["bias_parameters"] == pytest.approx(model.actuator_biasprm[index]), name
        for range_name, limited, theirs in (("control", model.actuator_ctrllimited, model.actuator_ctrlrange),
                                            ("force", model.actuator_forcelimited, model.actuator_forcerange)):
            assert ours[range_name][0] == bool(limited[index]), name
            if limited[index]:
                assert ours[range_name][1:] == pytest.approx(theirs[index]), name


def test_keyframes_are_the_same(pair):
    _, description, oracle = pair
    for key in description["keyframes"]:
        theirs = oracle.model.key(key["name"]) if key["name"] else oracle.model.key(0)
        assert same_positions(oracle, oracle.positions(np.array(key["q"])), theirs.qpos)
        if key["controls"]:
            assert key["controls"] == pytest.approx(theirs.ctrl)


def test_dynamics_agree_in_random_states(pair):
    file, description, oracle = pair
    if description["num_v"] == 0:
        pytest.skip("nothing moves")
    brief = description["num_v"] > LARGE
    oracle.take_inertias()
    some_states = states.random_states(description, 2 if brief else 20, seed=7)
    question = {
        "model": {"file": str(file)}, "brief": brief,
        "states": [{key: state[key].tolist() for key in ("q", "v", "a", "tau")} for state in some_states],
    }
    worst = {}
    for state, answer in zip(some_states, probe.ask(question)["states"]):
        ours = probe.as_arrays(answer)
        for key, theirs in oracle.evaluate(state, brief).items():
            worst[key] = max(worst.get(key, 0.0), relative_error(ours[key], theirs))
    report.add(description["name"], oracle.name + " mjcf", worst)
    within = OBJ_WITHIN if label(file) in WEIGHED_BY_OBJ else DYNAMICS_WITHIN
    assert not {key: error for key, error in worst.items() if not error <= within}
