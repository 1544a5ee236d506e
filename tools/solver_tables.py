"""Writes the tables of docs/solvers/profiles.md from `stiction bench solvers DIR --json`.

usage: stiction bench solvers DIR --json --images docs/images | python3 tools/solver_tables.py docs/solvers/profiles.md

What stands between the lines <!-- table of NAME --> and <!-- end --> is replaced.
"""
import json
import re
import sys


def number(x):
    return "-" if x is None or x == 0 else f"{x:.0e}"


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def table_of_formulations(runs, tolerance):
    rows = ["| formulation | solved | Coulomb | worst error of an answer | time of those solved, ms |",
            "|---|---|---|---|---|"]
    names = list(dict.fromkeys(run["formulation"] for run in runs))
    for name in names:
        own = [run for run in runs if run["formulation"] == name]
        solved = [run for run in own if run["holds"]]
        coulomb = [run for run in own if run["coulomb"] is not None and run["coulomb"] <= tolerance]
        errors = [run["error"] for run in own if run["error"] is not None]
        rows.append(f"| `{name}` | {len(solved)} of {len(own)} | {len(coulomb)} | {number(max(errors, default=None))} | "
                    f"{1e3 * sum(run['time_s'] for run in solved):.0f} |")
    return rows


def table_of_problems(runs):
    solvers = [name for name in dict.fromkeys(run["formulation"] for run in runs) if name.startswith("coulomb_ncp+")]
    rows = ["| problem | contacts | " + " | ".join(name.split("+")[1] for name in solvers) + " |",
            "|---|---|" + "---|" * len(solvers)]
    for problem in dict.fromkeys(run["problem"] for run in runs):
        own = {run["formulation"]: run for run in runs if run["problem"] == problem}
        cells = [f"{milliseconds(own[s]['time_s'])} / {own[s]['iterations']}" if own[s]["holds"]
                 else own[s]["status"].replace("_", " ") for s in solvers]
        rows.append(f"| {problem} | {next(iter(own.values()))['contacts']} | " + " | ".join(cells) + " |")
    return rows


def main():
    bench = json.load(sys.stdin)
    tables = {"formulations": table_of_formulations(bench["runs"], bench["tolerance"]),
              "problems": table_of_problems(bench["runs"])}
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    for name, rows in tables.items():
        page, count = re.subn(rf"(<!-- table of {name} -->\n).*?(<!-- end -->)",
                              lambda match, rows=rows: match[1] + "\n".join(rows) + "\n" + match[2], page, flags=re.S)
        if count != 1:
            sys.exit(f"{sys.argv[1]}: there is no place for the table of {name}")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
