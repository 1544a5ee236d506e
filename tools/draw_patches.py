#!/usr/bin/env python3
"""Draws pressure patches: draw_patches.py docs/images/pressure_patches.webp

Left coloured by pressure, right by the speed at which one body slips over the other: a cube that spins, a ball that slides
and a cylinder that lies on its side and spins. Needs the Python package and Pillow.
"""

import sys

import numpy as np
from PIL import Image

import stiction

TIME = 0.08  # s, all three still slip
SIZE = (560, 300)
CAMERA = ([0.05, -0.62, 0.42], [0.0, 0.0, 0.03], 26.0)  # eye, target (m), angle of view (degrees)
LYING = stiction.Pose([0.14, 0, 0.031], R=[[0, 0, 1], [0, 1, 0], [-1, 0, 0]])
BODIES = {  # shape, pose, mass (kg), (angular, linear) velocity (rad/s, m/s)
    "cube": (stiction.Box([0.04] * 3), stiction.translation(-0.14, 0, 0.0395), 1.0, [0, 0, 12, 0, 0, 0]),
    "ball": (stiction.Sphere(0.045), stiction.translation(0.0, 0, 0.038), 1.0, [0, 0, 3, 0.4, 0, 0]),
    "roll": (stiction.Cylinder(0.035, 0.1), LYING, 1.0, [0, 0, 8, 0, 0, 0]),
}
SOFT = stiction.ContactMaterial(pressure_modulus=4e4, static_friction=0.3, dissipation=5.0)


def world_of_three():
    builder = stiction.ModelBuilder("three")
    builder.add_shape("ground", "world", stiction.Pose(), stiction.HalfSpace())
    for name, (shape, pose, mass, _) in BODIES.items():
        builder.add_free_body(name, pose, stiction.solid_box(mass, [0.04] * 3))
        builder.add_shape(name, name, stiction.Pose(), shape)
        builder.set_material(name, SOFT)
    world = stiction.World(builder.build())
    world.v = np.concatenate([velocity for _, _, _, velocity in BODIES.values()])
    while world.time < TIME:
        world.step()
    return world


def main():
    world = world_of_three()
    pictures = [stiction.render(world, CAMERA, *SIZE, patches=by) for by in ("pressure", "slip")]
    Image.fromarray(np.hstack(pictures)).save(sys.argv[1], quality=88)


if __name__ == "__main__":
    main()
