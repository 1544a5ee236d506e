"""`stiction claims` as a person or a script sees it. Usage: claims_test.py PATH_OF_STICTION

Only quick rows are run here; what the rows say is judged by their own criteria.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.path.abspath(sys.argv.pop(1))
KEYS = {"id", "statement", "paper", "ours", "criterion", "holds"}
QUICK = ["S12", "S13", "I2", "I10", "I11", "B2"]


def claims(*arguments):
    return subprocess.run([PROGRAM, "claims", *arguments], capture_output=True, text=True)


class Claims(unittest.TestCase):
    def test_json_is_a_list_of_rows_in_the_order_of_the_ledger(self):
        result = claims("--only", ",".join(reversed(QUICK)), "--json", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout)
        self.assertEqual([row["id"] for row in rows], QUICK)
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertIn(row["holds"], (True, False, None))
            for key in KEYS - {"holds"}:
                self.assertTrue(row[key], key)

    def test_rows_that_need_nothing_but_one_point_hold(self):
        result = claims("--only", "S12,S13,I10,I11,B2", "--json", "--quiet")
        for row in json.loads(result.stdout):
            self.assertTrue(row["holds"], f'{row["id"]}: {row["ours"]}')

    def test_figures_are_a_table_and_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            result = claims("--only", "I11", "--out", folder, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(pathlib.Path(folder) / "I11.csv", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0][0], "curve")
            self.assertGreater(len(rows), 100)
            for row in rows[1:]:
                float(row[1]), float(row[2])
            picture = xml.etree.ElementTree.parse(pathlib.Path(folder) / "I11.svg").getroot()
            self.assertTrue(picture.tag.endswith("svg"))

    def test_page_has_every_row_with_its_figure(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "claims.md"
            figures = pathlib.Path(folder) / "figures"
            result = claims("--only", "S13,I11", "--out", str(figures), "--page", str(page), "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            text = page.read_text()
            for row in ("S13", "I11"):
                self.assertIn(f"## {row}\n", text)
                self.assertIn(f"(figures/{row}.svg)", text)

    def test_progress_says_how_long_it_will_take_unless_quiet(self):
        self.assertRegex(claims("--only", "S13").stderr, r"\[1/1\] S13 +about .* left")
        self.assertEqual(claims("--only", "S13", "--quiet").stderr, "")

    def test_a_row_that_is_not_there_is_named_with_those_that_are(self):
        result = claims("--only", "S13,X9")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no claim 'X9'", result.stderr)
        self.assertIn("S13", result.stderr)


if __name__ == "__main__":
    unittest.main()
