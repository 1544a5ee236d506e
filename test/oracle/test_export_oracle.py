"""Models that we write as MJCF, in MuJoCo: the same dynamics as ours, and of files the same model as MuJoCo makes of
the original.

Errors of dynamics are relative to the largest entry of the quantity in that state.
"""

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import describe
import export_oracle
import probe
import report
import states
from exact_inertia import ExactInertias, corrected

SCENES = ["pendulum", "double_pendulum", "spring_mass", "spinning_body", "chain", "arm", "hand", "quadruped", "humanoid",
          "free_bodies_and_arms", "all_joints", "all_joints_free", "all_joints_mujoco"]
NUM_STATES = 5
WITHIN = 1e-10
ZERO_BELOW = 1e-4  # in SI units: a smaller quantity vanishes by nature, and only its round-off is left
COMPARED = ["mass_matrix", "bias", "poses"]

FILES = sorted(probe.shared_models().glob("**/*.xml"))

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
    oracle = export_oracle.exported(description, file)
    some_states = states.random_states(description, NUM_STATES, seed=SCENES.index(name))
    worst = {}
    for state, ours in zip(some_states, probe.our_answers(name, some_states, derivatives=False)):
        theirs = oracle.evaluate(state)
        for key in COMPARED:
            worst[key] = max(worst.get(key, 0.0), relative_error(ours[key], theirs[key]))
    report.add(name, "us - mujoco, exported", worst, WITHIN)
    assert all(error <= WITHIN for error in worst.values()), worst


@pytest.mark.parametrize("name", SCENES)
def test_where_a_scene_starts_is_the_reference_position_or_a_keyframe(name, tmp_path):
    description = probe.describe(name)
    if not describe.can_mujoco_express(description):
        pytest.skip("has a joint that MuJoCo does not have")
    export_oracle.convert(name, tmp_path / "scene.xml")
    oracle = export_oracle.exported(description, tmp_path / "scene.xml")
    starts = [oracle.model.qpos0, *oracle.model.key_qpos]
    assert min(np.max(np.abs(q - oracle.positions(np.array(description["q0"])))) for q in starts) < 1e-12


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_file_comes_back_as_the_model_that_mujoco_makes_of_the_original(file, tmp_path):
    try:
        spec = mujoco.MjSpec.from_file(str(file))
        theirs = spec.compile()
    except ValueError as error:
        pytest.skip(f"MuJoCo does not load it: {error}")
    export_oracle.convert(file, tmp_path / "again.xml")
    ours = mujoco.MjModel.from_xml_path(str(tmp_path / "again.xml"))
    assert (ours.nq, ours.nv, ours.nbody, ours.njnt, ours.ngeom, ours.nu) == (
        theirs.nq, theirs.nv, theirs.nbody, theirs.njnt, theirs.ngeom, theirs.nu)
    differences = {}
    for field in FIELDS:
        a, b = np.array(getattr(ours, field), dtype=float), np.array(getattr(theirs, field), dtype=float)
        if a.shape != b.shape:
            differences[field] = (a.shape, b.shape)
        elif field in ("qpos0", "qpos_spring", "key_qpos"):
            a, b = same_side(theirs, a, b), np.atleast_2d(b)
        if a.shape == b.shape and a.size > 0 and not np.allclose(a, b, rtol=1e-9, atol=1e-11):
            differences[field] = np.max(np.abs(a - b))
    assert not differences
    if theirs.nv == 0:
        return

    # The same mass matrix and bias, whatever the principal axes are called. We write exact inertias.
    exact = ExactInertias(file, spec, theirs).bodies()
    theirs = corrected(theirs, [inertia and inertia[2] for inertia in exact]) or theirs
    velocity = np.random.default_rng(0).normal(size=theirs.nv)
    for one, other in zip(forces(ours, velocity), forces(theirs, velocity)):
        assert relative_error(one, other) <= WITHIN


def same_side(model, positions, others):
    """Positions with the one of the two quaternions of a rotation that is closer to the other's."""
    positions = np.atleast_2d(positions).copy()
    for index in range(model.njnt):
        is_free = model.jnt_type[index] == mujoco.mjtJoint.mjJNT_FREE
        if is_free or model.jnt_type[index] == mujoco.mjtJoint.mjJNT_BALL:
            begin = model.jnt_qposadr[index] + (3 if is_free else 0)
            for q, other in zip(positions[:, begin:begin + 4], np.atleast_2d(others)[:, begin:begin + 4]):
                q *= 1.0 if q @ other >= 0.0 else -1.0
    return positions


def forces(model, velocity):
    """Mass matrix, bias and passive forces away from the reference position. No contacts: they do not enter."""
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, velocity, 0.3)
    data.qvel[:] = velocity
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    # The ellipsoid that stands for a mesh in a fluid has the inertia of the mesh, which we write to be weighed otherwise.
    model.geom_fluid[model.geom_type == mujoco.mjtGeom.mjGEOM_MESH] = 0.0
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    M = np.zeros((model.nv, model.nv))  # the sparse one has fewer numbers where MuJoCo finds a body simple
    mujoco.mj_fullM(model, data, M)
    return M, data.qfrc_bias.copy(), data.qfrc_passive.copy()
