"""The path of a new user: the commands of the README, in order. Usage: readme_test.py PATH_OF_STICTION

Commands run as they stand, in one folder, with the program under test for `stiction` and `build/bin/stiction`. What builds
is only looked at, because the tests run inside it: of `make run` and `make test` make tells what it would do (make -n), and
the simulation of `make run` is then run. `cmake --install` has a test of its own (install_consumer). A scene that is shown live
is interrupted once the program has printed the page's address, and the page is then read.
"""

import os
import re
import sys
import unittest

from documented_commands import ROOT, Commands

Commands.program = os.path.abspath(sys.argv.pop(1))


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


class Readme(Commands):
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
                else:
                    self.assertRegex(command, r"^(stiction|build/bin/stiction) ")
                    self.run_as_it_stands(command)
                    done.append(command)
        self.assertEqual(done[:2], ["make run", "make test"])
        self.assertGreater(len(done), 6)


if __name__ == "__main__":
    unittest.main()
