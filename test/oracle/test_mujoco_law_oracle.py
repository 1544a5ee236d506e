"""The law of MuJoCo as MuJoCo has it: its own contacts, mass matrix, smooth acceleration and other rows, posed as a contact
problem of ours under convex_cone+newton_mujoco, must give the contact forces that MuJoCo finds.

Impedance, reference acceleration and compliance of every contact are computed by us from solref, solimp, impratio, margin
and body_invweight0; R, aref and D of MuJoCo are used for its other rows alone.
"""

import json
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="the package numpy is not installed")
mujoco = pytest.importorskip("mujoco", reason="the package mujoco is not installed")

import probe
import report

# File -> how far joints are turned from their default, rad or m. With a floor where it has one.
ROBOTS = {
    "anybotics_anymal_c/scene.xml": 0.1, "unitree_go1/scene.xml": 0.1, "google_barkour_vb/scene.xml": 0.1,
    "agility_cassie/scene.xml": 0.05, "pal_talos/scene_motor.xml": 0.1, "franka_emika_panda/scene.xml": 1.5,
    "robotiq_2f85/scene.xml": 0.3, "shadow_hand/scene_right.xml": 0.5, "wonik_allegro/scene_right.xml": 0.7,
    "shadow_dexee/scene.xml": 0.5,
}
STATES = 10
# Relative to the largest force of a state. MuJoCo's own answer is as exact as its tolerance.
FORCES_WITHIN = 1e-6
NONE = 1e300  # a bound that is none


def solve(model, data):
    """Twice: from its own answer, MuJoCo goes on to round-off where it had stopped before."""
    for _ in range(2):
        mujoco.mj_forward(model, data)
        data.qacc_warmstart[:] = data.qacc


def largest_force(model, data):
    force, largest = np.zeros(6), 0.0
    for i in range(data.ncon):
        mujoco.mj_contactForce(model, data, i, force)
        largest = max(largest, np.max(np.abs(force)))
    return largest


def random_state(model, data, spread, rng):
    """With contacts: the robot sinks into the floor, or its links into each other."""
    for _ in range(200):
        if model.nkey > 0:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        else:
            mujoco.mj_resetData(model, data)
        moved = spread * rng.standard_normal(model.nv)
        for j in range(model.njnt):
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
                at = model.jnt_dofadr[j]
                moved[at:at + 6] *= [0.1, 0.1, 0.0, 0.3, 0.3, 0.3]
        mujoco.mj_integratePos(model, data.qpos, moved, 1.0)
        data.qvel[:] = 0.3 * rng.standard_normal(model.nv)
        free = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE]
        for _ in range(400 if free else 1):
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)
            if data.ncon > 0 and min(c.dist for c in data.contact) < -2e-3:
                solve(model, data)
                if largest_force(model, data) > 0.0:
                    return
                break
            for j in free:
                data.qpos[model.jnt_qposadr[j] + 2] -= 2e-3
    pytest.fail("no state with contacts was found")


def dense_rows(model, data):
    if mujoco.mj_isSparse(model):
        J = np.zeros((data.nefc, model.nv))
        mujoco.mju_sparse2dense(J, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
        return J
    return np.array(data.efc_J).reshape(data.nefc, model.nv)


def bounds(kind, friction, h):
    names = mujoco.mjtConstraint
    if kind == int(names.mjCNSTR_EQUALITY):
        return -NONE, NONE
    if kind in (int(names.mjCNSTR_FRICTION_DOF), int(names.mjCNSTR_FRICTION_TENDON)):
        return -h * friction, h * friction
    return 0.0, NONE  # a limit


def problem_of(model, data):
    """A saved problem (docs/problem_files.md) with one tree of all velocities, and the contacts in its order."""
    h, nv, v = model.opt.timestep, model.nv, data.qvel
    M = np.zeros((nv, nv))
    mujoco.mj_fullM(model, data, M)
    used = sorted({int(model.geom_bodyid[g]) for c in data.contact for g in c.geom} - {0})
    used = [b for b in used if model.body_weldid[b] != 0]
    bodies, jacobians = [], {}
    for body in used:
        linear, angular = np.zeros((3, nv)), np.zeros((3, nv))
        mujoco.mj_jac(model, data, linear, angular, np.zeros(3), body)
        columns = np.vstack([angular, linear])
        dofs = np.flatnonzero(np.any(columns != 0.0, axis=0))
        jacobians[body] = columns
        bodies.append({"tree": 0, "dofs": dofs.tolist(), "columns": columns[:, dofs].T.tolist()})
    index = {body: i + 1 for i, body in enumerate(used)}
    turns = any(c.dim > 3 for c in data.contact)
    patches, places = [], []
    for i, c in enumerate(data.contact):
        if c.efc_address < 0:
            continue
        pair = [int(model.geom_bodyid[g]) for g in c.geom]
        a, b = (index.get(body, 0) for body in pair)
        normal, sign = c.frame[:3].copy(), 1.0
        if b == 0:
            a, b, normal, sign = b, a, -normal, -1.0
        places.append((i, sign))

        def at(body, p=c.pos):
            J = jacobians[body]
            return J[3:] @ v + np.cross(J[:3] @ v, p)

        velocity = at(used[b - 1]) - (at(used[a - 1]) if a else 0.0)
        mu, torsion, roll = c.friction[0], c.friction[2], c.friction[3]
        mu, torsion, roll = mu * (c.dim > 1), torsion * (c.dim > 3), roll * (c.dim > 4)
        scale = max(mu, torsion, roll)
        point = {"r_A": c.pos.tolist(), "r_B": c.pos.tolist(), "n": normal.tolist(), "bias": [0, 0, 0],
                 "distance": c.dist, "stiffness": 1e6, "hertz_stiffness": 0, "dissipation": 0, "relaxation_time": 0,
                 "friction": scale, "vn0": float(normal @ velocity), "inverse_mass": 1.0, "law_parameters": [0] * 6,
                 "mujoco": {"solref": c.solref.tolist(), "solref_friction": c.solreffriction.tolist(),
                            "solimp": c.solimp.tolist(), "margin": c.includemargin, "impratio": model.opt.impratio,
                            "inverse_mass": float(sum(model.body_invweight0[body, 0] for body in pair))}}
        if turns:
            lengths = [x / scale for x in (mu, torsion, roll)] if scale > 0.0 else [1.0, 0.0, 0.0]
            point["friction_lengths"] = dict(zip(("slide", "torsion", "roll"), lengths), bias=[0, 0, 0])
        patches.append({"a": a, "b": b, "points": [point]})
    rows, J = [], dense_rows(model, data)
    for r in range(data.nefc):
        if data.efc_type[r] >= int(mujoco.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS):
            continue
        D = float(data.efc_D[r])
        lower, upper = bounds(data.efc_type[r], data.efc_frictionloss[r], h)
        dofs = np.flatnonzero(J[r])
        rows.append({"offset": D * float(J[r] @ v + h * data.efc_aref[r]), "slope": D, "lower": float(lower),
                     "upper": float(upper),
                     "parts": [{"tree": 0, "dofs": dofs.tolist(), "values": J[r, dofs].tolist()}]})
    tree = {"is_free_body": False, "A": M.tolist(), "v_free": (v + h * data.qacc_smooth).tolist(),
            "v_start": v.tolist()}
    return {"format": "stiction_contact_problem", "version": 2, "h": h, "law": "convex_cone", "solver": "newton_mujoco",
            "elasticity": "linear", "dissipation": "none", "v_s": 1e-4, "sigma": 1e-3, "beta": 1, "trees": [tree],
            "bodies": bodies, "patches": patches, "rows": rows}, places


def solved(problem, folder):
    file = folder / "problem.json"
    file.write_text(json.dumps(problem))
    program = probe.build_folder() / "bin" / "stiction"
    answer = subprocess.run([program, "solve", file, "--formulation", "convex_cone+newton_mujoco", "--tolerance", "1e-12",
                             "--json"], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def prepared(file):
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.cone, model.opt.solver = mujoco.mjtCone.mjCONE_ELLIPTIC, mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    model.opt.tolerance, model.opt.ls_tolerance, model.opt.iterations = 1e-12, 1e-6, 1000
    model.opt.ls_iterations, model.opt.noslip_iterations = 200, 0
    return model


def expect_the_forces_of_mujoco(model, data, folder):
    """The largest error, relative to the largest force; moments over 1 m."""
    problem, places = problem_of(model, data)
    answer = solved(problem, folder)
    worst = largest = 0.0
    force = np.zeros(6)
    for k, (i, sign) in enumerate(places):
        mujoco.mj_contactForce(model, data, i, force)
        frame = data.contact[i].frame.reshape(3, 3)
        theirs = sign * np.concatenate([frame.T @ force[:3], frame.T @ force[3:]])
        ours = np.zeros(6)
        ours[:3] = np.array(answer["impulses"][k][0])[:3] / problem["h"]
        if "moments" in answer:
            ours[3:] = np.array(answer["moments"][k][0])[:3] / problem["h"]
        worst, largest = max(worst, np.max(np.abs(ours - theirs))), max(largest, np.max(np.abs(theirs)))
    assert largest > 0.0
    return worst / largest


@pytest.mark.parametrize("robot", ROBOTS)
def test_contact_forces_are_those_of_mujoco(robot, tmp_path):
    file = probe.shared_models() / robot
    if not file.exists():
        pytest.skip(f"there is no {file}")
    model = prepared(file)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(7)
    errors = []
    for _ in range(STATES):
        random_state(model, data, ROBOTS[robot], rng)
        errors.append(expect_the_forces_of_mujoco(model, data, tmp_path))
    report.add(robot, f"us - mujoco {mujoco.__version__}, law of contact", {"contact force": max(errors)}, FORCES_WITHIN)
    assert max(errors) < FORCES_WITHIN


BALL = """<mujoco><option cone="elliptic" impratio="7" timestep="0.003"/><worldbody>
  <geom type="plane" size="1 1 1" margin="0.004"/>
  <body pos="0 0 0.098"><freejoint/><geom size="0.1" margin="0.001" condim="6" friction="0.8 0.02 0.01" {numbers}/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("numbers", [
    "", 'solimp="0.015 1 0.023" priority="1"', 'solimp="0.3 0.9 0.01 0.3 3" solref="0.05 0.4" priority="1"',
    'solimp="0.9 0.6 0.02 0.7 1.5" priority="1"', 'solref="-3000 -80" priority="1"', 'solref="0.001 1" priority="1"',
    'solimp="0.5 0.9 0" priority="1"'])
def test_every_number_of_solref_and_solimp_counts(numbers, tmp_path):
    model = mujoco.MjModel.from_xml_string(BALL.format(numbers=numbers))
    model.opt.tolerance, model.opt.iterations = 1e-14, 1000
    data = mujoco.MjData(model)
    data.qvel[:] = [0.1, 0.2, -0.05, 1.0, 2.0, 3.0]
    solve(model, data)
    assert expect_the_forces_of_mujoco(model, data, tmp_path) < 1e-8
