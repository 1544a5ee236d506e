"""Random states of a described model, the same for the same seed."""

import os

import numpy as np

# CMake sets it for builds with sanitizers, under which our programs take some twenty times as long.
IS_SANITIZED = float(os.environ.get("STICTION_TEST_SLOWDOWN", "1")) > 1.0


def fewer(count, share):
    """So many states, poses or the like, or one share-th of them under the sanitizers."""
    return max(1, count // share) if IS_SANITIZED else count


def joints_of(description):
    return [joint for body in description["bodies"] for joint in body["joints"]]


def random_quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def random_state(description, rng):
    q = np.zeros(description["num_q"])
    for joint in joints_of(description):
        place = slice(joint["q_begin"], joint["q_begin"] + joint["num_q"])
        if joint["type"] == "ball":
            q[place] = random_quaternion(rng)
        elif joint["type"] == "free":
            q[place] = np.concatenate([random_quaternion(rng), rng.uniform(-1.0, 1.0, 3)])
        elif joint["type"] == "prismatic":
            q[place] = rng.uniform(-0.5, 0.5, joint["num_q"])
        elif joint["type"] == "planar":
            q[place] = np.append(rng.uniform(-0.5, 0.5, 2), rng.uniform(-np.pi, np.pi))
        else:
            q[place] = rng.uniform(-np.pi, np.pi, joint["num_q"])
    num_v = description["num_v"]
    return {"q": q, "v": rng.normal(size=num_v), "a": rng.normal(size=num_v), "tau": rng.normal(size=num_v)}


def random_states(description, count, seed):
    rng = np.random.default_rng(seed)
    return [random_state(description, rng) for _ in range(count)]
