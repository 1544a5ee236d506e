"""Worlds: steps, states, views, named access."""

import copy
import gc
import pickle

import numpy as np
import pytest

import stiction


def test_a_pendulum_swings_with_the_period_of_the_elliptic_integral(thin_rod):
    # A rod of length L about its end: omega0^2 = 3 g/(2 L); T = 2 pi/(omega0 agm(1, cos(theta/2))).
    pendulum, theta = stiction.World(thin_rod), 0.5
    pendulum.joint("hinge").q = theta
    a, g = 1.0, float(np.cos(theta / 2))
    for _ in range(6):
        a, g = (a + g) / 2, float(np.sqrt(a * g))
    period = 2 * np.pi / (np.sqrt(1.5 * 9.81) * a)
    pendulum.options.formulation.scheme = "midpoint"
    pendulum.options.h = 1e-3
    pendulum.simulate(period)
    # Second order: the error of a step of 1 ms over one period is about (omega h)^2/24 of it.
    assert pendulum.joint("hinge").q == pytest.approx(theta, abs=1e-6)
    assert pendulum.time == pytest.approx(period, abs=1e-12)


def test_a_free_body_falls_on_a_parabola():
    builder = stiction.ModelBuilder("stone")
    builder.add_free_body("stone", stiction.Pose(), stiction.point_mass(2.0) + stiction.solid_sphere(1.0, 0.1))
    world = stiction.World(builder.build(), h=1e-3, scheme="midpoint")
    world.body("stone").velocity = [0, 0, 0, 1.0, 0, 5.0]
    world.simulate(0.5)
    np.testing.assert_allclose(world.body("stone").pose.p, [0.5, 0, 5 * 0.5 - 0.5 * 9.81 * 0.25], atol=1e-12)
    np.testing.assert_allclose(world.body("stone").velocity, [0, 0, 0, 1, 0, 5 - 9.81 * 0.5], atol=1e-12)


def test_steps_in_one_call_are_steps_in_many(pendulum):
    other = stiction.World(pendulum.model)
    report = pendulum.step(steps=100)
    for _ in range(100):
        other.step()
    assert report.ok and report.status == "done" and pendulum.state == other.state


def test_a_step_may_have_another_size(pendulum):
    report = pendulum.step(h=5e-4)
    assert pendulum.time == 5e-4 and report.time == 0.0


def test_views_are_live_and_the_same_memory(pendulum):
    q, v = pendulum.q, pendulum.v
    before = q.copy()
    pendulum.step(steps=10)
    assert q is pendulum.q and not np.array_equal(q, before)
    assert np.array_equal(q, pendulum.state.q) and np.array_equal(v, pendulum.state.v)


def test_views_of_the_state_cannot_be_written(pendulum):
    with pytest.raises(ValueError):
        pendulum.q[0] = 1.0
    with pytest.raises(ValueError):
        pendulum.q.setflags(write=True)
    pendulum.q = [0.25]
    pendulum.v = np.array([1], dtype=np.int32)
    assert pendulum.q[0] == 0.25 and pendulum.v[0] == 1.0


def test_views_outlive_their_world(pendulum):
    world = stiction.World(pendulum.model)
    q, hinge = world.q, world.joint("hinge")
    expected = q.copy()
    del world
    gc.collect()
    assert np.array_equal(q, expected) and hinge.q == expected[0]


def test_a_state_is_saved_and_restored_bit_for_bit():
    world = stiction.World(stiction.make_scene("clutter"), formulation="coulomb_ncp+pgs")
    world.step(steps=150)
    saved = world.state
    world.step(steps=20)
    after = world.state.hash()
    world.state = saved
    world.step(steps=20)
    assert world.state.hash() == after != saved.hash()


def test_states_are_pickled_and_copied_whole():
    world = stiction.World(stiction.make_scene("clutter"), formulation="coulomb_ncp+pgs")
    world.step(steps=150)
    state = world.state
    for twin in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state), state.copy()):
        assert twin == state and hash(twin) == hash(state)
        twin.q[0] += 1.0
        twin.time = 3.0
        assert twin != state


def test_bytes_of_a_state_have_a_version_and_others_are_refused_by_name(pendulum):
    written = pendulum.state.__getstate__()
    head = b"stiction state "
    assert written.startswith(head + b"2")
    for version in b"0", b"3", b"9":
        state = stiction.State.__new__(stiction.State)
        with pytest.raises(stiction.UserError, match=f"version {version.decode()} of stiction states, which this version"):
            state.__setstate__(head + version + written[len(head) + 1 :])
    for broken in b"", b"stiction", head, head + b"x" + written[len(head) + 1 :]:
        with pytest.raises(stiction.UserError, match="no state"):
            stiction.State.__new__(stiction.State).__setstate__(broken)
    twin = stiction.State.__new__(stiction.State)
    twin.__setstate__(written)
    assert twin == pendulum.state
    # Version 1 ended before the penalties, of which a pendulum has none: their number, eight bytes.
    old = stiction.State.__new__(stiction.State)
    old.__setstate__(head + b"1" + written[len(head) + 1 : -8])
    assert old == pendulum.state


def test_a_state_has_arrays_that_can_be_written():
    model = stiction.make_scene("arm")
    state = stiction.State(model)
    state.q[:] = 0.1
    state.v = np.ones(model.num_v)
    assert state.activations.shape == (model.num_activations,)
    world = stiction.World(model)
    world.state = state
    assert np.all(world.q == 0.1) and np.all(world.v == 1.0) and world.activations.size == 0
    with pytest.raises(stiction.UserError, match="has 7 numbers, not 3"):
        state.q = [1, 2, 3]


def test_parts_are_found_by_name_and_misspelt_names_get_a_suggestion(pendulum):
    with pytest.raises(stiction.UserError, match="did you mean 'hinge'"):
        pendulum.joint("hinj")
    with pytest.raises(stiction.UserError, match="did you mean 'rod'"):
        pendulum.body("rot")
    pendulum.joint("hinge").v = 2.0
    assert pendulum.joint("hinge").v == 2.0 and pendulum.joint("hinge").name == "hinge"
    with pytest.raises(stiction.UserError):
        pendulum.joint("hinge").q = [1.0, 2.0]
    with pytest.raises(stiction.UserError):
        pendulum.joint("hinge").q = float("nan")


def test_joint_forces_act_until_they_change():
    # A slider of 2 kg without gravity: v = F t/m.
    builder = stiction.ModelBuilder("slider").set_gravity([0, 0, 0])
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic", axis=[1, 0, 0]))
    world = stiction.World(builder.build(), h=1e-3)
    world.joint("slide").force = 4.0
    world.simulate(0.5)
    assert world.joint("slide").v == pytest.approx(1.0, rel=1e-12) and world.joint_forces[0] == 4.0
    world.joint_forces = [0.0]
    world.add_wrench("block", [0, 0, 0, -4.0, 0, 0])
    world.simulate(0.5)
    assert world.joint("slide").v == pytest.approx(0.0, abs=1e-12)
    world.clear_wrenches()
    world.simulate(0.1)
    assert world.joint("slide").v == pytest.approx(0.0, abs=1e-12)


def test_a_servo_holds_its_set_point():
    # kp (u - q) = k q at rest: a spring of k against a servo of kp.
    builder = stiction.ModelBuilder("servo").set_gravity([0, 0, 0])
    builder.add_body("rod", "world", stiction.Pose(), stiction.solid_box(1.0, [0.1] * 3))
    builder.add_joint("rod", stiction.Joint(name="hinge", type="revolute", axis=[0, 1, 0], stiffness=10.0))
    builder.add_actuator(stiction.position_servo("servo", "hinge", kp=90.0, kv=10.0))
    builder.add_keyframe(stiction.Keyframe(name="bent", q=[0.5], controls=[0.25]))
    world = stiction.World(builder.build())
    world.actuator("servo").control = 1.0
    world.simulate(5.0)
    assert world.joint("hinge").q == pytest.approx(0.9, rel=1e-6)
    assert world.controls[0] == world.actuator("servo").control == 1.0
    assert world.actuator("servo").force == pytest.approx(9.0, rel=1e-5)
    with pytest.raises(stiction.UserError, match="no activation"):
        world.actuator("servo").activation
    world.reset("bent")
    assert world.q[0] == 0.5 and world.controls[0] == 0.25
    world.reset()
    assert world.q[0] == 0.0 and world.controls[0] == 0.0 and world.time == 0.0


def test_a_locked_joint_stands_and_carries_its_load():
    # The lock carries the moment of gravity of the rod, m g l/2 sin(q), which the reaction of the base repeats.
    world = stiction.World(stiction.make_scene("pendulum"))
    angle = float(world.joint("hinge").q)
    world.lock_joint("hinge")
    world.simulate(0.2)
    # The lock is as rigid as a step allows.
    assert world.joint("hinge").q == pytest.approx(angle, abs=1e-6)
    assert abs(world.lock_force("hinge")[0]) == pytest.approx(9.81 * 0.5 * np.sin(abs(angle)), rel=1e-5)
    assert world.reaction("rod")[5] == pytest.approx(9.81, rel=1e-5)
    assert world.body("rod").reaction[5] == world.reaction("rod")[5]
    world.unlock_joint("hinge")
    world.lock_joint("hinge", [0.1])
    world.unlock_joint("hinge")
    world.simulate(0.2)
    assert world.joint("hinge").q != pytest.approx(angle, abs=1e-2)


def test_energy_books_add_up_under_any_theta(pendulum):
    pendulum.options.formulation.scheme = "theta:0.75,0.5"
    assert pendulum.options.formulation.scheme == "theta:0.75,0.5"
    pendulum.simulate(0.1)
    books = pendulum.energy_books()
    total = books.before.total + sum(books.work.values())
    total -= books.after.total + sum(books.dissipated.values()) + sum(books.numerical.values())
    assert books.error == pytest.approx(total, abs=1e-12)
    assert books.relative_error < 1e-10
    assert books.after.kinetic == pytest.approx(pendulum.energies().kinetic, rel=1e-12)
    assert set(books.dissipated) >= {"joint_dampers", "contact_normal", "contact_friction"}


def test_energy_of_a_swinging_pendulum_is_kept(pendulum):
    pendulum.options.formulation.scheme = "midpoint"
    start = pendulum.energies()
    pendulum.simulate(1.0)
    end = pendulum.energies()
    assert end.kinetic != pytest.approx(start.kinetic, abs=1e-3) and end.springs == 0.0
    assert end.gravity != pytest.approx(start.gravity, abs=1e-3)
    # Second order in h = 2 ms.
    assert end.total == pytest.approx(start.total, abs=1e-5)


def test_energy_lies_in_springs_of_bushings_and_of_contacts(slope):
    builder = stiction.ModelBuilder("mount").set_gravity([0, 0, 0])
    builder.add_free_body("box", stiction.translation(0.1, 0, 0), stiction.solid_box(1.0, [0.1] * 3))
    builder.add_frame("eye", "world", stiction.Pose()).add_frame("end", "box", stiction.Pose())
    builder.add_constraint(stiction.Bushing(name="rubber", frame1="eye", frame2="end", stiffness=[500.0, 0, 0]))
    energies = stiction.World(builder.build()).energies()
    assert energies.bushings == pytest.approx(0.5 * 500.0 * 0.1**2, rel=1e-12)
    assert energies.contacts == energies.tendons == 0.0 and energies.total == energies.bushings
    world = stiction.World(slope(0.0, 0.5))
    world.simulate(0.5)
    assert 0.0 < world.energies().contacts < 1e-3


def test_geometric_contacts_choose_their_face_again_where_they_may():
    def chosen(most):
        world = stiction.World(stiction.make_scene("clutter"), h=0.05, formulation="geometric_ncp")
        world.options.formulation.geometric.most_choices = most
        return sum(world.step().geometric.chosen_again for _ in range(40))

    assert chosen(0) == 0 and chosen(3) > 0


def test_options_are_written_where_they_act(pendulum):
    pendulum.options.h = 1e-3
    pendulum.step()
    assert pendulum.time == 1e-3
    pendulum.options = stiction.WorldOptions(h=0.5e-3, formulation=stiction.Formulation(scheme="implicit_euler"))
    assert pendulum.options.formulation.scheme == "implicit_euler"
    pendulum.options.formulation.times_stages = True
    pendulum.step()
    assert pendulum.stage_seconds()["kinematics"] > 0.0
    with pytest.raises(stiction.UserError, match="did you mean 'midpoint'"):
        pendulum.options.formulation.scheme = "midpont"
    assert stiction.World(pendulum.model, pendulum.options).options.h == 0.5e-3


def test_a_schedule_moves_a_robot_as_the_scene_says():
    model = stiction.make_scene("quadruped_trotting")
    schedule = stiction.scene_schedule("quadruped_trotting", model)
    assert schedule.num_controls > 0 and schedule.num_wrenches == 0
    world = stiction.World(model)
    for _ in range(400):
        world.apply(schedule)
        world.step()
    assert np.any(world.controls != 0.0) and world.body("trunk").pose.p[2] > 0.2
    with pytest.raises(stiction.UserError, match="another model"):
        stiction.World(stiction.make_scene("pendulum")).apply(schedule)


def test_signals_have_the_values_of_their_formulas():
    sine = stiction.sine_signal(amplitude=2.0, period=4.0, offset=1.0)
    assert sine.value_at(1.0) == pytest.approx(3.0)
    table = stiction.table_signal([0.0, 1.0, 3.0], [0.0, 2.0, 0.0])
    assert table.value_at(0.5) == 1.0 and table.value_at(2.0) == 1.0
    constant = stiction.constant_signal(5.0)
    constant.begin, constant.end = 1.0, 2.0
    assert [constant.value_at(t) for t in (0.5, 1.0, 2.0)] == [0.0, 5.0, 0.0]
    schedule = stiction.InputSchedule()
    builder = stiction.ModelBuilder("ball").set_gravity([0, 0, 0])
    model = builder.add_free_body("ball", stiction.Pose(), stiction.solid_sphere(2.0, 0.1)).build()
    schedule.add_wrench(model, "ball", [0, 0, 0, 4.0, 0, 0], stiction.constant_signal(1.0))
    world = stiction.World(model)
    for _ in range(100):
        world.apply(schedule)
        world.step()
    # F t/m
    assert world.body("ball").velocity[3] == pytest.approx(4.0 * world.time / 2.0, rel=1e-9)
    arm = stiction.make_scene("quadruped_standing")
    schedule.add_control(arm, arm.actuator_names[0], sine)
    assert schedule.num_controls == 1


def test_numbers_of_one_world_leave_the_others_alone(pendulum):
    other = stiction.World(pendulum.model)
    pendulum.set_mass("rod", 3.0)
    assert pendulum.body("rod").mass == 3.0 and other.body("rod").mass == pytest.approx(1.0)
    assert pendulum.model.inertia("rod").mass == 3.0 and other.model.inertia("rod").mass == pytest.approx(1.0)
    pendulum.body("rod").mass = 1.5
    assert pendulum.model.inertia("rod").mass == 1.5
    pendulum.set_gravity([0, 0, 0])
    pendulum.simulate(0.1)
    assert pendulum.v[0] == 0.0 and pendulum.model.gravity[2] == 0.0


def test_dampers_springs_and_rotors_of_one_world_act():
    # q'' = -k/I q with I = armature on a joint whose body's inertia is far smaller.
    builder = stiction.ModelBuilder("rotor").set_gravity([0, 0, 0])
    builder.add_body("rotor", "world", stiction.Pose(), stiction.solid_sphere(1e-6, 1e-3))
    builder.add_joint("rotor", stiction.Joint(name="axle", type="continuous"))
    builder.set_initial("axle", [1.0])
    world = stiction.World(builder.build(), h=1e-4, scheme="midpoint")
    world.set_joint_armature("axle", 0.5)
    world.set_joint_stiffness("axle", 2.0)
    world.simulate(0.5)
    assert world.joint("axle").q == pytest.approx(np.cos(2.0 * 0.5), abs=1e-6)
    world.set_joint_stiffness("axle", 0.0)
    world.set_joint_damping("axle", 0.5)
    v = float(world.joint("axle").v)
    world.simulate(0.5)
    # v' = -d/I v
    assert world.joint("axle").v == pytest.approx(v * np.exp(-0.5), rel=1e-6)


def test_dry_friction_in_a_joint_stops_it():
    # v = v0 - F/m t until it stands.
    builder = stiction.ModelBuilder("slider").set_gravity([0, 0, 0])
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic"))
    builder.set_initial_velocity("slide", [1.0])
    world = stiction.World(builder.build(), h=1e-3)
    world.set_joint_friction("slide", 4.0)
    world.simulate(0.25)
    assert world.joint("slide").v == pytest.approx(0.5, rel=1e-3)
    assert world.friction_force("slide")[0] == pytest.approx(-4.0, rel=1e-6)
    world.simulate(0.5)
    # As rigid as a step allows.
    assert world.joint("slide").v == pytest.approx(0.0, abs=1e-6)


def test_limits_hold_until_they_are_switched_off():
    builder = stiction.ModelBuilder("drop")
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    joint = stiction.Joint(name="slide", type="prismatic", limited=True, lower=-0.1, upper=0.1)
    builder.add_joint("block", joint)
    world = stiction.World(builder.build())
    world.simulate(1.0)
    # The near-rigid rule sinks by F w (beta h/2 pi)^2 = 9.81 (0.1 x 2e-3/6.28)^2, far below a micrometre.
    assert world.joint("slide").q == pytest.approx(-0.1, abs=1e-6)
    assert world.limit_force("slide")[0] == pytest.approx(2.0 * 9.81, rel=1e-6)
    world.set_limits_active("slide", False)
    world.simulate(0.5)
    assert world.joint("slide").q < -1.0


def test_worlds_describe_themselves(pendulum):
    pendulum.step()
    assert "pendulum" in repr(pendulum) and "icf_lagged+newton" in repr(pendulum)
    # The second step begins at h.
    assert repr(pendulum.step()).startswith("StepReport(time=0.002, ok=True")
    assert "positions" in repr(pendulum.state)


def test_time_is_the_number_of_steps_times_the_step():
    world = stiction.World(stiction.make_scene("pendulum"), h=1e-3)
    world.step(steps=10_000)
    assert world.time == 10.0 and world.state.time == 10.0
    other = stiction.World(world.model, h=0.003)
    for _ in range(10):
        other.simulate(0.1)
    assert other.time == 1.0
    result = stiction.rollout(world.model, steps=3000, h=1e-3)
    np.testing.assert_array_equal(result.time[0], 1e-3 * np.arange(3001))


def test_shapes_that_do_not_fit_are_told_in_our_words(pendulum):
    joint = pendulum.joint("hinge")
    for call, message in (
        (lambda: setattr(pendulum, "q", [[1.0]]), r"q takes a row of 1 numbers, not an array of 2 dimensions \(1, 1\)"),
        (lambda: setattr(joint, "q", [[1.0]]), "positions of joint 'hinge' are one number, not an array of 2 dimensions"),
        (lambda: setattr(joint, "v", "fast"), "velocities of joint 'hinge' are one number, not 'str'"),
        (lambda: setattr(pendulum.state, "q", [[1.0]]), "takes a row of numbers, not an array of 2 dimensions"),
        (lambda: pendulum.set_gravity([1, 2]), "takes a row of 3 numbers, not 2 of them"),
        (lambda: stiction.Dynamics(pendulum.model).mass_matrix([[1.0]]), "takes a row of numbers, not an array"),
        (lambda: stiction.Batch(pendulum.model, 1).set_positions([1.0]), "rows.* and .*columns, not 1 of them"),
    ):
        with pytest.raises(TypeError, match=message):
            call()
    joint.q = np.float32(0.25)
    assert joint.q == 0.25
    joint.q = [0.5]
    assert joint.q == 0.5


def test_an_actuator_is_switched_by_name_or_number():
    builder = stiction.ModelBuilder("drive").set_gravity([0, 0, 0])
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic"))
    builder.add_actuator(stiction.motor("motor", "slide"))
    world = stiction.World(builder.build(), h=1e-3)
    world.controls = [2.0]
    world.set_actuator_active("motor", False)
    world.simulate(0.1)
    assert world.joint("slide").v == 0.0 and not world.is_actuator_active(0)
    world.set_actuator_active(0, True)
    world.simulate(0.1)
    assert world.joint("slide").v == pytest.approx(0.1, rel=1e-9)


def test_reports_show_their_numbers():
    world = stiction.World(stiction.make_scene("slope"))
    world.simulate(0.1)
    world.options.formulation.certifies = True
    report = world.step()
    assert repr(report).startswith("StepReport(time=0.1, ok=True, status='done', islands=1")
    for shown, words in ((report.contact, ("SolveReport(status='converged'", "iterations=")),
                         (report.certificate, ("Certificate(contact=ContactResidual(momentum=ResidualError",)),
                         (world.energy_books(), ("EnergyBooks(before=Energies(kinetic=", "dissipated={")),
                         (world.contact_forces()[0], ("ContactForce(shape_A=", "force=[")),
                         (world.body("block") if "block" in world.model.body_names else world.body(world.model.body_names[1]),
                          ("BodyAccess('",))):
        assert all(word in repr(shown) for word in words), repr(shown)
    assert repr(stiction.Batch(world.model, 3, h=1e-3)) == f"Batch('{world.model.name}', 3 worlds, h=0.001)"
