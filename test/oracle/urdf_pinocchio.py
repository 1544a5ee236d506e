"""What Pinocchio makes of a URDF file by its own reader, in our conventions."""

import numpy as np
import pinocchio as pin

import conventions
from pinocchio_oracle import PinocchioOracle


class UrdfPinocchio(PinocchioOracle):
    """Joints are matched by name, so that the order in which either side reads them does not matter."""

    def __init__(self, path, description):
        self.description = description
        self.bodies = description["bodies"]
        ours = {joint["name"]: (joint, index) for index, body in enumerate(self.bodies) for joint in body["joints"]}
        free = next(((joint, index) for joint, index in ours.values() if joint["type"] == "free"), None)
        root = [pin.JointModelFreeFlyer()] if free else []
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.model.gravity.linear = np.array(description["gravity"])
        self.data = self.model.createData()
        self.frames = [0] + [self.model.getFrameId(body["name"], pin.FrameType.BODY) for body in self.bodies[1:]]

        order, free_joints = [], []
        self.matches = []  # (their joint, ours, index of our body)
        for joint_id in range(1, self.model.njoints):
            name = self.model.names[joint_id]
            joint, body = free if name == "root_joint" else ours[name]
            self.matches.append((joint_id, joint, body))
            theirs = self.model.joints[joint_id].idx_v
            if joint["type"] == "free":
                free_joints.append(conventions.FreeJoint(joint, conventions.welded_com(self.bodies, body), theirs))
            else:
                order.append((joint["v_begin"], theirs))
        self.basis = conventions.Basis("pin", description["num_v"], order, free_joints)

    def positions(self, q):
        out = pin.neutral(self.model)
        for joint_id, joint, _ in self.matches:
            ours = q[joint["q_begin"]:joint["q_begin"] + joint["num_q"]]
            begin, size = self.model.joints[joint_id].idx_q, self.model.joints[joint_id].nq
            if joint["type"] == "free":
                out[begin:begin + 7] = [*ours[4:], *ours[1:4], ours[0]]
            elif size == 2:  # a continuous joint is a point on the circle
                out[begin:begin + 2] = np.cos(ours[0]), np.sin(ours[0])
            else:
                out[begin] = ours[0]
        return out

    def inertia_errors(self):
        """Of mass, first moment and inertia about the joint, for all that moves with each joint."""
        largest = 0.0
        for joint_id, _, body in self.matches:
            ours = self.welded_inertia(body)
            theirs = self.model.inertias[joint_id].matrix()
            largest = max(largest, np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
        return largest

    def welded_inertia(self, base):
        placements = {base: pin.SE3.Identity()}
        total = np.zeros((6, 6))
        for index, body in enumerate(self.bodies):
            if index != base:
                if index == 0 or body["joints"] or body["parent"] not in placements:
                    continue
                step = pin.SE3(np.array(body["X_PB"]["R"]), np.array(body["X_PB"]["p"]))
                placements[index] = placements[body["parent"]] * step
            inertia = pin.Inertia(body["mass"], np.array(body["com"]), np.array(body["I_com"]))
            total += placements[index].act(inertia).matrix()
        return total
