"""Our velocities in the basis of another engine, and the derivatives of that change of basis.

Everywhere but at free joints the bases differ by order only. With R the orientation of the free body and c the centre of
mass of everything welded to it (in its axes), our velocity (w, u) is the angular velocity and the velocity of c, both in
world axes. Theirs is x = T(q) v:

    Pinocchio   (R' u + c x R' w,  R' w)         linear at the origin, angular; body axes
    MuJoCo      (u + R c x w,  R' w)             linear at the origin in world axes; angular in body axes

Accelerations carry Tdot v in addition, forces go with T'.
"""

import numpy as np
import scipy.sparse


def matrices(rows):
    """Of numbers or of arrays of them, in rows: the matrix, or an array of matrices."""
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def skew(a):
    x, y, z = np.moveaxis(np.asarray(a), -1, 0)
    zero = np.zeros_like(x)
    return matrices([[zero, -z, y], [z, zero, -x], [-y, x, zero]])


def rotation_of(q):
    w, x, y, z = np.moveaxis(np.asarray(q), -1, 0)
    return matrices([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def welded_com(bodies, base):
    """Centre of mass of a body and all that is fixed to it, in the body's frame."""
    poses = {base: (np.eye(3), np.zeros(3))}
    mass, moment = 0.0, np.zeros(3)
    for index, body in enumerate(bodies):
        moves = any(joint["type"] != "fixed" for joint in body["joints"])
        if index != base:
            if index == 0 or moves or body["parent"] not in poses:
                continue
            R, p = poses[body["parent"]]
            poses[index] = (R @ np.array(body["X_PB"]["R"]), p + R @ np.array(body["X_PB"]["p"]))
        R, p = poses[index]
        mass += body["mass"]
        moment += body["mass"] * (p + R @ np.array(body["com"]))
    return moment / mass


class FreeJoint:
    """Where a free joint's numbers are: ours begin at q, v; theirs at x (six velocities: linear, angular)."""

    def __init__(self, joint, com, x):
        self.q, self.v, self.x, self.com = joint["q_begin"], joint["v_begin"], x, com


class Basis:
    """x = T v, for `engine` "pin" or "mujoco". `order[i]` is the place of our velocity i among theirs (free joints:
    filled in by blocks)."""

    def __init__(self, engine, num_v, order, free_joints):
        self.engine, self.num_v, self.free_joints = engine, num_v, free_joints
        self.num_ordered = len(order)
        ours, theirs = np.array(order, dtype=int).reshape(-1, 2).T
        six = np.arange(6)
        self.free_q = np.array([joint.q for joint in free_joints], dtype=int)[:, None] + np.arange(4)
        self.free_v = np.array([joint.v for joint in free_joints], dtype=int)[:, None] + six
        self.free_x = np.array([joint.x for joint in free_joints], dtype=int)[:, None] + six
        self.free_com = np.array([joint.com for joint in free_joints]).reshape(-1, 3)
        # Where the numbers of T are: ones, then the blocks of free joints.
        self.rows = np.concatenate([theirs, np.repeat(self.free_x, 6)])
        self.columns = np.concatenate([ours, np.tile(self.free_v, 6).ravel()])

    def parts(self, q, v):
        """Per free joint: its places, R, c, and our (w, u)."""
        for joint in self.free_joints:
            R = rotation_of(q[joint.q:joint.q + 4])
            yield joint, R, joint.com, v[joint.v:joint.v + 3], v[joint.v + 3:joint.v + 6]

    def sparse_T(self, q):
        R, c = rotation_of(q[self.free_q]), self.free_com
        R_transposed = np.swapaxes(R, -1, -2)
        blocks = np.zeros((len(R), 6, 6))
        if self.engine == "pin":
            blocks[:, :3, :3], blocks[:, :3, 3:] = skew(c) @ R_transposed, R_transposed
        else:
            blocks[:, :3, :3], blocks[:, :3, 3:] = skew((R @ c[:, :, None])[:, :, 0]), np.eye(3)
        blocks[:, 3:, :3] = R_transposed
        values = np.concatenate([np.ones(self.num_ordered), blocks.ravel()])
        return scipy.sparse.csr_array((values, (self.rows, self.columns)), shape=(self.num_v, self.num_v))

    def T(self, q):
        return self.sparse_T(q).toarray()

    def Tdot_v(self, q, v):
        """d/dt of T(q) along v, times v: what theirs accelerates by at zero acceleration of ours."""
        out = np.zeros(self.num_v)
        R, c, velocity = rotation_of(q[self.free_q]), self.free_com, v[self.free_v]
        w, u = velocity[:, :3], velocity[:, 3:]
        # d/dt (R' w) = 0 for a constant w in the world.
        if self.engine == "pin":
            out[self.free_x[:, :3]] = -np.einsum("nji,nj->ni", R, np.cross(w, u))
        else:
            out[self.free_x[:, :3]] = np.cross(np.cross(w, np.einsum("nij,nj->ni", R, c)), w)
        return out

    # Derivatives along our velocities e: R turns by e_w x R, so that d(R' y) = R' (y x e_w). Pinocchio only.

    def d_Tx_dq(self, q, x):
        """Of T(q) x, with x (in our basis) held."""
        out = np.zeros((self.num_v, self.num_v))
        for joint, R, c, w, u in self.parts(q, x):
            out[joint.x:joint.x + 3, joint.v:joint.v + 3] = R.T @ skew(u) + skew(c) @ R.T @ skew(w)
            out[joint.x + 3:joint.x + 6, joint.v:joint.v + 3] = R.T @ skew(w)
        return out

    def d_Ttf_dq(self, q, f):
        """Of T(q)' f, with f (in their basis) held."""
        out = np.zeros((self.num_v, self.num_v))
        for joint, R, c, _, _ in self.parts(q, np.zeros(self.num_v)):
            force, moment = f[joint.x:joint.x + 3], f[joint.x + 3:joint.x + 6]
            out[joint.v:joint.v + 3, joint.v:joint.v + 3] = -skew(R @ (moment - np.cross(c, force)))
            out[joint.v + 3:joint.v + 6, joint.v:joint.v + 3] = -skew(R @ force)
        return out

    def d_Tdot_v_dq(self, q, v):
        out = np.zeros((self.num_v, self.num_v))
        for joint, R, _, w, u in self.parts(q, v):
            out[joint.x:joint.x + 3, joint.v:joint.v + 3] = -R.T @ skew(np.cross(w, u))
        return out

    def d_Tdot_v_dv(self, q, v):
        out = np.zeros((self.num_v, self.num_v))
        for joint, R, _, w, u in self.parts(q, v):
            out[joint.x:joint.x + 3, joint.v:joint.v + 3] = R.T @ skew(u)
            out[joint.x:joint.x + 3, joint.v + 3:joint.v + 6] = -R.T @ skew(w)
        return out
