"""Problem files on the command line: answers, residuals, messages and exit codes. Usage: solve_test.py PATH_OF_STICTION"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
SHARED = os.environ.get("STICTION_SHARED", os.path.join("..", "shared"))


def stiction(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120 * SLOWDOWN)


def answer_of(*arguments):
    result = stiction("solve", *arguments, "--json")
    return result.returncode, json.loads(result.stdout)


# One contact with W = 1, q = (-1, 1, 3) and mu = 0.1 slides: r = (1, -0.1/sqrt(10), -0.3/sqrt(10)).
SLIDING = {
    "format": "fc-json/1", "name": "sliding", "dim": 3, "nc": 1, "mu": [0.1], "q": [-1, 1, 3],
    "W": {"rows": 3, "cols": 3, "data": [[0, 0, 1], [1, 1, 1], [2, 2, 1]]},
}
SLIDING_R = (1.0, -0.1 / math.sqrt(10.0), -0.3 / math.sqrt(10.0))

# The same as M = 1, H = 1, f = q.
GLOBAL = {
    "format": "fc-json/1", "name": "global", "dim": 3, "nc": 1, "mu": [0.1],
    "global": {"M": SLIDING["W"], "H": SLIDING["W"], "f": [-1, 1, 3], "w": [0, 0, 0]},
}

# z = (4/3, 7/3).
LCP = {"format": "lcp-json/1", "name": "deudeu", "n": 2, "M": [[2, 1], [1, 2]], "q": [-5, -6]}

RESIDUALS = {"natural_map", "natural_velocity", "primal", "dual", "complementarity", "ccp_dual", "ccp_complementarity",
         "signorini", "dissipation", "internal"}


class ProblemFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, problem, name="problem.json"):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as stream:
            stream.write(problem if isinstance(problem, str) else json.dumps(problem))
        return path


# A box that overlaps the floor and a lid which does not move: it cannot be pushed out of both.
SQUEEZED = """
name = "squeezed"
[simulation]
time = 0.002
step = 0.002
[[ground]]
name = "floor"
[[object]]
name = "box"
shape = "box"
size = [0.1, 0.1, 0.1]
density = 1000
position = [0, 0, 0.045]
[[object]]
name = "lid"
shape = "box"
size = [0.5, 0.5, 0.1]
fixed = true
position = [0, 0, 0.14]
"""


class Contradiction(ProblemFiles):
    def test_an_answer_without_some_overlaps_is_not_called_converged(self):
        dumped = os.path.join(self.folder.name, "problems")
        scene = self.file(SQUEEZED, "squeezed.toml")
        self.assertEqual(stiction("run", scene, "--dump-problems", dumped, "--quiet").returncode, 0)
        problem = os.path.join(dumped, sorted(os.listdir(dumped))[0])
        for solver in ("admm", "semismooth_newton", "pgs"):
            code, answer = answer_of(problem, "--formulation", "coulomb_ncp+" + solver)
            with self.subTest(solver):
                self.assertEqual(code, 2)
                self.assertNotEqual(answer["status"], "converged")
                self.assertGreater(answer["dropped_stabilisation"], 0)
                self.assertEqual(answer["dropped_stabilisation"], answer["withdrawn"])  # its old name
        shown = stiction("solve", problem, "--formulation", "coulomb_ncp+admm").stdout
        self.assertIn("penetration recovery was dropped", shown)


class Collection(ProblemFiles):
    def test_a_sliding_contact_has_the_answer_of_the_closed_form(self):
        code, answer = answer_of(self.file(SLIDING), "--tolerance", "1e-10")
        self.assertEqual((code, answer["status"]), (0, "converged"))
        for got, expected in zip(answer["r"], SLIDING_R):
            self.assertAlmostEqual(got, expected, delta=1e-9)
        self.assertEqual(set(answer["errors"]), RESIDUALS)
        for error in answer["errors"].values():
            self.assertIn("absolute", error)
            self.assertIn("relative", error)
        self.assertGreaterEqual(answer["iterations"], 0)
        self.assertGreaterEqual(answer["time_s"], 0.0)

    def test_every_rigid_formulation_answers(self):
        file = self.file(SLIDING)
        listed = json.loads(stiction("list", "--json").stdout)["formulations"]
        rigid = [entry["name"] for entry in listed
                 if entry["family"] == "rigid" and "newton" not in entry["solver"].split("_")[0]]
        self.assertIn("coulomb_ncp+pgs", rigid)
        for name in rigid:
            with self.subTest(name):
                code, answer = answer_of(file, "--formulation", name)
                self.assertEqual(code, 0)
                # Only Coulomb's law is what the residual check calls converged; W = 1 couples nothing, so that the pushed
                # contact of raisim obeys it too.
                if answer["status"] == "converged":
                    self.assertLess(answer["errors"]["natural_map"]["relative"], 1e-5)
                else:
                    self.assertEqual(answer["status"], "solved_its_law")
                    self.assertFalse(name.startswith("coulomb_ncp"))

    def test_a_solver_that_is_stopped_is_not_solved(self):
        if not os.path.isdir(os.path.join(SHARED, "data", "fc3d")):
            self.skipTest("the collection is not there")
        file = os.path.join(SHARED, "data", "fc3d", "OneObject-i100000-316.json")
        code, answer = answer_of(file, "--formulation", "coulomb_ncp+pgs", "--max-iterations", "20")
        self.assertEqual(code, 2)
        self.assertNotIn(answer["status"], ("converged", "solved_its_law"))

    def test_converged_is_never_said_against_the_residual_check(self):
        folder = os.path.join(SHARED, "data", "fc3d")
        if not os.path.isdir(folder):
            self.skipTest("the collection is not there")
        for name in sorted(os.listdir(folder)):
            if os.path.getsize(os.path.join(folder, name)) > 60000:
                continue
            for formulation in ("coulomb_ncp+admm", "coulomb_ncp+pgs", "convex_cone+admm"):
                code, answer = answer_of(os.path.join(folder, name), "--formulation", formulation, "--tolerance", "1e-8",
                                         "--max-iterations", "3000")
                error = answer["errors"]["natural_map"]["relative"]
                if answer["status"] == "converged":
                    self.assertLess(error, 1e-7, (name, formulation))
                if code == 0 and formulation.startswith("coulomb"):
                    self.assertEqual(answer["status"], "converged")

    def test_a_compliant_law_is_refused(self):
        result = stiction("solve", self.file(SLIDING), "--formulation", "sap")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("compliant", result.stderr)

    def test_newton_on_velocities_needs_them(self):
        result = stiction("solve", self.file(SLIDING), "--formulation", "convex_cone+newton")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("M and H", result.stderr)
        code, answer = answer_of(self.file(GLOBAL), "--formulation", "convex_cone+newton")
        self.assertEqual((code, answer["status"]), (0, "solved_its_law"))

    def test_a_global_problem_without_w_is_the_same_problem(self):
        code, answer = answer_of(self.file(GLOBAL), "--tolerance", "1e-10")
        self.assertEqual(code, 0)
        for got, expected in zip(answer["r"], SLIDING_R):
            self.assertAlmostEqual(got, expected, delta=1e-9)

    def test_bad_files_are_named_with_the_key(self):
        for change, said in (({"mu": [-0.1]}, "mu[0]"), ({"dim": 2}, "plane"), ({"dim": 5}, "rolling"), ({"nc": 2}, ".mu"),
                             ({"q": [0, 0]}, ".q"), ({"W": {"rows": 3, "cols": 3, "data": [[3, 0, 1]]}}, "W.data[0][0]"),
                             ({"W": {"rows": 3, "cols": 3, "data": [[0, 0, "nan"]]}}, "W.data[0][2]"),
                             ({"format": "fc-json/9"}, "fc-json/9")):
            with self.subTest(said):
                result = stiction("solve", self.file({**SLIDING, **change}, "bad.json"))
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn("bad.json", result.stderr)
                self.assertIn(said, result.stderr)

    def test_what_is_no_problem_is_bad_input(self):
        for text in ("", "{", "[1, 2]", "{}", '{"format": 3}'):
            result = stiction("solve", self.file(text, "bad.json"))
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("bad.json", result.stderr)
        result = stiction("solve", os.path.join(self.folder.name, "nothing.json"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("nothing.json", result.stderr)


class Writing(ProblemFiles):
    def test_a_problem_of_ours_is_written_for_others(self):
        problems = os.path.join(self.folder.name, "problems")
        stiction("run", "slope", "--time", "0.3", "--formulation", "coulomb_ncp+admm", "--dump-problems", problems, "--quiet")
        last = os.path.join(problems, sorted(os.listdir(problems))[-1])
        out = os.path.join(self.folder.name, "slope_fc.json")
        result = stiction("solve", last, "--write", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(out) as stream:
            written = json.load(stream)
        self.assertEqual((written["format"], written["dim"]), ("fc-json/1", 3))
        # The cube sticks on the slope: the normal impulses carry m g h cos 20, but for what is left of its overlap.
        code, answer = answer_of(out, "--tolerance", "1e-8")
        self.assertEqual(code, 0)
        r = answer["r"]
        with open(last) as stream:
            saved = json.load(stream)
        weight = saved["trees"][0]["A"][3][3] * 9.81 * saved["h"]
        self.assertAlmostEqual(sum(r[0::3]), weight * math.cos(math.radians(20)), delta=0.02 * weight)

    def test_a_file_of_a_collection_is_written_again(self):
        out = os.path.join(self.folder.name, "again.json")
        self.assertEqual(stiction("solve", self.file(SLIDING), "--write", out).returncode, 0)
        with open(out) as stream:
            again = json.load(stream)
        for key in ("mu", "q", "W", "nc"):
            self.assertEqual(again[key], SLIDING[key])

    def test_a_global_problem_becomes_one_of_ours(self):
        out = os.path.join(self.folder.name, "ours.json")
        result = stiction("solve", self.file(GLOBAL), "--write", out, "--write-as", "stiction")
        self.assertEqual(result.returncode, 0, result.stderr)
        code, answer = answer_of(out, "--tolerance", "1e-10")
        self.assertEqual((code, answer["status"]), (0, "converged"))
        for got, expected in zip(answer["impulses"][0][0], SLIDING_R):
            self.assertAlmostEqual(got, expected, delta=1e-8)
        result = stiction("solve", self.file(SLIDING), "--write", out, "--write-as", "stiction")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no M and H", result.stderr)


class Complementarity(ProblemFiles):
    def test_a_small_problem_has_its_solution(self):
        code, answer = answer_of(self.file(LCP))
        self.assertEqual((code, answer["status"]), (0, "converged"))
        self.assertAlmostEqual(answer["z"][0], 4 / 3, delta=1e-9)
        self.assertAlmostEqual(answer["z"][1], 7 / 3, delta=1e-9)
        self.assertLess(answer["errors"]["natural"]["absolute"], 1e-9)

    def test_methods_by_name(self):
        result = stiction("solve", self.file(LCP), "--formulation", "sap")
        self.assertEqual(result.returncode, 1)
        # The message names those that there are: "...; automatic, lemke, ... do".
        methods = re.search(r"; (.*) do$", result.stderr.strip().splitlines()[-1]).group(1).split(", ")
        self.assertIn("lemke", methods)
        for method in methods:
            code, answer = answer_of(self.file(LCP), "--formulation", method)
            self.assertEqual(code, 0)
            # `automatic` says which one found the answer.
            self.assertIn(answer["method"], set(methods) - {"automatic"} if method == "automatic" else {method})

    def test_what_has_no_solution_is_not_solved(self):
        # 0 <= z, -1 >= 0.
        code, answer = answer_of(self.file({"format": "lcp-json/1", "n": 1, "M": [[0]], "q": [-1], "name": "none"}))
        self.assertEqual(code, 2)
        self.assertNotEqual(answer["status"], "converged")

    def test_a_bad_file_is_named(self):
        result = stiction("solve", self.file({**LCP, "q": [1]}, "bad.json"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.json.q", result.stderr)


class Bench(ProblemFiles):
    def test_the_bench_checks_all_problems_with_all_solvers(self):
        self.file(SLIDING, "one.json")
        self.file(GLOBAL, "two.json")
        self.file(LCP, "other.json")
        page, images = (os.path.join(self.folder.name, name) for name in ("page.html", "images"))
        arguments = ("bench", "solvers", self.folder.name, "--solvers", "coulomb_ncp+pgs,coulomb_ncp+admm,convex_cone+pgs")
        result = stiction(*arguments, "--html", page, "--images", images)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("left out", result.stderr)
        self.assertIn("coulomb_ncp+admm", result.stdout)
        figures = json.loads(stiction(*arguments, "--json").stdout)
        self.assertEqual(len(figures["runs"]), 6)
        for run in figures["runs"]:
            self.assertTrue(run["holds"], run)
            self.assertEqual(run["status"] == "converged", run["coulomb"] <= figures["tolerance"])
        # Shares begin at the fastest and end at all.
        for curve in figures["profiles"]:
            self.assertEqual(curve["tau"], sorted(curve["tau"]))
            self.assertAlmostEqual(curve["share"][-1], 1.0)
        with open(page) as stream:
            self.assertIn("<svg", stream.read())
        self.assertEqual(os.listdir(images), ["profile_coulomb_ncp.svg"])

    def test_bad_arguments_are_named(self):
        for arguments, said in ((("/nowhere",), "nowhere"), ((self.folder.name,), "no contact problem"),
                                ((self.folder.name, "--solvers", "sapp"), "sap"),
                                ((self.folder.name, "--solvers", "sap"), "impulses"),
                                ((self.folder.name, "--time-limit", "0"), "--time-limit")):
            result = stiction("bench", "solvers", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()
