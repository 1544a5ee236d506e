#!/usr/bin/env python3
"""Prints how long each group of tests took beside its budget.

usage: test_budget.py TESTS.xml [--sanitized]

TESTS.xml is the JUnit file of ctest --output-junit; for example build/tests.xml. --sanitized: of a build with sanitizers,
which has budgets of its own.

A busy machine takes longer: a group over its budget is marked, and nothing fails.
"""

import sys
import xml.etree.ElementTree as ElementTree

# Group: (tests by the beginning of their names, seconds on two cores with nothing beside them, the same with sanitizers).
# What does not fit into its budget belongs into `make soak`; with sanitizers, into test/base/fewer.h.
BUDGETS = {
    "library": (["library_"], 300, 900),
    "command line": (["cli", "broken_files", "report", "claims", "solve", "scene_files", "manners"], 120, 900),
    "documentation": (["readme", "docs"], 60, 900),
    "recordings": (["recording"], 60, 300),
    "viewer": (["viewer_", "view"], 180, 600),
    "oracles": (["oracle", "smooth_reference"], 300, 600),
    "python": (["python"], 180, 0),
    "installation": (["install_"], 60, 0),
    "sources": (["layers", "links", "race_tables"], 10, 10),
}


def group_of(name):
    fits = [(len(start), group) for group, (starts, *_) in BUDGETS.items() for start in starts if name.startswith(start)]
    return max(fits)[1] if fits else "others"


def main():
    arguments = [word for word in sys.argv[1:] if word != "--sanitized"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    column = 2 if "--sanitized" in sys.argv else 1
    seconds = {}
    for case in ElementTree.parse(arguments[0]).getroot().iter("testcase"):
        group = group_of(case.get("name"))
        seconds[group] = seconds.get(group, 0.0) + float(case.get("time"))
    print("Seconds by group of tests, of all processes together, and their budgets:")
    for group in [*BUDGETS, "others"]:
        if group not in seconds:
            continue
        budget = BUDGETS[group][column] if group in BUDGETS else 0
        mark = "  over its budget" if seconds[group] > budget else ""
        print(f"  {group:14} {seconds[group]:7.1f} of {budget:4d}{mark}")


if __name__ == "__main__":
    main()
