"""Writes the table of docs/peers.md from what `make race` measured.

usage: python3 tools/race_tables.py docs/peers.md build/race.json...

Rows of one race and one peer become one line: the geometric mean and the range of peer's time over ours. What stands between
<!-- table of races --> and <!-- end --> is replaced.
"""
import json
import math
import re
import sys

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
    "scenes": "a step of MuJoCo's and Menagerie's scenes",
    "scenes_mujoco_law": "the same, contact modelled as MuJoCo does",
    "contact_solver_1e-6": "contact problems solved to 1e-6",
    "contact_solver_1e-9": "contact problems solved to 1e-9",
    "loading": "loading model files",
}


def line(race, peer, rows):
    ratios = sorted((row["ratio"], row["scene"]) for row in rows)
    mean = math.exp(sum(math.log(r) for r, _ in ratios) / len(ratios))
    below = [f"{scene} {ratio:.2g}" for ratio, scene in ratios if ratio < 1.0]
    return (f"| {TITLES.get(race, race)} | {peer} {rows[0]['peer_version']} | {len(rows)} | {mean:.2g} | "
            f"{ratios[0][0]:.2g} to {ratios[-1][0]:.3g} | {', '.join(below)} |")


def main():
    groups = {}
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            for row in json.load(file):
                if row.get("ratio") and row["ratio"] > 0:
                    groups.setdefault((row["race"], row["peer"]), {})[row["scene"]] = row
    order = list(TITLES)
    keys = sorted(groups, key=lambda k: (order.index(k[0]) if k[0] in order else len(order), k))
    rows = ["| work | against | rows | mean ratio | range | slower than it |", "|---|---|---|---|---|---|"]
    rows += [line(race, peer, list(groups[race, peer].values())) for race, peer in keys]
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    page, count = re.subn(r"(<!-- table of races -->\n).*?(<!-- end -->)",
                          lambda match: match[1] + "\n".join(rows) + "\n" + match[2], page, flags=re.S)
    if count != 1:
        sys.exit(f"{sys.argv[1]}: there is no place for the table")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
