"""Forces of actuators and passive forces against MuJoCo, in random states with random controls and activations: of every
shared file that MuJoCo loads, and of small models of our own with what robots rarely use. Errors are relative to the
largest entry of a quantity in a state."""

import json
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import actuation_snippets
import fluid_ellipsoid
import mjcf_oracle
import probe
import report
import states
import test_mjcf_oracle as whole

NUM_STATES = states.fewer(100, 20)
WITHIN = 1e-10
DEPEND_ON_ARMS = ("tendon_velocity", "actuator_velocity", "actuator_force", "joint_forces", "passive", "next_activation")
REPORTED_AS = "us - mujoco, actuation"
OWN = actuation_snippets.snippets()


class Pair:
    """A file as both see it."""

    def __init__(self, file):
        self.description = probe.describe({"file": str(file)})
        self.oracle = mjcf_oracle.MjcfOracle(file, self.description)
        self.file, self.model = file, self.oracle.model
        # Nothing here depends on constraints, and contacts of random states take long.
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
        # Dampers of free joints act on the centre of mass with us.
        self.free_damping = np.zeros(self.model.nv)
        for joint, index in self.oracle.joints:
            if joint["type"] == "free":
                theirs = self.model.jnt_dofadr[index] + np.arange(6)
                self.free_damping[joint["v_begin"] + np.arange(6)] = self.model.dof_damping[theirs]
                self.model.dof_damping[theirs] = 0.0
        # Where a cord touches a wrap from inside, their moment arms are good to 1e-6.
        inside = self.oracle.tendons_inside().any()
        self.within = {key: whole.INSIDE_WITHIN if inside else WITHIN for key in DEPEND_ON_ARMS}

    def random_states(self):
        """Ours, with controls beyond their ranges."""
        rng = np.random.default_rng(11)
        model = self.model
        some = states.random_states(self.description, NUM_STATES, seed=3)
        for state in some:
            limited = model.actuator_ctrllimited.astype(bool)
            low, high = model.actuator_ctrlrange.T
            reach = np.where(limited, 1.5 * (high - low), 8.0)
            state["controls"] = np.where(limited, (low + high) / 2, 0.0) + rng.uniform(-0.5, 0.5, model.nu) * reach
            state["activations"] = rng.uniform(-0.5, 1.5, model.na)
        return some

    def our_answers(self, some):
        question = {"file": str(self.file), "states": len(some), "h": self.model.opt.timestep}
        keys = ("q", "v", "controls", "activations")
        content = json.dumps(question).encode() + b"\n" + b"".join(state[key].tobytes() for state in some for key in keys)
        done = subprocess.run([probe.build_folder() / "bin" / "stiction_actuation_probe"], input=content,
                              capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        line, rest = done.stdout.split(b"\n", 1)
        numbers, begin = np.frombuffer(rest), 0
        for _ in some:
            answer = {}
            for field in json.loads(line)["fields"]:
                end = begin + 1 + int(numbers[begin])
                answer[field], begin = numbers[begin + 1:end], end
            yield answer

    def their_answer(self, model, state):
        data = mujoco.MjData(model)
        basis = self.oracle.basis
        T = basis.sparse_T(state["q"])
        data.qpos[:], data.qvel[:] = self.oracle.positions(state["q"]), T @ state["v"]
        data.ctrl[:], data.act[:] = state["controls"], state["activations"]
        mujoco.mj_forward(model, data)
        out = {"tendon_length": data.ten_length, "tendon_velocity": data.ten_velocity,
               "actuator_length": data.actuator_length, "actuator_velocity": data.actuator_velocity,
               "actuator_force": data.actuator_force, "activation_rate": data.act_dot,
               "joint_forces": T.T @ data.qfrc_actuator, "passive": T.T @ data.qfrc_passive - self.free_damping * state["v"]}
        out = {key: value.copy() for key, value in out.items()}
        if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_ACTUATION:
            del out["actuator_velocity"]  # not computed then
        if model.na:
            mujoco.mj_step(model, data)
            out["next_activation"] = data.act.copy()
        return out


def compare(pair, name):
    exact = pair.oracle.with_exact_inertias() or pair.model
    own_fluid = exact.geom_fluid.copy()
    fluid_ellipsoid.set_exact_added_mass(exact)
    some, worst, of_its_own = pair.random_states(), {}, {}
    for state, ours in zip(some, pair.our_answers(some)):
        for key, value in pair.their_answer(exact, state).items():
            if value.size:
                worst[key] = max(worst.get(key, 0.0), whole.relative_error(ours[key], value))
        if own_fluid.any():
            saved, exact.geom_fluid[:] = exact.geom_fluid.copy(), own_fluid
            theirs = pair.their_answer(exact, state)["passive"]
            exact.geom_fluid[:] = saved
            of_its_own["passive"] = max(of_its_own.get("passive", 0.0), whole.relative_error(ours["passive"], theirs))
    for key, error in worst.items():
        report.add(name, REPORTED_AS, {key: error}, pair.within.get(key, WITHIN))
    report.add(name, REPORTED_AS + ", its added mass", of_its_own)
    assert not {key: error for key, error in worst.items() if not error <= pair.within.get(key, WITHIN)}


@pytest.mark.parametrize("file", whole.OWN + whole.ROBOTS, ids=whole.label)
def test_files_have_the_same_forces(file):
    try:
        mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        pytest.skip(f"MuJoCo does not load it: {error}")
    compare(Pair(file), whole.label(file))


@pytest.mark.parametrize("name", OWN)
def test_small_models_have_the_same_forces(name, tmp_path):
    file = tmp_path / "model.xml"
    file.write_text(OWN[name])
    compare(Pair(file), name)
