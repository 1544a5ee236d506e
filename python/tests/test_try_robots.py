"""tools/try_robots.py: a folder of robots beside MuJoCo."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "try_robots.py"

# A box of 0.2 m that stands on the floor, with an arm on a hinge.
STANDS = """<mujoco><worldbody><geom type="plane" size="2 2 1"/>
<body name="trunk" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="5"/>
<body name="arm" pos="0 0 0.1"><joint name="swing" axis="0 1 0" damping="1"/><geom type="capsule" fromto="0 0 0 0 0 0.1" size="0.01"
mass="0.1" contype="0" conaffinity="0"/></body></body></worldbody>
<actuator><position joint="swing" kp="10"/></actuator>{}</mujoco>"""
LOW = """<keyframe><key name="low" qpos="0 0 0.1 1 0 0 0 0.1" ctrl="0.1"/></keyframe>"""


def run(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True,
                          env=environment, check=False)


def test_a_folder_is_run_and_a_robot_that_stands_in_both_passes(tmp_path):
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "scene.xml").write_text(STANDS.format(LOW))
    (tmp_path / "robots" / "part.xml").write_text("<mujoco/>")  # of the scene
    (tmp_path / "notes.xml").write_text("<notes/>")  # no robot
    out = tmp_path / "out.json"
    result = run(tmp_path, "--time", "0.3", "--json", out)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 robots, 0 fail" in result.stdout
    (row,) = json.loads(out.read_text())
    assert row["stands"] and row["height"] == pytest.approx([0.1, 0.1], abs=1e-3)
    assert row["speed"][2] == "swing"


def test_what_does_not_load_or_stand_is_a_failure_with_its_reason(tmp_path):
    file = tmp_path / "robot.xml"
    # A negative solref is N/m here, and scaled by the mass in MuJoCo: of 500 N/m ours rests 25 mm deeper.
    file.write_text(STANDS.format("").replace('mass="5"', 'mass="5" solref="-500 -100"'))
    result = run(file, "--time", "1")
    assert result.returncode == 1 and "height" in result.stdout, result.stdout + result.stderr
    file.write_text("<mujoco><worldbody><body><joint/></worldbody></mujoco>")
    result = run(file)
    assert result.returncode == 1 and "1 robots, 1 fail" in result.stdout
    assert run(tmp_path / "nowhere").returncode == 2
