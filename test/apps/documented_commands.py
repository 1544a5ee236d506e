"""Commands of the documentation, run as they stand: with the program under test for `stiction` and `build/bin/stiction`."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from slowdown import SLOWDOWN

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Commands(unittest.TestCase):
    program = ""  # set by the test

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for place in ("bin", "build/bin"):
            (self.folder / place).mkdir(parents=True)
            (self.folder / place / "stiction").symlink_to(self.program)
        (self.folder / "examples").symlink_to(ROOT / "examples")
        self.environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # the tests may run under make themselves
            self.environment.pop(name, None)

    def shell(self, command, folder=None):
        result = subprocess.run(["bash", "-ec", command], cwd=folder or self.folder, env=self.environment, capture_output=True, text=True,
                                timeout=300 * SLOWDOWN)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout[-2000:]}{result.stderr}")
        return result.stdout

    def show_and_interrupt(self, command):
        """A live view: it is interrupted once the program has printed the page's address, and the page was read."""
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

    def run_as_it_stands(self, command):
        # Without a file to write, `view` shows until it is interrupted.
        is_shown = re.match(r"(build/bin/)?stiction view ", command) and not re.search(r" --(html|png|mp4) ", command)
        if is_shown:
            self.show_and_interrupt(command)
        else:
            self.shell(command)
