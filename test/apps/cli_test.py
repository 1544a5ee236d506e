"""What a person at the command line sees: answers, messages and exit codes. Usage: cli_test.py PATH_OF_STICTION

Longer than other files: the commands share their models and helpers here."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))


def stiction(*arguments, cwd=None, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60 * SLOWDOWN, cwd=cwd, env={**os.environ, **environment})


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


# A sled of 2 kg on rails with a motor of gear 3, a rod on a ball joint and a free box, without gravity.
SLED = """<mujoco model="sled">
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody>
    <body name="sled"><joint name="rails" type="slide" axis="1 0 0"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
    <body name="rod" pos="0 5 0"><joint name="ball" type="ball"/><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/></body>
    <body name="box" pos="0 9 0"><freejoint name="box"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rails" gear="3"/><motor name="more" joint="rails"/></actuator>
  <keyframe><key name="ahead" qpos="0.5 1 0 0 0 0 9 0 1 0 0 0" ctrl="1 1"/></keyframe>
</mujoco>
"""


class Start(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "sled.xml")
        with open(self.file, "w") as file:
            file.write(SLED)

    def run_json(self, *arguments):
        result = stiction("run", self.file, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        return answer, {joint["name"]: joint for joint in answer["joints"]}

    def test_ctrl_sets_controls_of_actuators_by_name_and_by_number(self):
        for given in (("--ctrl", "push=2,more=-1"), ("--ctrl", "push=2", "--ctrl", "more=-1"), ("--ctrl=0=2,1=-1",)):
            joints = self.run_json("--time", "0.5", *given)[1]
            self.assertAlmostEqual(joints["rails"]["v"][0], (3 * 2 - 1) / 2 * 0.5, places=12)  # F t/m

    def test_q_sets_positions_of_joints_of_all_kinds(self):
        joints = self.run_json("--time", "0", "--q", "rails=-0.25,ball=0:0:2:0,box=1:0:0:0:0.1:0.2:+3e-1")[1]
        self.assertEqual(joints["rails"]["q"], [-0.25])
        self.assertEqual(joints["ball"]["q"], [0, 0, 1, 0])  # of unit length
        self.assertEqual(joints["box"]["q"], [1, 0, 0, 0, 0.1, 0.2, 0.3])

    def test_both_come_after_the_keyframe(self):
        answer, joints = self.run_json("--time", "0.5", "--keyframe", "ahead", "--q", "ball=0:1:0:0", "--ctrl", "push=0")
        self.assertEqual(joints["ball"]["q"], [0, 1, 0, 0])
        self.assertAlmostEqual(joints["rails"]["v"][0], 0.5 * 1 / 2, places=12)  # the keyframe's other control acts
        self.assertGreater(joints["rails"]["q"][0], 0.5)

    def test_options_do_not_swallow_the_scene(self):
        result = stiction("run", "--ctrl", "push=1", "--q", "rails=1", self.file, "--time", "0", "--quiet")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_is_wrong_is_named_and_ends_with_1(self):
        for option, item, message in (
            ("--ctrl", "pusch=1", "push"),
            ("--ctrl", "push=fast", "'fast' is not a finite number"),
            ("--ctrl", "push=", "'' is not a finite number"),
            ("--ctrl", "push=1x", "'1x'"),
            ("--ctrl", "push=inf", "'inf'"),
            ("--ctrl", "push=1e999", "'1e999'"),
            ("--ctrl", "push", "NAME=VALUE"),
            ("--ctrl", "=1", "NAME=VALUE"),
            ("--ctrl", "push=1,", "NAME=VALUE"),
            ("--ctrl", "push=1:2", "one control"),
            ("--q", "rail=1", "rails"),
            ("--q", "rails=1:2", "joint 'rails' has 1 positions, not 2"),
            ("--q", "ball=1", "joint 'ball' has 4 positions, not 1"),
            ("--q", "ball=0:0:0:0", "quaternion of length zero"),
            ("--q", "rails=nan", "'nan'"),
        ):
            result = stiction("run", self.file, "--time", "0", option, item)
            self.assertEqual((result.returncode, result.stdout), (1, ""), (option, item))
            self.assertIn(message, result.stderr)

    def test_help_shows_an_example_of_each(self):
        out = stiction("run", "--help").stdout
        self.assertIn("--ctrl shoulder=0.5,gripper=255", out.replace("\n", " "))
        self.assertIn("ball=1:0:0:0", out)


# A cart of 2 kg on a slide carries a pendulum of 0.5 kg; a free ball of 3 kg lies beside it; a box of 7 kg is fixed.
CART = """<mujoco model="cart">
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
      <geom size="0.1"/>
      <body name="pendulum">
        <joint name="hinge" axis="0 1 0"/>
        <inertial pos="0 0 -1" mass="0.5" diaginertia="1 1 1"/>
        <geom size="0.1"/>
      </body>
    </body>
    <body name="ball" pos="0 0 2"><freejoint name="free"/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/></body>
    <body name="box" pos="0 9 0"><inertial pos="0 0 0" mass="7" diaginertia="1 1 1"/><geom type="box" size="1 1 1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="slide"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><jointvel name="rate" joint="hinge"/></sensor>
</mujoco>
"""

# A link that moves on another one: its inertial element, and what stands in its joint.
PAIR = """<robot name="pair">
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="arm">%s</link>
  <joint name="elbow" type="%s"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>%s</joint>
</robot>
"""
INERTIAL = '<inertial><mass value="%g"/><inertia ixx="%g" iyy="%g" izz="%g"/></inertial>'


class Check(unittest.TestCase):
    def check(self, name, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, name)
            with open(file, "w") as stream:
                stream.write(text)
            result = stiction("check", file, *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout

    def warnings(self, name, text, *arguments):
        warnings = json.loads(self.check(name, text, "--json", *arguments))["warnings"]
        printed = [line for line in self.check(name, text, *arguments).splitlines() if line.startswith("warning: ")]
        self.assertEqual(printed, ["warning: " + warning for warning in warnings])
        return warnings

    def test_json_counts_without_the_world_and_sums_masses(self):
        answer = json.loads(self.check("cart.xml", CART, "--json"))
        counts = {name: answer[name] for name in ("nq", "nv", "bodies", "joints", "geoms", "actuators", "sensors")}
        self.assertEqual(counts, {"nq": 9, "nv": 8, "bodies": 4, "joints": 3, "geoms": 3, "actuators": 1, "sensors": 2})
        self.assertAlmostEqual(answer["mass"], 2 + 0.5 + 3 + 7, places=12)
        self.assertAlmostEqual(answer["moving_mass"], 3, places=12)  # of trees whose root is free
        self.assertEqual(answer["warnings"], [])

    def test_entries_of_the_report_have_their_six_keys(self):
        report = json.loads(self.check("cart.xml", CART, "--json"))["report"]
        for entry in report:
            self.assertEqual(set(entry), {"element", "attribute", "file", "line", "status", "why"})
        driven = [entry for entry in report if entry["element"] == "motor" and entry["attribute"] == "joint"]
        self.assertEqual([entry["line"] for entry in driven], [CART[:CART.index("<motor")].count("\n") + 1])

    def test_text_counts_what_is_honoured_and_lists_the_rest(self):
        out = self.check("cart.xml", CART)
        self.assertRegex(out, r"report: \d+ honoured, \d+ approximated, \d+ ignored")
        self.assertNotIn("\nhonoured ", out)
        self.assertIn("\nhonoured ", self.check("cart.xml", CART, "--all"))

    def test_warns_of_a_mass_ratio_over_ten_thousand(self):
        for mass, count in ((1.01e4, 1), (0.99e4, 0)):
            warnings = self.warnings("pair.urdf", PAIR % (INERTIAL % (mass, 1, 1, 1), "continuous", ""), "--floating-base")
            self.assertEqual(len(warnings), count, warnings)
        self.assertIn("times as heavy", self.warnings(
            "pair.urdf", PAIR % (INERTIAL % (2e4, 1, 1, 1), "continuous", ""), "--floating-base")[0])

    def test_warns_of_moments_that_no_body_has(self):
        for moment, count in ((2.1, 1), (1.9, 0)):  # of two moments of 1, the third is at most 2
            warnings = self.warnings("pair.urdf", PAIR % (INERTIAL % (1, 1, 1, moment), "continuous", ""))
            self.assertEqual(len(warnings), count, warnings)

    def test_warns_of_moving_bodies_without_mass(self):
        text = CART.replace('<body name="ball"', '<body name="shell"><joint name="j1" armature="1"/></body><body name="ball"')
        self.assertEqual(len(self.warnings("cart.xml", text)), 1)
        self.assertIn("'shell'", self.warnings("cart.xml", text)[0])

    def test_warns_of_limits_that_exclude_the_rest_pose(self):
        for lower, count in ((0.1, 1), (-0.1, 0)):
            limit = '<limit lower="%g" upper="1" effort="1" velocity="1"/>' % lower
            warnings = self.warnings("pair.urdf", PAIR % (INERTIAL % (1, 1, 1, 1), "revolute", limit))
            self.assertEqual(len(warnings), count, warnings)
            self.assertTrue(all("'elbow'" in warning for warning in warnings))

    def test_warns_of_masses_and_sizes_that_no_robot_has(self):
        # A box of 120 x 80 x 60 written in millimetres: 576,000 m^3 of water.
        text = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
            <body name="%s" pos="0 0 200"><freejoint/><geom name="part" type="box" size="%s"/></body></worldbody></mujoco>"""
        for size, words in (("60 40 30", ["body 'base' weighs 5.76e+05 t: are lengths in millimetres?",
                                          "shape 'part' is 120 m long: are lengths in millimetres?"]),
                            ("0.06 0.04 0.03", []),
                            ("6e-8 4e-8 3e-8", ["body 'base' weighs 5.76e-13 mg", "shape 'part' is 0.12 um long"])):
            warnings = self.warnings("box.xml", text % ("base", size))
            odd = [warning for warning in warnings if "are lengths in" in warning]
            self.assertEqual(len(odd), len(words), warnings)
            for word, warning in zip(words, odd):
                self.assertIn(word, warning)
        # Many of them are one sentence.
        builder = text % ("base", "60 40 30")
        second = builder.replace("</worldbody>", '<body name="b"><freejoint/><geom name="q" type="box" size="70 40 30"/></body></worldbody>')
        self.assertEqual(len([w for w in self.warnings("boxes.xml", second) if "and 1 more are as odd" in w]), 2)

    def test_scenes_of_the_catalog_have_no_odd_sizes(self):
        for scene in json.loads(stiction("list", "scenes", "--json").stdout)["scenes"]:
            warnings = json.loads(stiction("check", scene["name"], "--json").stdout)["warnings"]
            self.assertEqual([w for w in warnings if "are lengths in" in w], [], scene["name"])

    def test_reads_models_of_our_own_format(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "arm.json")
            stiction("convert", "arm", file)
            self.assertEqual(stiction("check", file).returncode, 0)
            answers = [json.loads(stiction("run", name, "--time", "0.1", "--json").stdout) for name in (file, "arm")]
            self.assertEqual(answers[0]["hash"], answers[1]["hash"])


class Run(unittest.TestCase):
    def test_json_has_the_state_of_every_body_and_joint(self):
        # A free fall for 0.1 s from rest, in steps that end there.
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "cart.xml")
            with open(file, "w") as stream:
                stream.write(CART)
            answer = json.loads(stiction("run", file, "--time", "0.1", "--step", "0.001", "--json").stdout)
        for key in ("scene", "steps", "h", "simulated_s", "wall_s", "nv", "bodies", "joints", "energy"):
            self.assertIn(key, answer)
        self.assertEqual((answer["scene"], answer["steps"], answer["h"], answer["nv"]), (file, 100, 0.001, 8))
        self.assertGreater(answer["wall_s"], 0.0)
        self.assertEqual([body["name"] for body in answer["bodies"]], ["cart", "pendulum", "ball", "box"])
        ball = answer["bodies"][2]
        self.assertEqual(set(ball), {"name", "position", "quaternion", "angular_velocity", "velocity"})
        self.assertAlmostEqual(ball["velocity"][2], -9.81 * 0.1, places=9)
        self.assertAlmostEqual(ball["position"][2], 2 - 0.5 * 9.81 * 0.1**2, delta=9.81 * 0.1 * 0.001)  # first order in h
        self.assertEqual(ball["quaternion"], [1, 0, 0, 0])
        joints = {joint["name"]: joint for joint in answer["joints"]}
        self.assertEqual({name: (len(j["q"]), len(j["v"])) for name, j in joints.items()},
                         {"slide": (1, 1), "hinge": (1, 1), "free": (7, 6)})
        self.assertAlmostEqual(answer["energy"]["kinetic"], 0.5 * 3 * (9.81 * 0.1)**2, places=8)  # the cart stays at rest
        self.assertIn("potential", answer["energy"])

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

    def test_the_answer_comes_first_and_bodies_where_they_are_asked_for(self):
        lines = stiction("run", "box_stack", "--time", "0.1").stdout.splitlines()
        # After the line that names the run: how far, how fast, how well.
        self.assertRegex(lines[1], r"^50 steps in .* steps/s, .* x real time; every step was solved$")
        self.assertTrue(any(line.startswith("  end ") and "kinetic" in line for line in lines[2:]))
        self.assertFalse(any(" kg " in line for line in lines))
        with_bodies = stiction("run", "arm", "--time", "0.1", "--bodies").stdout
        self.assertRegex(with_bodies, r"\n *forearm +[\d.]+ kg  at \( *[-\d.]+, +[-\d.]+, +[-\d.]+\) m ")
        self.assertRegex(stiction("run", "pendulum", "--time", "0.1").stdout, "x real time; nothing touched")

    def test_steps_that_were_not_solved_are_in_the_first_line_of_the_answer(self):
        out = stiction("run", "box_stack", "--time", "0.1", "--formulation", "coulomb_ncp+pgs", "--max-iterations", "1").stdout
        self.assertRegex(out.splitlines()[1], r"x real time; warning: \d+ of 50 steps did not converge$")

    def test_a_file_that_is_not_there_is_named_with_the_closest_there_is(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "robots"))
            for name in ("arm.xml", "robots/pendulum.xml"):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(PENDULUM)
            for given, meant in (("amr.xml", "arm.xml"), ("robots/pendulm.xml", "robots/pendulum.xml"),
                                 ("robot/pendulum.xml", "robots/pendulum.xml"), ("nothing_like_it.xml", None)):
                for command in ("run", "check", "compare"):
                    result = stiction(command, given, cwd=folder)
                    self.assertEqual((result.returncode, result.stdout), (1, ""))
                    self.assertIn(f"{given}: cannot be read: ", result.stderr)
                    self.assertEqual("did you mean" in result.stderr, meant is not None, result.stderr)
                    self.assertIn(f"did you mean '{meant}'?" if meant else given, result.stderr)

    def test_unknown_words_of_ours_list_the_choices(self):
        result = stiction("run", "arm", "--scheme", "rk4")
        schemes = [row["name"] for row in json.loads(stiction("list", "--json").stdout)["schemes"]]
        self.assertIn("there is no scheme 'rk4'", result.stderr)
        self.assertIn("(there are " + ", ".join(schemes), result.stderr)
        for arguments, words in ((["--formulation", "lcp"], r"sap\+newton, "), (["--elasticity", "steel"], "linear, hertz, "),
                                 (["--dissipation", "much"], "kelvin_voigt, ")):
            result = stiction("run", "slope", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"\(there are .*" + words)
        with tempfile.TemporaryDirectory() as folder:
            for text, words in (
                ('[[object]]\nname = "a"\nshape = "donut"\nmass = 1\n', "sphere, "),
                ('[[object]]\nname = "a"\nshape = "sphere"\nradius = 1\nmass = 1\n[[sensor]]\nname = "s"\nkind = "sonar"\n', "gyro"),
            ):
                file = os.path.join(folder, "scene.toml")
                with open(file, "w") as stream:
                    stream.write(text)
                result = stiction("check", file)
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertRegex(result.stderr, r"scene.toml:\d+:\d+: .*\(there are .*" + words)

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
            (["run", "arm", "--tiem", "1"], "no option '--tiem'; did you mean '--time'?"),
            (["run", "arm", "--tiem=1"], "no option '--tiem'; did you mean '--time'?"),
            (["run", "--tiem", "1", "arm"], "no option '--tiem'; did you mean '--time'?"),
            (["rum", "arm"], "no command 'rum'; did you mean 'run'?"),
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
        time.sleep(0.5 * SLOWDOWN**0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30 * SLOWDOWN), 130)

    def test_help_has_an_example_that_works(self):
        for command in ("list", "run", "convert"):
            text = stiction(command, "--help").stdout
            example = next(line for line in text.splitlines() if line.startswith("Example: "))
            words = example.split()[1:]
            self.assertEqual(words[0], "stiction")
            with tempfile.TemporaryDirectory() as folder:  # examples may write files
                self.assertEqual(stiction(*words[1:], cwd=folder).returncode, 0)


# A ball of 0.1 m, sunk 10 mm into the floor, and one that lies beside it on the floor.
BALLS = """<mujoco model="balls">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="sunk" pos="0 0 0.09"><freejoint/><geom name="sunk" size="0.1"/></body>
    <body name="lying" pos="1 0 0.1"><freejoint/><geom name="lying" size="0.1"/></body>
  </worldbody>
</mujoco>
"""


class Sensors(unittest.TestCase):
    """Readings at the end of a run."""

    def test_a_run_ends_with_numbers_and_lists_by_name(self):
        text = CART.replace("</sensor>", '<clock/><framepos name="place" objtype="xbody" objname="ball"/></sensor>')
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "cart.xml")
            with open(file, "w") as stream:
                stream.write(text)
            answer = json.loads(stiction("run", file, "--time", "0.1", "--json").stdout)
        readings = {sensor["name"]: sensor["value"] for sensor in answer["sensors"]}
        joints = {joint["name"]: joint for joint in answer["joints"]}
        self.assertEqual(list(readings), ["angle", "rate", "2", "place"])
        self.assertEqual([readings["angle"]], joints["hinge"]["q"])
        self.assertEqual([readings["rate"]], joints["hinge"]["v"])
        self.assertEqual(readings["2"], answer["time"])
        ball = next(body for body in answer["bodies"] if body["name"] == "ball")
        self.assertEqual(readings["place"], ball["position"])


class Contacts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "balls.xml")
        with open(self.file, "w") as file:
            file.write(BALLS)

    def test_check_warns_of_shapes_that_overlap_at_rest(self):
        warnings = json.loads(stiction("check", self.file, "--json").stdout)["warnings"]
        self.assertEqual(warnings, ["shapes 'floor' and 'sunk' overlap by 10 mm at rest"])

    def test_check_tells_the_energy_of_overlaps_at_the_start(self):
        # 1/2 k x^2 with the default stiffness of 1e6 N/m and 10 mm: 50 J, sqrt(2 E/m) m/s of 4.19 kg.
        overlap = json.loads(stiction("check", self.file, "--json").stdout)["overlaps"][0]
        self.assertEqual({overlap["shape1"], overlap["shape2"]}, {"floor", "sunk"})
        self.assertAlmostEqual(overlap["depth"], 0.01, delta=1e-9)
        self.assertAlmostEqual(overlap["mass"], 4e3 / 3 * math.pi * 0.1**3, delta=1e-6)
        self.assertAlmostEqual(overlap["speed"], math.sqrt(2 * overlap["energy"] / overlap["mass"]), delta=1e-9)
        self.assertGreaterEqual(overlap["energy"], 50.0 * (1 - 1e-9))
        out = stiction("check", self.file).stdout
        self.assertIn("overlaps at the start: 1 pair", out)
        self.assertIn("--settle", out)
        self.assertEqual(json.loads(stiction("check", self.file, "--settle", "--json").stdout)["overlaps"], [])

    def test_settling_parts_them_before_time_begins(self):
        thrown, settled = (json.loads(stiction("run", self.file, "--time", "0.1", "--json", *how).stdout) for how in ([], ["--settle"]))
        self.assertNotIn("settled", thrown)
        self.assertTrue(settled["settled"]["settled"])
        self.assertEqual(settled["settled"]["body"], "sunk")
        self.assertAlmostEqual(settled["settled"]["moved"], 0.01, delta=1e-5)
        self.assertAlmostEqual(settled["time"], 0.1, delta=1e-12)
        height = lambda answer: next(body for body in answer["bodies"] if body["name"] == "sunk")["position"][2]
        self.assertLess(height(thrown), 0.095)  # it leaves at 1/dissipation, 2 cm/s
        self.assertAlmostEqual(height(settled), 0.1, delta=1e-4)
        self.assertIn("settled in", stiction("run", self.file, "--time", "0.01", "--settle").stdout)

    def test_robots_of_the_catalog_do_not_begin_inside_each_other(self):
        for scene in ("arm", "hand", "quadruped", "humanoid", "quadruped_standing", "humanoid_standing"):
            answer = json.loads(stiction("check", scene, "--json").stdout)
            self.assertLess(sum(pair["energy"] for pair in answer["overlaps"]), 1e-3, scene)

    def test_run_counts_the_points_of_contact(self):
        answer = json.loads(stiction("run", self.file, "--time", "0.002", "--json").stdout)
        self.assertEqual((answer["contacts"]["last"], answer["contacts"]["mean"]), (2, 2.0))



class Formulations(unittest.TestCase):
    """Contact from the command line: laws by name, figures of a run, saved problems."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_list_shows_laws_and_solvers(self):
        lists = json.loads(stiction("list", "--json").stdout)
        names = [entry["name"] for entry in lists["formulations"]]
        self.assertEqual(
            names[:6],
            ["icf_lagged+newton", "icf_coupled+newton", "icf_lagged_plain+newton", "icf_similar+newton",
             "icf_similar_regularised+newton", "sap+newton"])
        for name in ("convex_cone+admm", "coulomb_ncp+pgs", "pyramid_lcp+lemke", "raisim+bisection"):
            self.assertIn(name, names)
        solvers = {entry["name"] for entry in lists["solvers"]}
        self.assertEqual(solvers, {name.split("+")[1] for name in names})

    def test_lists_have_the_old_name_of_description_too(self):
        for rows in json.loads(stiction("list", "--json").stdout).values():
            for row in rows:
                self.assertEqual(row["description"], row["sentence"])
                self.assertNotEqual(row["description"], "")

    def test_run_and_solve_have_the_old_names_of_dropped_stabilisation_too(self):
        problems = os.path.join(self.folder.name, "problems")
        result = stiction("run", "slope", "--time", "0.02", "--dump-problems", problems, "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((answer["steps_with_dropped_stabilisation"], answer["withdrawn_steps"]), (0, 0))
        problem = os.path.join(problems, sorted(os.listdir(problems))[-1])
        answer = json.loads(stiction("solve", problem, "--json").stdout)
        self.assertEqual((answer["dropped_stabilisation"], answer["withdrawn"]), (0, 0))

    def test_unknown_names_get_a_suggestion(self):
        for option, given, meant in (("--formulation", "sapp", "sap"), ("--elasticity", "herz", "hertz"),
                                     ("--dissipation", "kelvin_voit", "kelvin_voigt")):
            result = stiction("run", "slope", option, given)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"did you mean '{meant}'", result.stderr)

    def test_sap_refuses_forces_that_it_does_not_have(self):
        result = stiction("run", "slope", "--formulation", "sap", "--elasticity", "hertz")
        self.assertEqual(result.returncode, 1)
        self.assertIn("linear", result.stderr)

    def test_run_carries_the_weight_under_every_formulation(self):
        for entry in json.loads(stiction("list", "formulations", "--json").stdout)["formulations"]:
            answer = json.loads(
                stiction("run", "box_stack", "--time", "0.5", "--formulation", entry["name"], "--max-iterations", "200",
                         "--json").stdout)
            force = answer["force_W"]
            self.assertAlmostEqual(force[2], 10 * 9.81, delta=0.05 * 10 * 9.81)
            if answer["unconverged_steps"] == 0:  # nothing pushes sideways
                self.assertLess(abs(force[0]) + abs(force[1]), 1e-3 * force[2])
            self.assertEqual(answer["formulation"], entry["name"])
            self.assertGreaterEqual(answer["iterations"]["max"], answer["iterations"]["mean"])
            self.assertGreater(answer["deepest_m"], 0.0)
            if entry["name"].endswith("newton"):  # ten cubes are too many for Gauss-Seidel
                self.assertEqual(answer["unconverged_steps"], 0)
                self.assertLessEqual(answer["residual"]["max"], 1e-6)
            self.assertEqual(set(answer["stages_s"]), {"kinematics", "forces", "collision", "free_motion",
                                                       "assemble", "solve", "advance"})

    def test_support_is_the_weight_of_a_ball(self):
        file = os.path.join(self.folder.name, "ball.xml")
        with open(file, "w") as stream:
            stream.write('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.1"><freejoint/>'
                         '<geom size="0.1" mass="3"/></body></worldbody></mujoco>')
        answer = json.loads(stiction("run", file, "--time", "1", "--json").stdout)
        self.assertAlmostEqual(answer["force_W"][2], 3 * 9.81, delta=1e-4)

    def test_tolerance_and_most_iterations_reach_the_geometric_laws_own_solve(self):
        def residual(*arguments):
            answer = json.loads(stiction("run", "box_stack", "--step", "0.005", "--time", "0.1", "--formulation",
                                         "geometric_ncp+mixed_newton", "--json", *arguments).stdout)
            return answer["residual"]["max"]
        # 1e-10 by default; the guess's own solver has stopped at 1e-6 then, and would not be seen here.
        self.assertLess(residual(), 1e-10)
        coarse = residual("--tolerance", "1e-3")
        self.assertGreater(coarse, 1e-10)
        self.assertLessEqual(coarse, 1e-3)
        # Two iterations are needed; one leaves the step to the guess, whose error at the end of the step is that of
        # explicit geometry.
        self.assertGreater(residual("--max-iterations", "1"), 1e-3)

    def test_threads_do_not_change_a_bit(self):
        hashes = {json.loads(stiction("run", "dominoes", "--time", "0.3", "--threads", n, "--json").stdout)["hash"]
                  for n in ("1", "2")}
        self.assertEqual(len(hashes), 1)

    def test_saved_problems_are_solved_under_every_law(self):
        problems = os.path.join(self.folder.name, "problems")
        result = stiction("run", "slope", "--time", "0.1", "--dump-problems", problems, "--quiet")
        self.assertEqual(result.returncode, 0)
        files = sorted(os.listdir(problems))
        self.assertEqual(files[-1], "step_000049.json")
        file = os.path.join(problems, files[-1])
        laws = json.loads(stiction("list", "laws", "--json").stdout)["laws"]
        compliant = [law["name"] for law in laws if law["family"] == "compliant"]
        self.assertIn("sap", compliant)
        for law in compliant:
            answer = json.loads(stiction("solve", file, "--formulation", law, "--json").stdout)
            self.assertEqual(answer["status"], "converged")
            self.assertEqual(answer["formulation"], law + "+newton")
            self.assertLess(answer["errors"]["momentum"]["relative"], 1e-6)
            self.assertLess(answer["errors"]["law"]["relative"], 1e-9)
            self.assertEqual(answer["lagged_fallbacks"], 0)
        self.assertIn("converged", stiction("solve", file).stdout)

    def test_saved_problems_have_the_rows_of_limits_and_drives(self):
        file = os.path.join(self.folder.name, "arm.xml")
        with open(file, "w") as stream:
            stream.write('<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" range="-10 10" frictionloss="0.1"/>'
                         '<geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0" mass="1"/></body></worldbody>'
                         '<actuator><position joint="hinge" kp="1" kv="0.1"/></actuator></mujoco>')
        problems = os.path.join(self.folder.name, "problems")
        result = stiction("run", file, "--time", "1", "--dump-problems", problems, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        last = os.path.join(problems, sorted(os.listdir(problems))[-1])
        with open(last) as stream:
            saved = json.load(stream)
        self.assertEqual((len(saved["patches"]), len(saved["trees"])), (0, 1))
        answer = json.loads(stiction("solve", last, "--json").stdout)
        self.assertEqual(len(answer["row_impulses"]), len(saved["rows"]))
        self.assertGreaterEqual(len(saved["rows"]), 3)  # friction, limit, drive
        self.assertLess(answer["errors"]["momentum"]["relative"], 1e-6)
        self.assertLess(answer["errors"]["rows"]["relative"], 1e-9)
        # What the rows push together holds the weight: the arm rests on its limit.
        impulses = sum(row["parts"][0]["values"][0] * gamma for row, gamma in zip(saved["rows"], answer["row_impulses"]))
        self.assertAlmostEqual(impulses / saved["h"], -9.81 * 0.25 * math.cos(math.radians(10)), delta=1e-3)

    def test_solve_names_what_is_wrong_with_a_file(self):
        file = os.path.join(self.folder.name, "bad.json")
        with open(file, "w") as stream:
            stream.write('{"format": "stiction_contact_problem", "version": 1, "h": "a"}')
        result = stiction("solve", file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.json.h", result.stderr)

    def test_check_notes_a_stiffness_that_was_raised(self):
        file = os.path.join(self.folder.name, "heavy.xml")
        with open(file, "w") as stream:
            stream.write('<mujoco><worldbody><body><freejoint/><geom size="0.05" mass="1000"/></body></worldbody>'
                         '</mujoco>')
        notes = json.loads(stiction("check", file, "--json").stdout)["notes"]
        self.assertEqual(len([note for note in notes if "raised" in note]), 1)


class Rigid(unittest.TestCase):
    def test_every_formulation_of_the_list_runs_a_scene(self):
        for entry in json.loads(stiction("list", "--json").stdout)["formulations"]:
            # Gauss-Seidel on the dual of sap takes thousands.
            result = stiction("run", "slope", "--time", "0.1", "--formulation", entry["name"], "--max-iterations", "20000", "--json")
            self.assertEqual(result.returncode, 0, entry["name"] + result.stderr)
            answer = json.loads(result.stdout)
            self.assertEqual(answer["formulation"], entry["name"])
            self.assertEqual(answer["unconverged_steps"], 0)

    def test_the_pyramid_takes_facets(self):
        for facets in ("4", "16"):
            out = stiction("run", "sliding_block", "--time", "0.1", "--formulation", "pyramid_lcp+pgs", "--facets", facets)
            self.assertEqual(out.returncode, 0, out.stderr)
        for facets in ("3", "5", "-4"):
            result = stiction("run", "slope", "--formulation", "pyramid_lcp", "--facets", facets)
            self.assertEqual(result.returncode, 1)
            self.assertIn("--facets", result.stderr)

    def test_rigid_laws_have_no_elasticity(self):
        result = stiction("run", "slope", "--formulation", "coulomb_ncp", "--elasticity", "hertz")
        self.assertEqual(result.returncode, 1)
        self.assertIn("rigid", result.stderr)

    def test_a_certificate_has_a_line_for_every_step(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "certificate.jsonl")
            stiction("run", "slope", "--time", "0.02", "--step", "0.002", "--formulation", "coulomb_ncp+admm", "--certificate", file)
            with open(file) as stream:
                lines = [json.loads(line) for line in stream]
        self.assertEqual(len(lines), 10)
        for line in lines:
            self.assertEqual(line["status"], "converged")
            self.assertLess(line["momentum"]["relative"], 1e-12)
            self.assertLess(line["impulses"]["natural_velocity"]["relative"], 1e-5)

    def test_a_certificate_that_cannot_be_written_is_bad_input(self):
        result = stiction("run", "slope", "--time", "0.01", "--certificate", "/nowhere/certificate.jsonl")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nowhere/certificate.jsonl", result.stderr)

    def test_a_problem_is_solved_under_rigid_laws(self):
        with tempfile.TemporaryDirectory() as folder:
            stiction("run", "box_stack", "--time", "0.02", "--dump-problems", folder)
            file = os.path.join(folder, sorted(os.listdir(folder))[-1])
            for formulation in ("coulomb_ncp+admm", "pyramid_lcp+lemke", "convex_cone+admm"):
                result = stiction("solve", file, "--formulation", formulation, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                answer = json.loads(result.stdout)
                self.assertEqual(answer["formulation"], formulation)
                self.assertEqual(answer["status"], "converged")


class Compare(unittest.TestCase):
    FORMULATIONS = "coulomb_ncp+admm,convex_cone+admm,sap"

    def test_json_has_a_row_for_every_formulation(self):
        result = stiction("compare", "sliding_block", "--time", "0.3", "--formulations", self.FORMULATIONS, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = {row["formulation"]: row for row in json.loads(result.stdout)["rows"]}
        self.assertEqual(set(rows), {"coulomb_ncp+admm", "convex_cone+admm", "sap+newton"})
        # The relaxed laws lift off while the block slides; Coulomb's does not.
        self.assertLess(rows["coulomb_ncp+admm"]["residuals"]["signorini"], 1e-4)
        self.assertGreater(rows["convex_cone+admm"]["residuals"]["signorini"], 0.1)
        for row in rows.values():
            self.assertEqual(len(row["series"]["time"]), row["steps"])

    # A block of 1 kg, which cannot turn, slides on a level floor of mu 0.5 from 1 m/s: it stops after v^2 / (2 mu g).
    SLIDER = """<mujoco><option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="5 5 1" friction="0.5"/>
        <body name="block" pos="0 0 0.05"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><geom name="block" type="box" size="0.1 0.1 0.05" mass="1" friction="0.5"/></body>
        </worldbody><keyframe><key name="thrown" qvel="1 0"/></keyframe></mujoco>"""

    def test_slip_lift_energy_and_depth_of_a_block_that_slides_to_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "slider.xml")
            with open(file, "w") as stream:
                stream.write(self.SLIDER)
            arguments = ["compare", file, "--keyframe", "thrown", "--time", "0.4", "--formulations", "coulomb_ncp,convex_cone"]
            result = stiction(*arguments, "--json")
            table = stiction(*arguments).stdout
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        coulomb, convex = answer["rows"]
        way = 1.0 / (2 * 0.5 * 9.81)
        for row in (coulomb, convex, answer["reference"]):
            self.assertEqual([pair["bodies"] for pair in row["pairs"]], ["world - block"])
            self.assertAlmostEqual(row["energy_change_J"], -0.5, delta=5e-3)  # m v^2 / 2
            self.assertEqual(row["slip_m"], row["pairs"][0]["slip_m"])
        for row in (coulomb, answer["reference"]):
            self.assertAlmostEqual(row["slip_m"], way, delta=way * 5e-3)
            self.assertLess(row["lift_m"], 1e-7)
        # The relaxed law gives what slides at v an upward speed of mu v. In the first step v = v0 - mu (mu v + g h).
        self.assertAlmostEqual(convex["lift_m"], 1e-3 * 0.5 * (1.0 - 0.5 * 9.81e-3) / (1 + 0.5**2), delta=5e-6)
        for word in ("unsolved", "slip mm", "lift mm", "deepest mm", "energy J", "us/step", "world - block",
                     "coulomb_ncp+semismooth_newton at 0.1 ms (reference)"):
            self.assertIn(word, table)

    # A ball of 10 g that rests on the floor by the stiffness that the step gives it: 4 pi^2 m/h^2, sinking by m g/k.
    LIGHT_BALL = """<mujoco><option timestep="0.005"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
        <body name="ball" pos="0 0 %.12f"><joint name="z" type="slide" axis="0 0 1"/><geom type="sphere" size="0.05" mass="0.01"/></body>
        </worldbody></mujoco>"""

    def test_the_finer_reference_has_the_stiffness_of_the_other_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            for step in (5e-3, 2.5e-3):
                sag = 9.81 * step**2 / (4 * math.pi**2)
                file = os.path.join(folder, "ball.xml")
                with open(file, "w") as stream:
                    stream.write(self.LIGHT_BALL % (0.05 - sag))
                more = () if step == 5e-3 else ("--stiffness-step", str(step))
                result = stiction("compare", file, "--time", "0.1", "--formulations", "icf_lagged", *more, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                answer = json.loads(result.stdout)
                for run in (answer["rows"][0], answer["reference"]):
                    self.assertEqual(run["stiffness_step"], step)
                    self.assertAlmostEqual(run["deepest_m"], sag, delta=1e-6 * sag)
                self.assertLess(answer["rows"][0]["drift_m"], 1e-6 * sag)
            # `run` has the option too: softer by 4 than the start is deep for, the ball goes down another 3 times that.
            result = stiction("run", file, "--time", "0.5", "--stiffness-step", "0.005", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            height = json.loads(result.stdout)["bodies"][0]["position"][2]
            self.assertAlmostEqual(0.05 - height, 4 * sag, delta=1e-2 * sag)
        result = stiction("run", "slope", "--stiffness-step", "0")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--stiffness-step must be finite and positive, not 0", result.stderr)

    def test_residuals_are_shown_on_demand(self):
        arguments = ["compare", "slope", "--time", "0.05", "--formulations", "sap"]
        words = ("momentum", "cone", "dual", "compl.", "Signorini", "dissipation", "law", "us/solve", "iterations")
        plain, all_ = (stiction(*arguments, *more).stdout for more in ((), ("--residuals",)))
        for word in words:
            self.assertNotIn(word, plain)
            self.assertIn(word, all_)

    def test_the_reference_may_be_a_finer_run_or_the_same_step(self):
        for finer, step in (("20", 0.1), ("1", 2.0)):
            result = stiction("compare", "slope", "--time", "0.02", "--formulations", "sap,icf_lagged", "--reference", "icf_lagged",
                              "--finer", finer)
            self.assertIn(f"reference: icf_lagged+newton at {step:g} ms", result.stdout)

    def test_every_formulation_at_once_has_a_colour_of_its_own(self):
        names = [row["name"] for row in json.loads(stiction("list", "formulations", "--json").stdout)["formulations"]][:12]
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            result = stiction("compare", "sliding_block", "--time", "0.02", "--finer", "1", "--formulations", ",".join(names), "--html", page,
                              "--quiet", STICTION_VIEWER="/nowhere/viewer.html")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(page) as stream:
                text = stream.read()
        for plot in text.split("<svg")[1:]:
            strokes = re.findall(r'<path d="[^"]*" fill="none" stroke="(#[0-9a-f]{6})" stroke-width="1.4"', plot)
            self.assertEqual(len(strokes), len(set(strokes)))
        swatches = re.findall(r'<tr><td><i class="swatch" style="background:(#[0-9a-f]{6})">', text)
        self.assertEqual((len(swatches), len(set(swatches))), (12, 12))

    def test_the_page_is_self_contained(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            # The table and plots alone; view_page_test.py opens the whole page.
            result = stiction("compare", "slope", "--time", "0.05", "--formulations", self.FORMULATIONS, "--html", page, "--quiet",
                              STICTION_VIEWER="/nowhere/viewer.html")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout, "")
            with open(page) as stream:
                text = stream.read()
        self.assertIn("<svg", text)
        self.assertIn("sap+newton", text)
        for outside in ("http://", "https://", "src="):
            self.assertNotIn(outside, text.replace("http://www.w3.org", ""))

    def test_an_unknown_formulation_or_body_is_named_before_anything_runs(self):
        result = stiction("compare", "slope", "--formulations", "sap,coulomb_pcn")
        self.assertEqual(result.returncode, 1)
        self.assertIn("coulomb_pcn", result.stderr)
        result = stiction("compare", "slope", "--body", "nobody")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nobody", result.stderr)


if __name__ == "__main__":
    unittest.main()
