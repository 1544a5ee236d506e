"""tools/measure_laws.py: what a step costs under two laws."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "measure_laws.py"


def run(*arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True,
                          env=environment, check=False)


def test_a_scene_is_run_under_both_laws_and_its_ratio_is_printed(tmp_path):
    out = tmp_path / "out.json"
    result = run("slope", "--laws", "icf_lagged,sap", "--time", "0.2", "--skip", "0.1", "--rounds", "1", "--json", out)
    assert result.returncode == 0, result.stdout + result.stderr
    (row,) = json.loads(out.read_text())
    assert row["ratio"] == pytest.approx(row["sap"]["mean_us"] / row["icf_lagged"]["mean_us"])
    assert row["sap"]["islands"] == 100  # one box: an island in each of the steps that are measured, 0.2 s of 2 ms
    assert "1 rows, geometric mean of the ratios" in result.stdout


def test_two_laws_are_compared_no_more_and_no_less():
    result = run("slope", "--laws", "sap")
    assert result.returncode == 2 and "two laws" in result.stderr


def test_the_scene_of_the_race_without_a_file_is_that_of_the_race():
    spec = importlib.util.spec_from_file_location("measure_laws", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        panda = stiction.load(stiction.shared_file("models/" + module.PANDA))
    except stiction.UserError:
        pytest.skip("the shared models are not there")
    model = module.two_pandas_over_clutter(panda)
    clutter = stiction.make_scene("clutter")
    assert model.num_q == clutter.num_q + 2 * panda.num_q and model.num_controls == 2 * panda.num_controls
    # The hands face each other: what is before one arm is before the other, seen from the box.
    world = module.Run(model, "icf_lagged", 2e-3, 1).world
    left, right = (np.array(world.body(f"{side}/hand").pose.p) for side in ("left", "right"))
    np.testing.assert_allclose(right, left * [-1, -1, 1], atol=1e-12)
    alone = stiction.World(panda)
    alone.reset("home")
    np.testing.assert_allclose(left, np.array(alone.body("hand").pose.p) - [0.9, 0, 0], atol=1e-12)
    np.testing.assert_array_equal(world.controls, 2 * list(panda.keyframes[0].controls))
