"""Models and states go to the workers of Ray and come back, bit for bit."""

import numpy as np
import pytest

import stiction

ray = pytest.importorskip("ray")
# Ray starts its workers as programs, so that other threads of this process do not matter.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork")


@pytest.fixture(scope="module")
def workers():
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", logging_level="error")
    yield
    ray.shutdown()


def test_a_motion_continues_on_a_worker_with_the_same_bits(workers):
    @ray.remote
    def simulate(model, state, steps):
        world = stiction.World(model)
        world.state = state
        world.step(steps=steps)
        return world.state

    model = stiction.make_scene("quadruped_standing")
    world = stiction.World(model)
    world.step(steps=20)
    there = ray.get(simulate.remote(model, world.state, 30))
    world.step(steps=30)
    assert there.hash() == world.state.hash()


def test_a_sweep_over_frictions_is_that_of_a_rollout_here(workers):
    model = stiction.make_scene("sliding_block")
    mus = np.linspace(0.2, 0.8, 4)

    @ray.remote
    def final_positions(shared_model, some):
        overrides = {("friction", shape): some for shape in shared_model.shape_names}
        return stiction.rollout(shared_model, steps=100, overrides=overrides).q[:, -1]

    shared = ray.put(model)
    there = np.concatenate(ray.get([final_positions.remote(shared, mus[:2]), final_positions.remote(shared, mus[2:])]))
    overrides = {("friction", shape): mus for shape in model.shape_names}
    here = stiction.rollout(model, steps=100, overrides=overrides).q[:, -1]
    assert np.array_equal(there, here)
    # More friction, less far: the worlds did differ.
    assert np.unique(here, axis=0).shape[0] == 4


def test_an_error_of_a_worker_names_what_was_wrong(workers):
    @ray.remote
    def load():
        return stiction.make_scene("no_such_scene")

    with pytest.raises(ray.exceptions.RayTaskError, match="no_such_scene"):
        ray.get(load.remote())
