"""Scene files at the command line, and the examples. Usage: scene_files_test.py PATH_OF_STICTION"""

import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

SLED = """<mujoco model="sled">
  <option gravity="0 0 0"/>
  <worldbody><body name="sled"><joint name="rails" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body></worldbody>
  <actuator><motor name="push" joint="rails"/></actuator>
</mujoco>
"""
SCENE = """
[simulation]
time = 0.5
step = 0.01
[[model]]
file = "sled.xml"
[[setpoint]]
actuator = "push"
value = 3.0
until = 0.195       # twenty steps
"""


def stiction(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120 * SLOWDOWN, cwd=cwd)


class SceneFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "sled.xml").write_text(SLED)
        self.file = self.folder / "sled.toml"
        self.file.write_text(SCENE)

    def answer(self, *arguments):
        result = stiction(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_run_takes_time_step_and_inputs_of_the_file(self):
        answer = self.answer("run", self.file)
        self.assertEqual((answer["h"], answer["steps"]), (0.01, 50))
        self.assertAlmostEqual(answer["joints"][0]["v"][0], 3.0 * 0.2 / 2.0, places=12)  # F t/m

    def test_an_old_key_is_read_and_a_warning_has_its_line_and_the_new_name(self):
        self.file.write_text("[contact]\npush_out = 0.3\n" + SCENE)
        result = stiction("run", self.file, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        json.loads(result.stdout)
        self.assertIn(f"warning: {self.file}:2:1: 'push_out' is now called 'penetration_recovery'", result.stderr)
        report = self.answer("check", self.file)["report"]
        self.assertIn(("push_out", 2), [(entry["attribute"], entry["line"]) for entry in report])
        self.file.write_text("[contact]\npush_out = 0.3\npenetration_recovery = 0.3\n" + SCENE)
        result = stiction("run", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("'push_out' is the old name of 'penetration_recovery'", result.stderr)

    def test_options_of_the_command_line_win(self):
        answer = self.answer("run", self.file, "--time", "0.1", "--step", "0.005", "--ctrl", "push=1")
        self.assertEqual((answer["h"], answer["steps"]), (0.005, 20))
        self.assertAlmostEqual(answer["joints"][0]["v"][0], 1.0 * 0.1 / 2.0, places=12)

    def test_compare_takes_a_scene_file(self):
        answer = self.answer("compare", self.file, "--formulations", "sap,coulomb_ncp+pgs", "--finer", "2")
        self.assertEqual([row["steps"] for row in answer["rows"]], [50, 50])

    def test_compare_measures_slip_of_bodies_that_touch_by_their_pressure_fields(self):
        # A block that starts at rest depth m g H/(E a^2) with 1 m/s stops after v^2/(2 mu g), whatever its points.
        modulus, depth, size, mass, mu = 1e6, 0.05, 0.2, 1.0, 0.5
        sag = mass * 9.81 * depth / (modulus * size**2)
        self.file.write_text(f"""
[simulation]
time = 0.4
step = 0.001
[material.soft]
friction = {mu}
pressure_modulus = {modulus}
pressure_depth = {depth}
[material.floor]
friction = {mu}
[[ground]]
name = "ground"
material = "floor"
[[object]]
name = "block"
shape = "box"
size = [{size}, {size}, 0.1]
mass = {mass}
position = [0.0, 0.0, {0.05 - sag}]
velocity = [1.0, 0.0, 0.0]
material = "soft"
""")
        answer = self.answer("compare", self.file, "--formulations", "icf_lagged,icf_coupled", "--finer", "2")
        way = 1.0 / (2 * mu * 9.81)
        for row in (*answer["rows"], answer["reference"]):
            self.assertEqual([pair["bodies"] for pair in row["pairs"]], ["world - block"])
            # A step is h/t = 0.5 % of the way; the block pitches by friction at its centre, which is above the floor.
            self.assertAlmostEqual(row["slip_m"], way, delta=way * 1e-2)
            self.assertGreater(row["deepest_m"], 0.9 * sag)
            self.assertLess(row["deepest_m"], 4.0 * sag)

    def test_check_counts_what_the_scene_says(self):
        answer = self.answer("check", self.file)
        self.assertEqual((answer["setpoints"], answer["disturbances"], answer["actuators"]), (1, 0, 1))
        self.assertIn("1 set-points", stiction("check", self.file).stdout)

    def test_mistakes_have_file_line_column_and_suggestion(self):
        self.file.write_text(SCENE.replace("actuator =", "actuatr ="))
        for command in ("run", "compare", "check"):
            result = stiction(command, self.file)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("sled.toml:8:1: 'actuatr' is not a key of [[setpoint]]; did you mean 'actuator'?", result.stderr)

    def test_a_file_that_is_not_there_is_bad_input(self):
        result = stiction("run", self.folder / "nothing.toml")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("nothing.toml", result.stderr)

    def test_options_of_urdf_files_belong_into_the_scene_file(self):
        result = stiction("run", self.file, "--floating-base")
        self.assertEqual(result.returncode, 1)
        self.assertIn("[[model]]", result.stderr)

    def test_convert_goes_from_every_format_to_every_format_with_the_same_bits(self):
        """MJCF, JSON and TOML in; TOML and JSON out: one motion. MJCF out is that of docs/export.md."""
        hashes = {self.answer("run", self.file)["hash"]}
        copy = self.folder / "copy.toml"
        self.assertEqual(stiction("convert", self.file, "-o", copy).returncode, 0)
        self.assertTrue((self.folder / "copy.model.json").exists())
        hashes.add(self.answer("run", copy)["hash"])
        self.assertEqual(len(hashes), 1)
        plain = {self.answer("run", self.folder / "sled.xml", "--time", "0.1")["hash"]}
        for out in ("plain.toml", "plain.json"):
            self.assertEqual(stiction("convert", self.folder / "sled.xml", "-o", self.folder / out).returncode, 0)
            plain.add(self.answer("run", self.folder / out, "--time", "0.1")["hash"])
        self.assertEqual(len(plain), 1)

    def test_convert_says_what_a_model_file_cannot_keep(self):
        result = stiction("convert", self.file, "-o", self.folder / "out.xml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ignored: 1 set-points", result.stdout)

    def test_convert_refuses_bad_names(self):
        for arguments in (("arm", "-o", "arm.txt"), ("arm",), ("arm", "a.xml", "-o", "b.xml"), ("arm", "/nowhere/a.toml"), ()):
            result = stiction("convert", *arguments, cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
            self.assertNotEqual(result.stderr, "")

    def test_a_scene_of_the_catalog_runs_the_same_from_its_file(self):
        """All of them, step by step, are compared in test/io/scene_file; this is the way through the files."""
        for scene in ("dominoes", "quadruped_trotting"):
            file = self.folder / (scene + ".toml")
            self.assertEqual(stiction("convert", scene, "-o", file).returncode, 0)
            self.assertEqual(*(self.answer("run", name, "--time", "0.6")["hash"] for name in (scene, file)))

    def test_sensors_are_written_as_the_file_chooses_them(self):
        self.file.write_text(SCENE + """
[[sensor]]
name = "x"
kind = "jointpos"
object = "rails"
[[sensor]]
name = "place"
kind = "framepos"
object = "sled"
[[sensor]]
name = "unseen"
kind = "clock"
[record]
sensors = ["x", "p*"]
every = 5
""")
        table = self.folder / "out.csv"
        answer = self.answer("run", self.file, "--sensors", table)
        with open(table) as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual(list(rows[0]), ["time", "x", "place[0]", "place[1]", "place[2]"])
        self.assertEqual(len(rows), 11)
        self.assertEqual([float(rows[-1]["x"])], answer["joints"][0]["q"])
        self.assertEqual(float(rows[-1]["place[0]"]), float(rows[-1]["x"]))

    def test_sensors_without_sensors_are_bad_input(self):
        result = stiction("run", self.file, "--sensors", self.folder / "out.csv")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no sensors", result.stderr)


class Examples(unittest.TestCase):
    """Every example runs, does what its comment says, and names itself in its commands."""

    FILES = sorted(EXAMPLES.glob("*.toml"))

    def run_json(self, name, *arguments):
        result = stiction("run", EXAMPLES / name, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        return answer, {body["name"]: body for body in answer["bodies"]}

    def test_there_are_twelve_and_each_runs(self):
        self.assertEqual(len(self.FILES), 12)
        for file in self.FILES:
            with self.subTest(file=file.name):
                answer, _ = self.run_json(file.name, "--time", "0.2")
                self.assertAlmostEqual(answer["simulated_s"], 0.2, places=12)
                self.assertEqual(answer["unconverged_steps"], 0)

    def test_each_passes_its_check_without_warnings(self):
        for file in self.FILES:
            with self.subTest(file=file.name):
                answer = json.loads(stiction("check", file, "--json").stdout)
                self.assertEqual(answer["warnings"], [])

    def test_each_begins_with_what_to_look_at_and_commands_that_name_it(self):
        for file in self.FILES:
            comment = [line for line in file.read_text().splitlines() if line.startswith("#")]
            self.assertTrue(comment[0].endswith("."), file.name)
            commands = [line for line in comment if line.startswith("#   stiction ")]
            self.assertTrue(commands, file.name)
            for command in commands:
                self.assertIn("examples/" + file.name, command)

    def test_the_peg_goes_through_two_rings_and_the_ball_lies_in_the_third(self):
        _, bodies = self.run_json("12_rings_on_a_peg.toml")
        hole, peg, ball = 0.06 - 0.015, 0.015, 0.025
        for name in ("first", "second"):
            x, y, z = bodies[name]["position"]
            self.assertLess(math.hypot(x, y), hole - peg + 0.002)
            self.assertLess(z, 0.06)  # lies on the floor or on the other one
        centre, at = bodies["third"]["position"], bodies["ball"]["position"]
        self.assertLess(math.dist(centre[:2], at[:2]), hole - ball + 0.002)
        self.assertAlmostEqual(at[2], ball, delta=1e-3)
        self.assertAlmostEqual(centre[2], 0.015, delta=2e-3)

    def test_on_the_slopes_one_cube_slides_and_two_stay(self):
        _, bodies = self.run_json("02_slopes.toml")
        angle = math.radians(20)
        travel = 0.5 * 9.81 * (math.sin(angle) - 0.3 * math.cos(angle))
        start = 0.05 * math.sin(angle)
        self.assertAlmostEqual(bodies["ice"]["position"][0] - start, travel * math.cos(angle), delta=0.02 * travel)
        for name in ("wood", "rubber"):
            self.assertAlmostEqual(bodies[name]["position"][0], start, delta=1e-3)

    def test_the_belt_takes_its_parcel_along(self):
        _, bodies = self.run_json("04_belt.toml")
        self.assertAlmostEqual(bodies["parcel"]["velocity"][0], 1.0, delta=1e-3)
        self.assertAlmostEqual(bodies["left_behind"]["velocity"][0], 0.0, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
