"""Models that we write as MJCF, in MuJoCo: the same dynamics as ours, and of files the same model as MuJoCo makes of
the original.

Errors of dynamics are relative to the largest entry of the quantity in that state.
"""

import os
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import describe
import export_oracle
import probe
import report
import states
from export_oracle import ExportOracle

SCENES = ["pendulum", "double_pendulum", "spring_mass", "spinning_body", "chain", "arm", "hand", "quadruped", "humanoid",
          "free_bodies_and_arms", "all_joints", "all_joints_free", "all_joints_mujoco"]
NUM_STATES = 5
WITHIN = 1e-10
ZERO_BELOW = 1e-4  # in SI units: a smaller quantity vanishes by nature, and only its round-off is left
COMPARED = ["mass_matrix", "bias", "poses"]

FILES = ["franka_emika_panda/scene.xml", "kuka_iiwa_14/scene.xml", "agility_cassie/scene.xml",
         "robotiq_2f85/scene.xml", "google_barkour_vb/scene.xml", "google_barkour_vb/scene_hfield_mjx.xml",
         "kinova_gen3/scene.xml", "shadow_hand/scene_right.xml", "pal_talos/scene_motor.xml",
         "pal_talos/scene_position.xml", "wonik_allegro/scene_left.xml", "franka_emika_panda/mjx_hand.xml",
         "mujoco/car/car.xml", "mujoco/humanoid/humanoid.xml", "mujoco/replicate/newton_cradle.xml"]
# What makes up the motion of a model, in MuJoCo's words. The places of geoms are left out: MuJoCo moves those of meshes
# by what it computes in single precision. Inertias have principal axes in any order; the mass matrix compares them.
FIELDS = ["body_mass", "body_pos", "body_ipos", "body_gravcomp", "body_mocapid", "jnt_type", "jnt_pos", "jnt_axis",
          "jnt_range", "jnt_limited", "jnt_stiffness", "jnt_actfrcrange", "dof_armature", "dof_damping",
          "dof_frictionloss", "qpos0", "qpos_spring", "site_pos", "geom_type", "geom_contype", "geom_conaffinity",
          "geom_condim", "geom_friction", "geom_solref", "geom_solimp", "geom_margin", "geom_gap", "eq_type", "eq_data",
          "eq_obj1id", "eq_obj2id", "eq_solref", "eq_solimp", "tendon_range", "tendon_stiffness", "tendon_damping",
          "tendon_length0", "wrap_type", "wrap_prm", "actuator_trntype", "actuator_trnid", "actuator_gear",
          "actuator_gaintype", "actuator_biastype", "actuator_dyntype", "actuator_gainprm", "actuator_biasprm",
          "actuator_dynprm", "actuator_ctrlrange", "actuator_forcerange", "actuator_ctrllimited", "actuator_forcelimited",
          "sensor_type", "sensor_objtype", "sensor_objid", "key_qpos", "key_qvel", "key_ctrl", "key_act"]


def relative_error(ours, theirs):
    return np.max(np.abs(ours - theirs)) / max(np.max(np.abs(theirs)), ZERO_BELOW)


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_written_as_mjcf_moves_in_mujoco_as_it_moves_here(name, tmp_path):
    file = tmp_path / "scene.xml"
    notes = export_oracle.convert(name, file)
    description = probe.describe(name)
    if not describe.can_mujoco_express(description):
        # A screw is a hinge and a slide with a constraint between them: one more velocity.
        model = mujoco.MjModel.from_xml_path(str(file))
        assert model.nv == description["num_v"] + 1
        assert "a screw becomes a hinge and a slide" in notes
        return
    oracle = ExportOracle(description, file)
    some_states = states.random_states(description, NUM_STATES, seed=SCENES.index(name))
    worst = {}
    for state, ours in zip(some_states, probe.our_answers(name, some_states, derivatives=False)):
        theirs = oracle.evaluate(state)
        for key in COMPARED:
            worst[f"exported {key}"] = max(worst.get(f"exported {key}", 0.0), relative_error(ours[key], theirs[key]))
    report.add(name, oracle.name, worst)
    assert all(error <= WITHIN for error in worst.values()), worst


@pytest.mark.parametrize("name", SCENES)
def test_where_a_scene_starts_is_the_reference_position_or_a_keyframe(name, tmp_path):
    description = probe.describe(name)
    if not describe.can_mujoco_express(description):
        pytest.skip("has a joint that MuJoCo does not have")
    export_oracle.convert(name, tmp_path / "scene.xml")
    oracle = ExportOracle(description, tmp_path / "scene.xml")
    starts = [oracle.model.qpos0, *oracle.model.key_qpos]
    assert min(np.max(np.abs(q - oracle.positions(np.array(description["q0"])))) for q in starts) < 1e-12


def shared_models():
    return Path(os.environ.get("STICTION_SHARED", probe.ROOT.parent / "shared")) / "models"


@pytest.mark.parametrize("file", FILES)
def test_a_file_comes_back_as_the_model_that_mujoco_makes_of_the_original(file, tmp_path):
    original = shared_models() / file
    if not original.exists():
        pytest.skip("the shared models are not there")
    theirs = mujoco.MjModel.from_xml_path(str(original))
    export_oracle.convert(original, tmp_path / "again.xml")
    ours = mujoco.MjModel.from_xml_path(str(tmp_path / "again.xml"))
    assert (ours.nq, ours.nv, ours.nbody, ours.njnt, ours.ngeom, ours.nu) == (
        theirs.nq, theirs.nv, theirs.nbody, theirs.njnt, theirs.ngeom, theirs.nu)
    differences = {}
    for field in FIELDS:
        a, b = np.array(getattr(ours, field), dtype=float), np.array(getattr(theirs, field), dtype=float)
        if a.shape != b.shape:
            differences[field] = (a.shape, b.shape)
        elif a.size > 0 and not np.allclose(a, b, rtol=1e-9, atol=1e-11):
            differences[field] = np.max(np.abs(a - b))
    assert not differences

    # The same mass matrix and bias, whatever the principal axes are called.
    rng = np.random.default_rng(0)
    answers = []
    velocity = rng.normal(size=theirs.nv)
    for model in (ours, theirs):
        data = mujoco.MjData(model)
        mujoco.mj_integratePos(model, data.qpos, velocity, 0.3)
        data.qvel[:] = velocity
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        answers.append((M, data.qfrc_bias.copy(), data.qfrc_passive.copy()))
    for one, other in zip(*answers):
        assert relative_error(one, other) <= WITHIN
