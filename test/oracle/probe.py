"""Asks our own program about a scene: its description, and what it computes in given states."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def build_folder():
    return Path(os.environ.get("STICTION_BUILD", ROOT / "build"))


def ask(question):
    program = build_folder() / "bin" / "stiction_dynamics_probe"
    done = subprocess.run([program], input=json.dumps(question), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def describe(model):
    return ask({"describe": model})


def our_answers(model, states, derivatives):
    """What we compute in every state, as arrays."""
    question = {
        "model": model,
        "states": [{key: state[key].tolist() for key in ("q", "v", "a", "tau")} for state in states],
        "derivatives": derivatives,
    }
    return [as_arrays(answer) for answer in ask(question)["states"]]


def as_arrays(answer):
    """Poses become 3 x 4 matrices [R p]; everything else is an array of the shape it has in JSON."""
    arrays = {key: np.array(value, dtype=float) for key, value in answer.items() if key != "poses"}
    arrays["poses"] = np.array([np.column_stack([pose["R"], pose["p"]]) for pose in answer["poses"]])
    return arrays
