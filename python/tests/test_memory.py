"""Memory does not grow, views cost nothing, and nothing leaks."""

import gc
import os
import resource
import time

import numpy as np
import pytest

import stiction

# The long version: make soak sets a million.
CYCLES = int(os.environ.get("STICTION_PYTHON_CYCLES", "3000"))


def resident():
    """Bytes in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_worlds_come_and_go_without_growth_of_memory(slope):
    model = slope(0.1, 0.5)
    state = stiction.State(model)

    def cycle():
        world = stiction.World(model)
        world.state = state
        world.step()
        world.body("cube").pose, world.q, world.controls, world.joint_forces
        world.contact_forces()

    for _ in range(max(300, CYCLES // 10)):
        cycle()
    gc.collect()
    before = resident()
    for _ in range(CYCLES):
        cycle()
    gc.collect()
    # Python's own arenas move by a little; a leak of one array a cycle would be 100 bytes each.
    assert resident() - before < 2e6 + 20 * CYCLES


def test_models_states_and_errors_come_and_go_without_growth_of_memory():
    def cycle():
        builder = stiction.ModelBuilder("ball").add_free_body("ball", stiction.Pose(), stiction.solid_sphere(1, 0.1))
        model = builder.build()
        stiction.State(model).q.sum()
        stiction.Joint(name="a", axis=[1, 0, 0])
        try:
            model.body("nothing")
        except stiction.UserError:
            pass
        stiction.Dynamics(model).mass_matrix(model.q0)

    for _ in range(300):
        cycle()
    gc.collect()
    before = resident()
    for _ in range(min(CYCLES, 20000)):
        cycle()
    gc.collect()
    assert resident() - before < 2e6 + 20 * CYCLES


@pytest.mark.parametrize("scene", ["pendulum", "clutter_160"])
def test_views_cost_the_same_whatever_the_size(scene):
    world = stiction.World(stiction.make_scene(scene))
    world.q, world.v
    calls = 20000
    best = np.inf
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(calls):
            world.q
        best = min(best, (time.perf_counter() - begin) / calls)
    # Some 50 ns on an idle machine; a copy of 1120 numbers is more than a microsecond.
    assert best < 1e-6
