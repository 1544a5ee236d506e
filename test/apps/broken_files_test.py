"""Broken files end in one clear message, exit code 1 and nothing else. Usage: broken_files_test.py PATH_OF_STICTION

Every file of broken_files.py goes through `check`, `run` and `convert`. What it may take is a limit of processor time.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

from broken_files import CATEGORIES, Folder
from slowdown import SLOWDOWN

PROGRAM = os.path.abspath(sys.argv.pop(1))
MOST_SECONDS = 2.0 * SLOWDOWN  # of processor time, which does not depend on what else the machine does
FEWEST_FILES = 120


def run(arguments):
    """Answer and seconds of processor time."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=60 * SLOWDOWN)
    return result, used() - before


class BrokenFiles(unittest.TestCase):
    def complaints(self, broken, arguments):
        """What is wrong with the answer; empty if nothing is."""
        try:
            result, seconds = run(arguments)
        except subprocess.TimeoutExpired:
            return "does not end"
        message = result.stderr.decode("utf-8", "backslashreplace")
        if result.returncode != 1:
            return "exit code %d: %s" % (result.returncode, message[:2000])
        if result.stdout:
            return "prints %r" % result.stdout[:200]
        if not message.startswith("stiction: ") or message.count("\n") != 1 or not message.endswith("\n"):
            return "not one message: %s" % message[:2000]
        if len(message) > 2000:
            return "a message of %d characters" % len(message)
        place = broken.place or str(broken.file) + (":" if broken.has_line else "")
        if place not in message:
            return "does not name %s: %s" % (place, message)
        is_json = broken.file.suffix == ".json"  # places in it are keys, `bodies[3].name`, or lines
        if broken.has_line and not is_json and not re.match(r"stiction: [^:]+:\d+: ", message):
            return "has no line: %s" % message
        if broken.word not in message:
            return "does not say '%s': %s" % (broken.word, message)
        if seconds > MOST_SECONDS:
            return "takes %.1f s" % seconds
        return ""

    def test_there_are_enough(self):
        with tempfile.TemporaryDirectory() as path:
            count = 0
            for category in CATEGORIES:
                folder = Folder(os.path.join(path, category.__name__))
                folder.path.mkdir()
                category(folder)
                count += len(folder.list)
        self.assertGreaterEqual(count, FEWEST_FILES)


def add_test(category):
    def test(self):
        with tempfile.TemporaryDirectory() as path:
            folder = Folder(path)
            category(folder)
            written = pathlib.Path(path, "written.json")
            for broken in folder.list:
                file = str(broken.file)
                for arguments in (["check", file], ["run", file, "--time", "0.01"], ["convert", file, str(written)]):
                    with self.subTest(file=broken.name, command=arguments[0]):
                        complaint = self.complaints(broken, arguments)
                        self.assertFalse(complaint, complaint)
                        self.assertFalse(written.exists(), "writes a file")
                written.unlink(missing_ok=True)

    setattr(BrokenFiles, "test_" + category.__name__, test)


for each in CATEGORIES:
    add_test(each)

if __name__ == "__main__":
    unittest.main()
