"""Every piece of the documentation that can run does. Usage: docs_test.py PATH_OF_STICTION

Commands, scene files and the Python of docs/recording.md, page by page, each page in a folder of its own. C++ is compiled and
run by stiction_docs (test/docs), the Python of README.md and docs/python.md by python/tests/test_examples.py, the commands of
README.md by readme_test.py. A piece that none of them knows fails here.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

from documented_commands import ROOT, Commands

Commands.program = os.path.abspath(sys.argv.pop(1))

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"^(build/bin/)?stiction |^(make|cmake|ctest|pip|source|python3?|PYTHONPATH=\S*) ?")
# What is not run here, and why.
ELSEWHERE = {
    "make run": "readme_test.py",
    "cmake --preset release": "builds what is tested",
    "cmake --build build": "builds what is tested",
    "ctest --test-dir build --output-on-failure": "runs this test",
    "make site": "builds the site, with packages of its own",
    "stiction claims --out docs/claims --page docs/claims.md": "takes half an hour; claims_test.py has its parts",
    "stiction bench solvers ../shared/data/fc3d --tolerance 1e-8 --time-limit 3 --json --images docs/images | "
    "python3 tools/solver_tables.py docs/solvers/profiles.md": "takes minutes; solve_test.py has its parts",
    "PYTHONPATH=build/python/site .venv/bin/python tools/try_robots.py ../shared/models --law coulomb_ncp --time 5":
        "takes minutes; python/tests/test_try_robots.py",
    "PYTHONPATH=build/python/site .venv/bin/python tools/measure_laws.py": "takes minutes; python/tests/test_measure_laws.py",
    "pip install .": "tools/build_wheel.sh",
    "pip install --editable .": "needs a folder of its own",
}
# Blocks without a language that hold no commands, by how they begin.
NO_COMMANDS = ("6  apps/", "differs first at step", "stiction: robot.xml:12:", "scene.toml:12:1:", '{"format": "stiction-stage"',
               '"STKT" | u32 version')
PYTHON = {"README.md", "docs/python.md", "docs/recording.md"}
URDF = """<robot name="robot"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link></robot>"""

MODEL_AROUND_A_PIECE = """<mujoco>{}<worldbody><geom name="floor" type="box" size="1 1 0.1"/>
<body pos="0 0 0.15"><freejoint/><geom name="finger_left" size="0.05"/></body></worldbody></mujoco>"""


def blocks(page):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.S | re.M)


def commands_in(text):
    """Lines without their remarks; what ends in a pipe goes on in the next one."""
    joined = re.sub(r"\|\n\s*", "| ", text)
    return [re.sub(r"\s+#.*", "", line).strip() for line in joined.splitlines() if line.strip()]


def name_of(page):
    return str(page.relative_to(ROOT))


class Docs(Commands):
    def prepare(self):
        """The files that pages speak of."""
        self.shell("stiction convert quadruped_standing -o robot.xml")
        (self.folder / "robot.urdf").write_text(URDF)
        shutil.copy(ROOT / "examples" / "02_slopes.toml", self.folder / "table.toml")
        self.shell("stiction run clutter --time 0.1 --quiet --record run.mcap")

    def test_every_block_is_known_to_a_test(self):
        for page in PAGES:
            for language, text in blocks(page):
                with self.subTest(page=name_of(page), text=text[:60]):
                    if language == "python":
                        self.assertIn(name_of(page), PYTHON)
                    elif language == "":
                        is_known = text.startswith(NO_COMMANDS) or all(COMMAND.match(line) for line in commands_in(text))
                        self.assertTrue(is_known, "neither commands nor in NO_COMMANDS")
                    else:
                        self.assertIn(language, ("cpp", "cmake", "toml", "xml"))
                        self.assertFalse(language == "cmake" and name_of(page) != "README.md", "test/install has that of README.md")

    def test_the_commands_of_every_page_work_in_order(self):
        done = 0
        for page in PAGES[1:]:
            commands = [line for language, text in blocks(page) if language == "" and not text.startswith(NO_COMMANDS)
                        for line in commands_in(text)]
            commands = [command for command in commands if command not in ELSEWHERE]
            if not commands:
                continue
            self.setUp()  # a folder of its own
            self.prepare()
            for command in commands:
                with self.subTest(page=name_of(page), command=command):
                    shell = re.search(r"completion (bash|zsh|fish)", command)
                    if shell and shell[1] != "bash":
                        if shutil.which(shell[1]):
                            self.shell(f"{shell[1]} -c {command!r}")
                    else:
                        self.run_as_it_stands(command)
                    done += 1
            if page.name == "recording.md":
                self.run_python(page)
        self.assertGreater(done, 30)

    def run_python(self, page):
        """After the commands of the page, which write what it reads."""
        program = "\n".join(text for language, text in blocks(page) if language == "python")
        result = subprocess.run([sys.executable, "-c", program], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("0.", result.stdout)

    def test_scene_files_of_every_page_are_read(self):
        found = 0
        for page in PAGES:
            for language, text in blocks(page):
                if language != "toml":
                    continue
                with self.subTest(page=name_of(page)):
                    (self.folder / "scene.toml").write_text(text)
                    # A part of a scene stands on a ground.
                    if "[[" not in text:
                        (self.folder / "scene.toml").write_text(text + "\n[[ground]]\n")
                    self.shell("stiction check scene.toml")
                    found += 1
        self.assertGreaterEqual(found, 4)

    def test_pieces_of_mjcf_are_honoured_by_a_model_that_has_what_they_name(self):
        found = 0
        for page in PAGES:
            for language, text in blocks(page):
                if language != "xml":
                    continue
                with self.subTest(page=name_of(page)):
                    (self.folder / "piece.xml").write_text(MODEL_AROUND_A_PIECE.format(text))
                    report = self.shell("stiction check piece.xml")
                    self.assertIn("0 approximated, 0 ignored", report)
                    self.assertIn("1 pair of shapes touches by pressure fields", report)
                    found += 1
        self.assertGreaterEqual(found, 1)

    def test_commands_within_sentences_have_the_options_that_there_are(self):
        help_of, checked = {}, 0
        for page in PAGES:
            text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.S | re.M)
            for command, rest in re.findall(r"`(?:build/bin/)?stiction ([a-z]+)\b([^`]*)`", text):
                with self.subTest(page=name_of(page), command=command + rest):
                    if command not in help_of:
                        help_of[command] = self.shell(f"stiction {command} --help")
                    for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", rest):
                        inner = re.match(r" ([a-z]+) ", rest)
                        more = self.shell(f"stiction bench {inner[1]} --help") if command == "bench" and inner else ""
                        self.assertIn(option, help_of[command] + more)
                        checked += 1
        self.assertGreater(checked, 20)


if __name__ == "__main__":
    unittest.main()
