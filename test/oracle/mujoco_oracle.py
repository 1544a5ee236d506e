"""What MuJoCo says about a described model, in our conventions."""

import mujoco
import numpy as np

import conventions
import describe


def described_name(joint, k):
    """Of the k-th elementary motion of a joint in the MJCF of describe.py."""
    return f'{joint["name"]}:{k}'


class MujocoOracle:
    name = f"mujoco {mujoco.__version__}"

    def __init__(self, description, model=None, name_of=described_name):
        """`model` is MuJoCo's model of what is described, made from the description if there is none."""
        self.description = description
        self.bodies = description["bodies"]
        self.model = model or mujoco.MjModel.from_xml_string(describe.mjcf_of(description))
        self.data = mujoco.MjData(self.model)
        self.places = []  # (our joint, kind, k, their first q)
        order, free_joints = [], []
        for base, body in enumerate(self.bodies):
            for joint in body["joints"]:
                for kind, _, k in describe.axis_motions(joint):
                    theirs = self.model.joint(name_of(joint, k))
                    q, v = int(theirs.qposadr[0]), int(theirs.dofadr[0])
                    self.places.append((joint, kind, k, q))
                    if kind == "free":
                        com = conventions.welded_com(self.bodies, base)
                        free_joints.append(conventions.FreeJoint(joint, com, v))
                    else:
                        count = 3 if kind == "ball" else 1
                        order += [(joint["v_begin"] + k + i, v + i) for i in range(count)]
        self.basis = conventions.Basis("mujoco", description["num_v"], order, free_joints)

    def positions(self, q):
        out = np.zeros(self.model.nq)
        for joint, kind, k, begin in self.places:
            ours = q[joint["q_begin"]:joint["q_begin"] + joint["num_q"]]
            if kind == "free":
                out[begin:begin + 7] = [*ours[4:], *ours[:4]]
            elif kind == "ball":
                out[begin:begin + 4] = ours
            else:
                out[begin] = ours[k]
        return out

    def evaluate(self, state, derivatives=False):
        del derivatives  # only by finite differences, which are not exact enough here
        model, data, basis = self.model, self.data, self.basis
        q, v, a, tau = (state[key] for key in ("q", "v", "a", "tau"))
        T, drift = basis.T(q), basis.Tdot_v(q, v)
        inverse_T = np.linalg.inv(T)
        data.qpos[:], data.qvel[:] = self.positions(q), T @ v
        data.qfrc_applied[:] = inverse_T.T @ tau
        mujoco.mj_forward(model, data)
        out = {"forward_dynamics": inverse_T @ (data.qacc - drift)}

        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        out["mass_matrix"] = T.T @ M @ T
        out["bias"] = T.T @ (data.qfrc_bias + M @ drift)
        out.update(self.of_bodies(T, drift))

        data.qacc[:] = T @ a + drift
        data.qfrc_applied[:] = 0.0
        mujoco.mj_inverse(model, data)
        out["inverse_dynamics"] = T.T @ data.qfrc_inverse
        return out

    def of_bodies(self, T, drift):
        model, data = self.model, self.data
        poses, jacobians, accelerations = [], [], []
        for body in self.bodies:
            index = model.body(body["name"]).id
            poses.append(np.column_stack([data.xmat[index].reshape(3, 3), data.xpos[index]]))
            linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacBody(model, data, linear, angular, index)
            J = np.vstack([angular, linear])
            mujoco.mj_jacDot(model, data, linear, angular, data.xpos[index], index)
            Jdot = np.vstack([angular, linear])
            jacobians.append(J @ T)
            accelerations.append(Jdot @ data.qvel + J @ drift)
        return {"poses": np.array(poses), "jacobians": np.array(jacobians),
                "bias_accelerations": np.array(accelerations)}
