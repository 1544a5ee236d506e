#!/usr/bin/env python3
"""Draws the dynamics rows of build/race.json as bars: draw_race.py build/race.json docs/images/race.svg

race_tables.py does so for the picture beside the page whose tables it writes.
"""

import json
import sys

RACES = {
    "dynamics_stages": "kinematics, mass matrix, factor, bias, Jacobians",
    "forward_dynamics": "forward dynamics",
    "inverse_dynamics_derivatives": "derivatives of inverse dynamics",
    "forward_dynamics_derivatives": "derivatives of forward dynamics",
}
SCENES = ["arm", "hand", "quadruped", "humanoid", "chain"]
COLOURS = {"stiction": "#1b7f5c", "mujoco": "#c0792a", "pinocchio": "#4a6fa5"}
WIDTH, LABEL, BAR, GAP = 760, 110, 9, 3


def microseconds(rows, race, scene):
    times = {}
    for row in rows:
        if row["race"] == race and row["scene"] == scene:
            times["stiction"] = 1e6 * row["ours_s"]
            times[row["peer"].lower().split()[0]] = 1e6 * row["peer_s"]
    return times


def can_draw(rows):
    """Whether the rows have all that the picture shows."""
    return all(microseconds(rows, race, scene) for race in RACES for scene in SCENES)


def draw(rows):
    body, y = [], 56
    for race, title in RACES.items():
        y += 12
        body.append(f'<text x="{LABEL}" y="{y}" class="title">{title}, μs</text>')
        y += 10
        longest = max(max(microseconds(rows, race, scene).values()) for scene in SCENES)
        scale = (WIDTH - LABEL - 70) / longest
        for scene in SCENES:
            times = microseconds(rows, race, scene)
            height = len(times) * (BAR + GAP)
            body.append(f'<text x="{LABEL - 8}" y="{y + height / 2 + 3}" class="scene">{scene}</text>')
            for name in COLOURS:
                if name not in times:
                    continue
                length = times[name] * scale
                body.append(f'<rect x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{COLOURS[name]}"/>')
                body.append(f'<text x="{LABEL + length + 5:.1f}" y="{y + BAR - 1}" class="value">{times[name]:.2f}</text>')
                y += BAR + GAP
            y += 6
    legend = "".join(
        f'<rect x="{LABEL + 130 * i}" y="30" width="12" height="12" fill="{colour}"/>'
        f'<text x="{LABEL + 130 * i + 18}" y="40" class="legend">{name}</text>'
        for i, (name, colour) in enumerate(COLOURS.items()))
    style = ("text{font-family:sans-serif;fill:#333}.title{font-size:13px;font-weight:bold}.scene{font-size:11px;"
             "text-anchor:end}.value{font-size:9px;fill:#666}.legend{font-size:12px}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 10}">'
            f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>'
            f'<text x="{LABEL}" y="20" class="title">One evaluation, one thread: shorter is better</text>'
            f'{legend}{"".join(body)}</svg>\n')


def main():
    source, target = sys.argv[1:3]
    with open(source) as file:
        rows = json.load(file)
    with open(target, "w") as file:
        file.write(draw(rows))


if __name__ == "__main__":
    main()
