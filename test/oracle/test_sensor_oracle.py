"""Sensors of MJCF files against MuJoCo in random states, with random controls and the accelerations that MuJoCo finds:
those of the shared models, and of our own snippets for every kind.

What depends on forces of constraints is compared with constraints switched off; how far limits are passed does not. A
quaternion and its negative are the same orientation. Errors are relative to the largest number of a sensor in a state.
"""

import json
import re
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")
sparse_linalg = pytest.importorskip("scipy.sparse.linalg", reason="the package scipy is not installed")

import mjcf_oracle
import probe
import report
import sensor_snippets
import states

NUM_STATES = states.fewer(100, 20)
WITHIN = 1e-10
SMALL = 1e-2  # in SI units: below it errors count as they are
REPORTED_AS = "us - mujoco, sensors"
LIMITS = {"mjSENS_JOINTLIMITPOS", "mjSENS_JOINTLIMITVEL", "mjSENS_TENDONLIMITPOS", "mjSENS_TENDONLIMITVEL"}


def has_sensors(file):
    """Whether a file, or one that it includes, has them."""
    text = file.read_text(errors="ignore") if file.exists() else ""
    included = re.findall(r'<include\s+file="([^"]*)"', text)
    return "<sensor>" in text or any(has_sensors(file.parent / name) for name in included)


ROBOTS = [file for file in sorted(probe.shared_models().glob("**/*.xml")) if has_sensors(file)]


class Sensors:
    """A file as both see it."""

    def __init__(self, file):
        self.file = file
        description = probe.describe({"file": str(file)})
        self.oracle = mjcf_oracle.MjcfOracle(file, description)
        self.model = self.oracle.with_exact_inertias() or self.oracle.model
        self.states = states.random_states(description, NUM_STATES, seed=11)
        rng = np.random.default_rng(12)
        for state in self.states:
            state["controls"] = rng.normal(size=self.model.nu)
            state["activations"] = rng.uniform(0.0, 1.0, size=self.model.na)
            state["time"] = rng.uniform(0.0, 10.0)

    def theirs(self, state):
        """Values of all sensors; sets the state's acceleration."""
        model, oracle = self.model, self.oracle
        data = mujoco.MjData(model)
        T, drift = oracle.basis.sparse_T(state["q"]), oracle.basis.Tdot_v(state["q"], state["v"])
        data.qpos[:], data.qvel[:] = oracle.positions(state["q"]), T @ state["v"]
        data.ctrl[:], data.act[:], data.time = state["controls"], state["activations"], state["time"]
        flags = model.opt.disableflags
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        mujoco.mj_forward(model, data)
        state["a"] = sparse_linalg.spsolve(T.tocsc(), data.qacc - drift) if model.nv > 0 else data.qacc.copy()
        values = data.sensordata.copy()
        model.opt.disableflags = flags
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_sensorPos(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_sensorVel(model, data)
        for index in range(model.nsensor):
            if self.kind(index) in LIMITS:
                values[self.place(index)] = data.sensordata[self.place(index)]
        return values

    def kind(self, index):
        return mujoco.mjtSensor(self.model.sensor_type[index]).name

    def place(self, index):
        begin = self.model.sensor_adr[index]
        return slice(begin, begin + self.model.sensor_dim[index])

    def ours(self):
        question = {"file": str(self.file), "states": [
            {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in state.items()}
            for state in self.states]}
        program = probe.build_folder() / "bin" / "stiction_sensor_probe"
        done = subprocess.run([program], input=json.dumps(question), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def errors_by_kind(file):
    sensors = Sensors(file)
    theirs = [sensors.theirs(state) for state in sensors.states]
    answer = sensors.ours()
    sizes = [sensor["size"] for sensor in answer["sensors"]]
    assert sizes == list(sensors.model.sensor_dim)
    worst = {}
    for ours, expected in zip(answer["states"], theirs):
        ours = np.array(ours)
        for index, sensor in enumerate(answer["sensors"]):
            mine, other = ours[sensors.place(index)], expected[sensors.place(index)]
            if "quat" in sensor["kind"]:
                mine = mine * np.sign(mine @ other)
            error = np.max(np.abs(mine - other)) / max(np.max(np.abs(other)), SMALL)
            kind = sensor["kind"]
            worst[kind] = max(worst.get(kind, 0.0), error)
    return worst


def check(name, worst, within=WITHIN):
    report.add(name, REPORTED_AS, worst, within)
    assert not {kind: error for kind, error in worst.items() if not error <= within}


@pytest.mark.parametrize("file", ROBOTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_sensors_of_a_model_read_what_they_read_in_mujoco(file):
    check(f"{file.parent.name}/{file.stem}", errors_by_kind(file))


@pytest.mark.parametrize("name", sensor_snippets.SNIPPETS)
def test_sensors_of_every_kind_read_what_they_read_in_mujoco(name, tmp_path):
    file = tmp_path / "model.xml"
    file.write_text(sensor_snippets.SNIPPETS[name])
    check(f"sensors: {name}", errors_by_kind(file))
