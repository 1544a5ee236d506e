"""Memory does not grow, views cost nothing, and nothing leaks."""

import ctypes
import gc
import os
import sys
import time

import numpy as np
import pytest

import stiction

# The long version: make soak sets a million.
CYCLES = int(os.environ.get("STICTION_PYTHON_CYCLES", "3000"))


class MallocFigures(ctypes.Structure):
    """struct mallinfo2 of the C library."""

    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def in_use():
    """(bytes that the C library has given out, blocks that Python has given out): exact, both."""
    gc.collect()
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallocFigures
    figures = mallinfo2()
    return np.array([figures.uordblks + figures.hblkhd, sys.getallocatedblocks()])


def growth(cycle, cycles):
    """Of both figures, over so many cycles."""
    for _ in range(300):
        cycle()
    before = in_use()
    for _ in range(cycles):
        cycle()
    return in_use() - before


def assert_no_leak(cycle, cycles):
    """Caches of the interpreter come and go, some kilobytes in all; a pointer a cycle would be 8 bytes x 3000 or more."""
    bytes_more, blocks_more = growth(cycle, cycles)
    assert bytes_more < 16_000 and blocks_more < 100


def test_the_measure_sees_what_leaks():
    model, kept = stiction.make_scene("pendulum"), []
    # Numbers of C++ come from the C library, small objects of Python from its own blocks.
    assert growth(lambda: kept.append(stiction.State(model)), 500)[0] > 16_000
    assert growth(lambda: kept.append(object()), 500)[1] > 100


def test_worlds_come_and_go_without_growth_of_memory(slope):
    model = slope(0.1, 0.5)
    state = stiction.State(model)

    def cycle():
        world = stiction.World(model)
        world.state = state
        world.step()
        world.body("cube").pose, world.q, world.controls, world.joint_forces
        world.contact_forces()

    assert_no_leak(cycle, CYCLES)


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

    assert_no_leak(cycle, min(CYCLES, 20000))


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
