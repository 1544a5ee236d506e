"""Rollouts and batches: many worlds at once."""

import os
import threading
import time

import numpy as np
import pytest

import stiction


def loop(model, states, controls, h=2e-3, **options):
    """What rollout() must answer, world by world and step by step."""
    q = []
    for state, rows in zip(states, controls):
        world = stiction.World(model, h=h, **options)
        world.state = state
        kept = [world.q.copy()]
        for row in rows:
            world.controls = row
            world.step()
            kept.append(world.q.copy())
        q.append(kept)
    return np.array(q)


def starts(model, count):
    """States of a model, each a little different."""
    random = np.random.default_rng(0)
    states = []
    for _ in range(count):
        state = stiction.State(model)
        state.v[:] = 0.1 * random.standard_normal(model.num_v)
        states.append(state)
    return states


@pytest.mark.parametrize("formulation", ["icf_lagged", "coulomb_ncp+pgs"])
def test_a_rollout_is_a_loop_bit_for_bit_at_any_thread_count(formulation):
    model = stiction.make_scene("quadruped_standing")
    states = starts(model, 5)
    controls = 0.1 * np.random.default_rng(1).standard_normal((5, 40, model.num_controls))
    expected = loop(model, states, controls, formulation=formulation)
    for threads in (1, 2, 3):
        result = stiction.rollout(model, states, controls, formulation=formulation, threads=threads)
        assert np.array_equal(result.q, expected) and np.all(result.failed_at == -1)
    assert result.time.shape == (5, 41) and result.v.shape == (5, 41, model.num_v) and result.sensors.shape[2] == 0
    assert np.array_equal(result.states[4].q, expected[4, -1]) and result.unconverged.sum() == 0
    assert stiction.thread_count() == 1


def test_rows_that_are_kept_are_those_of_all():
    model = stiction.make_scene("pendulum")
    every = stiction.rollout(model, steps=10)
    some = stiction.rollout(model, steps=10, every=5)
    np.testing.assert_array_equal(some.q, every.q[:, ::5])


def test_friction_differs_from_world_to_world(slope):
    mus = np.array([0.05, 0.1, 0.2, 1.0])
    angle = 0.3
    overrides = {("friction", "floor"): mus, ("friction", "cube"): mus}
    result = stiction.rollout(slope(angle, 0.5), steps=500, h=1e-3, overrides=overrides, threads=2)
    speed = np.maximum(0.0, 9.81 * (np.sin(angle) - mus * np.cos(angle)) * 0.5)
    # The cube drops onto its contact at the start, and creeps at v_s where it sticks.
    np.testing.assert_allclose(result.v[:, -1, 3], speed, atol=0.01)


def test_masses_and_gains_differ_from_world_to_world():
    builder = stiction.ModelBuilder("drive").set_gravity([0, 0, 0])
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic"))
    builder.add_actuator(stiction.motor("motor", "slide"))
    model = builder.build()
    masses, gains = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 8.0])
    result = stiction.rollout(
        model, None, [1.0], steps=100, h=1e-3, overrides={("mass", "block"): masses, ("gain", "motor"): gains}
    )
    np.testing.assert_allclose(result.v[:, -1, 0], gains / masses * 0.1, rtol=1e-9)
    batch = stiction.Batch(model, 3, h=1e-3)
    batch.override("mass", "block", masses)
    batch.override("gain", "motor", gains)
    batch.controls[:] = 1.0
    batch.step(100)
    np.testing.assert_array_equal(batch.v, result.v[:, -1])
    with pytest.raises(stiction.UserError, match="did you mean 'mass'"):
        batch.override("mas", "block", 1.0)
    assert "friction" in stiction.override_kinds()


def test_joint_forces_act_in_rollouts():
    model = stiction.make_scene("pendulum")
    still = stiction.rollout(model, steps=5, joint_forces=np.zeros((3, 1, 1)))
    pushed = stiction.rollout(model, steps=5, joint_forces=np.full((3, 1, 1), 1.0))
    assert still.q.shape[0] == 3 and np.all(pushed.v[:, -1] != still.v[:, -1])


def test_a_world_that_fails_is_told_and_the_others_go_on():
    model = stiction.make_scene("pendulum")
    forces = np.zeros((3, 10, 1))
    forces[1, 4] = 1e308
    result = stiction.rollout(model, steps=10, joint_forces=forces)
    assert result.failed_at[0] == result.failed_at[2] == -1 and 4 <= result.failed_at[1] <= 6
    assert np.isnan(result.q[1, -1, 0]) and np.isfinite(result.q[0]).all() and np.isfinite(result.q[1, 4, 0])


def test_sensors_are_read_along_the_way():
    model = stiction.parse(
        """<mujoco><worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5" mass="1"/></body></worldbody>
        <sensor><jointpos joint="elbow"/><jointvel joint="elbow"/></sensor></mujoco>"""
    )
    result = stiction.rollout(model, starts(model, 3), steps=20, sensors=True, threads=2)
    np.testing.assert_array_equal(result.sensors[:, :, 0], result.q[:, :, 0])
    np.testing.assert_array_equal(result.sensors[:, :, 1], result.v[:, :, 0])


@pytest.mark.parametrize(
    "arguments",
    [{}, {"steps": -1}, {"steps": 5, "every": 0}, {"controls": np.zeros((2, 3, 4, 5))}, {"controls": np.zeros((5, 3))},
     {"steps": 5, "overrides": {("friction", "nothing"): 1.0}}, {"steps": 5, "overrides": {("colour", "rod"): 1.0}},
     {"steps": 5, "states": [], "overrides": {("mass", "rod"): [1.0, 2.0]}}, {"steps": 5, "threads": -1}],
)
def test_what_does_not_fit_is_a_user_error(arguments):
    with pytest.raises(stiction.UserError):
        stiction.rollout(stiction.make_scene("pendulum"), **arguments)


def test_a_batch_has_live_arrays():
    model = stiction.make_scene("quadruped_standing")
    batch = stiction.Batch(model, 4)
    assert len(batch) == 4 and batch.model.num_q == model.num_q and batch.h == 2e-3
    q, controls = batch.q, batch.controls
    controls[1] = 0.1
    stiction.set_thread_count(2)
    batch.step(20)
    assert q is batch.q and np.array_equal(q[0], q[2]) and not np.array_equal(q[0], q[1])
    assert batch.time[0] == pytest.approx(0.04) and not batch.failed.any() and batch.error(0) == ""
    with pytest.raises(ValueError):
        q[0, 0] = 1.0
    world = stiction.World(model)
    world.controls[:] = 0.1
    world.step(steps=20)
    assert world.state == batch.state(1)
    np.testing.assert_array_equal(batch.body_positions("trunk")[1], world.body("trunk").pose.p)
    np.testing.assert_array_equal(batch.body_quaternions("trunk")[1], world.body("trunk").pose.quaternion)
    np.testing.assert_array_equal(batch.body_velocities("trunk")[1], world.body("trunk").velocity)
    np.testing.assert_array_equal(batch.frame_positions("imu")[1], world.frame("imu").pose.p)
    np.testing.assert_array_equal(batch.contact_forces("trunk")[1], world.contact_force("trunk"))
    assert batch.sensors().shape == (4, 0)


def test_worlds_of_a_batch_are_reset_one_by_one():
    model = stiction.make_scene("pendulum")
    batch = stiction.Batch(model, 3)
    batch.step(10)
    batch.reset([1])
    assert batch.time[1] == 0.0 < batch.time[0] and batch.q[1, 0] == model.q0[0]
    batch.set_positions([[0.5]], [[1.0]], worlds=[2])
    assert batch.q[2, 0] == 0.5 and batch.v[2, 0] == 1.0
    batch.reset(state=batch.state(2))
    assert np.all(batch.q == 0.5)
    batch.set_state(0, stiction.State(model))
    assert batch.q[0, 0] == model.q0[0]
    with pytest.raises(stiction.UserError, match="no world 3"):
        batch.state(3)


def test_a_world_of_a_batch_that_fails_waits_for_its_reset():
    batch = stiction.Batch(stiction.make_scene("pendulum"), 2)
    batch.joint_forces[1] = 1e308
    batch.step(5)
    assert batch.failed.tolist() == [0.0, 1.0] and "not finite" in batch.error(1)
    time_of_failure = batch.time[1]
    batch.step(5)
    assert batch.time[1] == time_of_failure < batch.time[0]
    batch.reset([1])
    batch.step(5)
    assert not batch.failed.any()


def test_other_threads_run_while_a_world_steps_and_may_not_touch_it():
    world = stiction.World(stiction.make_scene("clutter"))
    seen = []

    def watch():
        for _ in range(2000):
            try:
                world.time
            except stiction.UserError as error:
                seen.append(str(error))
                return
            time.sleep(1e-4)

    watcher = threading.Thread(target=watch)
    watcher.start()
    world.step(steps=400)
    watcher.join()
    assert seen and "another thread" in seen[0]


def test_control_c_stops_a_long_call():
    import signal

    world = stiction.World(stiction.make_scene("pendulum"))
    batch_model = stiction.make_scene("humanoid_standing")
    stiction.set_thread_count(2)
    batch = stiction.Batch(batch_model, 3)
    # The world that the calling thread takes is done at once.
    failing = stiction.Batch(batch_model, 2)
    failing.joint_forces[0] = 1e308

    def interrupt():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    for call in (
        lambda: world.simulate(1e9),
        lambda: stiction.rollout(batch_model, [stiction.State(batch_model)] * 4, steps=100_000, every=1000, threads=2),
        lambda: batch.step(10**9),
        lambda: failing.step(10**9),
    ):
        threading.Thread(target=interrupt).start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            call()
        assert time.monotonic() - begin < 30.0
    world.step()


@pytest.mark.parametrize("owner", [stiction.World(stiction.make_scene("clutter")), stiction.Batch(stiction.make_scene("clutter"), 2)],
                         ids=["world", "batch"])
def test_nothing_is_given_away_while_another_thread_steps(owner):
    names = [name for name in ("q", "v", "time", "activations", "controls", "joint_forces", "options", "state", "failed")
             if isinstance(getattr(type(owner), name, None), property)]
    begun = threading.Event()

    def step():
        begun.set()
        owner.step(steps=2000)

    stepper = threading.Thread(target=step)
    stepper.start()
    begun.wait()
    time.sleep(0.05)
    refused = []
    for name in names:
        try:
            getattr(owner, name)
        except stiction.UserError as error:
            refused += [name] if "another thread" in str(error) else []
    was_alive = stepper.is_alive()
    stepper.join()
    assert was_alive and refused == names and len(names) >= 6


def test_an_array_that_was_kept_changes_when_a_step_has_ended():
    batch = stiction.Batch(stiction.make_scene("clutter"), 2)
    q, start = batch.q, batch.q.copy()
    stepper = threading.Thread(target=lambda: batch.step(500))
    stepper.start()
    # All or nothing: rows are written together, when the call ends.
    while stepper.is_alive():
        moved = [bool((row != before).any()) for row, before in zip(q, start)]
        assert moved[0] == moved[1] or not stepper.is_alive()
    stepper.join()
    assert (q != start).any(axis=1).all()
