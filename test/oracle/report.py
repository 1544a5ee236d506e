"""Collects the largest errors of a test run: a table at its end and build/oracle.json."""

import json

import probe

rows = []


def add(model, oracle, errors):
    rows.append({"model": model, "oracle": oracle, "errors": {key: float(error) for key, error in errors.items()}})


def write():
    (probe.build_folder() / "oracle.json").write_text(json.dumps(rows, indent=1) + "\n")


def table():
    """One line per quantity: its largest error over all models, by oracle, and the model where it is."""
    lines = []
    for oracle in sorted({row["oracle"] for row in rows}):
        worst = {}
        for row in rows:
            if row["oracle"] != oracle:
                continue
            for key, error in row["errors"].items():
                worst[key] = max(worst.get(key, (0.0, "")), (error, row["model"]))
        for key, (error, model) in worst.items():
            lines.append(f"{oracle:18s} {key:30s} {error:8.1e}  {model}")
    return lines
