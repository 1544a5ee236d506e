"""Steps of a world inside compiled functions of JAX."""

import numpy as np
import pytest

import stiction

jax = pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def double_precision():
    with jax.enable_x64(True):
        yield


def step_with(model, forces):
    world = stiction.World(model)
    world.joint_forces[:] = forces
    world.step(steps=10)
    return np.concatenate([world.q, world.v])


def test_a_step_is_called_from_a_compiled_function():
    model = stiction.make_scene("arm")
    answer = jax.ShapeDtypeStruct((model.num_q + model.num_v,), np.float64)

    @jax.jit
    def simulated(forces):
        return jax.pure_callback(lambda tau: step_with(model, np.asarray(tau)), answer, forces)

    forces = np.linspace(-1.0, 1.0, model.num_v)
    assert np.array_equal(np.asarray(simulated(forces)), step_with(model, forces))


def test_results_of_a_rollout_become_arrays_of_jax_with_all_digits():
    model = stiction.make_scene("sliding_block")
    mus = np.linspace(0.2, 0.8, 2)
    q = stiction.rollout(model, steps=20, overrides={("friction", shape): mus for shape in model.shape_names}).q
    there = jax.numpy.asarray(q)
    assert there.dtype == np.float64 and np.array_equal(np.asarray(there), q)
