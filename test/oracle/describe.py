"""Turns our description of a model into a MuJoCo model (as MJCF text) and into a Pinocchio model.

Both keep the order of the elementary motions of a body: a universal joint becomes two hinges, a planar joint two slides
and a hinge, and a body with several joints gets them one after the other.
"""

import numpy as np

KINDS_OF_MUJOCO = {"fixed", "revolute", "continuous", "prismatic", "universal", "ball", "planar", "free"}


def axis_motions(joint):
    """The elementary motions of a joint: (kind, axis, index of its q and v in the joint)."""
    axis, axis2 = np.array(joint["axis"]), np.array(joint["axis2"])
    kind = joint["type"]
    if kind == "fixed":
        return []
    if kind in ("revolute", "continuous"):
        return [("hinge", axis, 0)]
    if kind == "prismatic":
        return [("slide", axis, 0)]
    if kind == "screw":
        return [("screw", axis, 0)]
    if kind == "universal":
        return [("hinge", axis, 0), ("hinge", axis2, 1)]
    if kind == "planar":
        return [("slide", axis2, 0), ("slide", np.cross(axis, axis2), 1), ("hinge", axis, 2)]
    return [(kind, axis, 0)]  # ball, free


def can_mujoco_express(description):
    joints = [joint for body in description["bodies"] for joint in body["joints"]]
    return all(joint["type"] in KINDS_OF_MUJOCO for joint in joints)


def quaternion_of(R):
    """(w, x, y, z) of a rotation matrix: the eigenvector of the largest eigenvalue of Bar-Itzhack's matrix."""
    R = np.asarray(R)
    K = np.array([
        [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[2, 0] + R[0, 2]],
        [R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], R[1, 1] - R[0, 0] - R[2, 2], R[2, 1] + R[1, 2]],
        [R[1, 0] - R[0, 1], R[2, 0] + R[0, 2], R[2, 1] + R[1, 2], R[2, 2] - R[0, 0] - R[1, 1]],
    ])
    return np.linalg.eigh(K)[1][:, -1]


def numbers(values):
    return " ".join(repr(float(value)) for value in np.atleast_1d(values))


def mjcf_of(description):
    """MJCF text without geometry. Springs, dampers, limits and friction are left out: they are not compared."""
    bodies = description["bodies"]
    children = {index: [] for index in range(len(bodies))}
    for index, body in enumerate(bodies[1:], start=1):
        children[body["parent"]].append(index)

    def inertial(body):
        if body["mass"] == 0.0:
            return ""
        # MuJoCo would diagonalise a full inertia to 1e-12 only.
        moments, axes = np.linalg.eigh(np.array(body["I_com"]))
        axes[:, 2] *= np.sign(np.linalg.det(axes))
        return (f'<inertial mass="{numbers(body["mass"])}" pos="{numbers(body["com"])}" '
                f'quat="{numbers(quaternion_of(axes))}" diaginertia="{numbers(moments)}"/>')

    def joint_elements(joint):
        for kind, axis, k in axis_motions(joint):
            name = f'name="{joint["name"]}:{k}"'
            if kind == "free":
                yield f"<freejoint {name}/>"
                continue
            places = f'pos="{numbers(joint["anchor"])}" axis="{numbers(axis)}" ref="{numbers(joint["reference"])}"'
            if kind == "ball":
                places = f'pos="{numbers(joint["anchor"])}"'
            yield f'<joint {name} type="{kind}" {places} armature="{numbers(joint["armature"][k])}"/>'

    def element(index):
        body = bodies[index]
        X = body["X_PB"]
        head = f'<body name="{body["name"]}" pos="{numbers(X["p"])}" quat="{numbers(quaternion_of(X["R"]))}">'
        parts = [head, inertial(body)]
        for joint in body["joints"]:
            parts.extend(joint_elements(joint))
        parts.extend(element(child) for child in children[index])
        parts.append("</body>")
        return "\n".join(part for part in parts if part)

    return f"""<mujoco model="{description["name"]}">
<compiler angle="radian" autolimits="false" balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="false"/>
<option gravity="{numbers(description["gravity"])}">
<flag contact="disable" constraint="disable" spring="disable" damper="disable" eulerdamp="disable"/>
</option>
<worldbody>
{chr(10).join(element(child) for child in children[0])}
</worldbody>
</mujoco>
"""


def depth_first(bodies):
    """Body indices such that what hangs on a body follows it without a gap, as Pinocchio's passes need it."""
    children = {index: [] for index in range(len(bodies))}
    for index, body in enumerate(bodies[1:], start=1):
        children[body["parent"]].append(index)
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(children[order[-1]]))
    return order


def pin_model_of(description):
    """(model, frames, motions): a Pinocchio model; for every body its frame; and for every Pinocchio joint, from 1 on,
    (our joint, kind, k): it moves by our joint's numbers from the k-th on."""
    import pinocchio as pin

    model = pin.Model()
    model.name = description["name"]
    model.gravity = pin.Motion(np.array(description["gravity"]), np.zeros(3))
    joint_models = {
        "hinge": lambda axis, pitch: pin.JointModelRevoluteUnaligned(axis),
        "slide": lambda axis, pitch: pin.JointModelPrismaticUnaligned(axis),
        "screw": lambda axis, pitch: pin.JointModelHelicalUnaligned(axis, pitch),
        "ball": lambda axis, pitch: pin.JointModelSpherical(),
        "free": lambda axis, pitch: pin.JointModelFreeFlyer(),
    }
    bodies = description["bodies"]
    frames, motions, armatures = [0] * len(bodies), [], []
    places = {}  # body -> (Pinocchio joint, pose of the body in that joint's frame)
    for index in depth_first(bodies):
        body = bodies[index]
        joint_id, X_JB = 0, pin.SE3.Identity()
        if index > 0:
            joint_id, X_JP = places[body["parent"]]
            X_JB = X_JP * pin.SE3(np.array(body["X_PB"]["R"]), np.array(body["X_PB"]["p"]))
        for joint in body["joints"]:
            for kind, axis, k in axis_motions(joint):
                anchor = pin.SE3(np.eye(3), np.array(joint["anchor"]))
                placement = X_JB * anchor
                if kind == "free":
                    placement = anchor = pin.SE3.Identity()  # its q is the pose in the world
                joint_model = joint_models[kind](axis, joint["pitch"])
                joint_id = model.addJoint(joint_id, joint_model, placement, f'{joint["name"]}:{k}')
                X_JB = anchor.inverse()
                motions.append((joint, kind, k))
                armatures.extend(joint["armature"][k:k + model.joints[joint_id].nv])
        places[index] = (joint_id, X_JB)
        if joint_id > 0 and body["mass"] > 0.0:
            inertia = pin.Inertia(body["mass"], np.array(body["com"]), np.array(body["I_com"]))
            model.appendBodyToJoint(joint_id, inertia, X_JB)
        frames[index] = model.addFrame(pin.Frame(body["name"], joint_id, X_JB, pin.FrameType.OP_FRAME), False)
    # addJoint appends to q and v, so that joints are in the order of their velocities.
    model.armature = np.array(armatures)
    return model, frames, motions
