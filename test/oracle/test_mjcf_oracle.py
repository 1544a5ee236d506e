"""MJCF files as our loader reads them against MuJoCo: bodies, joints, inertias, geoms, actuators, keyframes, and in random
states poses, dynamics, tendons and actuators.

The files are those of the shared folder that MuJoCo itself loads, and our own small ones, which have what robots rarely
use. Errors are relative to the largest entry of a quantity in a state.
"""

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import mjcf_oracle
import probe
import report
import states

OWN = sorted((probe.ROOT / "test" / "data" / "mjcf").glob("*.xml"))
ROBOTS = sorted(probe.shared_models().glob("**/*.xml"))

NUM_STATES = states.fewer(100, 20)
DYNAMICS_WITHIN = 1e-10
INERTIA_WITHIN = 1e-12
# MuJoCo keeps principal moments and axes, and stops turning to them when the cosine of a turn is within 1e-12 of 1:
# an inertia is off by this times the spread of its moments.
AXES_WITHIN = 1.5e-6
INERTIA_CUT = 2e-12  # kg m^2, of what it leaves off the diagonal
POSE_WITHIN = 1e-10
# MuJoCo's search for the point where a tendon touches a wrap from inside stops at 1e-6. The length has its minimum there;
# the moment arm does not.
INSIDE_WITHIN = 1e-6
FORCES = ("mass_matrix", "bias", "inverse_dynamics")
INSIDE = "tendon_moments inside a wrap"
REPORTED_AS = "us - mujoco, mjcf"
ZERO_BELOW = 1e-4  # in SI units: a smaller quantity vanishes by nature, and only its round-off is left


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
    with probe.Session() as session:
        description = session.describe({"file": str(file)})
        yield file, description, mjcf_oracle.MjcfOracle(file, description, session)


def relative_error(ours, theirs):
    assert ours.shape == theirs.shape
    if 0 in theirs.shape:
        return 0.0
    return abs(ours - theirs).max() / max(abs(theirs).max(), ZERO_BELOW)


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
    _, description, oracle = pair
    within = INERTIA_WITHIN
    for body, (mass, com, inertia) in zip(description["bodies"][1:], oracle.inertias()):
        ours = np.array(body["I_com"])
        assert body["mass"] == pytest.approx(mass, rel=within), body["name"]
        if mass > 0.0:
            assert np.array(body["com"]) == pytest.approx(com, rel=within, abs=within), body["name"]
        moments = np.linalg.eigvalsh(inertia)
        assert np.linalg.eigvalsh(ours) == pytest.approx(moments, rel=within, abs=INERTIA_CUT), body["name"]
        allowed = INERTIA_CUT + within * moments[2] + AXES_WITHIN * (moments[2] - moments[0])
        assert np.max(np.abs(ours - inertia)) <= allowed, body["name"]


def test_inertias_are_those_of_the_file_in_extended_precision(pair):
    file, description, oracle = pair
    worst, of_mujoco = {}, {}
    for body, exact, theirs in zip(description["bodies"][1:], oracle.exact_inertias[1:], oracle.inertias()):
        if exact is None:
            continue
        mass, com, inertia, source = exact
        scale = np.max(np.abs(inertia))
        size = np.sqrt(scale / mass) + np.max(np.abs(com))  # m
        errors = {"mass": abs(body["mass"] / mass - 1), "centre of mass": np.max(np.abs(body["com"] - com)) / size,
                  "inertia": np.max(np.abs(np.array(body["I_com"]) - inertia)) / scale}
        for key, error in errors.items():
            worst[key] = max(worst.get(key, 0.0), error)
        error = np.max(np.abs(theirs[2] - inertia)) / scale
        of_mujoco[f"inertia from {source}"] = max(of_mujoco.get(f"inertia from {source}", 0.0), error)
    report.add(label(file), "us - exact", worst, INERTIA_WITHIN)
    report.add(label(file), "mujoco itself - exact", of_mujoco)
    assert not {key: error for key, error in worst.items() if not error <= INERTIA_WITHIN}


def test_the_total_mass_is_the_same(pair):
    file, description, oracle = pair
    theirs = np.sum(oracle.model.body_mass)
    error = abs(sum(body["mass"] for body in description["bodies"]) - theirs) / max(theirs, 1e-12)
    report.add(label(file), REPORTED_AS, {"total mass": error}, INERTIA_WITHIN)
    assert error <= INERTIA_WITHIN


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
        # A range without finite ends is none.
        assert joint["limited"] == (bool(model.jnt_limited[index]) and np.isfinite(model.jnt_range[index]).any()), name
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
    exact_model = oracle.with_exact_inertias()
    some_states = states.random_states(description, NUM_STATES, seed=7)
    is_inside = oracle.tendons_inside()
    inside_rows, other_rows = np.flatnonzero(is_inside), np.flatnonzero(~is_inside)
    worst, of_its_own = {}, {}
    for state, answer in zip(some_states, oracle.our_answers(some_states)):
        ours, theirs = oracle.as_arrays(answer), oracle.evaluate(oracle.model, state)
        if exact_model:
            for key in FORCES:
                of_its_own[key] = max(of_its_own.get(key, 0.0), relative_error(ours[key], theirs[key]))
            theirs.update(oracle.evaluate(exact_model, state, forces_only=True))
        for answers in (ours, theirs):
            moments = answers["tendon_moments"]
            answers[INSIDE], answers["tendon_moments"] = moments[inside_rows], moments[other_rows]
        for key, value in theirs.items():
            if np.prod(value.shape) > 0:
                worst[key] = max(worst.get(key, 0.0), relative_error(ours[key], value))
    inside_error = worst.pop(INSIDE, 0.0)
    report.add(label(file), REPORTED_AS, worst, DYNAMICS_WITHIN)
    if inside_error > 0.0:
        report.add(label(file), REPORTED_AS, {INSIDE: inside_error}, INSIDE_WITHIN)
    report.add(label(file), REPORTED_AS + ", its inertias", of_its_own)
    assert not {key: error for key, error in worst.items() if not error <= DYNAMICS_WITHIN}
    assert inside_error <= INSIDE_WITHIN
