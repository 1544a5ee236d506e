"""How the program behaves: quiet, JSON, progress, profiles, exit codes, help, completion. Usage: manners_test.py PATH_OF_STICTION"""

import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]


def stiction(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120 * SLOWDOWN, cwd=cwd)


def commands():
    """The names of all commands, from the program's own help."""
    text = stiction("--help").stdout
    listed = text[text.index("Subcommands:"):]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Progress(unittest.TestCase):
    def on_terminal(self, *arguments, seconds=20 * SLOWDOWN):
        """What standard error shows on a terminal until it has shown progress, or the program ends."""
        master, slave = pty.openpty()
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        shown, end = b"", time.time() + seconds
        while time.time() < end and b"real time" not in shown:
            if select.select([master], [], [], 0.2)[0]:
                try:
                    shown += os.read(master, 4096)
                except OSError:
                    break
            elif process.poll() is not None:
                break
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=30 * SLOWDOWN)[0]
        os.close(master)
        return shown.decode(), out.decode(), process.returncode

    def test_a_terminal_shows_the_real_time_factor_and_the_time_left(self):
        shown, _, _ = self.on_terminal("run", "clutter", "--time", "1e5")
        self.assertRegex(shown, r"clutter: .* x real time, \d+ s left")

    def test_quiet_shows_nothing_on_a_terminal(self):
        shown, out, _ = self.on_terminal("run", "clutter", "--time", "1e5", "--quiet", seconds=2)
        self.assertEqual((shown, out), ("", ""))

    def test_json_stays_json_alone_on_standard_output(self):
        shown, out, code = self.on_terminal("run", "clutter", "--time", "1e5", "--json")
        self.assertIn("real time", shown)
        self.assertEqual((json.loads(out)["scene"], code), ("clutter", 130))

    def test_a_pipe_shows_no_progress(self):
        result = stiction("run", "clutter", "--time", "1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("\r", result.stdout)


class Interrupt(Folder):
    def interrupted(self, *arguments, after=1.0):
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(after * SLOWDOWN**0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60 * SLOWDOWN)
        return process.returncode, out, error

    def test_a_run_ends_with_its_summary_and_130(self):
        code, out, _ = self.interrupted("run", "box_stack", "--time", "1e6")
        self.assertEqual(code, 130)
        for word in ("interrupted at t = ", "kinetic", "steps/s"):
            self.assertIn(word, out)

    def test_its_files_are_complete(self):
        certificate, trace = self.folder / "c.jsonl", self.folder / "t.json"
        code, out, _ = self.interrupted("run", "box_stack", "--time", "1e6", "--certificate", certificate, "--profile-trace", trace, "--json")
        self.assertEqual(code, 130)
        steps = json.loads(out)["steps"]
        lines = certificate.read_text().splitlines()
        self.assertEqual(len(lines), steps)
        json.loads(lines[-1])
        events = json.loads(trace.read_text())["traceEvents"]
        self.assertEqual(sum(event["name"] == "step" for event in events), steps)

    def test_a_comparison_shows_the_rows_so_far(self):
        code, out, _ = self.interrupted("compare", "slope", "--time", "100", "--finer", "1", "--formulations", "sap,icf_lagged", "--json")
        self.assertEqual(code, 130)
        json.loads(out)


class EnergyBooks(Folder):
    NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"

    def test_the_table_adds_up(self):
        out = stiction("run", "clutter", "--time", "0.5", "--scheme", "theta:0.75,0.5", "--energy").stdout
        total = {group: float(re.search(rf"^  {group} +{self.NUMBER} J$", out, re.MULTILINE)[1])
                 for group in ("before", "work", "after", "dissipated", "numerical")}
        missing, worst = re.search(rf"^  missing +{self.NUMBER} J; of a step at most {self.NUMBER} ", out, re.MULTILINE).groups()
        size = max(abs(number) for number in total.values())
        self.assertAlmostEqual(total["before"] + total["work"], total["after"] + total["dissipated"] + total["numerical"],
                               delta=1e-7 * size)
        self.assertLess(abs(float(missing)), 1e-9 * size)
        self.assertLess(float(worst), 1e-10)

    def test_json_has_every_entry_by_name(self):
        books = json.loads(stiction("run", "conveyor", "--time", "0.1", "--energy", "--json").stdout)["energy_books"]
        self.assertGreater(books["work"]["belts"], 0)
        self.assertGreater(books["dissipated"]["contact_friction"], 0)
        self.assertLess(books["largest_relative_error"], 1e-10)


class Profile(Folder):
    def test_a_table_has_every_stage_and_shares_of_100_per_cent(self):
        out = stiction("run", "clutter", "--time", "0.2", "--profile").stdout
        shares = {name: float(share) for name, share in re.findall(r"^  (\w[\w ]*?) +[\d.]+ ms +[\d.]+ us/step +([\d.]+) %$", out, re.MULTILINE)}
        stages = json.loads(stiction("run", "clutter", "--time", "0.01", "--json").stdout)["stages_s"]
        self.assertEqual(set(shares), set(stages) | {"around them", "all"})
        self.assertAlmostEqual(sum(shares.values()) - shares["all"], 100, delta=1)

    def test_a_trace_has_steps_with_their_stages_inside(self):
        trace = self.folder / "trace.json"
        out = stiction("run", "clutter", "--time", "0.1", "--profile-trace", trace).stdout
        self.assertIn("perfetto", out)
        events = json.loads(trace.read_text())["traceEvents"]
        steps = [event for event in events if event["name"] == "step"]
        self.assertEqual(len(steps), 50)
        self.assertTrue(all(event["ph"] == "X" and event["dur"] >= 0 for event in events))
        begins = [step["ts"] for step in steps]
        self.assertEqual(begins, sorted(begins))
        self.assertIn("solve", {event["name"] for event in events})


class Seed(Folder):
    NOISY = """<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
    <sensor><jointpos name="angle" joint="j" noise="0.1"/></sensor></mujoco>"""

    def test_noise_comes_with_a_seed_and_repeats_with_it(self):
        file = self.folder / "noisy.xml"
        file.write_text(self.NOISY)

        def reading(*seed):
            return json.loads(stiction("run", file, "--time", "0.01", "--json", *seed).stdout)["sensors"][0]["value"]
        self.assertEqual(reading(), 0.0)
        self.assertEqual(reading("--seed", "3"), reading("--seed", "3"))
        self.assertNotEqual(reading("--seed", "3"), reading("--seed", "4"))
        self.assertEqual(stiction("run", file, "--seed", "-1").returncode, 1)


class Help(Folder):
    def examples(self, command):
        text = stiction(*command, "--help").stdout
        self.assertIn("Example: ", text, command)
        return [line[len("Example: "):] for line in text.splitlines() if line.startswith("Example: ")]

    def test_every_command_has_an_example_that_works(self):
        # `stiction` is the program under test; long experiments have their own tests.
        path = self.folder / "bin"
        path.mkdir()
        (path / "stiction").symlink_to(PROGRAM)
        environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}")
        names = [[name] for name in commands()] + [[], ["bench", "solvers"]]
        self.assertGreaterEqual(len(names), 9)
        for command in names:
            for example in self.examples(command):
                with self.subTest(example=example):
                    # Each in a folder of its own: it works without the files of another example, and meets none of them.
                    with tempfile.TemporaryDirectory(dir=self.folder) as own:
                        for folder in ("examples", "docs", "shared"):
                            if (ROOT / folder).exists():
                                (pathlib.Path(own) / folder).symlink_to(ROOT / folder)
                        result = subprocess.run(["bash", "-ec", example], cwd=own, env=environment, capture_output=True, text=True, timeout=300 * SLOWDOWN)
                    self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr)

    def test_every_option_has_a_sentence(self):
        for name in commands():
            text = stiction(name, "--help").stdout
            for line in re.findall(r"^  -.*$", text, re.MULTILINE):
                self.assertRegex(line, r"^  -\S.{2,}", line)


class Codes(Folder):
    """Good, bad and missing arguments of every command."""

    MISSING = {"list": None, "claims": None}  # these take none
    BAD = {
        "bench": (["bench", "solvers", "/nowhere"],),
        "check": (["check", "nowhere.xml"], ["check", "armm"], ["check", "arm", "--al"]),
        "claims": (["claims", "--only", "Z99"],),
        "compare": (["compare", "slope", "--time", "0"], ["compare", "slope", "--finer", "0"], ["compare", "slopee"],
                    ["compare", "slope", "--threads", "-1"], ["compare", "slope", "--html", "/nowhere/a.html", "--time", "0.01"]),
        "completion": (["completion", "tcsh"],),
        "convert": (["convert", "arm", "-o", "arm.docx"],),
        "export": (["export", "/nowhere.mcap"],),
        "list": (["list", "sceens"], ["list", "--jsn"]),
        "plot": (["plot", "/nowhere.mcap"],),
        "replay": (["replay", "/nowhere.mcap"],),
        "run": (["run", "slope", "--threads", "-1"], ["run", "slope", "--threads", "two"], ["run", "slope", "--seed", "x"],
                ["run", "slope", "--profile-trace", "/nowhere/t.json"], ["run", "slope", "--time", "soon"]),
        "solve": (["solve", "/nowhere.json"],),
        "view": (["view", "/nowhere.mcap"], ["view", "slopee"], ["view", "slope", "--html", "a.html"], ["view", "slope", "--port", "-1"]),
    }

    def test_missing_arguments_are_bad_input(self):
        for name in commands():
            if name in self.MISSING:
                continue
            with self.subTest(command=name):
                result = stiction(name)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertNotEqual(result.stderr, "")

    def test_bad_arguments_are_bad_input_with_a_message(self):
        for name in commands():
            self.assertIn(name, self.BAD)
            for arguments in self.BAD[name]:
                with self.subTest(arguments=arguments):
                    result = stiction(*arguments, cwd=self.folder)
                    self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
                    self.assertNotEqual(result.stderr, "")

    def test_an_unknown_command_is_bad_input(self):
        self.assertEqual(stiction("rnu", "arm").returncode, 1)

    def test_a_motion_that_fails_prints_what_there_is_and_ends_with_2(self):
        result = stiction("run", "chain", "--scheme", "explicit_euler", "--step", "0.1", "--time", "100")
        self.assertEqual(result.returncode, 2)
        self.assertIn("steps/s", result.stdout)
        self.assertIn("t = ", result.stderr)

    def test_lists_have_everything_that_can_be_chosen(self):
        lists = json.loads(stiction("list", "--json").stdout)
        self.assertEqual(set(lists), {"scenes", "schemes", "formulations", "laws", "solvers", "sensors"})
        self.assertIn("gyro", [row["name"] for row in lists["sensors"]])
        keys = json.loads(stiction("list", "keys", "--json").stdout)["keys"]
        self.assertIn("material.stiffness", [row["name"] for row in keys])


class Completion(unittest.TestCase):
    def completed(self, line):
        """What bash offers for the last word of a line."""
        script = stiction("completion", "bash").stdout
        words = shlex.split(line) + ([""] if line.endswith(" ") else [])
        array = " ".join(shlex.quote(word) for word in words)
        run = f"{script}\nCOMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _stiction; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        result = subprocess.run(["bash", "-c", run], capture_output=True, text=True, timeout=20 * SLOWDOWN)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split()

    def test_commands(self):
        self.assertEqual(set(self.completed("stiction ")), set(commands()))
        self.assertEqual(self.completed("stiction compl"), ["completion"])

    def test_options_are_those_of_the_help(self):
        for name in commands():
            text = stiction(name, "--help").stdout
            known = set(re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", "\n".join(re.findall(r"^  -.*$", text, re.MULTILINE))))
            offered = set(self.completed(f"stiction {name} --"))
            self.assertLessEqual(offered, known | {"--help"}, name)
            self.assertIn("--help", offered)

    def test_scenes_formulations_and_schemes(self):
        self.assertEqual(self.completed("stiction run clutter_"), ["clutter_160"])
        self.assertIn("coulomb_ncp+admm", self.completed("stiction run clutter --formulation coulomb"))
        self.assertEqual(self.completed("stiction run clutter --scheme mid"), ["midpoint"])
        self.assertEqual(set(self.completed("stiction completion ")), {"bash", "zsh", "fish"})

    def test_scripts_are_valid_in_their_shells(self):
        for shell in ("bash", "zsh", "fish"):
            script = stiction("completion", shell)
            self.assertEqual(script.returncode, 0)
            self.assertIn("clutter", script.stdout)
            if shutil.which(shell):
                result = subprocess.run([shell, "-n"], input=script.stdout, capture_output=True, text=True)
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
