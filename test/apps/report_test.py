"""Every element and attribute of a model file stands in the report. Usage: report_test.py PATH_OF_STICTION

Files of test/data and of the shared folder are read a second time by expat, another parser of XML, which tells what must be
there and in which line.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.parsers.expat

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("STICTION_SHARED", ROOT.parent / "shared"))
VAGUE = {"", "not read", "ignored", "unknown"}


def written_in(file):
    """How often (element, attribute, line) stands in a file; the attribute is empty for the element itself."""
    text = file.read_bytes()
    counts = collections.Counter()
    parser = xml.parsers.expat.ParserCreate()
    parser.ordered_attributes = True

    def start(element, attributes):
        begin = parser.CurrentByteIndex
        counts[element, "", 1 + text.count(b"\n", 0, begin)] += 1
        at = begin
        for name in attributes[::2]:
            found = re.compile(rb"""\s(%s)\s*=\s*("[^"]*"|'[^']*')""" % re.escape(name.encode())).search(text, at)
            counts[element, name, 1 + text.count(b"\n", 0, found.start(1))] += 1
            at = found.end()

    parser.StartElementHandler = start
    parser.Parse(text, True)
    return counts


def model_files():
    for folder in (ROOT / "test" / "data", SHARED / "models"):
        for pattern in ("*.xml", "*.urdf"):
            yield from sorted(folder.rglob(pattern))


class Report(unittest.TestCase):
    def test_has_every_element_and_attribute_with_its_line_and_a_reason(self):
        checked, refused, included = 0, set(), set()
        for file in model_files():
            with self.subTest(file=str(file)):
                result = subprocess.run([PROGRAM, "check", str(file), "--json"], capture_output=True, text=True)
                if result.returncode == 1:
                    refused.add(str(file))
                    continue
                self.assertEqual(result.returncode, 0, result.stderr)
                report = json.loads(result.stdout)["report"]
                reported = collections.defaultdict(collections.Counter)
                for entry in report:
                    self.assertIn(entry["status"], ("honoured", "approximated", "ignored"))
                    if entry["status"] != "honoured":
                        self.assertNotIn(entry["why"], VAGUE, entry)
                    reported[entry["file"]][entry["element"], entry["attribute"], entry["line"]] += 1
                # Files that are included or attached bring entries of their own.
                self.assertIn(str(file), reported)
                included.update(os.path.normpath(name) for name in reported)
                for name, counts in reported.items():
                    expected = written_in(pathlib.Path(name))
                    times = counts[max(counts)] // max(1, expected[max(counts)])  # a file may be attached several times
                    self.assertEqual(counts, collections.Counter({key: times * n for key, n in expected.items()}), name)
                checked += 1
        self.assertGreaterEqual(checked, 6)  # those in the repository
        # Parts of models, for others to include.
        for name in refused - included:
            self.assertNotIn(b"<worldbody", pathlib.Path(name).read_bytes(), name)

    def test_follows_includes(self):
        file = ROOT / "test" / "data" / "mjcf" / "attached.xml"
        report = json.loads(subprocess.run([PROGRAM, "check", str(file), "--json"], capture_output=True).stdout)["report"]
        named = set(re.findall(r'file="([^"]+\.xml)"', file.read_text()))
        self.assertTrue(named)
        for name in named:
            self.assertTrue(any(entry["file"].endswith(os.path.basename(name)) for entry in report), name)


if __name__ == "__main__":
    unittest.main()
