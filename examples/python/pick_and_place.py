"""A gripper picks a cube up, carries it and puts it down, under PD control.

With Franka's Panda where the shared models are there (STICTION_SHARED), otherwise with a gantry of our own.
"""

import numpy as np

import stiction


def gantry() -> stiction.Model:
    """A hand of two fingers on three slides above a cube on a table; every joint has a servo."""
    builder = stiction.ModelBuilder("gantry")
    builder.add_shape("table", "world", stiction.Pose(), stiction.HalfSpace())
    parent = "world"
    for name, axis in (("x", [1, 0, 0]), ("y", [0, 1, 0]), ("z", [0, 0, 1])):
        start = stiction.translation(0, 0, 0.3) if parent == "world" else stiction.Pose()
        builder.add_body(f"slide_{name}", parent, start, stiction.solid_box(1.0, [0.05] * 3))
        builder.add_joint(f"slide_{name}", stiction.Joint(name=name, type="prismatic", axis=axis))
        builder.add_actuator(stiction.position_servo(name, name, kp=4000.0, kv=400.0, effort=200.0))
        parent = f"slide_{name}"
    rubber = stiction.ContactMaterial(static_friction=0.8)
    for name, side in (("left", 1.0), ("right", -1.0)):
        builder.add_body(name, parent, stiction.translation(0, side * 0.06, -0.1), stiction.solid_box(0.1, [0.01] * 3))
        builder.add_joint(name, stiction.Joint(name=name, type="prismatic", axis=[0, -side, 0], damping=5.0))
        builder.add_shape(name, name, stiction.Pose(), stiction.Box([0.02, 0.01, 0.04]))
        builder.set_material(name, rubber)
        builder.add_actuator(stiction.motor(name, name, effort=30.0))
    builder.add_free_body("cube", stiction.translation(0, 0, 0.03), stiction.solid_box(0.2, [0.03] * 3))
    builder.add_shape("cube", "cube", stiction.Pose(), stiction.Box([0.03] * 3))
    builder.set_material("cube", rubber)
    return builder.build()


def carry(world: stiction.World) -> None:
    """Set-points of the slides (m) and forces of the fingers (N), one after the other."""
    plan = [
        (1.0, [0, 0, -0.16], -5.0),  # s; down, open
        (0.5, [0, 0, -0.16], 15.0),  # close
        (1.0, [0, 0, 0.0], 15.0),  # up
        (1.5, [0.3, 0.1, 0.0], 15.0),  # across
        (1.0, [0.3, 0.1, -0.16], 15.0),  # down
        (0.5, [0.3, 0.1, -0.16], -5.0),  # open
        (0.5, [0.3, 0.1, 0.0], -5.0),  # away
    ]
    for duration, place, grip in plan:
        begin = np.array([world.actuator(name).control for name in "xyz"])
        steps = round(duration / world.options.h)
        for step in range(steps):
            share = 0.5 - 0.5 * np.cos(np.pi * (step + 1) / steps)
            world.controls[:3] = begin + share * (np.array(place) - begin)
            world.controls[3:] = grip
            world.step()
        cube = world.body("cube").pose.p
        print(f"t = {world.time:4.1f} s: cube at ({cube[0]:.3f}, {cube[1]:.3f}, {cube[2]:.3f}) m")


def panda() -> None:
    """The arm of the shared models closes its hand in its home pose and holds it against gravity."""
    model = stiction.load(stiction.shared_file("models/franka_emika_panda/scene.xml"))
    print(model, model.report)
    world = stiction.World(model)
    world.reset(model.keyframe_names[0])
    home = world.q.copy()
    world.simulate(1.0)
    print(f"panda holds its pose to {np.abs(world.q - home).max():.4f} rad")


if __name__ == "__main__":
    carry(stiction.World(gantry()))
    try:
        panda()
    except stiction.UserError as error:
        print(f"without the Panda: {error}")
