"""Draws the tables of a recording over time.

usage: plot_recording.py FOLDER --what energy,residual,force:box --out FILE [--title TEXT]

FOLDER holds the files that `stiction export RECORDING --csv FOLDER` writes. `stiction plot` does both.
"""

import argparse
import csv
import os
import sys


def fail(message):
    print(f"stiction: {message}", file=sys.stderr)
    sys.exit(1)


def table(folder, name):
    """The columns of a table by name, as texts or numbers."""
    with open(os.path.join(folder, name + ".csv"), newline="", encoding="utf-8", errors="surrogateescape") as file:
        rows = list(csv.reader(file))
    columns = {}
    for i, head in enumerate(rows[0]):
        texts = [row[i] for row in rows[1:]]
        try:
            columns[head] = [float(text) for text in texts]
        except ValueError:
            columns[head] = texts
    return columns


def draw_energy(folder, _, axes):
    t = table(folder, "energies")
    for name in ("total", "kinetic", "gravity", "springs"):
        if name == "total" or any(t[name]):
            axes.plot(t["time"], t[name], label=name, lw=1.8 if name == "total" else 1.0)
    axes.set_ylabel("energy (J)")


def draw_residual(folder, _, axes):
    t = table(folder, "residuals")
    axes.semilogy(t["time"], [max(x, 1e-18) for x in t["residual"]], label="of the solver", lw=0.8)
    c = table(folder, "certificates")
    if c["time"]:
        axes.semilogy(c["time"], [max(x, 1e-18) for x in c["momentum_relative"]], ".", label="momentum, certified")
    axes.set_ylabel("relative residual")


def draw_certificate(folder, _, axes):
    c = table(folder, "certificates")
    for name, values in c.items():
        if name.endswith("_relative") and any(values):
            axes.semilogy(c["time"], [max(x, 1e-18) for x in values], label=name[: -len("_relative")])
    axes.set_ylabel("certificate (relative)")


def draw_contacts(folder, _, axes):
    counts = {time: [0, 0] for time in table(folder, "energies")["time"]}
    t = table(folder, "contacts")
    for time, sliding in zip(t["time"], t["sliding"]):
        counts.setdefault(time, [0, 0])[int(sliding)] += 1
    times = sorted(counts)
    axes.plot(times, [sum(counts[time]) for time in times], label="points")
    axes.plot(times, [counts[time][1] for time in times], label="that slide")
    axes.set_ylabel("contacts")


def draw_timings(folder, _, axes):
    t = table(folder, "timings")
    stages = [name for name in t if name not in ("time", "step")]
    axes.stackplot(t["time"], [[1e6 * x for x in t[name]] for name in stages], labels=stages)
    # Steps in which the machine did something else would hide all others.
    totals = sorted(sum(values) for values in zip(*(t[name] for name in stages)))
    if totals:
        axes.set_ylim(0, 1.5e6 * max(totals[int(0.98 * (len(totals) - 1))], 1e-9))
    axes.set_ylabel("time of a step (µs)")


def draw_force(folder, body, axes):
    """What the body is pushed with by all that it touches."""
    t = table(folder, "contacts")
    known = sorted(set(t["body_a"]) | set(t["body_b"]), key=str)
    if body not in known:
        fail(f"no contact of a body '{body}' is recorded; there are some of {', '.join(map(str, known)) or 'none'}")
    sums = {time: [0.0, 0.0, 0.0] for time in table(folder, "energies")["time"]}
    for i, time in enumerate(t["time"]):
        sign = (t["body_b"][i] == body) - (t["body_a"][i] == body)
        if sign:
            total = sums.setdefault(time, [0.0, 0.0, 0.0])
            for k, axis in enumerate("xyz"):
                total[k] += sign * t["force_" + axis][i]
    times = sorted(sums)
    for k, axis in enumerate("xyz"):
        axes.plot(times, [sums[time][k] for time in times], label="F" + axis, lw=0.9)
    axes.set_ylabel(f"contact force on {body} (N)")


def draw_columns(name, prefix, unit):
    def draw(folder, owner, axes):
        t = table(folder, name)
        found = [c for c in t if c == owner or c.startswith(owner + "." + prefix)]
        if prefix == "q":  # a free joint has a place beside its quaternion
            found += [owner + "." + axis for axis in "xyz" if owner + "." + axis in t]
        if not found:
            owners = sorted({c.rsplit(".", 1)[0] for c in t if c not in ("time", "step", "h")})
            fail(f"there is no '{owner}' in the {name} of the recording; there are {', '.join(owners)}")
        for column in found:
            axes.plot(t["time"], t[column], label=column, lw=1.0, drawstyle="steps-post" if name == "inputs" else None)
        axes.set_ylabel(f"{owner} ({unit})")

    return draw


KINDS = {
    "energy": draw_energy,
    "residual": draw_residual,
    "certificate": draw_certificate,
    "contacts": draw_contacts,
    "timings": draw_timings,
}
KINDS_OF = {
    "force": draw_force,
    "q": draw_columns("states", "q", "m or rad"),
    "v": draw_columns("states", "v", "m/s or rad/s"),
    "control": draw_columns("inputs", "", "control"),
}


def parse(what):
    """(function, what it is about) for each item."""
    items = []
    for item in filter(None, (part.strip() for part in what.split(","))):
        kind, _, owner = item.partition(":")
        if owner and kind in KINDS_OF:
            items.append((KINDS_OF[kind], owner))
        elif not owner and kind in KINDS:
            items.append((KINDS[kind], None))
        else:
            known = ", ".join([*KINDS, *(kind + ":NAME" for kind in KINDS_OF)])
            fail(f"--what {item}: nothing of that name can be drawn; there are {known}")
    if not items:
        fail("--what names nothing to draw")
    return items


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--what", default="energy,residual")
    parser.add_argument("--out", required=True)
    parser.add_argument("--title", default="")
    arguments = parser.parse_args()
    items = parse(arguments.what)
    try:
        import matplotlib
    except ImportError:
        fail(
            f"matplotlib is not installed for {sys.executable}; `make test` installs it into .venv, or: "
            f"{sys.executable} -m pip install matplotlib"
        )
    matplotlib.use("Agg")
    from matplotlib import pyplot

    # The same recording gives the same file.
    matplotlib.rcParams["svg.hashsalt"] = "stiction"
    figure, rows = pyplot.subplots(len(items), 1, sharex=True, squeeze=False, figsize=(9, 1 + 2.6 * len(items)))
    for (draw, owner), axes in zip(items, rows[:, 0]):
        draw(arguments.folder, owner, axes)
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper right", fontsize="small")
    rows[-1, 0].set_xlabel("time (s)")
    figure.suptitle(arguments.title)
    figure.tight_layout()
    try:
        figure.savefig(arguments.out, metadata={"Date": None} if arguments.out.endswith(".svg") else None)
    except (OSError, ValueError) as error:
        fail(f"cannot write '{arguments.out}': {error}")


if __name__ == "__main__":
    main()
