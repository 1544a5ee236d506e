"""The path of a new user: the commands of the README, in order. Usage: readme_test.py PATH_OF_STICTION

Commands run as they stand, in one folder, with the program under test for `stiction` and `build/bin/stiction`. What builds
is only looked at, because the tests run inside it: of `make run` and `make test` make tells what it would do (make -n), and
the simulation of `make run` is then run. `cmake --install` has a test of its own (install_consumer). A scene that is shown live
is interrupted once the program has printed the page's address, and the page is then read.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]


def commands():
    """The lines of code blocks without a language, and commands between backticks, in the order of the page."""
    found, fence = [], None
    for line in (ROOT / "README.md").read_text().splitlines():
        if line.startswith("```"):
            fence = line if fence is None else None
        elif fence == "```" and line.strip():
            found.append(re.sub(r"\s+#.*", "", line))
        elif fence is None:
            found += re.findall(r"`(build/bin/stiction [^`]*)`", line)
    return found


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for place in ("bin", "build/bin"):
            (self.folder / place).mkdir(parents=True)
            (self.folder / place / "stiction").symlink_to(PROGRAM)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        self.environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # the tests may run under make themselves
            self.environment.pop(name, None)

    def shell(self, command, folder):
        result = subprocess.run(["bash", "-ec", command], cwd=folder, env=self.environment, capture_output=True, text=True, timeout=300 * SLOWDOWN)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout[-2000:]}{result.stderr}")
        return result.stdout

    def show_and_interrupt(self, command):
        process = subprocess.Popen(command.split() + ["--no-browser"], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            address, printed = None, ""
            while address is None:
                line = process.stdout.readline()
                self.assertTrue(line, f"{command}: ended without an address\n{printed}")
                printed += line
                address = re.search(r"http://\S+", line)
            with urllib.request.urlopen(address[0], timeout=30 * SLOWDOWN) as page:
                self.assertIn(b"<html", page.read())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30 * SLOWDOWN), 130)
        finally:
            process.kill()
            process.stdout.close()
            process.wait()

    def test_the_commands_work_in_order(self):
        done = []
        for command in commands():
            with self.subTest(command=command):
                if command.startswith("make "):
                    plan = self.shell(command.replace("make ", "make -n ", 1), ROOT)
                    done.append(command)
                    if command == "make run":
                        simulation = [line for line in plan.splitlines() if line.startswith("build/bin/stiction run ")][0]
                        out = self.shell(simulation, self.folder)
                        self.assertIn("x real time", out)
                        for file in re.findall(r"^wrote (\S+): ", out, re.MULTILINE):
                            self.assertTrue((self.folder / file).exists(), file)
                elif command.startswith("cmake --install"):
                    continue
                elif re.match(r"stiction view (?!\S*\.mcap)", command):
                    self.show_and_interrupt(command)
                    done.append(command)
                else:
                    self.assertRegex(command, r"^(stiction|build/bin/stiction) ")
                    self.shell(command, self.folder)
                    done.append(command)
        self.assertEqual(done[:2], ["make run", "make test"])
        self.assertGreater(len(done), 6)


if __name__ == "__main__":
    unittest.main()
