import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import report  # noqa: E402


def pytest_terminal_summary(terminalreporter):
    if not report.rows:
        return
    report.write()
    terminalreporter.section("largest relative errors")
    for line in report.table():
        terminalreporter.write_line(line)


# Models of others on which we differ from the oracle today. Strict: a test that begins to pass fails here until its
# line goes.
MASS = "a mesh that is open has 1e-11 of round-off in its volume and moments, from large terms that cancel"
KNOWN_DIFFERENCES = {
    "test_mass_properties_are_sums_over_the_triangles_of_the_file[google_robot/assets/link_base_1_14.stl]": MASS,
    "test_bodies_weigh_the_same[google_robot/": MASS,
}


def pytest_collection_modifyitems(items):
    for item in items:
        for test, reason in KNOWN_DIFFERENCES.items():
            if item.nodeid.split("::")[-1].startswith(test):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
