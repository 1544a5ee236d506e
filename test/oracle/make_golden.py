"""Writes test/data/golden/<model>.json: what Pinocchio says in a few states, in our conventions.

Where MuJoCo can express the model, both must agree first. The description of a model comes from our program; no value in
these files does. Matrices are kept as their products with a direction, and a few bodies stand for all, so that the files
stay small. Run from the repository root, after a change of a scene, with a build that has the probe:

    .venv/bin/python test/oracle/make_golden.py
"""

import json

import numpy as np

import describe
import probe
import states
from mujoco_oracle import MujocoOracle
from pinocchio_oracle import PinocchioOracle

STATES_OF = {"arm": 5, "quadruped": 5, "humanoid": 5, "hand": 5, "chain": 2, "all_joints": 5, "all_joints_free": 5,
             "all_joints_mujoco": 5}
NUM_BODIES = 4
SEED = 2024
AGREE_WITHIN = 1e-10
MATRICES = ["mass_matrix", "inverse_dynamics_dq", "inverse_dynamics_dv", "forward_dynamics_dq", "forward_dynamics_dv",
            "forward_dynamics_dtau"]
VECTORS = ["bias", "inverse_dynamics", "forward_dynamics", "com", "momentum", "angular_momentum", "kinetic_energy",
           "gravity_energy"]
OF_BODIES = ["poses", "bias_accelerations", "reactions"]


def short(state, description):
    """The state with short decimals, which keep the files small; quaternions stay whole."""
    rounded = {key: np.round(value, 3) for key, value in state.items()}
    for joint in states.joints_of(description):
        if joint["type"] in ("ball", "free"):
            place = slice(joint["q_begin"], joint["q_begin"] + 4)
            rounded["q"][place] = state["q"][place]
    return rounded


def check_agreement(one, other, model):
    for key, value in other.items():
        error = np.max(np.abs(one[key] - value)) / np.max(np.abs(value))
        if not error <= AGREE_WITHIN:
            raise RuntimeError(f"{model}: the engines differ by {error:.1e} in {key}")


def golden(model):
    description = probe.describe(model)
    rng = np.random.default_rng([SEED, sorted(STATES_OF).index(model)])
    oracle = PinocchioOracle(description)
    second = MujocoOracle(description) if describe.can_mujoco_express(description) else None
    bodies = np.unique(np.linspace(1, len(description["bodies"]) - 1, NUM_BODIES).round().astype(int))
    entries = []
    for _ in range(STATES_OF[model]):
        state = short(states.random_state(description, rng), description)
        direction = np.round(rng.normal(size=description["num_v"]), 3)
        values = oracle.evaluate(state, derivatives=True)
        if second:
            check_agreement(values, second.evaluate(state), model)
        entry = {key: state[key] for key in ("q", "v", "a", "tau")}
        entry["direction"] = direction
        entry.update({key: values[key] for key in VECTORS})
        entry.update({f"{key}_times_direction": values[key] @ direction for key in MATRICES})
        entry.update({key: values[key][bodies] for key in OF_BODIES})
        entry["jacobians_times_direction"] = values["jacobians"][bodies] @ direction
        entries.append({key: np.asarray(value).tolist() for key, value in entry.items()})
    return {
        "model": model,
        "from": [oracle.name] + ([second.name] if second else []),
        "bodies": [description["bodies"][index]["name"] for index in bodies],
        "states": entries,
    }


def main():
    folder = probe.ROOT / "test" / "data" / "golden"
    folder.mkdir(parents=True, exist_ok=True)
    for model in STATES_OF:
        # Python writes the shortest digits that read back to the same double: at most 17.
        text = json.dumps(golden(model), separators=(",", ":"))
        (folder / f"{model}.json").write_text(text.replace('],"', '],\n"').replace('},{', '},\n{') + "\n")
        print(f"{model}: {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
