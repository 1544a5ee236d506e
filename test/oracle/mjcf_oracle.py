"""An MJCF file as MuJoCo compiles it, in our conventions, next to what our loader made of it."""

import mujoco
import numpy as np
import scipy.sparse

import conventions
import exact_inertia
import probe

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


def rows_of(values, counts, columns, size):
    """A sparse matrix of MuJoCo, whose rows follow each other without gaps."""
    starts = np.concatenate([[0], np.cumsum(counts)])
    return scipy.sparse.csr_array((values[:starts[-1]], columns[:starts[-1]], starts), shape=size)


class MjcfOracle:
    name = f"mujoco {mujoco.__version__}"

    def __init__(self, file, description, session=None):
        self.file, self.description, self.session = file, description, session
        self.bodies = description["bodies"]
        spec = mujoco.MjSpec.from_file(str(file))
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        model = self.model
        assert (model.nbody, model.nv, model.nq) == (
            len(self.bodies), description["num_v"], description["num_q"])
        # MuJoCo takes frames for the same that differ by up to 1e-6; here it is to place all of them by their own numbers.
        model.geom_sameframe[:], model.site_sameframe[:] = 0, 0
        self.exact_inertias = exact_inertia.ExactInertias(file, spec, model).bodies()
        self.match_joints()
        self.match_geoms()
        self.armature = model.dof_armature.copy()
        if model.nu > 0 and model.actuator_armature.any():
            for joint, index in self.joints:
                places = model.jnt_dofadr[index] + np.arange(joint["num_v"])
                self.armature[places] += self.rotor(index)[0]
        blocks = [np.arange(begin, end) for begin, end in description["trees"]]
        self.block_rows = np.concatenate([np.repeat(v, len(v)) for v in blocks] or [[]]).astype(int)
        self.block_columns = np.concatenate([np.tile(v, len(v)) for v in blocks] or [[]]).astype(int)

    def match_joints(self):
        model = self.model
        self.joints = []  # (our joint, index of theirs)
        self.q_places = np.zeros(model.nq, dtype=int)  # of theirs in ours
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
                places = joint["q_begin"] + np.arange(joint["num_q"])
                if joint["type"] == "free":
                    com = conventions.welded_com(self.bodies, base)
                    free_joints.append(conventions.FreeJoint(joint, com, v))
                    places = np.roll(places, 3)
                else:
                    order += [(joint["v_begin"] + i, v + i) for i in range(joint["num_v"])]
                self.q_places[model.jnt_qposadr[index] + np.arange(joint["num_q"])] = places
        self.basis = conventions.Basis("mujoco", self.description["num_v"], order, free_joints)

    def match_geoms(self):
        """Their geom of each of our shapes: both are in the order of the file within a body."""
        model = self.model
        theirs = [[] for _ in range(model.nbody)]
        for index in range(model.ngeom):
            theirs[model.geom_bodyid[index]].append(index)
        self.geom_of_shape = []
        for shape in self.description["shapes"]:
            index = theirs[shape["body"]].pop(0)
            assert model.geom(index).name in ("", shape["name"])
            self.geom_of_shape.append(index)
        assert not any(theirs), "geoms that we do not have"
        # From MuJoCo's frame of a mesh to that of its file.
        self.geom_to_file = np.tile(np.eye(4)[:3], (model.ngeom, 1, 1))
        for index in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
            mesh = model.geom_dataid[index]
            R, p = inverse((rotation(model.mesh_quat[mesh]), model.mesh_pos[mesh]))
            self.geom_to_file[index] = np.column_stack([R, p])

    def positions(self, q):
        return np.asarray(q)[self.q_places]

    def inertias(self):
        """Mass, centre and inertia about it in body axes, of every body but the world."""
        model = self.model
        for index in range(1, model.nbody):
            yield model.body_mass[index], model.body_ipos[index], exact_inertia.kept_inertia(model, index)

    def with_exact_inertias(self):
        """MuJoCo's model with exact inertias; None where its own are exact. Those that are not worked out exactly are ours:
        inertias are compared by themselves."""
        inertias = [exact[2] if exact else body["I_com"] for exact, body in zip(self.exact_inertias, self.bodies)]
        return exact_inertia.corrected(self.model, inertias)

    def our_answers(self, states):
        model = {"file": str(self.file)}
        if self.session:
            yield from self.session.answers(model, states)
            return
        with probe.Session() as session:
            yield from session.answers(model, states)

    def as_arrays(self, answer):
        """Our binary answer with the shapes of `evaluate`."""
        size = (self.model.nv, self.model.nv)
        out = {key: answer[key].reshape(-1, 3, 4) for key in ("poses", "shape_poses")}
        blocks = answer["mass_matrix"], (self.block_rows, self.block_columns)
        out["mass_matrix"] = scipy.sparse.csr_array(blocks, shape=size)
        out["bias"], out["inverse_dynamics"] = answer["bias"], answer["inverse_dynamics"]
        for kind in ("tendon", "actuator"):
            lengths = out[f"{kind}_lengths"] = answer[f"{kind}_lengths"]
            places = answer[f"{kind}_rows"].astype(int), answer[f"{kind}_columns"].astype(int)
            moments = answer[f"{kind}_moments"], places
            out[f"{kind}_moments"] = scipy.sparse.csr_array(moments, shape=(len(lengths), size[1]))
        return out

    def evaluate(self, model, state, forces_only=False):
        """What `model`, with our inertias or its own, has in a state. No collisions: nothing here depends on them."""
        data, basis = self.data, self.basis
        q, v, a = (state[key] for key in ("q", "v", "a"))
        T, drift = basis.sparse_T(q), basis.Tdot_v(q, v)
        data.qpos[:], data.qvel[:] = self.positions(q), T @ v
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_tendon(model, data)
        mujoco.mj_transmission(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_crb(model, data)
        without_tendons = data.M.copy()
        mujoco.mj_makeM(model, data)  # with the armature of tendons
        lower = rows_of(data.M, model.M_rownnz, model.M_colind, (model.nv, model.nv))
        M = lower + scipy.sparse.tril(lower, -1).T
        of_tendons = rows_of(data.M - without_tendons, model.M_rownnz, model.M_colind, (model.nv, model.nv))
        of_tendons = of_tendons + scipy.sparse.tril(of_tendons, -1).T

        bias, tau = np.zeros(model.nv), np.zeros(model.nv)
        mujoco.mj_rne(model, data, 0, bias)
        data.qacc[:] = T @ a + drift
        mujoco.mj_rne(model, data, 1, tau)
        tau += self.armature * data.qacc + of_tendons @ data.qacc
        out = {"mass_matrix": T.T @ M @ T, "bias": T.T @ (bias + M @ drift), "inverse_dynamics": T.T @ tau}
        if forces_only:
            return out
        out["poses"] = np.concatenate([data.xmat.reshape(-1, 3, 3), data.xpos[:, :, None]], axis=2)
        R, X = data.geom_xmat.reshape(-1, 3, 3), self.geom_to_file
        geoms = R @ X
        geoms[:, :, 3] += data.geom_xpos
        out["shape_poses"] = geoms[self.geom_of_shape]
        out["tendon_lengths"] = data.ten_length.copy()
        out["tendon_moments"] = rows_of(np.ravel(data.ten_J), model.ten_J_rownnz, np.ravel(model.ten_J_colind),
                                        (model.ntendon, model.nv)) @ T
        if model.nactuator == len(data.actuator_length):  # one length per actuator
            out["actuator_lengths"] = data.actuator_length.copy()
            out["actuator_moments"] = rows_of(np.ravel(data.actuator_moment), data.moment_rownnz,
                                              np.ravel(data.moment_colind), (model.nactuator, model.nv)) @ T
        return out

    def tendons_inside(self):
        """Whether a tendon touches a wrap from inside: its side site lies within the sphere or cylinder."""
        model, data, wrap = self.model, mujoco.MjData(self.model), mujoco.mjtWrap
        mujoco.mj_kinematics(model, data)
        out = np.zeros(model.ntendon, dtype=bool)
        for tendon in range(model.ntendon):
            for k in model.tendon_adr[tendon] + np.arange(model.tendon_num[tendon]):
                site = int(model.wrap_prm[k])
                if int(model.wrap_type[k]) in (wrap.mjWRAP_SPHERE, wrap.mjWRAP_CYLINDER) and site >= 0:
                    geom = model.wrap_objid[k]
                    arm = data.geom_xmat[geom].reshape(3, 3).T @ (data.site_xpos[site] - data.geom_xpos[geom])
                    across = arm if int(model.wrap_type[k]) == wrap.mjWRAP_SPHERE else arm[:2]
                    out[tendon] |= np.linalg.norm(across) < model.geom_size[geom][0]
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

    def geoms(self):
        """Poses in their bodies, lists by body; meshes in the frame of their file."""
        model = self.model
        out = [[] for _ in range(model.nbody)]
        for index in range(model.ngeom):
            X = rotation(model.geom_quat[index]), model.geom_pos[index]
            to_file = self.geom_to_file[index]
            out[model.geom_bodyid[index]].append((model.geom(index).name, compose(X, (to_file[:, :3], to_file[:, 3]))))
        return out
