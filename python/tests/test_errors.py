"""What goes wrong raises, and never crashes."""

import gc
import warnings

import numpy as np
import pytest

import stiction


def test_the_hierarchy_is_small():
    assert issubclass(stiction.UserError, stiction.Error) and issubclass(stiction.UserError, ValueError)
    assert issubclass(stiction.SimulationError, stiction.Error) and issubclass(stiction.SimulationError, RuntimeError)
    assert stiction.Error.__doc__ and stiction.UserError.__doc__ and stiction.SimulationError.__doc__


def test_a_motion_that_fails_names_the_time_and_keeps_the_state(pendulum):
    pendulum.step(steps=10)
    before = pendulum.state
    pendulum.joint_forces[:] = 1e308
    with pytest.raises(stiction.SimulationError, match="at t = .*not finite"):
        pendulum.step(steps=100)
    assert np.isfinite(pendulum.q).all() and pendulum.time >= before.time


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.step(h=-1.0),
        lambda w: w.step(h=float("nan")),
        lambda w: w.step(steps=0),
        lambda w: w.simulate(-1.0),
        lambda w: w.reset("nothing"),
        lambda w: setattr(w, "q", [1.0, 2.0]),
        lambda w: setattr(w, "q", [float("inf")]),
        lambda w: setattr(w, "controls", [1.0]),
        lambda w: setattr(w, "state", stiction.State(stiction.make_scene("arm"))),
        lambda w: w.set_mass("rod", -1.0),
        lambda w: w.sensor("nothing"),
        lambda w: w.saved_problem(),
        lambda w: w.contact_force("nothing"),
        lambda w: w.lock_joint("hinge", [1.0, 2.0]),
        lambda w: setattr(w.body("rod"), "pose", stiction.Pose()),
        lambda w: w.set_kinematic_motion("rod", stiction.Pose()),
        lambda w: stiction.World(w.model, h=0.0),
        lambda w: stiction.World(w.model, formulation="nothing"),
        lambda w: stiction.Batch(w.model, 0),
        lambda w: stiction.set_thread_count(10**6),
    ],
)
def test_what_cannot_be_done_is_a_user_error(pendulum, call):
    with pytest.raises(stiction.UserError):
        call(pendulum)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: setattr(w, "q", "text"),
        lambda w: setattr(w, "q", [[1.0]]),
        lambda w: setattr(w, "q", [1 + 2j]),
        lambda w: setattr(w, "q", None),
        lambda w: setattr(w, "q", np.array(["a"])),
        lambda w: setattr(w, "q", np.array([object()])),
        lambda w: w.set_gravity([1, 2]),
        lambda w: w.set_gravity([1, 2, 3, 4]),
        lambda w: w.step("fast"),
        lambda w: w.step(5),
        lambda w: w.step(0.01),
        lambda w: stiction.World(None),
        lambda w: stiction.World(),
        lambda w: stiction.State(w),
        lambda w: stiction.Pose([1, 2]),
        lambda w: stiction.Sphere("large"),
        lambda w: stiction.Sphere(1.0, 2.0),
        lambda w: stiction.ModelBuilder(3),
    ],
)
def test_wrong_types_and_shapes_are_type_errors(pendulum, call):
    with pytest.raises(TypeError):
        call(pendulum)


def test_a_row_of_numbers_of_another_form_says_which_form_is_asked_for(pendulum):
    for name in ("q", "v", "joint_forces"):
        with pytest.raises(TypeError, match=f"{name} takes a row of 1 numbers, not an array of 2 dimensions"):
            setattr(pendulum, name, [[1.0]])
        with pytest.raises(TypeError, match=f"{name} takes a row of 1 numbers, not 'str'"):
            setattr(pendulum, name, "text")
        with pytest.raises(stiction.UserError, match=f"{name} takes 1 numbers, not 2"):
            setattr(pendulum, name, [1.0, 2.0])


def test_what_is_found_by_name_or_number_takes_numbers():
    model = stiction.parse(
        """<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="j" gear="2"/></actuator><sensor><jointpos joint="j"/></sensor>
        <keyframe><key qpos="0.1"/><key qpos="0.2"/></keyframe></mujoco>"""
    )
    world = stiction.World(model)
    world.reset(1)
    assert world.q[0] == 0.2 and world.sensor(0)[0] == 0.2 and world.sensor_slice(0) == slice(0, 1, 1)
    world.actuator(0).control = 3.0
    assert world.controls[0] == 3.0
    for wrong in (lambda: world.reset(2), lambda: world.sensor(1), lambda: world.actuator(-1)):
        with pytest.raises(stiction.UserError):
            wrong()


def test_every_part_is_found_by_number_too():
    model = stiction.parse(
        """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body name="ball" pos="0 0 .1"><freejoint name="free"/><geom name="ball" size=".1" mass="1"/></body>
        <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" size=".05" pos="0 0 .2" mass="1"/>
        <site name="tip"/></body></worldbody><actuator><motor name="motor" joint="hinge"/></actuator></mujoco>"""
    )
    body, joint, shape = model.body("ball"), model.joint("hinge"), model.shape("ball")
    frame, motor = model.frame("tip"), model.actuator("motor")
    assert model.q_slice(joint) == model.q_slice("hinge") and model.v_slice(joint) == model.v_slice("hinge")
    assert model.frame_pose(frame)[0] == "arm" and model.parent(body) == "world"
    world = stiction.World(model, h=1e-3)
    assert [part.name for part in (world.body(body), world.joint(joint), world.shape(shape), world.frame(frame), world.actuator(motor))] \
        == ["ball", "hinge", "ball", "tip", "motor"]
    world.set_mass(body, 3.0)
    world.set_friction(shape, 0.7)
    world.set_pair_friction(shape, model.shape("floor"), 0.3)
    world.set_size(shape, 0.1)
    world.set_joint_damping(joint, 0.5)
    world.set_gain(motor, 2.0)
    world.set_force_range(motor, -1.0, 1.0)
    world.override("pair_friction", (shape, "floor"), 0.4)
    world.override("mass", body, 2.0)
    world.lock_joint(joint)
    world.step(steps=2000)
    assert world.contact_force(body)[2] == pytest.approx(2.0 * 9.81, rel=1e-3)
    np.testing.assert_array_equal(world.contact_force(body, 0), world.contact_force("ball", "world"))
    np.testing.assert_array_equal(world.contact_wrench(body, [0, 0, 0]), world.contact_wrench("ball", [0, 0, 0]))
    np.testing.assert_array_equal(world.lock_force(joint), world.lock_force("hinge"))
    np.testing.assert_array_equal(world.reaction(model.body("arm")), world.reaction("arm"))
    world.unlock_joint(joint)
    batch = stiction.Batch(model, 2)
    batch.override("mass", body, [1.0, 2.0])
    np.testing.assert_array_equal(batch.body_positions(body), batch.body_positions("ball"))
    np.testing.assert_array_equal(batch.frame_positions(frame), batch.frame_positions("tip"))
    by_number = stiction.rollout(model, steps=5, overrides={("mass", body): [1.0, 2.0]})
    np.testing.assert_array_equal(by_number.q, stiction.rollout(model, steps=5, overrides={("mass", "ball"): [1.0, 2.0]}).q)
    for wrong in (lambda: world.body(3), lambda: world.joint(-1), lambda: world.set_friction(9, 0.1), lambda: model.q_slice(2),
                  lambda: batch.body_positions(7), lambda: stiction.rollout(model, steps=1, overrides={("mass", 9): 1.0})):
        with pytest.raises(stiction.UserError, match="so there is no"):
            wrong()


def test_a_step_given_by_place_says_how_to_name_it(pendulum):
    for number in (5, 0.005):
        with pytest.raises(TypeError, match=r"step\(steps=5\) for five steps, step\(h=0.005\)"):
            pendulum.step(number)
    assert pendulum.time == 0.0


def test_inputs_of_a_batch_are_assigned_whole_or_as_one_row():
    batch = stiction.Batch(stiction.make_scene("quadruped_standing"), 3)
    batch.controls = np.arange(12.0)
    np.testing.assert_array_equal(batch.controls, np.tile(np.arange(12.0), (3, 1)))
    kept = batch.controls
    batch.controls = np.ones((3, 12))
    assert kept is batch.controls and (kept == 1.0).all()
    for wrong in (np.ones((2, 12)), np.ones(3), 1.0, "text"):
        with pytest.raises(TypeError, match=r"controls takes an array of shape \(3, 12\), or a row of 12 numbers"):
            batch.controls = wrong


def test_arrays_of_any_real_dtype_and_layout_are_taken():
    world = stiction.World(stiction.make_scene("arm"))
    for q in ([0] * 7, (0.0,) * 7, np.zeros(7, np.float32), np.zeros(7, int), np.zeros(14)[::2], np.zeros(7, bool)):
        world.q = q
        assert np.all(world.q == 0.0)
    assert world.q.dtype == np.float64


def test_parts_keep_what_they_belong_to_alive():
    options = stiction.World(stiction.make_scene("pendulum")).options
    contact = options.formulation.contact
    body = stiction.World(stiction.make_scene("pendulum")).body("rod")
    q0 = stiction.make_scene("pendulum").q0
    problem_builder = stiction.ModelBuilder("chain").add_body("rod").add_frame("tip", "rod")
    gc.collect()
    assert options.h == 2e-3 and contact.v_s == 1e-4 and body.pose.p.shape == (3,) and q0.shape == (1,)
    assert isinstance(problem_builder, stiction.ModelBuilder)
    state = stiction.State(stiction.make_scene("pendulum"))
    q = state.q
    del state
    gc.collect()
    q[0] = 2.0
    assert q[0] == 2.0


def test_classes_without_a_constructor_cannot_be_made():
    for name in ("ContactForce", "StepReport", "BodyAccess", "JointAccess", "RayHit", "SolvedProblem", "Energies", "EnergyBooks"):
        with pytest.raises(TypeError):
            getattr(stiction, name)()


def test_an_object_that_was_never_made_is_refused():
    for name in ("World", "State", "Model", "Pose", "Dynamics", "Batch", "Joint"):
        hollow = getattr(stiction, name).__new__(getattr(stiction, name))
        with pytest.raises((TypeError, RuntimeError)):
            stiction.World(hollow)


def test_garbage_is_no_state_and_no_model():
    state = stiction.State(stiction.make_scene("pendulum"))
    whole = state.__getstate__()
    for bytes_ in (b"", b"garbage", whole[:-3], whole + b"x", whole[:17] + b"\xff" * 40):
        hollow = stiction.State.__new__(stiction.State)
        with pytest.raises(stiction.UserError):
            hollow.__setstate__(bytes_)
    with pytest.raises(stiction.UserError):
        stiction.Model.from_json("{}")
    with pytest.raises(stiction.UserError):
        stiction.SavedProblem.from_json("[]")


def soft_ball(model):
    """A ball with a stiffness, which rigid laws ignore."""
    builder = stiction.ModelBuilder(model)
    builder.add_free_body("ball", stiction.Pose(), stiction.Inertia())
    builder.add_solid("ball", "ball", stiction.Pose(), stiction.Sphere(0.05), 1000.0)
    builder.set_material("ball", stiction.ContactMaterial(stiffness=1e5))
    return builder.build()


class TestWarningsOfTheLibrary:
    """A warning is said once in the life of the process for each model: every test has names of its own."""

    def test_an_ignored_number_is_a_user_warning_once_for_each_model(self):
        model = soft_ball("warned once")
        with pytest.warns(UserWarning, match=r"coulomb_ncp\+semismooth_newton ignores the stiffness of 1 shape of 'warned once' \('ball'\)"):
            stiction.World(model, formulation="coulomb_ncp")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stiction.World(model, formulation="coulomb_ncp")
            assert caught == []
            stiction.World(soft_ball("warned of as well"), formulation="coulomb_ncp")
            assert [str(w.message).split("'")[1] for w in caught] == ["warned of as well"]

    def test_a_law_that_changes_after_construction_is_judged_again(self):
        world = stiction.World(soft_ball("of another law"))
        world.step()
        world.options.formulation = stiction.Formulation(contact=stiction.ContactOptions(formulation="convex_cone"))
        with pytest.warns(UserWarning, match="convex_cone.*ignores the stiffness of 1 shape of 'of another law'"):
            world.step()

    def test_a_filter_makes_it_an_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning, match="ignores the stiffness"):
                stiction.World(soft_ball("an error"), formulation="coulomb_ncp")
                sum(range(3))  # the error is raised between two instructions
