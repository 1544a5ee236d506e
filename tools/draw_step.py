#!/usr/bin/env python3
"""Draws docs/images/step.svg: the way of the data through one step, file by file.

usage: draw_step.py OUTPUT.svg        for example: tools/draw_step.py docs/images/step.svg
"""

import sys
from html import escape
from pathlib import Path

# Stage of single_step(), the files that do it, what of the StepRecord it fills, what of the StepWorkspace it uses.
STAGES = [
    ("begin", "step.cpp", "h, v_start, joint_forces, wrenches, surface_velocities", ""),
    ("compute_kinematics", "multibody/kinematics", "kinematics", ""),
    ("compute_forces", "multibody/passive_forces, actuation/", "bias, applied, passive, actuation, body_forces",
     "node_forces, node_wrenches"),
    ("find_touching", "collision/, geometry/, actuation/adhesion", "collision: motions, pairs, points",
     "broad phase, pair memories"),
    ("scheme.free_motion", "scheme/, multibody/mass_matrix", "mass, added_diagonal, v_free", "scheme"),
    ("pose_problem", "constraint/, stiction/constraint/, contact/assemble", "constraints: owners;  contact: problem",
     "lock scratch, mobilities"),
    ("scheme.solve_contact", "contact/newton/ or contact/dual/, scheme/geometric/",
     "contact: solution;  geometric_contacts", "solver, geometric stepper"),
    ("scheme.advance", "scheme/, multibody/positions", "v_next, report", ""),
    ("scheme.remember", "contact/contact_memory", "", ""),
]
ROW, TOP, WIDTH = 46, 92, 1180
COLUMNS = [(20, 190), (220, 340), (570, 360), (940, 220)]
HEADS = ["stage (step.cpp)", "done by", "fills in StepRecord: results", "uses in StepWorkspace"]
COLOURS = ["#dbe7f5", "#f4f4f4", "#dff0df", "#f7ecd9"]


def box(x, y, width, height, text, fill, bold=False):
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" stroke="#888"/>'
        f'<text x="{x + 8}" y="{y + height / 2 + 4}"{weight}>{escape(text)}</text>'
    )


def arrow(x1, y1, x2, y2):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#555" marker-end="url(#head)"/>'


def picture():
    height = TOP + ROW * len(STAGES) + 70
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        box(20, 10, 1140, 30, "in:  Model with its tables (model_tables.h)  ·  State: q, v, activations, memory  ·  "
            "Input: controls, forces, motions, switches (state.h)  ·  h  ·  Formulation", "#e9e0f3", True),
    ]
    for (x, width), head, fill in zip(COLUMNS, HEADS, COLOURS):
        parts.append(box(x, 56, width, 26, head, fill, True))
    for i, (name, files, fills, uses) in enumerate(STAGES):
        y = TOP + ROW * i
        texts = [name, files, fills, uses]
        for (x, width), text, fill in zip(COLUMNS, texts, COLOURS):
            if text:
                parts.append(box(x, y, width, 34, text, fill, x == COLUMNS[0][0]))
        parts.append(arrow(210, y + 17, 219, y + 17))
        if fills:
            parts.append(arrow(560, y + 17, 569, y + 17))
        if uses:
            parts.append(arrow(939, y + 17, 931, y + 17))
        if i + 1 < len(STAGES):
            parts.append(arrow(115, y + 34, 115, y + ROW - 1))
    y = TOP + ROW * len(STAGES) + 8
    parts.append(
        box(20, y, 1140, 30, "out:  next State  ·  StepRecord, read by output/ (forces, reactions, sensors), energy, "
            "certificate, saved_problem, the recorder and the viewer  ·  StepReport", "#e9e0f3", True)
    )
    parts.append("</svg>\n")
    return "\n".join(parts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
