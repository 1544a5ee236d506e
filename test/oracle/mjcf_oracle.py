"""An MJCF file as MuJoCo compiles it, in our conventions, next to what our loader made of it."""

import mujoco
import numpy as np

import conventions

KINDS = {"free": 0, "ball": 1, "prismatic": 2, "revolute": 3}  # ours -> mjtJoint
GAINS = ["fixed", "affine", "muscle", "dcmotor", "pid", "so3", "user"]
BIASES = ["none", "affine", "muscle", "dcmotor", "so3", "user"]
DYNAMICS = ["none", "integrator", "filter", "filterexact", "pid", "dcmotor", "muscle", "user"]


def rotation(quaternion):
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, np.array(quaternion))
    return R.reshape(3, 3)


def compose(a, b):
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def inverse(a):
    return a[0].T, -a[0].T @ a[1]


class MjcfOracle:
    name = f"mujoco {mujoco.__version__}"

    def __init__(self, file, description):
        self.description = description
        self.bodies = description["bodies"]
        self.model = mujoco.MjModel.from_xml_path(str(file))
        self.data = mujoco.MjData(self.model)
        model = self.model
        assert (model.nbody, model.nv, model.nq) == (
            len(self.bodies), description["num_v"], description["num_q"])
        self.joints = []  # (our joint, index of theirs)
        order, free_joints = [], []
        for base, body in enumerate(self.bodies):
            assert model.body(base).name in ("", body["name"])
            first, count = model.body_jntadr[base], model.body_jntnum[base]
            assert count == len(body["joints"])
            for index, joint in enumerate(body["joints"], start=first):
                assert model.joint(index).name in ("", joint["name"])
                assert model.jnt_type[index] == KINDS[joint["type"]]
                self.joints.append((joint, index))
                v = int(model.jnt_dofadr[index])
                if joint["type"] == "free":
                    free_joints.append(
                        conventions.FreeJoint(joint, conventions.welded_com(self.bodies, base), v))
                else:
                    order += [(joint["v_begin"] + i, v + i) for i in range(joint["num_v"])]
        self.basis = conventions.Basis("mujoco", description["num_v"], order, free_joints)

    def positions(self, q):
        out = np.zeros(self.model.nq)
        for joint, index in self.joints:
            begin = self.model.jnt_qposadr[index]
            ours = q[joint["q_begin"]:joint["q_begin"] + joint["num_q"]]
            out[begin:begin + len(ours)] = [*ours[4:], *ours[:4]] if joint["type"] == "free" else ours
        return out

    def take_inertias(self):
        """Gives MuJoCo our inertias, diagonalised to round-off, where its own axes are not: they are good to 1e-6
        only, and inertias are compared by themselves."""
        for index, (_, _, theirs) in enumerate(self.inertias(), start=1):
            ours = np.array(self.bodies[index]["I_com"])
            if np.max(np.abs(ours - theirs)) <= 1e-13 * np.max(np.abs(theirs)):
                continue
            moments, axes = np.linalg.eigh(ours)
            axes[:, 2] *= np.sign(np.linalg.det(axes))
            quaternion = np.zeros(4)
            mujoco.mju_mat2Quat(quaternion, axes.flatten())
            self.model.body_inertia[index], self.model.body_iquat[index] = moments, quaternion
            self.model.body_sameframe[index] = 0  # the axes are those of the quaternion, not the body's

    def evaluate(self, state, brief):
        model, data, basis = self.model, self.data, self.basis
        q, v, a = (state[key] for key in ("q", "v", "a"))
        T, drift = basis.T(q), basis.Tdot_v(q, v)
        data.qpos[:], data.qvel[:] = self.positions(q), T @ v
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)

        def times_mass(x):
            out = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, out, x)
            return out

        bias = data.qfrc_bias.copy()
        out = {
            "poses": np.concatenate([data.xmat.reshape(-1, 3, 3), data.xpos[:, :, None]], axis=2),
            "bias": T.T @ (bias + times_mass(drift)),
            "inverse_dynamics": T.T @ (bias + times_mass(T @ a + drift)),
        }
        if not brief:
            M = np.zeros((model.nv, model.nv))
            mujoco.mj_fullM(model, data, M)
            out["mass_matrix"] = T.T @ M @ T
        return out

    def rotor(self, joint):
        """Armature and damping that actuators add to a joint."""
        model = self.model
        if model.nu == 0:
            return 0.0, 0.0
        drives = (model.actuator_trntype == mujoco.mjtTrn.mjTRN_JOINT) & (model.actuator_trnid[:, 0] == joint)
        gear2 = model.actuator_gear[drives, 0] ** 2
        damping = model.actuator_damping.reshape(model.nu, -1)[drives, 0]
        return gear2 @ model.actuator_armature[drives], gear2 @ damping

    def inertias(self):
        """Mass, centre and inertia about it in body axes, of every body but the world."""
        model = self.model
        for index in range(1, model.nbody):
            R = rotation(model.body_iquat[index])
            yield model.body_mass[index], model.body_ipos[index], R @ np.diag(model.body_inertia[index]) @ R.T

    def geoms(self):
        """Poses in their bodies, lists by body; meshes in the frame of their file."""
        model = self.model
        out = [[] for _ in range(model.nbody)]
        for index in range(model.ngeom):
            X = rotation(model.geom_quat[index]), model.geom_pos[index]
            if model.geom_type[index] == mujoco.mjtGeom.mjGEOM_MESH:
                mesh = model.geom_dataid[index]
                X = compose(X, inverse((rotation(model.mesh_quat[mesh]), model.mesh_pos[mesh])))
            out[model.geom_bodyid[index]].append((model.geom(index).name, X))
        return out
