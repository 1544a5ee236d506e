"""Collects the largest errors of a test run: a table at its end and build/oracle.json."""

import json

import probe

rows = []


def add(model, oracle, errors, within=None):
    """The errors of one model by quantity; `within` is what is allowed, None where nothing is asked."""
    errors = {key: float(error) for key, error in errors.items()}
    rows.append({"model": model, "oracle": oracle, "errors": errors, "within": within})


def write():
    (probe.build_folder() / "oracle.json").write_text(json.dumps(rows, indent=1) + "\n")


def table():
    """One line per quantity: its largest error over all models, by oracle, what is allowed, the number of models that have
    the quantity, and the worst of them."""
    lines = [f'| {"compared":32s} {"quantity":30s} {"largest":>8s} {"allowed":>8s} {"models":>6s}  worst']
    for oracle in sorted({row["oracle"] for row in rows}):
        found = {}
        for row in rows:
            if row["oracle"] == oracle:
                for key, error in row["errors"].items():
                    found.setdefault(key, []).append((error, row["model"], row["within"]))
        for key, errors in found.items():
            error, model, within = max(errors, key=lambda item: item[0])
            allowed = "-" if within is None else f"{within:.0e}"
            count = len({name for _, name, _ in errors})
            lines.append(f"| {oracle:32s} {key:30s} {error:8.1e} {allowed:>8s} {count:6d}  {model}")
    return lines
