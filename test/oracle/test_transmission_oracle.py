"""Lengths and moment arms of tendons and actuators against MuJoCo."""

import json
import os
import subprocess

import numpy as np
import pytest

from probe import build_folder

mujoco = pytest.importorskip("mujoco")

SHARED = os.environ.get("STICTION_SHARED", os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared"))

# Every kind of wrap and of transmission, on a tree with hinges, a slide and a ball.
EVERYTHING = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <site name="ceiling" pos="0.1 0 1"/>
    <site name="slider" pos="0.5 0.1 0.2" euler="0.3 1.2 0.1"/>
    <body name="upper" pos="0 0 0.8">
      <joint name="shoulder" axis="0 1 0.2"/>
      <geom name="ball" type="sphere" size="0.08" pos="0.02 0.01 -0.1"/>
      <geom name="drum" type="cylinder" size="0.05 0.1" pos="0 0 -0.3" euler="1.5 0.2 0"/>
      <site name="out" pos="0.2 0.02 -0.1"/>
      <site name="beside" pos="0.15 0 -0.3"/>
      <site name="within" pos="0.001 0.002 -0.3"/>
      <body name="lower" pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0"/>
        <joint name="stretch" type="slide" axis="0 0 1"/>
        <geom type="capsule" size="0.03 0.2" pos="0 0 -0.2"/>
        <site name="wrist" pos="0.03 0.05 -0.3" euler="0.1 0.2 0.3"/>
        <site name="end" pos="-0.02 0 -0.4"/>
        <body name="hand" pos="0 0 -0.45">
          <joint name="ball_joint" type="ball"/>
          <geom type="box" size="0.05 0.03 0.07" pos="0.01 0 -0.05"/>
          <site name="palm" pos="0.02 0.01 -0.08" euler="0.5 0 0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="coupled"><joint joint="shoulder" coef="0.5"/><joint joint="elbow" coef="-2"/></fixed>
    <spatial name="straight"><site site="ceiling"/><site site="wrist"/><site site="end"/></spatial>
    <spatial name="round_ball"><site site="ceiling"/><geom geom="ball"/><site site="wrist"/></spatial>
    <spatial name="round_ball_sided"><site site="ceiling"/><geom geom="ball" sidesite="out"/><site site="palm"/></spatial>
    <spatial name="round_drum"><site site="ceiling"/><geom geom="drum"/><site site="end"/></spatial>
    <spatial name="round_drum_sided"><site site="ceiling"/><geom geom="drum" sidesite="beside"/><site site="wrist"/></spatial>
    <spatial name="inside_drum"><site site="ceiling"/><geom geom="drum" sidesite="within"/><site site="wrist"/></spatial>
    <spatial name="pulleys"><site site="ceiling"/><site site="out"/><pulley divisor="2"/><site site="out"/>
      <site site="wrist"/><pulley divisor="3"/><site site="out"/><geom geom="drum"/><site site="palm"/></spatial>
  </tendon>
  <actuator>
    <motor joint="elbow" gear="3"/>
    <motor joint="ball_joint" gear="0.3 0.4 -0.2"/>
    <motor jointinparent="ball_joint" gear="0.3 0.4 -0.2"/>
    <motor tendon="coupled" gear="-2"/>
    <motor tendon="round_drum_sided" gear="1.5"/>
    <motor site="palm" gear="1 2 3 0.1 0.2 0.3"/>
    <motor site="palm" refsite="wrist" gear="1 2 3 0 0 0"/>
    <motor site="palm" refsite="wrist" gear="0 0 0 1 0.5 0.2"/>
    <motor site="palm" refsite="ceiling" gear="0.5 -1 2 0 0 0"/>
    <general cranksite="wrist" slidersite="slider" cranklength="1.2" gear="2"/>
  </actuator>
</mujoco>
"""


def dense(size, values, rownnz, rowadr, colind):
    """A sparse matrix of MuJoCo, row by row."""
    matrix = np.zeros(size)
    for row in range(size[0]):
        for k in range(rowadr[row], rowadr[row] + rownnz[row]):
            matrix[row, colind[k]] += values[k]
    return matrix


def their_answers(model, q):
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_fwdPosition(model, data)
    values = np.asarray(data.ten_J).ravel()
    if hasattr(data, "ten_J_rownnz") and values.size != model.ntendon * model.nv:
        tendon_moments = dense((model.ntendon, model.nv), values, data.ten_J_rownnz, data.ten_J_rowadr,
                               np.asarray(data.ten_J_colind).ravel())
    elif hasattr(model, "ten_J_rownnz"):
        tendon_moments = dense((model.ntendon, model.nv), values, model.ten_J_rownnz, model.ten_J_rowadr,
                               np.asarray(model.ten_J_colind).ravel())
    else:
        tendon_moments = values.reshape(model.ntendon, model.nv)
    actuator_moments = dense((model.nu, model.nv), np.asarray(data.actuator_moment).ravel(), data.moment_rownnz,
                             data.moment_rowadr, np.asarray(data.moment_colind).ravel())
    return np.array(data.ten_length), tendon_moments, np.array(data.actuator_length), actuator_moments


def our_answers(path, states):
    question = json.dumps({"file": str(path), "states": [list(q) for q in states]})
    done = subprocess.run([build_folder() / "bin" / "stiction_transmission_probe"], input=question, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    for state in json.loads(done.stdout)["states"]:
        yield ([t["length"] for t in state["tendons"]], [t["moment"] for t in state["tendons"]],
               [a["length"] for a in state["actuators"]], [a["moment"] for a in state["actuators"]])


def random_q(model, rng):
    q = rng.uniform(-1.5, 1.5, model.nq)
    for j in range(model.njnt):
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL:
            at = model.jnt_qposadr[j]
            q[at:at + 4] = rng.normal(size=4)
            q[at:at + 4] /= np.linalg.norm(q[at:at + 4])
    return q


def compare(path, count=100):
    model = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(3)
    states = [random_q(model, rng) for _ in range(count)]
    for q, ours in zip(states, our_answers(path, states)):
        for name, mine, theirs in zip(("tendon lengths", "tendon moments", "actuator lengths", "actuator moments"), ours,
                                      their_answers(model, q)):
            if theirs.size == 0:
                continue
            scale = max(1e-3, np.abs(theirs).max())
            # MuJoCo's search for the point inside a wrap stops at 1e-6; lengths are flat there, moment arms are not.
            inside = [name == "tendon moments" and model.tendon(i).name.startswith("inside")
                      for i in range(len(mine))]
            for i, (a, b) in enumerate(zip(mine, theirs)):
                tolerance = 1e-7 if inside[i] else 1e-10
                np.testing.assert_allclose(np.array(a), b, rtol=0, atol=tolerance * scale, err_msg=f"{name} {i}")


def test_every_wrap_and_transmission(tmp_path):
    path = tmp_path / "everything.xml"
    path.write_text(EVERYTHING)
    compare(path)


@pytest.mark.parametrize("name", ["franka_emika_panda/panda.xml", "robotiq_2f85/2f85.xml", "shadow_hand/right_hand.xml",
                                  "wonik_allegro/right_hand.xml", "kuka_iiwa_14/iiwa14.xml", "kinova_gen3/gen3.xml"])
def test_real_robots(name):
    path = os.path.join(SHARED, "models", name)
    if not os.path.exists(path):
        pytest.skip(f"{path} is not there")
    compare(path, count=20)
