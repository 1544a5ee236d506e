"""Writes the tables of docs/peers.md, and the picture docs/images/race.svg beside them, from what `make race` measured.

usage: python3 tools/race_tables.py docs/peers.md build/race.json...      (of several files, a later row replaces an earlier one)

<!-- table of races --> .. <!-- end -->   one line for the rows of one race, peer and kind: geometric means, range, what is missed
<!-- table of rows --> .. <!-- end -->    every row with its goal; those below it are marked, those that failed say why

The ratio is the peer's time over ours: of the medians of the steps, and of their means. A row is below its goal if either is.
Where a race tells by how much the forces of the two sides are wrong, its rows have both errors, and one that is as fast as it
should be misses its goal all the same if ours is the larger.
"""
import json
import math
import pathlib
import re
import sys

import draw_race

TITLES = {
    "dynamics_stages": "kinematics, mass matrix, factor, bias",
    "forward_dynamics": "forward dynamics",
    "inverse_dynamics_derivatives": "derivatives of inverse dynamics",
    "forward_dynamics_derivatives": "derivatives of forward dynamics",
    "sparse_cholesky": "sparse Cholesky on contact graphs",
    "broad_phase": "broad phase",
    "narrow_phase": "pairs of shapes",
    "collision_stage": "all contacts of a scene",
    "contact_rest": "a step of a pile at rest",
    "contact_fall": "a step of a falling pile",
    "fields_query": "patches of two shapes with pressure fields",
    "fields_step": "a step of scenes with pressure fields",
    "fields": "pressure fields",
    "scenes": "a step of MuJoCo's and Menagerie's scenes",
    "scenes_mujoco_law": "the same, contact modelled as MuJoCo does",
    "contact_solver_1e-6": "contact problems solved to 1e-6",
    "contact_solver_1e-9": "contact problems solved to 1e-9",
    "loading": "loading model files",
}

# What follows the name of a scene (bench/race/race.h, field_race.cpp): rows of their own kind, which no mean mixes with others.
KINDS = {
    "_ours_as_accurate": "our solver as accurate as theirs",
    "_as_accurate": "their solver as accurate as ours",
    "_as_stiff": "their contacts as stiff as ours",
    "_hint_5_mm": "their meshes of 5 mm",
    "_cenic": "their CENIC integrator",
    "": "",
}


def kind_of(row):
    return next(ending for ending in KINDS if row["scene"].endswith(ending))


def race_of(row):
    """The race of a row. That with pressure fields times queries and steps, and the note of a row begins with which."""
    work = row["note"].partition(";")[0]
    return f"fields_{work}" if row["race"] == "fields" and work in ("query", "step") else row["race"]


def title_of(race, kind):
    title = TITLES.get(race, race)
    return f"{title}, {KINDS[kind]}" if kind else title


def groups_of(rows):
    """Rows by (race, kind, peer), in the order of the titles."""
    groups = {}
    for row in rows:
        groups.setdefault((race_of(row), kind_of(row), row["peer"]), []).append(row)
    races, kinds = list(TITLES), ["", *(kind for kind in KINDS if kind)]

    def place(key):
        race, kind, peer = key
        return races.index(race) if race in races else len(races), race, kinds.index(kind), peer

    return {key: groups[key] for key in sorted(groups, key=place)}


def geometric_mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def misses_goal(row):
    return not row["failed"] and (row["below_goal"] or row.get("less_accurate", False))


def line_of_group(key, rows):
    race, kind, peer = key
    done = [row for row in rows if not row["failed"]]
    failed = ", ".join(row["scene"] for row in rows if row["failed"])
    numbers = "| | | |"
    if done:
        ratios = sorted(row["ratio"] for row in done)
        means = geometric_mean([row["mean_ratio"] for row in done])
        numbers = f"| {geometric_mean(ratios):.2g} | {means:.2g} | {ratios[0]:.2g} to {ratios[-1]:.3g} |"
    below = sum(misses_goal(row) for row in done)
    slower = sorted((min(row["ratio"], row["mean_ratio"]), row["scene"]) for row in done)
    slower = ", ".join(f"{scene} {ratio:.2g}" for ratio, scene in slower if ratio < 1.0)
    return (f"| {title_of(race, kind)} | {peer} {rows[0]['peer_version']} | {len(rows)} {numbers} {below} | {slower} | "
            f"{failed} |")


def table_of_races(groups):
    return ["| work | against | rows | mean of the ratios of medians | of means | range | below the goal | slower than it | failed |",
            "|---|---|---|---|---|---|---|---|---|"] + [line_of_group(key, rows) for key, rows in groups.items()]


def has_errors(rows):
    return any("ours_error" in row for row in rows)


def percent(error):
    """Two digits; round-off and the noise of the reference below a thousandth of a percent are none."""
    return "0" if error < 1e-5 else f"{100 * error:.2g}"


def line_of_row(row, with_errors):
    head = f"| {row['scene']} | {row['peer']} "
    errors = "| | " if with_errors else ""
    if row["failed"]:
        return head + f"| | | | {errors}| {row['goal']:g} | **{row['note'].replace('|', '/')}** |"
    if "ours_error" in row:
        errors = f"{percent(row['ours_error'])} | {percent(row['peer_error'])} | "
    marks = [mark for key, mark in (("below_goal", "**below**"), ("less_accurate", "**less accurate**")) if row.get(key)]
    return head + (f"| {1e6 * row['ours_s']:.4g} | {1e6 * row['peer_s']:.4g} | {row['ratio']:.2f} | {row['mean_ratio']:.2f} | "
                   f"{errors}{row['goal']:g} | {', '.join(marks)} |")


def table_of_rows(groups):
    lines, last = [], None
    for (race, kind, _), rows in groups.items():
        with_errors = has_errors([row for key, of_key in groups.items() if key[:2] == (race, kind) for row in of_key])
        if (race, kind) != last:
            errors = "our force is wrong by, % | theirs | " if with_errors else ""
            lines += ["", f"**{title_of(race, kind)}** (`{race}`)", "",
                      f"| scene | against | ours, us | theirs, us | ratio of medians | of means | {errors}goal | |",
                      "|---|---|---|---|---|---|---|---|" + ("---|---|" if with_errors else "")]
        last = race, kind
        lines += [line_of_row(row, with_errors) for row in rows]
    return lines[1:]


def replaced(page, name, lines):
    page, count = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                          lambda match: match[1] + "\n".join(lines) + "\n" + match[2], page, flags=re.S)
    if count != 1:
        raise ValueError(f"the page has no place for the {name}, or more than one")
    return page


def read_rows(names):
    rows = {}
    for name in names:
        with open(name, encoding="utf-8") as file:
            for row in json.load(file):
                if "mean_ratio" not in row:
                    raise ValueError(f"{name} was written by an older stiction_race: measure again")
                rows[row["race"], row["peer"], row["scene"]] = row
    return list(rows.values())


def main():
    page = pathlib.Path(sys.argv[1])
    try:
        rows = read_rows(sys.argv[2:])
        groups = groups_of(rows)
        text = replaced(page.read_text(encoding="utf-8"), "table of races", table_of_races(groups))
        text = replaced(text, "table of rows", table_of_rows(groups))
    except ValueError as error:
        sys.exit(f"race_tables.py: {error}")
    page.write_text(text, encoding="utf-8")
    picture = page.parent / "images" / "race.svg"
    if picture.exists() and draw_race.can_draw(rows):
        picture.write_text(draw_race.draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
