"""What the tests of the package share."""

import os

import numpy as np
import pytest

import stiction

# Never a window.
os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture
def pendulum():
    """A world with a rod of 1 m and 1 kg on a hinge, 30 degrees off the vertical."""
    return stiction.World(stiction.make_scene("pendulum"))


@pytest.fixture
def thin_rod():
    """A rod of 1 m and 1 kg without thickness on a hinge along y; q is its angle off the vertical (rad)."""
    builder = stiction.ModelBuilder("thin rod")
    builder.add_body("rod", "world", stiction.Pose(), stiction.Inertia(1.0, [0, 0, -0.5], np.diag([1 / 12, 1 / 12, 0])))
    builder.add_joint("rod", stiction.Joint(name="hinge", type="revolute", axis=[0, 1, 0]))
    return builder.build()


@pytest.fixture(autouse=True)
def one_thread():
    """A test that asks for threads does not leave them to the next."""
    yield
    stiction.set_thread_count(1)


def slope(angle, mu):
    """A cube of 10 cm and 1 kg on a slope of `angle` (rad) with friction mu: gravity is turned, not the floor."""
    builder = stiction.ModelBuilder("slope")
    builder.set_gravity([9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle)])
    builder.add_shape("floor", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("cube", stiction.translation(0, 0, 0.05), stiction.solid_box(1.0, [0.05] * 3))
    builder.add_shape("cube", "cube", stiction.Pose(), stiction.Box([0.05] * 3))
    for shape in ("floor", "cube"):
        builder.set_material(shape, stiction.ContactMaterial(static_friction=mu))
    return builder.build()


@pytest.fixture(name="slope")
def slope_fixture():
    """The function above."""
    return slope
