"""What MuJoCo says about a scene that `stiction convert` wrote as MJCF, in our conventions."""

import subprocess

import mujoco

import conventions
import describe
import probe
from mujoco_oracle import MujocoOracle

SUFFIXES = {"universal": ["_1", "_2"], "planar": ["_x", "_y", "_angle"]}  # of joints that become several


def convert(model, file):
    program = probe.build_folder() / "bin" / "stiction"
    done = subprocess.run([program, "convert", str(model), str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


class ExportOracle(MujocoOracle):
    """The same questions as to the oracle's own MJCF; only the model and the names of its joints differ."""

    def __init__(self, description, file):
        self.description = description
        self.bodies = description["bodies"]
        self.model = mujoco.MjModel.from_xml_path(str(file))
        off = mujoco.mjtDisableBit
        self.model.opt.disableflags |= off.mjDSBL_CONSTRAINT | off.mjDSBL_SPRING | off.mjDSBL_DAMPER | off.mjDSBL_EULERDAMP
        self.data = mujoco.MjData(self.model)
        self.places = []
        order, free_joints = [], []
        for base, body in enumerate(self.bodies):
            for joint in body["joints"]:
                suffixes = SUFFIXES.get(joint["type"], [""])
                for kind, _, k in describe.axis_motions(joint):
                    theirs = self.model.joint(joint["name"] + suffixes[k])
                    q, v = int(theirs.qposadr[0]), int(theirs.dofadr[0])
                    self.places.append((joint, kind, k, q))
                    if kind == "free":
                        com = conventions.welded_com(self.bodies, base)
                        free_joints.append(conventions.FreeJoint(joint, com, v))
                    else:
                        count = 3 if kind == "ball" else 1
                        order += [(joint["v_begin"] + k + i, v + i) for i in range(count)]
        self.basis = conventions.Basis("mujoco", description["num_v"], order, free_joints)
