#!/usr/bin/env python3
"""Checks which folder includes which.

A file may include its own folder and lower layers only (CONTRIBUTING.md). Siblings never include each other,
the library never includes the programs around it, and its headers stay free of <iostream>. Within a folder of the
library that has rooms, a room may include itself and the rooms before it.

usage: check_layers.py [ROOT]        prints file:line for every violation and exits with 1 if there is one
"""

import re
import sys
from pathlib import Path

# A folder may include itself and what is listed here, with all that those may include.
DIRECTLY_BELOW = {
    "stiction/base": [],
    "stiction/math": ["stiction/base"],
    "stiction/multibody": ["stiction/math"],
    "stiction/geometry": ["stiction/math"],
    "stiction/contact": ["stiction/math"],
    "stiction/deformable": ["stiction/multibody", "stiction/geometry", "stiction/contact"],
    "stiction/constraint": ["stiction/deformable"],
    "stiction/simulation": ["stiction/constraint"],
    "stiction/io": ["stiction/simulation"],
    "scenes": ["stiction/simulation"],
    "stiction": ["stiction/io"],  # stiction.h, the list of the public headers
    "apps": ["stiction", "scenes", "bench/claims", "bench/solvers", "apps/viewer"],
    "apps/viewer": ["stiction"],
    "python": ["stiction", "scenes", "apps/viewer"],
    "bench": ["stiction", "scenes", "bench/solvers"],
    "bench/claims": ["stiction", "scenes"],  # experiments that the command line runs
    "bench/solvers": ["bench/claims"],  # solvers of stored problems, for the command line and the race
    "examples": ["stiction", "scenes"],
    "test": ["stiction", "scenes"],
    "test/viewer": ["apps/viewer", "test"],  # the viewer's parts are a library of their own
}

# The rooms of a folder from the lowest to the highest: sub-folders, or files of the folder itself, which stand for
# their .h and .cpp. Rooms on one line may include each other.
ROOMS = {
    "stiction/geometry": [
        ["contact_point"], ["simd"], ["shape"], ["pair_frame", "collide_options"], ["broad_phase"], ["convex"],
        ["polytope"], ["primitive"], ["surface"], ["narrow_phase"], ["derivative", "query", "field"],
    ],
    "stiction/contact": [
        ["law"], ["options", "problem", "solution", "residual"], ["complementarity"], ["newton", "dual"],
        ["catalog", "contact_solver"], ["file"],
    ],
    "stiction/simulation": [
        ["model"], ["collision"], ["actuation"], ["constraint"], ["contact"], ["model_tables"], ["state", "simulated_time"],
        ["scheme/geometric/record"], ["step_record"], ["output"], ["step_workspace"],
        ["scheme", "step", "saved_problem", "certificate"],
        ["formulation", "energy", "contact_energy", "constraint_energy", "energy_audit", "inverse_dynamics"],
        ["law_notes", "pressure_notes"],
        ["world", "world_constraints", "world_overrides", "override_list", "input_schedule"],
        ["settle", "overlap_energy"],
    ],
    "stiction/io": [
        ["compatibility_report", "name_pattern"], ["xml"], ["mesh"], ["mjcf"], ["urdf"],
        ["model_json", "model_json_fields", "model_json_read", "model_file"], ["scene_file", "recording"],
    ],
}
# Sources, not headers, of lower rooms that may include a higher one: a model hands out its compiled tables, which are
# made of what lower rooms declare; the workspace owns the geometric stepper.
SOURCES_MAY_INCLUDE = {
    "stiction/simulation": {"collision": ["model_tables"], "actuation": ["model_tables"], "contact": ["model_tables"],
                            "step_workspace": ["scheme"]},
}

SOURCES = {".h", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BANNED_IN_HEADERS = {"iostream"}


def allowed(folder):
    result = {folder}
    for lower in DIRECTLY_BELOW[folder]:
        result |= allowed(lower)
    return result


def folder_of(path):
    """The entry of the table a path like stiction/contact/law/sap.h belongs to, or None."""
    parts = Path(path).parts
    if parts[0] == "stiction":
        return "stiction" if len(parts) == 2 else known("/".join(parts[:2]))
    return known("/".join(parts[:2])) or known(parts[0])


def known(folder):
    return folder if folder in DIRECTLY_BELOW else None


def room_of(path):
    """(folder, level, room) of a file in a folder that has rooms; None: it has no rooms; level None: it is in none."""
    parts = Path(path).parts
    folder = "/".join(parts[:2])
    if folder not in ROOMS or len(parts) < 3:
        return None
    inside = str(Path(*parts[2:]).with_suffix(""))
    best = None
    for level, rooms in enumerate(ROOMS[folder]):
        for room in rooms:
            if (inside == room or inside.startswith(room + "/")) and (best is None or len(room) > len(best[2])):
                best = (folder, level, room)
    return best or (folder, None, inside)


def room_violation(path, included):
    """What is wrong with an include between two rooms of one folder, or None."""
    here, there = room_of(path), room_of(included)
    if here is None or there is None or here[0] != there[0]:
        return None
    for where, name in ((here, path), (there, included)):
        if where[1] is None:
            return f"{name} is in no room of {where[0]} (tools/check_layers.py)"
    if there[1] <= here[1]:
        return None
    exceptions = SOURCES_MAY_INCLUDE.get(here[0], {}).get(here[2], [])
    if Path(path).suffix == ".cpp" and there[2] in exceptions:
        return None
    return f'room {here[2]} of {here[0]} must not include "{included}", which is in a higher room, {there[2]}'


def violations_in(root, path):
    """Yields (line number, message) for one file, its path given relative to the root."""
    folder = folder_of(path)
    if folder is None:
        yield 1, f"folder {path.parent} has no place in the layers (tools/check_layers.py)"
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, included = match.groups()
        if included in BANNED_IN_HEADERS and path.parts[0] == "stiction" and path.suffix == ".h":
            yield number, f"<{included}> does not belong in a header of the library"
        elif included.startswith("stiction/"):
            target = folder_of(included)
            if target is None:
                yield number, f'"{included}" has no place in the layers (tools/check_layers.py)'
            elif target not in allowed(folder):
                yield number, f'{folder} must not include "{included}"'
            elif room_violation(path, included):
                yield number, room_violation(path, included)
        elif included.split("/")[0] in DIRECTLY_BELOW:
            if folder_of(included) not in allowed(folder):
                yield number, f'{folder} must not include "{included}"'
        elif bracket == '"' and ".." in Path(included).parts:
            yield number, f'"{included}" leaves its folder; name it from the root of the repository'


def violations(root):
    for top in sorted({folder.split("/")[0] for folder in DIRECTLY_BELOW}):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in SOURCES:
                path = file.relative_to(root)
                for number, message in violations_in(root, path):
                    yield f"{path}:{number}: {message}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
