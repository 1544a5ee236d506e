"""Stiction: a simulator for robots in contact.

The words are those of the C++ library; docs/python.md is the tour.

    import stiction

    world = stiction.World(stiction.make_scene("pendulum"))
    world.joint("hinge").q = 1.0  # rad
    world.simulate(2.0)  # s
    print(world.joint("hinge").q, world.energies().total)
"""

from stiction import _environments
from stiction._core import *
from stiction._view import View as View
from stiction._view import render as render
from stiction._view import view as view
from stiction.rollouts import Rollout as Rollout
from stiction.rollouts import rollout as rollout

__version__ = "0.1.0"

_environments.register()
