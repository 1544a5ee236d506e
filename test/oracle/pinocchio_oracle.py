"""What Pinocchio says about a described model, in our conventions."""

import numpy as np
import pinocchio as pin

import conventions
import describe


class PinocchioOracle:
    name = f"pinocchio {pin.__version__}"

    def __init__(self, description):
        self.description = description
        self.bodies = description["bodies"]
        self.model, self.frames, self.motions = describe.pin_model_of(description)
        self.data = self.model.createData()
        order, free_joints = [], []
        for joint_id, (joint, kind, k) in enumerate(self.motions, start=1):
            theirs = self.model.joints[joint_id].idx_v
            if kind == "free":
                base = next(i for i, body in enumerate(self.bodies) if joint in body["joints"])
                com = conventions.welded_com(self.bodies, base)
                free_joints.append(conventions.FreeJoint(joint, com, theirs))
            else:
                order += [(joint["v_begin"] + k + i, theirs + i) for i in range(self.model.joints[joint_id].nv)]
        self.basis = conventions.Basis("pin", description["num_v"], order, free_joints)

    def positions(self, q):
        out = pin.neutral(self.model)
        for joint_id, (joint, kind, k) in enumerate(self.motions, start=1):
            ours = q[joint["q_begin"]:joint["q_begin"] + joint["num_q"]]
            begin = self.model.joints[joint_id].idx_q
            if kind == "free":
                out[begin:begin + 7] = [*ours[4:], *ours[1:4], ours[0]]
            elif kind == "ball":
                out[begin:begin + 4] = [*ours[1:], ours[0]]
            else:
                out[begin] = ours[k] - joint["reference"]
        return out

    def evaluate(self, state, derivatives):
        model, data, basis = self.model, self.data, self.basis
        q, v, a, tau = (state[key] for key in ("q", "v", "a", "tau"))
        T, drift = basis.T(q), basis.Tdot_v(q, v)
        inverse_T = np.linalg.inv(T)
        x, v_x, a_x = self.positions(q), T @ v, T @ a + drift
        out = {}

        M_x = symmetric(pin.crba(model, data, x))
        out["mass_matrix"] = T.T @ M_x @ T
        out["bias"] = T.T @ (pin.nonLinearEffects(model, data, x, v_x) + M_x @ drift)
        out["inverse_dynamics"] = T.T @ pin.rnea(model, data, x, v_x, a_x)
        vdot_x = pin.aba(model, data, x, v_x, inverse_T.T @ tau)
        out["forward_dynamics"] = inverse_T @ (vdot_x - drift)

        out.update(self.sums(x, v_x))
        out.update(self.of_bodies(x, v_x, drift, T))
        out["reactions"] = self.reactions(x, v_x, a_x)
        if derivatives:
            out.update(self.derivatives(state, x, T, out["forward_dynamics"]))
        return out

    def of_bodies(self, x, v_x, drift, T):
        model, data = self.model, self.data
        pin.computeJointJacobians(model, data, x)
        pin.forwardKinematics(model, data, x, v_x, drift)
        pin.updateFramePlacements(model, data)
        world_axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        poses, jacobians, accelerations = [], [], []
        for frame in self.frames:
            poses.append(np.column_stack([data.oMf[frame].rotation, data.oMf[frame].translation]))
            J = np.reshape(pin.getFrameJacobian(model, data, frame, world_axes), (6, -1)) @ T
            jacobians.append(np.vstack([J[3:], J[:3]]))
            acceleration = pin.getFrameClassicalAcceleration(model, data, frame, world_axes)
            accelerations.append(np.concatenate([acceleration.angular, acceleration.linear]))
        return {"poses": np.array(poses), "jacobians": np.array(jacobians),
                "bias_accelerations": np.array(accelerations)}

    def sums(self, x, v_x):
        model, data = self.model, self.data
        com = pin.centerOfMass(model, data, x, v_x).copy()
        centroidal = pin.computeCentroidalMomentum(model, data, x, v_x)
        linear, angular = centroidal.linear.copy(), centroidal.angular.copy()
        return {
            "mass": np.array(pin.computeTotalMass(model)),
            "com": com,
            "momentum": linear,
            "angular_momentum": angular + np.cross(com, linear),
            "kinetic_energy": np.array(0.5 * v_x @ symmetric(pin.crba(model, data, x)) @ v_x),
            "gravity_energy": np.array(pin.computePotentialEnergy(model, data, x)),
        }

    def reactions(self, x, v_x, a_x):
        """What every body gets from its parent: Newton and Euler for each body, summed from the leaves; about the
        body's origin. Entry 0 is what the world gives, about the world's origin."""
        model, data = self.model, self.data
        pin.forwardKinematics(model, data, x, v_x, a_x)
        pin.updateFramePlacements(model, data)
        world_axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        gravity = np.array(self.description["gravity"])
        sums = np.zeros((len(self.bodies), 6))
        for index in reversed(range(len(self.bodies))):
            body, frame = self.bodies[index], self.frames[index]
            origin = data.oMf[frame].translation
            R = data.oMf[frame].rotation
            w = pin.getFrameVelocity(model, data, frame, world_axes).angular
            acceleration = pin.getFrameClassicalAcceleration(model, data, frame, world_axes)
            alpha, r = acceleration.angular, R @ np.array(body["com"])
            I = R @ np.array(body["I_com"]) @ R.T
            a_com = acceleration.linear + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            force = body["mass"] * (a_com - gravity)
            sums[index, :3] += I @ alpha + np.cross(w, I @ w) + np.cross(r, force)
            sums[index, 3:] += force
            if index > 0:
                parent = body["parent"]
                arm = origin - data.oMf[self.frames[parent]].translation
                sums[parent, :3] += sums[index, :3] + np.cross(arm, sums[index, 3:])
                sums[parent, 3:] += sums[index, 3:]
        return sums

    def derivatives(self, state, x, T, vdot):
        """Of inverse dynamics  tau = T' tau_x(x, T v, T a + Tdot v)  and of forward dynamics
        vdot = T^-1 (vdot_x(x, T v, T^-T tau) - Tdot v), along our velocities."""
        model, data, basis = self.model, self.data, self.basis
        q, v, a, tau = (state[key] for key in ("q", "v", "a", "tau"))
        drift = basis.Tdot_v(q, v)
        inverse_T = np.linalg.inv(T)
        d_drift_dq, d_drift_dv = basis.d_Tdot_v_dq(q, v), basis.d_Tdot_v_dv(q, v)
        d_Tv = basis.d_Tx_dq(q, v)

        pin.computeRNEADerivatives(model, data, x, T @ v, T @ a + drift)
        tau_x, dq, dv = data.tau.copy(), square(data.dtau_dq), square(data.dtau_dv)
        M_x = symmetric(data.M)
        out = {
            "inverse_dynamics_dq": T.T @ (dq @ T + dv @ d_Tv + M_x @ (basis.d_Tx_dq(q, a) + d_drift_dq))
            + basis.d_Ttf_dq(q, tau_x),
            "inverse_dynamics_dv": T.T @ (dv @ T + M_x @ d_drift_dv),
        }

        tau_x = inverse_T.T @ tau
        pin.computeABADerivatives(model, data, x, T @ v, tau_x)
        dq, dv, dtau = square(data.ddq_dq), square(data.ddq_dv), symmetric(data.Minv)
        d_tau_x = -inverse_T.T @ basis.d_Ttf_dq(q, tau_x)
        out["forward_dynamics_dq"] = inverse_T @ (
            dq @ T + dv @ d_Tv + dtau @ d_tau_x - d_drift_dq - basis.d_Tx_dq(q, vdot))
        out["forward_dynamics_dv"] = inverse_T @ (dv @ T - d_drift_dv)
        out["forward_dynamics_dtau"] = inverse_T @ dtau @ inverse_T.T
        return out


def square(matrix):
    """A copy of a square matrix; Pinocchio hands out 1 x 1 matrices as vectors."""
    size = round(np.sqrt(matrix.size))
    return np.array(matrix).reshape(size, size)


def symmetric(upper):
    upper = square(upper)
    return np.triu(upper) + np.triu(upper, 1).T
