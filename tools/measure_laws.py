#!/usr/bin/env python3
"""Says what a step costs under two laws of contact, on the scenes of the race and on piles.

usage: tools/measure_laws.py [SCENE...] [--laws icf_lagged,icf_coupled] [--time 2] [--skip 1] [--rounds 2] [--json FILE]

example: PYTHONPATH=build/python/site .venv/bin/python tools/measure_laws.py
         (the scenes of `make race` in ../shared/models, then the scenes of the catalog with piles)

Both laws start alike and take turns of 50 steps in one process; every 50 steps the controls get a new value of a smooth
noise, a hundredth of half their range, the same for both. After `--skip` seconds `--time` seconds are measured, `--rounds`
times; of every block of 50 steps the least processor time counts, since the motion is the same in each round. The table has

    us/step     mean of the blocks, law by law, and the ratio of the second to the first; the ratio of the medians
    iterations  mean over the steps of the slowest island
    lagged      islands of the second law that have the answer of icf_lagged, and all islands

and in the end the geometric mean of the ratios of each group. 1/ratio is what a row of the race becomes.
"""

import argparse
import json
import math
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import stiction

RACE = ["mujoco/humanoid/humanoid.xml", "mujoco/humanoid/22_humanoids.xml", "mujoco/humanoid/100_humanoids.xml", "mujoco/cards/cards.xml",
        "mujoco/replicate/stonehenge.xml", "mujoco/replicate/bowl.xml", "mujoco/replicate/particle.xml", "mujoco/replicate/particle_free.xml",
        "mujoco/replicate/newton_cradle.xml", "mujoco/car/car.xml", "franka_emika_panda/scene.xml", "kuka_iiwa_14/scene.xml",
        "kinova_gen3/scene.xml", "robotiq_2f85/scene.xml", "wonik_allegro/scene_right.xml", "shadow_hand/scene_right.xml",
        "google_barkour_vb/scene.xml", "agility_cassie/scene.xml", "pal_talos/scene_position.xml", "pal_talos/scene_motor.xml"]
TWO_PANDAS = "two_pandas_clutter"  # the last scene of the race, which has no file of its own
PANDA = "franka_emika_panda/panda.xml"
PILES = ["clutter", "clutter_160", "box_stack", "brick_wall", "quadruped_trotting", "humanoid_standing", "hand_with_ball", "dominoes"]
BLOCK = 50  # steps


def two_pandas_over_clutter(panda):
    """As in bench/race: two arms face each other across a low box, into which 40 bodies fall between them."""
    far, high = 0.9, 0.3  # m
    text = json.loads(stiction.make_scene("clutter").to_json())
    for shape in text["shapes"]:
        if shape["name"].startswith("wall"):
            shape["shape"]["half_extents"][2] = shape["X_BS"]["p"][2] = 0.5 * high
    builder = stiction.ModelBuilder(TWO_PANDAS)
    builder.attach(stiction.Model.from_json(json.dumps(text)))
    builder.attach(panda, "world", stiction.translation(-far, 0.0, 0.0), "left/")
    turned = stiction.Pose([far, 0.0, 0.0], R=np.diag([-1.0, -1.0, 1.0]))
    builder.attach(panda, "world", turned, "right/")
    return builder.build()


def model_of(scene, shared):
    if scene == TWO_PANDAS:
        return two_pandas_over_clutter(stiction.load(str(Path(shared) / PANDA)))
    return stiction.make_scene(scene) if scene in dict(stiction.scenes()) else stiction.load(scene)


class Run:
    """A world under one law, and how long its blocks take."""

    def __init__(self, model, law, h, blocks):
        self.model, self.law, self.h = model, law, h
        self.least = [math.inf] * blocks
        self.start()

    def start(self):
        self.world = stiction.World(self.model, h=self.h, formulation=self.law)
        if self.model.name == TWO_PANDAS:
            self.reset_arms()
        elif self.model.keyframes:
            self.world.reset(self.model.keyframe_names[0] or "0")
        self.centre = np.array(self.world.controls)
        self.random, self.wave = np.random.default_rng(1), np.zeros(len(self.centre))
        ranges = [actuator.control for actuator in self.model.actuators]
        self.half = np.array([0.5 * (r.upper - r.lower) if r.limited else 1.0 for r in ranges])

    def reset_arms(self):
        """Each arm at its own keyframe."""
        q, controls = np.array(self.world.q), []
        for side, key in zip(("left/", "right/"), self.model.keyframes):
            for name in self.model.joint_names:
                if name.startswith(side):
                    place = self.model.q_slice(name)
                    q[place] = key.q[place]
            controls += [u for name, u in zip(self.model.actuator_names, key.controls) if name.startswith(side)]
        self.world.q, self.world.controls = q, controls

    def change_controls(self):
        if len(self.centre) > 0:
            self.wave = 0.9 * self.wave + 0.01 * self.random.standard_normal(len(self.centre))
            self.world.controls = self.centre + self.half * self.wave

    def timed(self, block):
        begin = time.process_time_ns()
        self.world.step(steps=BLOCK)
        self.least[block] = min(self.least[block], (time.process_time_ns() - begin) / 1e3)

    def counts(self, skipped, blocks):
        """Mean iterations of a step, islands with the lagged answer, and all islands."""
        self.start()
        iterations = lagged = islands = 0
        for block in range(skipped + blocks):
            self.change_controls()
            for _ in range(BLOCK):
                report = self.world.step().contact
                if block >= skipped:
                    iterations += report.iterations
                    lagged += report.lagged_fallbacks
                    islands += report.islands
        return iterations / (blocks * BLOCK), lagged, islands


def measure(scene, laws, simulated, skip, rounds, shared="."):
    model = model_of(scene, shared)
    h = model.timestep
    skipped, blocks = (max(1, round(t / h / BLOCK)) for t in (skip, simulated))
    runs = [Run(model, law, h, blocks) for law in laws]
    for _ in range(rounds):
        for run in runs:
            run.start()
        for block in range(-skipped, blocks):
            for run in runs:
                run.change_controls()
                if block < 0:
                    run.world.step(steps=BLOCK)
                else:
                    run.timed(block)
    row = {"scene": scene, "h": h}
    for run in runs:
        iterations, lagged, islands = run.counts(skipped, blocks)
        row[run.law] = {"mean_us": statistics.fmean(run.least) / BLOCK, "median_us": statistics.median(run.least) / BLOCK,
                        "iterations": iterations, "lagged": lagged, "islands": islands}
    first, second = (row[law] for law in laws)
    row["ratio"], row["ratio_of_medians"] = (second[key] / first[key] for key in ("mean_us", "median_us"))
    return row


def geometric_mean(numbers):
    return math.exp(statistics.fmean(math.log(x) for x in numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="in place of those above: scenes of the catalog or model files")
    parser.add_argument("--laws", default="icf_lagged,icf_coupled")
    parser.add_argument("--time", type=float, default=2.0, help="s that are measured (%(default)s)")
    parser.add_argument("--skip", type=float, default=1.0, help="s before them (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--shared", default="../shared/models", help="folder of the files of the race (%(default)s)")
    parser.add_argument("--json", default="", help="writes the numbers to this file")
    arguments = parser.parse_args()
    laws = arguments.laws.split(",")
    if len(laws) != 2:
        parser.error("--laws takes two laws with a comma between them")

    def listed(files):
        paths = [Path(arguments.shared) / file for file in files]
        return [str(path) for path in paths if path.exists()]

    groups = {"scenes given": arguments.scenes} if arguments.scenes else {"scenes of the race": listed(RACE) + [TWO_PANDAS] * bool(listed([PANDA])), "piles": PILES}
    rows = []
    print(f"{'scene':36} {'us/step ' + laws[0]:>20} {laws[1]:>14} {'ratio':>6} {'median':>6}  {'iterations':>14}  lagged")
    for group, scenes in groups.items():
        of_group = []
        for scene in scenes:
            row = measure(scene, laws, arguments.time, arguments.skip, arguments.rounds, arguments.shared)
            first, second = (row[law] for law in laws)
            print(f"{scene[-36:]:36} {first['mean_us']:20.1f} {second['mean_us']:14.1f} {row['ratio']:6.2f} {row['ratio_of_medians']:6.2f}"
                  f"  {first['iterations']:6.2f} {second['iterations']:7.2f}  {second['lagged']} of {second['islands']}", flush=True)
            of_group.append(row)
        if of_group:
            mean, middle = (geometric_mean(row[key] for row in of_group) for key in ("ratio", "ratio_of_medians"))
            print(f"{group}: {len(of_group)} rows, geometric mean of the ratios {mean:.3f} (of medians {middle:.3f}): rows become "
                  f"{1.0 / mean:.3f} ({1.0 / middle:.3f}) of what they were\n", flush=True)
        rows += of_group
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
