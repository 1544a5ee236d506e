"""Measures every solver of every rigid law on every scene, to say which solver a law should have first.

usage: python3 tools/measure_solvers.py [SCENE...] [--laws coulomb_ncp,raisim] [--time 1] [--limit 60] [--save runs.json]

example: python3 tools/measure_solvers.py --save runs.json ../shared/models/unitree_go1/scene.xml
         (all scenes of the catalog and one robot; run again with the same file, it measures only what is missing)

Prints one line a solver, by law: fewest unsolved steps first, then least time (geometric mean over the scenes).

A scene counts as solved where no step ended above the solver's tolerance. A step at which the solver stopped because of round-off
counts as unsolved where its residual is above the tolerance, although the solver accepts it. A run that exceeds the limit, or that
ends with an error, is cut off: all its steps count as unsolved. It is run again over a tenth of the time; "of steps taken" counts the
steps of that run instead, which are often the easy ones. Time is processor time without that of loading the scene, the least of
several runs where it is short; a run that was cut off counts with the limit or more. The worst scene is the one with the largest
share of unsolved steps, or the slowest. Scenes where no solver has anything to do (no contact, no limit) are left out.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

TOLERANCE = 1.0001e-6  # of the solvers, the command's default, with room for rounding
SHORT = 0.5  # s of processor time; shorter runs are repeated
REPEATS = 3  # of a short run
PART_OF_CUT_OFF = 0.1  # of the simulated time, for runs that exceed the limit


def command_output(command, limit):
    """(standard output, processor time in s), output None where the command failed or exceeded the limit."""
    def set_limit():
        seconds = math.ceil(limit)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, preexec_fn=set_limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return output.read() if process.returncode == 0 else None, usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, binary, simulated, limit):
        self.binary, self.simulated, self.limit = binary, simulated, limit
        self.loading, self.lock = {}, threading.Lock()

    def formulations(self, laws):
        listed = json.loads(subprocess.check_output([self.binary, "list", "formulations", "--json"]))["formulations"]
        if not laws:
            return [entry["name"] for entry in listed if entry["family"] == "rigid"]
        names = [entry["name"] for entry in listed if entry["law"] in laws]
        missing = set(laws) - {entry["law"] for entry in listed}
        if missing:
            sys.exit(f"measure_solvers: no such law: {', '.join(sorted(missing))} (stiction list laws)")
        return names

    def scenes(self):
        listed = json.loads(subprocess.check_output([self.binary, "list", "scenes", "--json"]))["scenes"]
        return [entry["name"] for entry in listed]

    def loading_time(self, scene):
        """Processor time of a run without a step, the least of three."""
        with self.lock:
            known = self.loading.get(scene)
        if known is None:
            runs = [command_output([self.binary, "run", scene, "--time", "0", "--json"], self.limit) for _ in range(3)]
            if any(output is None for output, _ in runs):
                sys.exit(f"measure_solvers: {scene} cannot be loaded (stiction run {scene} --time 0)")
            known = min(seconds for _, seconds in runs)
            with self.lock:
                self.loading[scene] = known
        return known

    def measure(self, scene, formulation):
        """A run of the whole time or, where that exceeds the limit, of its first tenth, marked as cut off."""
        run = self.run(scene, formulation, self.simulated)
        if run is None:
            run = self.run(scene, formulation, PART_OF_CUT_OFF * self.simulated) or {"steps": None}
            run["cut_off"] = True
        return {"scene": scene, "formulation": formulation, "cut_off": False} | run

    def run(self, scene, formulation, simulated):
        command = [self.binary, "run", scene, "--time", repr(simulated), "--formulation", formulation, "--json"]
        loading, least = self.loading_time(scene), math.inf
        for _ in range(REPEATS):
            output, processor = command_output(command, self.limit + loading)
            if output is None:
                return None
            report = json.loads(output)
            # Processor time leaves out what other processes take, but includes loading, and so is too coarse for very short runs.
            seconds = report["wall_s"]
            if processor - loading > 0.1 * SHORT:
                seconds = min(seconds, processor - loading)
            least = min(least, seconds)
            if processor - loading > SHORT:
                break
        unsolved = report["unconverged_steps"]
        if report["residual"]["max"] > TOLERANCE:
            unsolved += self.steps_at_round_off(command)
        return {"steps": report["steps"], "unsolved": unsolved, "reported": report["unconverged_steps"], "dropped": report["steps_with_dropped_stabilisation"],
                "residual": report["residual"]["max"], "iterations": report["iterations"]["mean"],
                "most_iterations": report["iterations"]["max"], "contacts": report["contacts"]["mean"],
                "deepest_m": report["deepest_m"], "step_ms": 1e3 * least / max(report["steps"], 1)}

    def steps_at_round_off(self, command):
        """How many steps of this run the solver accepts above the tolerance, because it finds itself at round-off."""
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as certificate:
            command_output(command + ["--certificate", certificate.name], 4.0 * self.limit)
            steps = [json.loads(line) for line in certificate.read().splitlines()]
        return sum(step["status"] == "at round-off" and step["solver_residual"] > TOLERANCE for step in steps)


class Progress:
    """A line on standard error: how many runs are done, how many a minute, and the time left at that rate."""

    def __init__(self, total, quiet):
        self.total, self.quiet, self.done, self.start = total, quiet, 0, time.monotonic()

    def add(self, run):
        self.done += 1
        if self.quiet:
            return
        rate = self.done / max(time.monotonic() - self.start, 1e-9)
        left = (self.total - self.done) / rate
        text = (f"{self.done} of {self.total} runs, {60 * rate:.0f} a minute, {left / 60:.1f} min left; "
                f"{short_name(run['scene'])} {run['formulation']}")
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="\n" if self.done == self.total else "", file=sys.stderr, flush=True)
        elif self.done % 20 == 0 or self.done == self.total:
            print(text, file=sys.stderr, flush=True)


def short_name(scene):
    """unitree_go1/scene.xml of a path, the name itself of a scene of the catalog."""
    return "/".join(pathlib.PurePath(scene).parts[-2:])


def comparable(runs, limit):
    """The runs of scenes that give solvers work, with the steps that a run should have taken ("all_steps") and those of them that are
    unsolved ("all_unsolved"). A run whose first tenth was cut off as well solved no step of it."""
    result = []
    for scene in dict.fromkeys(run["scene"] for run in runs):
        own = [run for run in runs if run["scene"] == scene]
        if all(run["steps"] and run["most_iterations"] == 0 for run in own):
            continue
        steps = max((run["steps"] for run in own if not run["cut_off"]), default=1)
        for run in own:
            if run["steps"] is None:
                part = max(1, round(PART_OF_CUT_OFF * steps))
                run = run | {"steps": part, "unsolved": part, "step_ms": 1e3 * limit / part}
            elif run["cut_off"]:
                run = run | {"step_ms": max(run["step_ms"], 1e3 * limit / steps)}
            result.append(run | {"all_steps": steps, "all_unsolved": steps if run["cut_off"] else run["unsolved"]})
    return result


def geometric_mean(numbers):
    return math.exp(sum(math.log(max(x, 1e-9)) for x in numbers) / len(numbers))


def summary(formulation, runs):
    own = [run for run in runs if run["formulation"] == formulation]
    total = {key: sum(run[key] for run in own) for key in ("steps", "unsolved", "all_steps", "all_unsolved", "cut_off")}
    return total | {"formulation": formulation, "scenes": len(own), "solved": sum(run["all_unsolved"] == 0 for run in own),
                    "mean_ms": geometric_mean([run["step_ms"] for run in own]),
                    "worst": max(own, key=lambda run: (run["all_unsolved"] / run["all_steps"], run["step_ms"]))}


def table(runs):
    rows = ["| law | solver | scenes solved | cut off | unsolved steps | of steps taken | ms a step | worst scene |",
            "|---|---|---|---|---|---|---|---|"]
    summaries = [summary(name, runs) for name in dict.fromkeys(run["formulation"] for run in runs)]
    laws = list(dict.fromkeys(s["formulation"].split("+")[0] for s in summaries))
    summaries.sort(key=lambda s: (laws.index(s["formulation"].split("+")[0]), s["all_unsolved"], s["mean_ms"]))
    for s in summaries:
        law, solver = s["formulation"].split("+")
        worst = s["worst"]
        how = "cut off" if worst["cut_off"] else f"{worst['unsolved']} of {worst['steps']}, {worst['step_ms']:.2g} ms"
        rows.append(f"| `{law}` | `{solver}` | {s['solved']} of {s['scenes']} | {s['cut_off']} | {s['all_unsolved']} of {s['all_steps']} | "
                    f"{s['unsolved']} of {s['steps']} | {s['mean_ms']:.3f} | `{short_name(worst['scene'])}`: {how} |")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="SCENE", help="model or scene files beside the scenes of the catalog")
    parser.add_argument("--stiction", default="build/bin/stiction", metavar="FILE", help="the command (%(default)s)")
    parser.add_argument("--laws", default="", help="with commas between them (the rigid ones)")
    parser.add_argument("--only", action="store_true", help="the scenes given, without those of the catalog")
    parser.add_argument("--time", type=float, default=1.0, help="seconds to simulate (%(default)s)")
    parser.add_argument("--limit", type=float, default=60.0, help="most seconds of processor time of a run (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at once (%(default)s)")
    parser.add_argument("--save", metavar="FILE", help="keep the runs in this file (.json), and do not repeat those that it has")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    arguments = parser.parse_args()

    bench = Bench(arguments.stiction, arguments.time, arguments.limit)
    formulations = bench.formulations([law for law in arguments.laws.split(",") if law])
    scenes = ([] if arguments.only else bench.scenes()) + arguments.models
    settings = {"time": arguments.time, "limit": arguments.limit}
    runs = {}
    if arguments.save and os.path.exists(arguments.save):
        with open(arguments.save, encoding="utf-8") as file:
            saved = json.load(file)
        if saved["settings"] != settings:
            sys.exit(f"measure_solvers: {arguments.save} was measured with {saved['settings']}, not with {settings}")
        runs = {(run["scene"], run["formulation"]): run for run in saved["runs"]}

    missing = [(s, f) for s in scenes for f in formulations if (s, f) not in runs]
    progress = Progress(len(missing), arguments.quiet)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(bench.measure, s, f) for s, f in missing]):
            run = future.result()
            runs[run["scene"], run["formulation"]] = run
            progress.add(run)
            if arguments.save:
                with open(arguments.save + ".part", "w", encoding="utf-8") as file:
                    json.dump({"settings": settings, "runs": list(runs.values())}, file, indent=1)
                os.replace(arguments.save + ".part", arguments.save)

    wanted = [runs[s, f] for s in scenes for f in formulations]
    print("\n".join(table(comparable(wanted, arguments.limit))))


if __name__ == "__main__":
    main()
