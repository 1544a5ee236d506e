"""Draws the pictures of docs/parameters.md from simulations, with the Python package and matplotlib.

usage: PYTHONPATH=build/python/site .venv/bin/python tools/draw_parameters.py docs/images
"""
import math
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "stiction"
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

import stiction  # noqa: E402

G = 9.81
COLOURS = ["#2a78d6", "#e07b39", "#3a9d5d", "#8a5fbf"]


def scene(shape, mass, height, angle=0.0, **material):
    """A body on a plane that falls to +x by an angle; height above the plane of its centre."""
    tilt = stiction.rotation_about([0, 1, 0], angle)
    normal = tilt @ np.array([0.0, 0.0, 1.0])
    builder = stiction.ModelBuilder("parameters")
    builder.add_shape("floor", "world", stiction.Pose(R=tilt), stiction.HalfSpace())
    builder.add_free_body("body", stiction.Pose(height * normal, R=tilt))
    builder.add_solid("body", "body", stiction.Pose(), shape, mass / stiction.volume(shape))
    for name in ("floor", "body"):
        builder.set_material(name, stiction.ContactMaterial(**material))
    return builder.build()


def figure(title, x, y):
    fig, axes = plt.subplots(figsize=(5.2, 3.2))
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.grid(alpha=0.3)
    return fig, axes


def draw_friction():
    fig, axes = figure("A block at 2 m/s: how far it slides", "friction coefficient", "distance (m)")
    mus, speed = np.linspace(0.1, 1.0, 10), 2.0
    found = []
    for mu in mus:
        world = stiction.World(scene(stiction.Box([0.1, 0.1, 0.02]), 1.0, 0.02, static_friction=mu), h=1e-3)
        world.body("body").velocity = [0, 0, 0, speed, 0, 0]
        world.simulate(1.2 * speed / (mu * G))
        found.append(world.body("body").pose.p[0])
    axes.plot(mus, found, "o", color=COLOURS[0], label="simulated")
    axes.plot(mus, speed**2 / (2 * mus * G), color=COLOURS[1], label="v²/(2 μ g)")
    axes.legend()
    return fig


def draw_stiffness():
    fig, axes = figure("A ball of 1 kg at rest: how far it sinks", "stiffness of the pair (N/m)", "overlap (m)")
    ks, found = np.logspace(4, 8, 9), []
    for k in ks:
        world = stiction.World(scene(stiction.Sphere(0.05), 1.0, 0.05, stiffness=2 * k), h=1e-3)
        world.simulate(1.0)
        found.append(0.05 - world.body("body").pose.p[2])
    axes.loglog(ks, found, "o", color=COLOURS[0], label="simulated")
    axes.loglog(ks, G / ks, color=COLOURS[1], label="m g/k")
    axes.legend()
    return fig


def draw_dissipation():
    fig, axes = figure("A ball falls from 0.2 m: dissipation d", "time (s)", "height (m)")
    for d, colour in zip((0.05, 0.2, 0.5, 5.0), COLOURS):
        world = stiction.World(scene(stiction.Sphere(0.05), 0.5, 0.25, stiffness=2e5, dissipation=d), h=2e-4)
        times, heights = [], []
        while world.time < 1.0:
            world.step(steps=10)
            times.append(world.time)
            heights.append(world.body("body").pose.p[2] - 0.05)
        axes.plot(times, heights, color=colour, label=f"{d:g} s/m")
    axes.legend()
    return fig


def draw_tolerance():
    fig, axes = figure("A block on a slope of 15°: how fast it creeps", "stiction tolerance v_s (m/s)", "speed (m/s)")
    angle, mu, v_s, found = math.radians(15.0), 0.5, np.logspace(-6, -2, 9), []
    for tolerance in v_s:
        world = stiction.World(scene(stiction.Box([0.1, 0.1, 0.02]), 1.0, 0.02, angle, static_friction=mu), h=2e-3,
                               formulation="icf_lagged_plain")
        world.options.formulation.contact.v_s = tolerance
        world.simulate(1.0)
        start = world.body("body").pose.p
        world.simulate(1.0)
        found.append(np.linalg.norm(world.body("body").pose.p - start))
    axes.loglog(v_s, found, "o", color=COLOURS[0], label="simulated")
    tangent = math.tan(angle)
    axes.loglog(v_s, v_s * tangent / math.sqrt(mu**2 - tangent**2), color=COLOURS[1], label="v_s tan a / √(μ² - tan² a)")
    axes.legend()
    return fig


def main():
    out = pathlib.Path(sys.argv[1])
    for name, draw in (("friction", draw_friction), ("stiffness", draw_stiffness), ("dissipation", draw_dissipation),
                       ("tolerance", draw_tolerance)):
        fig = draw()
        fig.tight_layout()
        fig.savefig(out / f"parameter_{name}.svg", metadata={"Date": None})
        plt.close(fig)


if __name__ == "__main__":
    main()
