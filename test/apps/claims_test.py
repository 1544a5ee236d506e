"""`stiction claims` as a person or a script sees it. Usage: claims_test.py PATH_OF_STICTION

What the rows say is checked by their own criteria. Here every verdict is held against a list, so that a row that changes is
seen: quick rows are run, the others are taken as they were last stored beside the page. With STICTION_ALL_CLAIMS=1 (`make soak`)
all rows are run, which takes some 20 minutes; one that is skipped here, for want of a package, is not judged.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.path.abspath(sys.argv.pop(1))
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
KEYS = {"id", "statement", "paper", "ours", "criterion", "holds"}

# Every row of the ledger, in its order. A star: it is run here.
VERDICTS = """
S1* holds     S2* differs   S3* holds     S4* holds     S5 holds      S6 holds      S7* holds     S8 differs
S9 differs    S10 differs   S11 not built S12* holds    S13* holds
I1 holds      I2* holds     I3 holds      I4 differs    I5 differs    I6 not built  I7 not built  I8 not built
I9 not built  I10* holds    I11* holds    I12 not built
G1 differs    G2* holds     G3* holds     G4* holds     G5 not built
C1* differs   C2* holds     C3 holds      C4* differs   C5* holds     C6* holds     C7 differs    C8 differs
C9 not built  C10 holds
B1* holds     B2* holds     B3 differs    B4 holds      B5 not built  B6 not built  B7 not built
"""
EXPECTED = {row: verdict for row, _, verdict in re.findall(r"([A-Z]\d+)(\*?) (holds|differs|not built)", VERDICTS)}
ALL = os.environ.get("STICTION_ALL_CLAIMS") == "1"
QUICK = re.findall(r"([A-Z]\d+)\*", VERDICTS)
NOT_BUILT = [row for row, verdict in EXPECTED.items() if verdict == "not built"]


def claims(*arguments):
    return subprocess.run([PROGRAM, "claims", *arguments], capture_output=True, text=True)


def verdicts_of_page(page):
    """The table of a page as {row: verdict}."""
    rows = re.findall(r"^\| \[(\w+)\]\(#\w+\) \| .* \| (.*) \|$", pathlib.Path(page).read_text(), re.MULTILINE)
    return {row: verdict.strip("*") for row, verdict in rows}


class Verdicts(unittest.TestCase):
    def test_of_rows_that_are_run(self):
        chosen = list(EXPECTED) if ALL else QUICK + NOT_BUILT
        result = claims("--only", ",".join(chosen), "--json", "--quiet")
        words = {True: "holds", False: "differs", None: "not built"}
        rows = json.loads(result.stdout)
        self.assertEqual([row["id"] for row in rows], [row for row in EXPECTED if row in chosen])
        for row in rows:
            with self.subTest(row=row["id"]):
                if ALL and row["ours"].startswith("skipped"):
                    self.skipTest(row["ours"])
                self.assertEqual(words[row["holds"]], EXPECTED[row["id"]], row["ours"])
                self.assertEqual(row["holds"] is None, row["ours"] == "not built")

    def test_of_rows_as_they_were_last_stored_under_the_criteria_of_today(self):
        with tempfile.TemporaryDirectory() as folder:
            stored = pathlib.Path(folder) / "claims"
            shutil.copytree(DOCS / "claims", stored, ignore=shutil.ignore_patterns("*.svg", "*.csv"))
            page = pathlib.Path(folder) / "claims.md"
            result = claims("--only", "S12", "--out", str(stored), "--page", str(page), "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(list(verdicts_of_page(page).items()), list(EXPECTED.items()))

    def test_of_the_page_of_the_documentation(self):
        self.assertEqual(list(verdicts_of_page(DOCS / "claims.md").items()), list(EXPECTED.items()))


class Claims(unittest.TestCase):
    def test_json_is_a_list_of_rows_in_the_order_of_the_ledger(self):
        some = ["S12", "S13", "I6", "I10", "I11", "B2"]
        result = claims("--only", ",".join(reversed(some)), "--json", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout)
        self.assertEqual([row["id"] for row in rows], some)
        for row in rows:
            self.assertEqual(set(row), KEYS)
            self.assertIn(row["holds"], (True, False, None))
            for key in KEYS - {"holds"}:
                self.assertTrue(row[key], key)

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

    def test_page_of_some_rows_keeps_the_others_as_they_were_unless_their_criterion_has_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "claims.md"
            where = ["--out", folder + "/claims", "--page", str(page), "--quiet"]
            claims("--only", "S13,I11", *where)
            self.assertEqual(verdicts_of_page(page)["S12"], "not run")
            before = page.read_text()
            claims("--only", "S12", *where)
            after = page.read_text()
            section = before[before.index("## S13") : before.index("## I1\n")]
            self.assertIn("![S13](claims/S13.svg)", section)
            self.assertIn(section, after)
            self.assertEqual(verdicts_of_page(page)["S12"], "holds")
            stored = pathlib.Path(folder) / "claims" / "S13.json"
            stored.write_text(stored.read_text().replace("both within 1 %", "both within 9 %"))
            claims("--only", "S12", *where)
            self.assertEqual(verdicts_of_page(page)["S13"], "not run")

    def test_page_says_of_every_row_what_of_the_set_up_is_ours(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "claims.md"
            claims("--only", "S12", "--page", str(page), "--quiet")
            sections = page.read_text().split("\n## ")[1:]
            self.assertEqual([section.split("\n")[0] for section in sections], list(EXPECTED))
            for section in sections:
                self.assertRegex(section, r"\n- ours in the set-up: \w", section)

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
