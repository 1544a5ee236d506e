"""What a person at the command line sees: answers, messages and exit codes. Usage: cli_test.py PATH_OF_STICTION"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))


def stiction(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, cwd=cwd)


class List(unittest.TestCase):
    def test_names_scenes_and_schemes(self):
        out = stiction("list").stdout
        for word in ("scenes", "humanoid", "schemes", "midpoint"):
            self.assertIn(word, out)

    def test_json_is_json_alone(self):
        lists = json.loads(stiction("list", "--json").stdout)
        self.assertIn("arm", [entry["name"] for entry in lists["scenes"]])

    def test_an_unknown_list_is_bad_input(self):
        result = stiction("list", "sceens")
        self.assertEqual(result.returncode, 1)
        self.assertIn("sceens", result.stderr)
        self.assertEqual(result.stdout, "")


PENDULUM = """<mujoco model="pendulum">
  <option timestep="0.004"/>
  <worldbody>
    <body name="rod"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -1"/></body>
  </worldbody>
  <keyframe><key name="level" qpos="1.57"/></keyframe>
</mujoco>
"""


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "pendulum.xml")
        with open(self.file, "w") as file:
            file.write(PENDULUM)

    def test_run_takes_the_step_and_the_keyframe_of_the_file(self):
        answer = json.loads(stiction("run", self.file, "--time", "0.4", "--keyframe", "level", "--json").stdout)
        self.assertEqual((answer["h"], answer["steps"], answer["nv"]), (0.004, 100, 1))
        self.assertLess(answer["joints"][0]["q"][0], 1.5)

    def test_check_counts_and_reports(self):
        answer = json.loads(stiction("check", self.file, "--json").stdout)
        self.assertEqual((answer["nq"], answer["nv"], answer["bodies"], answer["joints"], answer["geoms"]), (1, 1, 1, 1, 1))
        self.assertIn(("option", "timestep"), [(e["element"], e["attribute"]) for e in answer["report"]])

    def test_an_unknown_attribute_is_an_error_with_file_line_and_suggestion(self):
        with open(self.file, "w") as file:
            file.write(PENDULUM.replace("axis=", "axs="))
        result = stiction("check", self.file)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("pendulum.xml:4", result.stderr)
        self.assertIn("axis", result.stderr)

    def test_a_file_that_is_not_there_is_bad_input(self):
        result = stiction("run", os.path.join(self.folder.name, "nothing.xml"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("nothing.xml", result.stderr)


class Run(unittest.TestCase):
    def test_every_scene_runs_with_every_scheme(self):
        lists = json.loads(stiction("list", "--json").stdout)
        for scene in lists["scenes"]:
            for scheme in lists["schemes"]:
                with self.subTest(scene=scene["name"], scheme=scheme["name"]):
                    result = stiction("run", scene["name"], "--scheme", scheme["name"], "--time", "0.02", "--step",
                                      "0.001", "--json")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    answer = json.loads(result.stdout)
                    self.assertEqual(answer["steps"], 20)
                    self.assertAlmostEqual(answer["simulated_s"], 0.02, places=12)
                    self.assertEqual(answer["nv"], sum(len(joint["v"]) for joint in answer["joints"]))

    def test_prints_tree_energies_and_speed(self):
        out = stiction("run", "arm", "--time", "0.1").stdout
        for word in ("forearm", "kinetic", "steps/s"):
            self.assertIn(word, out)

    def test_quiet_prints_nothing(self):
        result = stiction("run", "arm", "--time", "0.1", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_same_run_same_bits(self):
        hashes = {json.loads(stiction("run", "quadruped", "--time", "0.1", "--json").stdout)["hash"] for _ in range(2)}
        self.assertEqual(len(hashes), 1)

    def test_bad_input_says_what_and_exits_with_1(self):
        for arguments, word in (
            (["run", "humanoidd"], "humanoid"),
            (["run", "arm", "--scheme", "midpiont"], "midpoint"),
            (["run", "arm", "--step", "0"], "step"),
            (["run", "arm", "--step", "nan"], "step"),
            (["run", "arm", "--time", "-1"], "time"),
            (["run", "arm", "--time", "1e300", "--step", "1e-300"], "steps"),
            (["run", "arm", "--tiem", "1"], "--tiem"),
            (["run"], "scene"),
            ([], "subcommand"),
        ):
            with self.subTest(arguments=arguments):
                result = stiction(*arguments)
                self.assertEqual(result.returncode, 1)
                self.assertIn(word, result.stderr)
                self.assertEqual(result.stdout, "")

    def test_a_motion_that_fails_names_body_and_time_and_exits_with_2(self):
        result = stiction("run", "chain", "--scheme", "explicit_euler", "--step", "0.1", "--time", "100", "--json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("body 'link", result.stderr)
        self.assertIn("t = ", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_interrupt_exits_with_130(self):
        process = subprocess.Popen([PROGRAM, "run", "humanoid", "--time", "1e6", "--quiet"])
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)

    def test_help_has_an_example_that_works(self):
        for command in ("list", "run", "convert"):
            text = stiction(command, "--help").stdout
            example = next(line for line in text.splitlines() if line.startswith("Example: "))
            words = example.split()[1:]
            self.assertEqual(words[0], "stiction")
            with tempfile.TemporaryDirectory() as folder:  # examples may write files
                self.assertEqual(stiction(*words[1:], cwd=folder).returncode, 0)


if __name__ == "__main__":
    unittest.main()
