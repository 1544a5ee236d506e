"""What MuJoCo says about a scene that `stiction convert` wrote as MJCF, in our conventions."""

import subprocess

import mujoco

import probe
from mujoco_oracle import MujocoOracle

SUFFIXES = {"universal": ["_1", "_2"], "planar": ["_x", "_y", "_angle"]}  # of joints that become several


def convert(model, file):
    program = probe.build_folder() / "bin" / "stiction"
    done = subprocess.run([program, "convert", str(model), str(file)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def exported_name(joint, k):
    return joint["name"] + SUFFIXES.get(joint["type"], [""])[k]


def exported(description, file):
    """The oracle for a description and the MJCF file that was written of the same model."""
    model = mujoco.MjModel.from_xml_path(str(file))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONSTRAINT | off.mjDSBL_SPRING | off.mjDSBL_DAMPER | off.mjDSBL_EULERDAMP
    return MujocoOracle(description, model, exported_name)
