"""A first program: a rod on a hinge, built in code, let go."""

import stiction

builder = stiction.ModelBuilder("pendulum")
builder.add_body("rod", "world", stiction.translation(0, 0, 2))
builder.add_joint("rod", stiction.Joint(name="hinge", type="revolute", axis=[0, 1, 0]))
builder.add_solid("rod", "rod", stiction.translation(0, 0, -0.5), stiction.Capsule(0.02, 1.0), 1000.0)  # kg/m^3

world = stiction.World(builder.build())
world.joint("hinge").q = 1.0  # rad
world.simulate(2.0)  # s
print(f"{world.joint('hinge').q:.4f} rad, {world.energies().total:.4f} J")
