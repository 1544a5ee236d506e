#!/usr/bin/env python3
"""Prints how long each group of tests took beside its budget.

usage: test_budget.py TESTS.xml        the JUnit file of ctest --output-junit; for example build/tests.xml

A busy machine takes longer: a group over its budget is marked, and nothing fails.
"""

import sys
import xml.etree.ElementTree as ElementTree

# Group: (tests by the beginning of their names, seconds on two cores with nothing beside them). What does not fit into
# its budget belongs into `make soak`.
BUDGETS = {
    "library": (["library_"], 300),
    "command line": (["cli", "broken_files", "report", "claims", "solve", "scene_files", "manners", "readme"], 120),
    "recordings": (["recording"], 60),
    "viewer": (["viewer_", "view"], 180),
    "oracles": (["oracle", "smooth_reference"], 300),
    "python": (["python"], 180),
    "installation": (["install_"], 60),
    "sources": (["layers", "links"], 10),
}


def group_of(name):
    fits = [(len(start), group) for group, (starts, _) in BUDGETS.items() for start in starts if name.startswith(start)]
    return max(fits)[1] if fits else "others"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    seconds = {}
    for case in ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        group = group_of(case.get("name"))
        seconds[group] = seconds.get(group, 0.0) + float(case.get("time"))
    print("Seconds by group of tests, of all processes together, and their budgets:")
    for group in [*BUDGETS, "others"]:
        if group not in seconds:
            continue
        budget = BUDGETS[group][1] if group in BUDGETS else 0
        mark = "  over its budget" if seconds[group] > budget else ""
        print(f"  {group:14} {seconds[group]:7.1f} of {budget:4d}{mark}")


if __name__ == "__main__":
    main()
