"""Pressure fields from Python: the words of a material, and what a patch does."""

import math

import pytest

import stiction

E, R = 1e6, 0.05  # Pa, m


def ball_on_floor(material):
    builder = stiction.ModelBuilder("ball")
    builder.add_shape("floor", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("ball", stiction.translation(0, 0, R), stiction.solid_sphere(0.5, R))
    builder.add_shape("ball", "ball", stiction.Pose(), stiction.Sphere(R))
    builder.set_material("ball", material)
    return stiction.World(builder.build(), h=2e-3)


def test_a_material_has_the_words_of_a_field():
    material = stiction.ContactMaterial(pressure_modulus=E, pressure_depth=0.02, facets=37)
    assert (material.pressure_modulus, material.pressure_depth, material.facets) == (E, 0.02, 37)
    assert stiction.ContactMaterial().pressure_modulus is None


@pytest.mark.parametrize("depth", [None, 0.02])
def test_a_ball_sinks_to_the_depth_of_its_closed_form(depth):
    # F = pi E d^2 (1 - 2 d/(3 R)) with the depth R, the slope of the pressure E/R otherwise.
    material = stiction.ContactMaterial(pressure_modulus=E, dissipation=50.0)
    if depth is not None:
        material.pressure_depth = depth
    world = ball_on_floor(material)
    world.simulate(2.0)
    d = R - world.body("ball").pose.p[2]
    force = math.pi * E * R / (depth or R) * d * d * (1 - 2 * d / (3 * R))
    assert force == pytest.approx(0.5 * 9.81, rel=1e-4)


def test_energy_of_the_contacts_is_that_of_the_overlap():
    world = ball_on_floor(stiction.ContactMaterial(pressure_modulus=E, dissipation=50.0))
    world.simulate(2.0)
    d = R - world.body("ball").pose.p[2]
    assert world.energies().contacts == pytest.approx(math.pi * E * (d**3 / 3 - d**4 / (6 * R)), rel=1e-6)


@pytest.mark.parametrize("words", [{"pressure_modulus": -1.0}, {"pressure_modulus": E, "facets": 8}])
def test_numbers_out_of_range_are_refused(words):
    with pytest.raises(ValueError):
        ball_on_floor(stiction.ContactMaterial(**words))
