"""What a person at the command line sees: answers, messages and exit codes. Usage: cli_test.py PATH_OF_STICTION"""

import json
import signal
import subprocess
import sys
import time
import unittest

PROGRAM = sys.argv.pop(1)


def stiction(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


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
                    self.assertAlmostEqual(answer["time"], 0.02, places=12)

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
        for command in ("list", "run"):
            text = stiction(command, "--help").stdout
            example = next(line for line in text.splitlines() if line.startswith("Example: "))
            words = example.split()[1:]
            self.assertEqual(words[0], "stiction")
            self.assertEqual(stiction(*words[1:]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
