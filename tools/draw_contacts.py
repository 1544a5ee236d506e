#!/usr/bin/env python3
"""Draws a contact sheet of all pairs of shapes: draw_contacts.py build/bin/stiction_contact_probe docs/images/contacts.svg

Every cell has the outlines of two shapes pressed into each other. A dot is a point of contact on the lower shape, its area
the weight; the red line goes to the point on the upper shape, so that it is as long as the overlap; the arrow is the normal.
"""

import json
import subprocess
import sys

CELL, HEAD, LEFT = 168, 44, 112
SCALE = 118  # pixels per metre
KINDS = ["sphere", "capsule", "ellipsoid", "superellipsoid", "cylinder", "box", "hull", "half-space", "mesh", "height field"]
ARROW = 0.16  # m
STYLE = ("text{font-family:sans-serif;fill:#333}.kind{font-size:13px;font-weight:bold}.note{font-size:9px;fill:#666}"
         ".title{font-size:15px;font-weight:bold}")


def path(line, place):
    return "M" + "L".join("{:.1f},{:.1f}".format(*place(p)) for p in line) + "Z"


def cell(scene, x, y):
    """The picture of one scene with its upper left corner at (x, y)."""
    points = scene["points"]
    middle = [sum(p["a"][i] for p in points) / max(1, len(points)) for i in (0, 1)]

    def place(p):
        return x + CELL / 2 + SCALE * (p[0] - middle[0]), y + CELL / 2 + 6 - SCALE * (p[1] - middle[1])

    body = [f'<svg x="{x}" y="{y}" width="{CELL}" height="{CELL}" viewBox="{x} {y} {CELL} {CELL}">',
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#fff" stroke="#ddd"/>']
    for key, colour in (("outline_a", "#7a8ca5"), ("outline_b", "#c9a063")):
        for index, line in enumerate(scene[key]):
            fill = colour if index == 0 or len(line) <= 4 else "none"
            body.append(f'<path d="{path(line, place)}" fill="{fill}" fill-opacity="0.22" stroke="{colour}" '
                        f'stroke-width="{1.2 if index == 0 else 0.6}"/>')
    for p in points:
        (ax, ay), (bx, by) = place(p["a"]), place(p["b"])
        nx, ny = SCALE * ARROW * p["normal"][0], -SCALE * ARROW * p["normal"][1]
        colour = "#c22" if p["distance"] < 0 else "#28a"
        body.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{ax + nx:.1f}" y2="{ay + ny:.1f}" stroke="#333" '
                    'stroke-width="0.9" marker-end="url(#tip)"/>')
        body.append(f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" stroke="{colour}" stroke-width="2.4"/>')
        body.append(f'<circle cx="{ax:.1f}" cy="{ay:.1f}" r="{1.2 + 4.2 * p["weight"] ** 0.5:.1f}" fill="{colour}" '
                    'fill-opacity="0.75" stroke="#fff" stroke-width="0.6"/>')
    depth = -min(p["distance"] for p in points) if points else 0.0
    weight = sum(p["weight"] for p in points)
    body.append(f'<text x="{x + 6}" y="{y + 13}" class="note">{scene["method"]}</text>')
    body.append(f'<text x="{x + 6}" y="{y + CELL - 6}" class="note">{len(points)} point{"s" if len(points) != 1 else ""}, '
                f'weight {weight:.2f}, {1000 * depth:.0f} mm deep</text></svg>')
    return "".join(body)


def draw(scenes):
    width, height = LEFT + CELL * len(KINDS) + 8, HEAD + 28 + CELL * (len(KINDS) - 1) + 8
    body = []
    for i, kind in enumerate(KINDS):
        body.append(f'<text x="{LEFT + CELL * (i + 0.5)}" y="{HEAD + 18}" class="kind" text-anchor="middle">{kind}</text>')
        if i + 1 < len(KINDS):
            body.append(f'<text x="{LEFT - 8}" y="{HEAD + 28 + CELL * (i + 0.5)}" class="kind" text-anchor="end">{kind}</text>')
    for scene in scenes:
        x, y = LEFT + CELL * KINDS.index(scene["a"]), HEAD + 28 + CELL * KINDS.index(scene["b"])
        body.append(cell(scene, x, y))
    marker = ('<marker id="tip" markerWidth="5" markerHeight="5" refX="4" refY="2.5" orient="auto">'
              '<path d="M0,0L5,2.5L0,5Z" fill="#333"/></marker>')
    title = ("Points of contact: row pressed into column. Dot: point on the lower shape, area = weight; red: overlap; "
             "blue: gap within the margin; arrow: normal")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><style>{STYLE}</style>'
            f'<defs>{marker}</defs><rect width="100%" height="100%" fill="#fff"/>'
            f'<text x="12" y="26" class="title">{title}</text>{"".join(body)}</svg>\n')


def main():
    program, target = sys.argv[1:3]
    scenes = json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    with open(target, "w") as file:
        file.write(draw(scenes))


if __name__ == "__main__":
    main()
