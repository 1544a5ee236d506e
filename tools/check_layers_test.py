"""Tests of check_layers.py on small trees of files."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import check_layers


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def violations(self, **files):
        """The violations in a tree; a file is given as stiction__math__cone_h="its text"."""
        for name, text in files.items():
            path = self.root / ".".join(name.replace("__", "/").rsplit("_", 1))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(check_layers.violations(self.root))

    def test_own_folder_and_lower_layers_are_fine(self):
        self.assertEqual(
            self.violations(
                stiction__math__cone_h='#include <vector>\n#include "stiction/base/check.h"\n',
                stiction__contact__newton__newton_h='#include "stiction/contact/problem.h"\n',
                stiction__contact__law__icf_h='#include "stiction/math/cone.h"\n',
                stiction__simulation__step_cpp='#include "stiction/geometry/shape/shape.h"\n',
                test__math__cone_test_cpp='#include "scenes/box.h"\n#include "test/base/counter.h"\n',
            ),
            [],
        )

    def test_a_higher_layer_is_reported_with_file_and_line(self):
        self.assertEqual(
            self.violations(stiction__base__log_h='#pragma once\n\n#include "stiction/math/cone.h"\n'),
            ['stiction/base/log.h:3: stiction/base must not include "stiction/math/cone.h"'],
        )

    def test_siblings_are_reported(self):
        self.assertEqual(
            self.violations(stiction__contact__law__sap_cpp='#include "stiction/geometry/shape/shape.h"\n'),
            ['stiction/contact/law/sap.cpp:1: stiction/contact must not include "stiction/geometry/shape/shape.h"'],
        )

    def test_io_and_scenes_are_siblings(self):
        found = self.violations(
            stiction__io__urdf_cpp='#include "scenes/box.h"\n',
            scenes__box_cpp='#include "stiction/io/urdf/urdf.h"\n',
        )
        self.assertEqual(len(found), 2, found)

    def test_the_library_does_not_include_the_programs_around_it(self):
        found = self.violations(stiction__simulation__step_cpp='#include "test/base/allocation_counter.h"\n')
        self.assertEqual(len(found), 1, found)

    def test_programs_do_not_include_each_other(self):
        found = self.violations(apps__cli__run_cpp='#include "bench/race/scene.h"\n')
        self.assertEqual(len(found), 1, found)

    def test_only_headers_of_the_library_must_be_free_of_iostream(self):
        text = "#include <iostream>\n"
        found = self.violations(stiction__math__cone_h=text, stiction__math__cone_cpp=text, test__a_h=text)
        self.assertEqual(
            found, ["stiction/math/cone.h:1: <iostream> does not belong in a header of the library"]
        )

    def test_a_folder_without_a_place_is_reported(self):
        found = self.violations(stiction__utils__things_h="#pragma once\n")
        self.assertEqual(len(found), 1, found)

    def test_paths_with_dots_are_reported(self):
        found = self.violations(stiction__math__cone_cpp='#include "../base/check.h"\n')
        self.assertEqual(len(found), 1, found)

    def test_a_room_does_not_include_a_higher_one(self):
        found = self.violations(
            stiction__geometry__shape__box_h='#include "stiction/geometry/primitive/pairs.h"\n',
            stiction__geometry__primitive__pairs_h='#include "stiction/geometry/shape/box.h"\n',
        )
        self.assertEqual(len(found), 1, found)
        self.assertIn("stiction/geometry/shape/box.h:1: room shape", found[0])

    def test_the_longest_name_is_the_room_of_a_file(self):
        found = self.violations(
            stiction__simulation__step_record_h='#include "stiction/simulation/scheme/geometric/record.h"\n',
            stiction__simulation__output__sensors_h='#include "stiction/simulation/scheme/scheme.h"\n',
        )
        self.assertEqual(len(found), 1, found)
        self.assertIn("output/sensors.h", found[0])

    def test_sources_but_not_headers_of_lower_rooms_see_the_compiled_tables(self):
        text = '#include "stiction/simulation/model_tables.h"\n'
        found = self.violations(
            stiction__simulation__collision__collision_cpp=text, stiction__simulation__collision__collision_h=text
        )
        self.assertEqual(len(found), 1, found)
        self.assertIn("collision.h:1:", found[0])

    def test_a_file_in_no_room_is_reported_where_it_is_included(self):
        found = self.violations(stiction__contact__law__sap_h='#include "stiction/contact/things.h"\n')
        self.assertEqual(len(found), 1, found)

    def test_the_program_fails_when_there_is_a_violation(self):
        self.violations(stiction__base__log_h='#include "stiction/io/urdf/urdf.h"\n')
        result = subprocess.run(
            [sys.executable, check_layers.__file__, str(self.root)],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn("stiction/base/log.h:1:", result.stdout)


if __name__ == "__main__":
    unittest.main()
