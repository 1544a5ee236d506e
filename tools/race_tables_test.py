"""Tests of race_tables.py on a few rows written by hand."""

import contextlib
import io
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import draw_race
import race_tables

DOCS = Path(__file__).resolve().parents[1] / "docs"
RACES = DOCS.parent / "bench" / "race"


def row(scene, ratio, mean_ratio, goal=2.0, race="scenes", failed=False, note=""):
    """As bench/race/race.cpp writes it: ours takes 1 us."""
    return {"race": race, "scene": scene, "peer": "mujoco", "peer_version": "4", "ours_s": 1e-6, "peer_s": 1e-6 * ratio,
            "ratio": ratio, "mean_ratio": mean_ratio, "goal": goal, "failed": failed,
            "below_goal": not failed and min(ratio, mean_ratio) < goal, "note": note}


class RaceTables(unittest.TestCase):
    def races(self, *rows):
        """Cells of the table of races, one list for each line."""
        lines = race_tables.table_of_races(race_tables.groups_of(rows))[2:]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    def rows(self, *rows):
        return race_tables.table_of_rows(race_tables.groups_of(rows))

    def test_means_are_geometric_and_of_both_figures(self):
        (line,) = self.races(row("a", 2.0, 3.0), row("b", 8.0, 12.0))
        self.assertEqual(line[2:6], ["2", "4", "6", "2 to 8"])

    def test_rows_of_their_own_kind_have_a_mean_of_their_own(self):
        lines = self.races(row("a", 4.0, 4.0), row("a_as_accurate", 16.0, 16.0), row("a_as_stiff", 64.0, 64.0),
                           row("a_ours_as_accurate", 1.0, 1.0))
        self.assertEqual([line[3] for line in lines], ["4", "1", "16", "64"])
        self.assertEqual(len({line[0] for line in lines}), 4)

    def test_patches_and_steps_of_pressure_fields_are_races_of_their_own(self):
        def field(scene, ratio, note):
            return row(scene, ratio, ratio, race="fields", note=note)
        query, step = "query; force over the exact one 1.0000", "step; 150 points"
        rows = [field("two_balls", 2.0, query), field("ball_on_box", 8.0, query), field("two_balls_hint_5_mm", 32.0, query),
                field("clutter", 128.0, step), field("clutter_cenic", 512.0, step)]
        lines = self.races(*rows)
        self.assertEqual([(line[2], line[3]) for line in lines], [("2", "4"), ("1", "32"), ("1", "1.3e+02"), ("1", "5.1e+02")])
        self.assertEqual(len({line[0] for line in lines}), 4)
        # Without Drake a row says only why it failed.
        (line,) = self.races(row("clutter", 0.0, 0.0, race="fields", failed=True, note="Drake is not installed"))
        self.assertEqual((line[0], line[8]), ("pressure fields", "clutter"))

    def test_titles_and_kinds_are_of_the_names_that_the_race_with_pressure_fields_writes(self):
        source = (RACES / "field_race.cpp").read_text(encoding="utf-8")
        self.assertIn('kRace = "fields"', source)
        self.assertEqual(set(re.findall(r'row\.note =\s*fmt::format\(\s*"(\w+);', source)), {"query", "step"})
        (hint,) = re.findall(r"hint : \{kDefaultHint, ([\d.]+)\}", source)  # m
        self.assertIn('"{}_hint_{:g}_mm", query.name, 1e3 * query.hint', source)
        self.assertIn('scenes[i].name + (k == 0 ? "" : "_cenic")', source)
        self.assertLessEqual({f"_hint_{1e3 * float(hint):g}_mm", "_cenic"}, set(race_tables.KINDS))

    def test_steps_with_pressure_fields_have_the_goals_and_meshes_that_the_pages_say(self):
        source = (RACES / "field_scenes.cpp").read_text(encoding="utf-8")
        goals = dict(re.findall(r"k(Step|Cenic|Tet)Goal = ([\d.]+)", source))
        page = (DOCS / "race.md").read_text(encoding="utf-8").split("## Pressure fields")[1].split("\n## ")[0]
        listed = {name: (float(discrete), float(cenic))
                  for name, discrete, cenic in re.findall(r"^\| `(\w+)` .*\| (\d+), CENIC (\d+) \|$", page, re.M)}
        step, cenic, tets = (float(goals[name]) for name in ("Step", "Cenic", "Tet"))
        self.assertEqual(listed, {"clutter": (step, cenic), "bubble_gripper": (step, cenic), "ring_in_bowl": (tets, tets)})
        self.assertEqual((step, cenic, tets), (20.0, 10.0, 6.0))
        scenes = (RACES / "field_scenes.h").read_text(encoding="utf-8")
        (names,) = re.findall(r"kFieldScenes\[\] = \{([^}]*)\}", scenes)
        self.assertEqual(set(re.findall(r'"(\w+)"', names)), set(listed))
        # Drake's own example of the gripper: 4 cm for a bubble, 5 mm for the handle.
        hints = dict(re.findall(r'\{"(\w+)", \{([\d.]+), ""\}\}', source))
        self.assertEqual(hints, {"left_bubble": "0.04", "right_bubble": "0.04", "handle": "0.005"})

    def test_rows_with_errors_show_those_of_both_sides_and_miss_their_goal_where_ours_is_larger(self):
        def wrong(scene, ours, theirs, less_accurate):
            return dict(row(scene, 4.0, 4.0, race="fields", note="step; "), ours_error=ours, peer_error=theirs,
                        less_accurate=less_accurate)
        rows = wrong("good", 0.0016, 0.84, False), wrong("bad", 0.5, 0.25, True), row("unknown", 4.0, 4.0, race="fields", note="step; ")
        lost = row("lost", 0.0, 0.0, race="fields", failed=True, note="step; no answer")
        text = self.rows(*rows, lost)
        self.assertIn("| good | mujoco | 1 | 4 | 4.00 | 4.00 | 0.16 | 84 | 2 |  |", text)
        self.assertIn("| bad | mujoco | 1 | 4 | 4.00 | 4.00 | 50 | 25 | 2 | **less accurate** |", text)
        self.assertIn("| unknown | mujoco | 1 | 4 | 4.00 | 4.00 | | | 2 |  |", text)
        # As many cells in every line; other races have no columns for errors.
        self.assertEqual({line.count("|") for line in text if line.startswith("|")}, {11})
        self.assertEqual({line.count("|") for line in self.rows(row("a", 4.0, 4.0)) if line.startswith("|")}, {9})
        self.assertEqual(self.races(*rows)[0][6], "1")

    def test_every_row_is_listed_with_its_goal(self):
        text = self.rows(row("a", 4.0, 4.0, goal=3.0), row("b", 5.0, 5.0, goal=30.0))
        self.assertIn("| a | mujoco | 1 | 4 | 4.00 | 4.00 | 3 |  |", text)
        self.assertIn("| b | mujoco | 1 | 5 | 5.00 | 5.00 | 30 | **below** |", text)

    def test_a_row_is_below_its_goal_by_either_figure(self):
        text = self.rows(row("a", 1.9, 2.1), row("b", 2.1, 1.9), row("c", 2.1, 2.1))
        self.assertEqual([line.split("|")[1].strip() for line in text if "**below**" in line], ["a", "b"])
        (line,) = self.races(row("a", 1.9, 2.1), row("b", 2.1, 0.5), row("c", 2.1, 2.1))
        self.assertEqual(line[6:8], ["2", "b 0.5"])

    def test_failed_rows_are_named_and_in_no_mean(self):
        rows = row("a", 4.0, 4.0), row("lost", 0.0, 0.0, failed=True, note="failed: answers | differ")
        (line,) = self.races(*rows)
        self.assertEqual((line[3], line[8]), ("4", "lost"))
        self.assertIn("| lost | mujoco | | | | | 2 | **failed: answers / differ** |", self.rows(*rows))
        self.assertEqual(self.races(rows[1])[0][8], "lost")

    def written(self, page, *files):
        """What the program makes of a page, and its complaint."""
        with tempfile.TemporaryDirectory() as folder:
            names = [str(Path(folder, f"{i}.json")) for i in range(len(files))]
            for name, rows in zip(names, files):
                Path(name).write_text(json.dumps(rows))
            target = Path(folder, "page.md")
            target.write_text(page)
            arguments, sys.argv = sys.argv, ["race_tables.py", str(target), *names]
            try:
                with contextlib.redirect_stderr(io.StringIO()):
                    race_tables.main()
            except SystemExit as end:
                return target.read_text(), str(end)
            finally:
                sys.argv = arguments
            return target.read_text(), ""

    def test_the_picture_beside_the_page_is_of_the_same_rows(self):
        rows = [row(scene, 2.0, 2.0, race=race) for race in draw_race.RACES for scene in draw_race.SCENES]
        self.assertTrue(draw_race.can_draw(rows))
        self.assertFalse(draw_race.can_draw(rows[1:]))
        for has_all in (True, False):
            with tempfile.TemporaryDirectory() as folder:
                page, picture, source = Path(folder, "page.md"), Path(folder, "images", "race.svg"), Path(folder, "race.json")
                picture.parent.mkdir()
                picture.write_text("old")
                page.write_text(self.PAGE)
                source.write_text(json.dumps(rows if has_all else rows[1:]))
                arguments, sys.argv = sys.argv, ["race_tables.py", str(page), str(source)]
                try:
                    race_tables.main()
                finally:
                    sys.argv = arguments
                # Some rows of a race, as of --only, leave the picture of all of them as it is.
                self.assertEqual(picture.read_text(), draw_race.draw(rows) if has_all else "old")

    def differences(self, page, picture):
        """Bars of the picture that the list of rows of the page does not say; nothing if there is no list yet."""
        shown = {}  # by race and scene, in the order of the bars
        for race, title in draw_race.RACES.items():
            bars = picture.split(f">{title}, ", 1)[1].split('class="title"')[0]
            for part in bars.split('class="scene">')[1:]:
                values = re.findall(r'class="value">([\d.]+)', part)
                shown[race, part.split("<")[0]] = [float(value) for value in values]
        self.assertEqual(set(shown), {(race, scene) for race in draw_race.RACES for scene in draw_race.SCENES})
        listed = {}
        for race, section in re.findall(r"\(`(\w+)`\)\n(.*?)(?=\n\*\*|<!-- end -->)", page, re.S):
            for scene, ours, theirs in re.findall(r"^\| (\w+) \| \w+ \| ([\d.]+) \| ([\d.]+) \|", section, re.M):
                listed.setdefault((race, scene), [float(ours)]).append(float(theirs))
        if not listed:
            return None
        return [place for place, values in shown.items()
                if len(values) != len(listed.get(place, []))
                or any(abs(value - figure) > 0.01 + 1e-3 * figure for value, figure in zip(values, listed[place]))]

    def test_a_picture_that_shows_other_than_the_table_is_seen(self):
        rows = [row(scene, 2.0, 2.0, race=race) for race in draw_race.RACES for scene in draw_race.SCENES]
        page, complaint = self.written(self.PAGE, rows)
        self.assertEqual(complaint, "")
        self.assertEqual(self.differences(page, draw_race.draw(rows)), [])
        other = [dict(rows[0], peer_s=2.1e-6), *rows[1:]]
        self.assertEqual(self.differences(page, draw_race.draw(other)), [(rows[0]["race"], rows[0]["scene"])])
        self.assertEqual(self.differences(self.written(self.PAGE, rows[1:])[0], draw_race.draw(rows)),
                         [(rows[0]["race"], rows[0]["scene"])])

    def test_the_picture_of_the_documentation_shows_what_its_table_says_or_the_page_says_that_it_does_not(self):
        page = (DOCS / "peers.md").read_text(encoding="utf-8")
        found = self.differences(page, (DOCS / "images" / "race.svg").read_text(encoding="utf-8"))
        if found is None:  # no list to hold it against: a reader must be told whose figures the bars are
            self.assertRegex(page, r"<!-- table of rows -->\nNo race has been run since this list exists\.\n<!-- end -->")
            self.assertIn("The README's picture is of a later run.", page)
        else:
            self.assertEqual(found, [])
            self.assertNotIn("The README's picture is of a later run.", page)

    PAGE = "one\n<!-- table of races -->\nold\n<!-- end -->\ntwo\n<!-- table of rows -->\nold\n<!-- end -->\nthree\n"

    def test_what_stands_around_the_tables_stays_and_later_files_replace_rows(self):
        page, complaint = self.written(self.PAGE, [row("a", 4.0, 4.0)], [row("a", 5.0, 5.0)])
        self.assertEqual(complaint, "")
        self.assertNotIn("old", page)
        self.assertRegex(page, r"(?s)^one\n<!-- .*<!-- end -->\ntwo\n<!-- .*\| 5\.00 \|.*<!-- end -->\nthree\n$")
        self.assertNotIn("| 4.00 |", page)

    def test_rows_without_means_and_pages_without_a_place_are_refused(self):
        old = {key: value for key, value in row("a", 4.0, 4.0).items() if key != "mean_ratio"}
        self.assertIn("older stiction_race", self.written(self.PAGE, [old])[1])
        self.assertIn("no place", self.written("nothing\n", [row("a", 4.0, 4.0)])[1])


if __name__ == "__main__":
    unittest.main()
