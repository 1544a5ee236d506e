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


def ball_on_floor():
    """A ball of 0.1 m radius and 2 kg, 0.5 m above a floor, and a motor on a slide of 2 kg."""
    builder = stiction.ModelBuilder("ball")
    builder.add_shape("floor", "world", stiction.Pose(), stiction.HalfSpace())
    builder.add_free_body("ball", stiction.translation(0, 0, 0.5), stiction.solid_sphere(2.0, 0.1))
    builder.add_shape("ball", "ball", stiction.Pose(), stiction.Sphere(0.1))
    builder.add_body("block", "world", stiction.translation(5, 0, 5), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic", axis=[1, 0, 0]))
    builder.add_actuator(stiction.motor("motor", "slide"))
    return builder.build()


def test_overrides_of_several_numbers_have_a_row_for_each_world():
    model = ball_on_floor()
    gravities = np.array([[0, 0, -1.62], [1.0, 0, -3.7], [0, 0, 0]])
    radii, ranges, on = [0.1, 0.2, 0.3], [[-1, 1], [-2, 2], [-5, 5]], [1, 1, 0]
    result = stiction.rollout(
        model, None, [4.0], steps=100, h=1e-3,
        overrides={"gravity": gravities, ("size", "ball"): radii, ("force_range", "motor"): ranges,
                   ("actuator_active", "motor"): on},
    )
    free = model.v_slice("ball")
    np.testing.assert_allclose(result.v[:, -1, free][:, 3:], 0.1 * gravities, atol=1e-12)
    # 1, 2 and no N on 2 kg, and the slide's share of gravity along x.
    np.testing.assert_allclose(result.v[:, -1, model.v_slice("slide")][:, 0],
                               0.1 * (np.array([0.5, 1.0, 0.0]) + gravities[:, 0]), atol=1e-12)


def test_sizes_restitution_and_centres_differ_from_world_to_world():
    model = ball_on_floor()
    radii = np.array([0.1, 0.2, 0.3])
    result = stiction.rollout(model, steps=2000, h=1e-3, formulation="coulomb_ncp+pgs", overrides={("size", "ball"): radii})
    np.testing.assert_allclose(result.q[:, -1, model.q_slice("ball")][:, 6], radii, atol=1e-4)
    # The speed after the first impact over that before it.
    bounce = stiction.rollout(model, steps=350, h=1e-3, formulation="coulomb_ncp+pgs",
                              overrides={("pair_restitution", "ball", "floor"): [0.0, 0.5, 0.8]})
    vz = bounce.v[:, :, model.v_slice("ball")][:, :, 5]
    np.testing.assert_allclose(vz.max(axis=1) / -vz.min(axis=1), [0.0, 0.5, 0.8], atol=0.01)
    # A ball with its centre of mass beside its middle turns on the floor; by hand: no turning without a lever.
    turned = stiction.rollout(model, steps=400, h=1e-3, formulation="coulomb_ncp+pgs",
                              overrides={("centre_of_mass", "ball"): [[0, 0, 0], [0.03, 0, 0]], ("friction", "ball"): 0.0})
    wy = turned.v[:, -1, model.v_slice("ball")][:, 1]
    assert abs(wy[0]) < 1e-9 and wy[1] > 0.1


def test_dissipation_and_relaxation_time_take_energy():
    model = ball_on_floor()
    for word, values, law in (("dissipation", [0.0, 5.0], "icf_lagged"), ("relaxation_time", [0.0, 0.1], "sap"),
                              ("pair_dissipation", [0.0, 5.0], "icf_lagged")):
        names = ("ball", "floor") if word.startswith("pair") else ("ball",)
        result = stiction.rollout(model, steps=600, h=2e-4 * 5, formulation=law, overrides={(word, *names): values,
                                  ("stiffness", "ball"): 1e4})
        top = result.v[:, :, model.v_slice("ball")][:, :, 5].max(axis=1)
        assert top[0] > 0.5 and top[0] > 1.5 * top[1], word


def test_worlds_may_have_different_numbers_of_steps():
    model = stiction.make_scene("pendulum")
    whole = stiction.rollout(model, steps=10)
    parts = stiction.rollout(model, steps=[10, 4, 0], every=2)
    np.testing.assert_array_equal(parts.q[0], whole.q[0, ::2])
    np.testing.assert_array_equal(parts.q[1, :3], whole.q[0, :5:2])
    assert np.isnan(parts.q[1, 3:]).all() and np.isnan(parts.time[2, 1:]).all() and np.isfinite(parts.q[2, 0]).all()
    assert parts.steps.tolist() == [10, 4, 0] and (parts.failed_at == -1).all()
    assert parts.states[1].time == 4 * 2e-3 and parts.states[2].time == 0.0
    forces = [np.full((10, 1), 0.3), np.full((4, 1), 0.3)]
    pushed = stiction.rollout(model, joint_forces=forces)
    alone = stiction.rollout(model, joint_forces=forces[1])
    np.testing.assert_array_equal(pushed.q[1, :5], alone.q[0])
    assert np.isnan(pushed.q[1, 5:]).all() and np.isfinite(pushed.q[0]).all()
    with pytest.raises(stiction.UserError, match="negative"):
        stiction.rollout(model, steps=[1, -1])
    with pytest.raises(stiction.UserError, match=r"\[3, 3\] steps, but inputs for \[10, 4\]"):
        stiction.rollout(model, steps=[3, 3], joint_forces=forces)


MUJOCO_BOX = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" friction="1"/>
<body pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" friction="0.8"/></body></worldbody></mujoco>"""


def test_an_override_that_cannot_act_warns():
    model = stiction.parse(MUJOCO_BOX)
    with pytest.warns(UserWarning, match=r"friction of 'box' does not act on 'floor': a pair has the larger .*in 2 of 3 worlds"):
        stiction.rollout(model, steps=1, overrides={("friction", "box"): [0.1, 0.5, 1.2]})
    world = stiction.World(model)
    world.set_friction("box", 0.1)
    with pytest.warns(UserWarning, match="'floor' has 1"):
        world.step()
    batch = stiction.Batch(model, 2)
    batch.override("friction", "box", 0.1)
    with pytest.warns(UserWarning, match="does not act"):
        batch.step()
    with pytest.warns(UserWarning, match="touches nothing"):
        stiction.rollout(stiction.make_scene("pendulum"), steps=1,
                         overrides={("friction", stiction.make_scene("pendulum").shape_names[0]): 0.1})


def test_overrides_that_act_do_not_warn(recwarn):
    model = stiction.parse(MUJOCO_BOX)
    mus = [0.1, 0.5]
    stiction.rollout(model, steps=1, overrides={("friction", "box"): mus, ("friction", "floor"): mus})
    stiction.rollout(model, steps=1, overrides={("pair_friction", "box", "floor"): mus})
    world = stiction.World(model)
    for shape in model.shape_names:
        world.set_friction(shape, 0.1)
    world.step()
    assert not recwarn.list


def test_words_of_overrides_say_what_they_take():
    for kind in stiction.override_kinds():
        assert stiction.describe_override(kind).startswith(f"{kind}(")
    assert "shape, shape" in stiction.describe_override("pair_friction")
    model = ball_on_floor()
    world = stiction.World(model)
    world.override("size", "ball", 0.2)
    world.override("gravity", (), [0, 0, -1])
    world.override("pair_friction", ("ball", "floor"), 0.3)
    assert world.model.gravity[2] == -1.0
    for wrong in (lambda: world.override("gravity", "ball", [0, 0, -1]), lambda: world.override("size", "ball", [1, 2]),
                  lambda: world.override("pair_friction", "ball", 0.3), lambda: world.override("gravty", (), 1.0),
                  lambda: stiction.rollout(model, steps=1, overrides={("gravity",): np.zeros((1, 1, 3))}),
                  lambda: stiction.rollout(model, steps=1, overrides={5: 1.0})):
        with pytest.raises(stiction.UserError):
            wrong()


def test_a_rollout_shows_its_shapes():
    result = stiction.rollout(stiction.make_scene("pendulum"), steps=4)
    assert repr(result) == ("Rollout(worlds=1, times=5, time=0.008, q=(1, 5, 1), v=(1, 5, 1), sensors=(1, 5, 0), failed=0,"
                            " unconverged=0)")


SETTERS = {function.__name__: function for function in (
    stiction.World.set_mass, stiction.World.set_centre_of_mass, stiction.World.set_friction, stiction.World.set_stiffness,
    stiction.World.set_dissipation, stiction.World.set_relaxation_time, stiction.World.set_restitution, stiction.World.set_size,
    stiction.World.set_pair_friction, stiction.World.set_pair_stiffness, stiction.World.set_pair_dissipation,
    stiction.World.set_pair_relaxation_time, stiction.World.set_pair_restitution, stiction.World.set_joint_damping,
    stiction.World.set_joint_armature, stiction.World.set_joint_stiffness, stiction.World.set_joint_friction,
    stiction.World.set_gain, stiction.World.set_actuator_active, stiction.World.set_gravity,
)}
# Those that take other things than the numbers of an override.
SETTERS["set_inertia"] = lambda world, body, moments: world.set_inertia(body, stiction.Inertia(2.0, [0, 0, 0], np.diag(moments)))
SETTERS["set_force_range"] = lambda world, actuator, ends: world.set_force_range(actuator, *ends)


@pytest.mark.parametrize(
    ("kind", "names", "value", "law"),
    [
        ("mass", ["ball"], 3.0, "icf_lagged"),
        ("centre_of_mass", ["ball"], [0.02, 0.0, 0.0], "icf_lagged"),
        ("inertia", ["ball"], [0.02, 0.02, 0.02], "icf_lagged"),
        ("friction", ["ball"], 0.1, "icf_lagged"),
        ("stiffness", ["ball"], 2e4, "icf_lagged"),
        ("dissipation", ["ball"], 3.0, "icf_lagged"),
        ("relaxation_time", ["ball"], 0.05, "sap"),
        ("restitution", ["ball"], 0.5, "coulomb_ncp+pgs"),
        ("size", ["ball"], [0.2], "icf_lagged"),
        ("pair_friction", ["ball", "floor"], 0.1, "icf_lagged"),
        ("pair_stiffness", ["ball", "floor"], 2e4, "icf_lagged"),
        ("pair_dissipation", ["ball", "floor"], 3.0, "icf_lagged"),
        ("pair_relaxation_time", ["ball", "floor"], 0.05, "sap"),
        ("pair_restitution", ["ball", "floor"], 0.5, "coulomb_ncp+pgs"),
        ("joint_damping", ["slide"], 1.0, "icf_lagged"),
        ("joint_armature", ["slide"], 1.0, "icf_lagged"),
        ("joint_stiffness", ["slide"], 5.0, "icf_lagged"),
        ("joint_friction", ["slide"], 0.5, "icf_lagged"),
        ("gain", ["motor"], 2.0, "icf_lagged"),
        ("force_range", ["motor"], [-1.0, 1.0], "icf_lagged"),
        ("actuator_active", ["motor"], False, "icf_lagged"),
        ("gravity", [], [0.5, 0.0, -5.0], "icf_lagged"),
    ],
)
def test_functions_of_a_world_are_the_words_of_rollouts(kind, names, value, law):
    model = ball_on_floor()
    start = stiction.State(model)
    start.v[model.v_slice("ball")] = [0, 0, 0, 1.0, 0, 0]
    world = stiction.World(model, h=1e-3, formulation=law)
    SETTERS[f"set_{kind}"](world, *names, value)
    world.state = start
    world.controls[:] = 4.0
    world.step(steps=500)
    same = stiction.rollout(model, start, [4.0], steps=500, h=1e-3, formulation=law, overrides={(kind, *names): value})
    other = stiction.rollout(model, start, [4.0], steps=500, h=1e-3, formulation=law)
    assert same.states[0] == world.state and other.states[0] != world.state


def test_inertia_and_force_range_act_as_they_say():
    model = ball_on_floor()
    start = stiction.State(model)
    qpos = model.qpos_from_q(start.q)
    qpos[2] = 0.1  # m, the ball's height: it touches the floor
    start.q = model.q_from_qpos(qpos)
    start.v[model.v_slice("ball")] = [0, 0, 0, 1.0, 0, 0]
    result = stiction.rollout(model, start, [4.0], steps=1000, h=1e-3,
                              overrides={("inertia", "ball"): [[0.008] * 3, [0.02] * 3], ("force_range", "motor"): [[-1, 1], [-2, 2]]})
    # A ball that slides at 1 m/s rolls in the end at 1/(1 + I/(m r^2)); it creeps and sinks by less than a thousandth.
    np.testing.assert_allclose(result.v[:, -1, model.v_slice("ball")][:, 3], [1 / 1.4, 1 / 2.0], rtol=2e-3)
    # F t/m of 2 kg after 1 s; the asked 4 N are out of range.
    np.testing.assert_allclose(result.v[:, -1, model.v_slice("slide")][:, 0], [0.5, 1.0], rtol=1e-12)
