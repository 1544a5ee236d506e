"""tools/measure_laws.py: what a step costs under two laws."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
