"""Asks our own program about a scene or a file: its description, and what it computes in given states."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def build_folder():
    return Path(os.environ.get("STICTION_BUILD", ROOT / "build"))


def shared_models():
    return Path(os.environ.get("STICTION_SHARED", ROOT.parent / "shared")) / "models"


class Session:
    """A running probe, which loads a model once for several questions."""

    def __enter__(self):
        program = build_folder() / "bin" / "stiction_dynamics_probe"
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        # Its errors end it, so that there is nothing to be done about a pipe that broke.
        self.process.communicate()

    def ask(self, question, content=b""):
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n" + content)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().decode().strip())
        return json.loads(line)

    def numbers(self):
        """The next array of a binary answer."""
        count = int(np.frombuffer(self.process.stdout.read(8))[0])
        return np.frombuffer(self.process.stdout.read(8 * count))

    def describe(self, model):
        return self.ask({"describe": model})

    def answers(self, model, states):
        """What test/tools/bulk_answer.h lists, by name, state after state."""
        content = b"".join(state[key].tobytes() for state in states for key in ("q", "v", "a"))
        fields = self.ask({"model": model, "bulk": len(states)}, content)["fields"]
        for _ in states:
            yield {field: self.numbers() for field in fields}


def ask(question):
    with Session() as session:
        return session.ask(question)


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
