"""How far does a sliding cube go? A sweep over friction: one rollout, one world for each value."""

import numpy as np

import stiction

MUS = np.linspace(0.1, 1.0, 10)
SPEED = 1.0  # m/s

model = stiction.make_scene("sliding_block")
body = model.body_names[-1]
shapes = model.shape_names
result = stiction.rollout(
    model, steps=1500, h=1e-3, every=100, overrides={("friction", shape): MUS for shape in shapes}, threads=0
)
free = model.q_slice(body)
travel = result.q[:, -1, free][:, 4] - result.q[:, 0, free][:, 4]
print("   mu   travel   v^2/(2 mu g)")
for mu, way in zip(MUS, travel):
    print(f"{mu:5.2f} {way:7.4f} m {SPEED**2 / (2 * mu * 9.81):9.4f} m")
