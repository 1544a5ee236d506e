"""A cube on a slope under every contact law: it must stay below the friction angle and slide above it."""

import numpy as np

import stiction

MU = 0.5


def cube_on_slope(angle: float) -> stiction.Model:
    """A cube of 10 cm and 1 kg; gravity is turned by the angle (rad), not the floor."""
    builder = stiction.ModelBuilder("slope").set_gravity([9.81 * np.sin(angle), 0, -9.81 * np.cos(angle)])
    builder.add_shape("floor", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("cube", stiction.translation(0, 0, 0.05), stiction.solid_box(1.0, [0.05] * 3))
    builder.add_shape("cube", "cube", stiction.Pose(), stiction.Box([0.05] * 3))
    for shape in ("floor", "cube"):
        builder.set_material(shape, stiction.ContactMaterial(static_friction=MU))
    return builder.build()


def main() -> None:
    """Prints how far the cube slides in half a second, beside the closed form."""
    for share in (0.9, 1.1):
        angle = share * np.arctan(MU)
        acceleration = max(0.0, 9.81 * (np.sin(angle) - MU * np.cos(angle)))
        print(f"slope of {np.degrees(angle):.1f} degrees; closed form: {0.5 * acceleration * 0.25:.4f} m")
        model = cube_on_slope(angle)
        for formulation in stiction.formulations():
            world = stiction.World(model, formulation=formulation, h=1e-3)
            world.simulate(0.5)
            print(f"  {formulation:32s} {world.body('cube').pose.p[0]:.4f} m")


if __name__ == "__main__":
    main()
