"""Dynamics: closed forms, identities and finite differences."""

import numpy as np
import pytest

import stiction


def random_point(model, seed):
    """Positions, velocities and accelerations of a model, drawn."""
    random = np.random.default_rng(seed)
    dynamics = stiction.Dynamics(model)
    q = dynamics.integrate_positions(model.q0, 0.5 * random.standard_normal(model.num_v))
    return dynamics, q, random.standard_normal(model.num_v), random.standard_normal(model.num_v)


def test_a_rod_on_a_hinge_has_its_closed_form(thin_rod):
    dynamics = stiction.Dynamics(thin_rod)
    q, v = np.array([0.3]), np.array([2.0])
    # m l^2/3 about the end, m g l/2 sin q.
    assert dynamics.mass_matrix(q)[0, 0] == pytest.approx(1 / 3, rel=1e-12)
    assert abs(dynamics.bias(q, v)[0]) == pytest.approx(9.81 / 2 * np.sin(0.3), rel=1e-12)
    assert dynamics.kinetic_energy(q, v) == pytest.approx(0.5 * dynamics.mass_matrix(q)[0, 0] * 4.0)
    assert np.all(dynamics.spring_forces(q) == 0.0)


@pytest.mark.parametrize("scene", ["arm", "quadruped", "humanoid", "all_joints_free"])
def test_forward_and_inverse_dynamics_are_inverse(scene):
    model = stiction.make_scene(scene)
    dynamics, q, v, vdot = random_point(model, 1)
    tau = dynamics.inverse_dynamics(q, v, vdot)
    np.testing.assert_allclose(tau, dynamics.mass_matrix(q) @ vdot + dynamics.bias(q, v), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(dynamics.forward_dynamics(q, v, tau), vdot, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("scene", ["arm", "quadruped", "all_joints_free"])
def test_derivatives_meet_their_finite_differences(scene):
    model = stiction.make_scene(scene)
    dynamics, q, v, vdot = random_point(model, 2)
    step = 1e-6  # errors of the central difference: step^2 and 1e-16/step
    dq, dv = dynamics.inverse_dynamics_derivatives(q, v, vdot)
    tau = dynamics.inverse_dynamics(q, v, vdot)
    fq, fv, ftau = dynamics.forward_dynamics_derivatives(q, v, tau)
    for j in range(model.num_v):
        e = np.zeros(model.num_v)
        e[j] = 1.0
        ahead, behind = (dynamics.integrate_positions(q, e, s * step) for s in (1, -1))

        def slope(function):
            return (function(1) - function(-1)) / (2 * step)

        in_q = slope(lambda s: dynamics.inverse_dynamics(ahead if s > 0 else behind, v, vdot))
        in_v = slope(lambda s: dynamics.inverse_dynamics(q, v + s * step * e, vdot))
        np.testing.assert_allclose(dq[:, j], in_q, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(dv[:, j], in_v, rtol=1e-5, atol=1e-5)
        in_q = slope(lambda s: dynamics.forward_dynamics(ahead if s > 0 else behind, v, tau))
        np.testing.assert_allclose(fq[:, j], in_q, rtol=1e-4, atol=1e-3)
        in_v = slope(lambda s: dynamics.forward_dynamics(q, v + s * step * e, tau))
        np.testing.assert_allclose(fv[:, j], in_v, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(ftau @ dynamics.mass_matrix(q), np.eye(model.num_v), atol=1e-8)


def test_jacobians_give_the_velocities_of_bodies():
    model = stiction.make_scene("humanoid")
    dynamics, q, v, _ = random_point(model, 3)
    for body in model.body_names[1:]:
        np.testing.assert_allclose(dynamics.jacobian(q, body) @ v, dynamics.body_velocity(q, v, body), atol=1e-12)
    pose = dynamics.body_pose(q, "head")
    point = pose @ [0.1, 0.2, 0.3]
    arm = point - pose.p
    twist = dynamics.jacobian(q, "head") @ v
    moved = dynamics.jacobian(q, "head", point) @ v
    np.testing.assert_allclose(moved[3:], twist[3:] + np.cross(twist[:3], arm), atol=1e-12)


def test_totals_are_sums_over_bodies():
    model = stiction.make_scene("quadruped")
    dynamics, q, v, _ = random_point(model, 4)
    totals = dynamics.totals(q, v)
    inertias = [model.inertia(name) for name in model.body_names[1:]]
    poses = [dynamics.body_pose(q, name) for name in model.body_names[1:]]
    mass = sum(inertia.mass for inertia in inertias)
    centre = sum(inertia.mass * (pose @ inertia.com) for inertia, pose in zip(inertias, poses)) / mass
    assert totals.mass == pytest.approx(mass)
    np.testing.assert_allclose(totals.com, centre, atol=1e-12)
    assert dynamics.gravity_energy(q) == pytest.approx(9.81 * mass * centre[2])
    assert totals.momentum.shape == totals.angular_momentum.shape == (3,)


def test_positions_and_differences_are_inverse():
    model = stiction.make_scene("all_joints_free")
    dynamics, q, v, _ = random_point(model, 5)
    moved = dynamics.integrate_positions(q, v, 0.1)
    np.testing.assert_allclose(dynamics.position_difference(q, moved, 0.1), v, atol=1e-9)


def test_mass_matrices_are_those_of_mujoco():
    mujoco = pytest.importorskip("mujoco")
    model = stiction.make_scene("arm")
    text, _ = model.to_mjcf()
    other = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(other)
    dynamics, q, v, _ = random_point(model, 6)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(other, data)
    full = np.zeros((other.nv, other.nv))
    mujoco.mj_fullM(other, data, full)
    np.testing.assert_allclose(dynamics.mass_matrix(q), full, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(dynamics.bias(q, v), data.qfrc_bias, rtol=1e-8, atol=1e-8)


def test_wrong_sizes_are_told():
    dynamics = stiction.Dynamics(stiction.make_scene("arm"))
    with pytest.raises(stiction.UserError, match="has 7 positions, not 3"):
        dynamics.mass_matrix([0, 0, 0])
    with pytest.raises(stiction.UserError, match="must be finite"):
        dynamics.mass_matrix([np.nan] * 7)
    with pytest.raises(stiction.UserError, match="no body 99"):
        dynamics.body_pose(np.zeros(7), 99)
