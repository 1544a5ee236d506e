"""Models: built, loaded, saved, copied."""

import copy
import math
import pickle

import numpy as np
import pytest

import stiction

MJCF = """
<mujoco model="two">
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 1">
      <freejoint name="box"/>
      <geom name="box" type="box" size=".1 .2 .3" mass="2"/>
    </body>
    <body name="arm">
      <joint name="elbow" type="hinge" axis="0 1 0"/>
      <geom name="arm" type="capsule" size=".02" fromto="0 0 0 0 0 -.5" mass="1"/>
      <site name="tip" pos="0 0 -.5"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/><framepos name="tip" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0 3"/></keyframe>
</mujoco>
"""

URDF = """
<robot name="pendulum">
  <link name="base"/>
  <link name="rod"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def test_a_model_of_a_text_has_its_names_and_report():
    model = stiction.parse(MJCF)
    assert model.name == "two" and model.timestep == 0.004
    assert model.body_names == ["world", "box", "arm"] and model.joint_names == ["box", "elbow"]
    assert model.shape_names == ["floor", "box", "arm"] and model.frame_names == ["tip"]
    assert model.actuator_names == ["motor"] and model.sensor_names == ["angle", "tip"]
    assert model.keyframe_names == ["up"] and model.tendon_names == []
    assert (model.num_q, model.num_v, model.num_controls, model.num_activations, model.num_trees) == (8, 7, 1, 0, 2)
    report = model.report
    assert report is not None and report.count("honoured") > 10 and len(report) == len(report.entries)
    assert "honoured" in repr(report) and report.to_json().startswith("[") and isinstance(report.to_text(), str)
    entry = report.entries[0]
    assert entry.line >= 1 and entry.status == "honoured" and entry.element and entry.file == "model.xml"
    assert entry.attribute is not None and entry.why is not None


def test_places_of_joints_in_q_and_v():
    model = stiction.parse(MJCF)
    assert model.q_slice("elbow") == slice(7, 8, 1) and model.v_slice("box") == slice(0, 6, 1)
    assert model.body("arm") == 2 and model.joint("elbow") == 1 and model.shape("box") == 1
    assert model.frame("tip") == 0 and model.actuator("motor") == 0
    assert model.parent("arm") == "world" and model.frame_pose("tip")[0] == "arm"
    np.testing.assert_allclose(model.frame_pose("tip")[1].p, [0, 0, -0.5])


def test_masses_are_those_of_the_file():
    # A box with half extents (a, b, c): I = m/3 (b^2 + c^2, ...).
    inertia = stiction.parse(MJCF).inertia("box")
    assert inertia.mass == pytest.approx(2.0)
    np.testing.assert_allclose(np.diag(inertia.I_com), [2 / 3 * 0.13, 2 / 3 * 0.1, 2 / 3 * 0.05], rtol=1e-12)
    np.testing.assert_allclose(stiction.parse(MJCF).inertia(1).com, 0.0, atol=1e-12)


def test_sensors_read_what_closed_forms_say():
    world = stiction.World(stiction.parse(MJCF))
    world.joint("elbow").q = 0.3
    assert world.sensor("angle")[0] == 0.3
    np.testing.assert_allclose(world.sensor("tip"), [-0.5 * math.sin(0.3), 0, -0.5 * math.cos(0.3)], atol=1e-12)
    np.testing.assert_allclose(world.frame("tip").pose.p, world.sensor("tip"), atol=1e-12)
    assert world.num_sensor_values == 4 and world.sensor_slice("tip") == slice(1, 4, 1)
    np.testing.assert_array_equal(world.sensors()[1:4], world.sensor("tip"))
    assert world.shape("arm").pose.p[2] == pytest.approx(-0.25 * math.cos(0.3))
    world.reset("up")
    assert world.q[6] == 2.0 and world.joint("elbow").q == 3.0


def test_noise_of_sensors_comes_from_a_seed():
    text = MJCF.replace('name="angle"', 'name="angle" noise="0.1"')
    one, same, other = (stiction.World(stiction.parse(text), sensor_noise=seed) for seed in (1, 1, 2))
    assert one.sensor("angle")[0] == same.sensor("angle")[0] != other.sensor("angle")[0]


def test_a_urdf_may_float():
    assert stiction.parse(URDF).num_v == 1 and stiction.parse(URDF, floating_base=True).num_v == 7


def test_files_are_loaded(tmp_path):
    (tmp_path / "two.xml").write_text(MJCF)
    model = stiction.load(tmp_path / "two.xml")
    assert model.report is not None and model.report.entries[0].file.endswith("two.xml")
    (tmp_path / "two.json").write_text(model.to_json())
    again = stiction.load(str(tmp_path / "two.json"))
    assert again.to_json() == model.to_json() and again.report is None
    with pytest.raises(stiction.UserError, match="nothing.xml"):
        stiction.load(tmp_path / "nothing.xml")
    with pytest.raises(stiction.UserError, match=r"bad.xml:1"):
        (tmp_path / "bad.xml").write_text("<mujoco><wordbody/></mujoco>")
        stiction.load(tmp_path / "bad.xml")


def test_a_model_is_exported_as_mjcf():
    model = stiction.parse(MJCF)
    text, notes = model.to_mjcf()
    assert stiction.parse(text).body_names == model.body_names and isinstance(notes, str)


@pytest.mark.parametrize("name", [name for name, _ in stiction.scenes()])
def test_every_scene_is_pickled_with_all_its_bits(name):
    model = stiction.make_scene(name)
    twin = pickle.loads(pickle.dumps(model))
    assert twin.to_json() == model.to_json() == stiction.Model.from_json(model.to_json()).to_json()
    assert copy.deepcopy(model).num_q == copy.copy(model).num_q == twin.num_q


def test_what_a_builder_was_given_is_in_the_model():
    arm = stiction.make_scene("arm")
    builder = stiction.ModelBuilder("two arms")
    builder.attach(arm, "world", stiction.translation(0, 1, 0), "left/").attach(arm, prefix="right/")
    builder.add_frame("corner", "world", stiction.translation(1, 1, 1))
    builder.add_sensor(stiction.Sensor(name="q", kind="jointpos", object_type="joint", object="left/joint1"))
    builder.add_tendon(
        stiction.Tendon(
            name="string",
            wraps=[stiction.TendonWrap(kind="joint", name="left/joint1", coefficient=0.5)],
            range=stiction.Range(limited=True, lower=-1, upper=1),
        )
    )
    builder.add_constraint(stiction.Equality(name="mirror", kind="joint", object1="left/joint1", object2="right/joint1"))
    model = builder.build()
    assert model.num_v == 14 and model.tendon_names == ["string"] and model.frame_names[-1] == "corner"
    assert model.tendons[0].wraps[0].coefficient == 0.5 and model.tendons[0].range.upper == 1.0
    assert model.equalities[0].kind == "joint" and model.sensors[0].object == "left/joint1"
    assert [joint.type for joint in model.joints] == ["revolute"] * 14 and model.actuators == [] == model.keyframes
    assert np.array_equal(model.q0, np.tile(arm.q0, 2)) and np.all(model.v0 == 0.0)
    assert not model.q0.flags.writeable and "two arms" in repr(model) and isinstance(model.stiffness_notes, list)


def test_coupled_joints_move_together():
    arm = stiction.make_scene("arm")
    builder = stiction.ModelBuilder("pair").attach(arm, prefix="a/").attach(arm, "world", prefix="b/")
    builder.add_constraint(stiction.Equality(name="same", kind="joint", object1="a/joint2", object2="b/joint2"))
    builder.exclude_contacts("a/upper_arm", "b/upper_arm")
    world = stiction.World(builder.build())
    world.options.formulation.finds_contacts = False
    world.set_joint_damping("a/joint2", 50.0)
    world.simulate(0.2)
    assert world.is_constraint_active("same") and abs(world.coupling_force("same")) > 0.0
    # As rigid as a step allows.
    assert world.joint("a/joint2").q == pytest.approx(world.joint("b/joint2").q, abs=1e-5)
    world.set_constraint_active("same", False)
    world.simulate(0.2)
    assert not world.is_constraint_active("same")
    assert world.joint("a/joint2").q != pytest.approx(world.joint("b/joint2").q, abs=1e-3)


def test_a_rope_carries_a_weight():
    builder = stiction.ModelBuilder("rope")
    builder.add_free_body("weight", stiction.translation(0, 0, -1), stiction.solid_sphere(2.0, 0.1))
    builder.add_frame("eye", "weight", stiction.Pose())
    builder.add_constraint(stiction.DistanceConstraint(name="rope", frame1="eye", frame2="", upper=1.0))
    builder.add_constraint(stiction.Bushing(name="bushing", frame1="eye", frame2="", active=False))
    world = stiction.World(builder.build())
    world.simulate(0.5)
    assert world.constraint_force("rope")[5] == pytest.approx(2.0 * 9.81, rel=1e-4)


def test_a_pin_in_a_slot_slides_along_it():
    builder = stiction.ModelBuilder("slot")
    builder.add_free_body("bead", stiction.Pose(), stiction.solid_sphere(2.0, 0.1))
    builder.add_frame("pin", "bead", stiction.Pose())
    # The x axis of the world is level: the bead stays where it is, held against its weight.
    builder.add_constraint(stiction.SlotConstraint(name="slot", frame1="pin", frame2="", upper=0.5))
    world = stiction.World(builder.build())
    world.v = [0, 0, 0, 1, 0, 0]
    world.simulate(0.25)
    assert world.body("bead").pose.p == pytest.approx([0.25, 0, 0], abs=1e-6)
    assert world.constraint_force("slot")[3:] == pytest.approx([0, 0, 2.0 * 9.81], rel=1e-4, abs=1e-3)
    world.simulate(1.0)
    assert world.body("bead").pose.p[0] <= 0.5 + 1e-6


def test_a_puck_on_a_support_stops_after_v_squared_over_two_mu_g():
    builder = stiction.ModelBuilder("puck")
    builder.set_gravity([0, 0, 0])
    builder.add_body("puck", "world", stiction.Pose(), stiction.solid_sphere(0.5, 0.1))
    for name, axis in (("x", [1, 0, 0]), ("y", [0, 1, 0])):
        builder.add_joint("puck", stiction.Joint(name=name, type="prismatic", axis=axis))
    builder.add_frame("centre", "puck", stiction.Pose())
    builder.add_constraint(stiction.SupportFriction(name="support", frame1="centre", load=0.5 * 9.81, friction=0.3,
                                                    radius=0.1))
    world = stiction.World(builder.build())
    world.v = [0.6, 0.8]
    world.simulate(0.1)
    limit = 0.3 * 0.5 * 9.81
    assert world.constraint_force("support")[3:5] == pytest.approx([-0.6 * limit, -0.8 * limit], rel=1e-4)
    world.simulate(0.4)
    # Half a step less: positions move by the velocity at the end of a step.
    assert world.body("puck").pose.p[0] == pytest.approx(0.6 / (2 * 0.3 * 9.81), abs=1.1 * 0.6 * 2e-3)


def test_a_builder_names_what_is_wrong():
    builder = stiction.ModelBuilder("wrong").add_body("rod")
    with pytest.raises(stiction.UserError, match="did you mean 'rod'"):
        builder.add_joint("rodd", stiction.Joint())
    with pytest.raises(stiction.UserError, match="radius"):
        builder.add_solid("ball", "rod", stiction.Pose(), stiction.Sphere(-1.0), 1000.0)
    with pytest.raises(TypeError, match="did you mean 'damping'"):
        stiction.Joint(dampin=1.0)
    with pytest.raises(TypeError, match="type must be"):
        stiction.Joint(type="revolut")


def test_surfaces_pairs_and_belts_are_kept():
    builder = stiction.ModelBuilder("belt")
    builder.add_shape("belt", "world", stiction.Pose(), stiction.HalfSpace())
    builder.set_surface_velocity("belt", [1.0, 0, 0])
    builder.add_free_body("ball", stiction.translation(0, 0, 0.1), stiction.Inertia())
    builder.add_solid("ball", "ball", stiction.Pose(), stiction.Sphere(0.1), 1000.0)
    builder.set_properties("ball", stiction.ShapeProperties(contype=0, conaffinity=0, rgba=[1, 0, 0, 1]))
    builder.add_contact_pair("belt", "ball")
    world = stiction.World(builder.build())
    world.simulate(2.0)
    # Rolling on a belt from rest: it slides until v + w r meets the belt; v = 2/7 of its speed.
    assert world.body("ball").velocity[3] == pytest.approx(2 / 7, rel=0.01)


def test_scenes_have_names_and_sentences():
    scenes = dict(stiction.scenes())
    assert scenes["pendulum"].endswith(".")
    with pytest.raises(stiction.UserError, match="did you mean 'pendulum'"):
        stiction.make_scene("pendulm")
    with pytest.raises(stiction.UserError):
        stiction.scene_schedule("nothing", stiction.make_scene("arm"))
    assert stiction.scene_schedule("arm", stiction.make_scene("arm")).num_controls == 0


def test_shared_files_are_found_or_missed_with_a_sentence():
    with pytest.raises(stiction.UserError, match="STICTION_SHARED"):
        stiction.shared_file("models/no_such_robot.xml")


def test_a_motor_and_a_velocity_servo_are_actuators():
    motor = stiction.motor("m", "joint1", effort=5.0)
    assert motor.force.limited and motor.force.upper == 5.0 and motor.gain_parameters[0] == 1.0
    servo = stiction.velocity_servo("s", "joint1", kv=3.0)
    assert servo.bias_parameters[2] == -3.0 and servo.transmission == "joint"


def test_gains_and_ranges_of_one_world_act():
    builder = stiction.ModelBuilder("drive").set_gravity([0, 0, 0])
    builder.add_body("block", "world", stiction.Pose(), stiction.solid_box(2.0, [0.1] * 3))
    builder.add_joint("block", stiction.Joint(name="slide", type="prismatic"))
    builder.add_actuator(stiction.motor("motor", "slide"))
    world = stiction.World(builder.build(), h=1e-3)
    world.set_gain("motor", 3.0)
    world.controls = [2.0]
    world.simulate(0.1)
    # 3 x 2 N on 2 kg
    assert world.joint("slide").v == pytest.approx(0.3, rel=1e-9)
    world.set_force_range("motor", -2.0, 2.0)
    world.simulate(0.1)
    assert world.joint("slide").v == pytest.approx(0.4, rel=1e-9)


def test_inertia_of_one_world_acts():
    builder = stiction.ModelBuilder("wheel").set_gravity([0, 0, 0])
    builder.add_body("wheel", "world", stiction.Pose(), stiction.solid_sphere(1.0, 0.1))
    builder.add_joint("wheel", stiction.Joint(name="axle", type="continuous"))
    world = stiction.World(builder.build(), h=1e-3)
    world.set_inertia("wheel", stiction.Inertia(1.0, [0, 0, 0], np.diag([2.0, 2.0, 2.0])))
    world.joint("axle").force = 4.0
    world.simulate(0.5)
    assert world.joint("axle").v == pytest.approx(1.0, rel=1e-9)


def test_the_root_element_tells_the_format_of_a_text():
    mjcf = '<!-- not a <robot> --><mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    urdf = '<?xml version="1.0"?><!-- no <mujoco> --><robot name="r"><link name="b"/></robot>'
    assert stiction.parse(mjcf).num_v == 6 and stiction.parse(urdf).name == "r"
    with pytest.raises(stiction.UserError, match="root of a model"):
        stiction.parse("<sdf/>")


def test_positions_and_velocities_in_mujocos_order_are_mujocos():
    mujoco = pytest.importorskip("mujoco")
    # Every kind of joint, nested, with centres of mass beside the origins.
    text = """<mujoco><worldbody>
      <body name="first" pos="0 0 1"><joint name="a" type="hinge" axis="0 1 0" ref="0.1"/><inertial pos=".1 0 .2" mass="1" diaginertia=".1 .1 .1"/>
        <body name="inner" pos="0 0 1"><joint name="s" type="slide" axis="1 0 0"/><joint name="h" axis="0 0 1" pos=".1 0 0"/>
          <inertial pos="0 .1 0" mass="1" diaginertia=".1 .1 .1"/></body>
        <body name="wrist" pos="1 0 0"><joint name="b" type="ball"/><inertial pos=".3 .2 .1" mass="1" diaginertia=".1 .2 .15"/></body></body>
      <body name="box" pos="3 0 1"><freejoint name="f"/><inertial pos=".1 -.2 .3" mass="2" diaginertia=".1 .2 .15"/>
        <body name="tail" pos="0 0 1"><joint name="t" axis="1 0 0"/><inertial pos="0 0 .2" mass="1" diaginertia=".1 .1 .1"/></body></body>
      <body name="last" pos="5 0 1"><joint name="z" axis="1 1 0"/><inertial pos="0 0 .2" mass="1" diaginertia=".1 .1 .1"/></body>
    </worldbody></mujoco>"""
    model, reference = stiction.parse(text), mujoco.MjModel.from_xml_string(text)
    data, random = mujoco.MjData(reference), np.random.default_rng(0)
    for _ in range(5):
        data.qpos[:] = random.standard_normal(reference.nq)
        mujoco.mj_normalizeQuat(reference, data.qpos)
        data.qvel[:] = random.standard_normal(reference.nv)
        mujoco.mj_forward(reference, data)
        world = stiction.World(model)
        world.q = model.q_from_qpos(data.qpos)
        world.v = model.v_from_qvel(data.qpos, data.qvel)
        for name in model.body_names[1:]:
            body = mujoco.mj_name2id(reference, mujoco.mjtObj.mjOBJ_BODY, name)
            velocity = np.zeros(6)
            mujoco.mj_objectVelocity(reference, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
            np.testing.assert_allclose(world.body(name).pose.p, data.xpos[body], atol=1e-12)
            np.testing.assert_allclose(world.body(name).pose.R.ravel(), data.xmat[body], atol=1e-12)
            np.testing.assert_allclose(world.body(name).velocity, velocity, atol=1e-12)
        np.testing.assert_allclose(model.qpos_from_q(world.q), data.qpos, atol=1e-15)
        np.testing.assert_allclose(model.qvel_from_v(world.q, world.v), data.qvel, atol=1e-14)


def test_joints_that_mujoco_does_not_have_are_those_of_the_exported_file():
    mujoco = pytest.importorskip("mujoco")
    model = stiction.make_scene("all_joints")
    reference = mujoco.MjModel.from_xml_string(model.to_mjcf()[0])
    data, world = mujoco.MjData(reference), stiction.World(model)
    random = np.random.default_rng(1)
    world.q = model.q0 + 0.3 * random.standard_normal(model.num_q)
    world.v = random.standard_normal(model.num_v)
    data.qpos[:], data.qvel[:] = model.qpos_from_q(world.q), model.qvel_from_v(world.q, world.v)
    mujoco.mj_forward(reference, data)
    for name in model.body_names[1:]:
        body = mujoco.mj_name2id(reference, mujoco.mjtObj.mjOBJ_BODY, name)
        np.testing.assert_allclose(world.body(name).pose.p, data.xpos[body], atol=1e-12)
    np.testing.assert_allclose(model.q_from_qpos(data.qpos), world.q, atol=1e-15)
    with pytest.raises(stiction.UserError, match="qpos of model"):
        model.q_from_qpos([0.0])


def test_attach_keeps_keyframes():
    robot = stiction.parse("""<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body></worldbody>
        <actuator><motor name="m" joint="j"/></actuator>
        <keyframe><key name="up" qpos="0.4" qvel="0.5" ctrl="2"/></keyframe></mujoco>""")
    builder = stiction.ModelBuilder("two").attach(robot, prefix="a/").attach(robot, X_PA=stiction.translation(1, 0, 0), prefix="b/")
    world = stiction.World(builder.build())
    assert list(world.model.keyframe_names) == ["a/up", "b/up"]
    world.reset("b/up")
    assert world.joint("b/j").q == 0.4 and world.joint("b/j").v == 0.5 and world.joint("a/j").q == 0.0
    assert world.controls.tolist() == [0.0, 2.0]
