"""Measures the Python package: a call of step(), views, rollouts against MuJoCo's in the same run.

usage: python python/bench/measure.py [--worlds 256] [--steps 100]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import stiction


def best(function: Callable[[], object], repetitions: int) -> float:
    """The shortest time of a call, s: the machine may be busy with other things."""
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def measure_step() -> None:
    """What a call costs beyond the step itself: many steps in one call against one call for each."""
    calls = 2000
    for scene in ("pendulum", "arm", "quadruped_standing"):
        world = stiction.World(stiction.make_scene(scene))

        def one_by_one() -> None:
            for _ in range(calls):
                world.step()

        in_one = best(lambda: world.step(steps=calls), 30) / calls
        alone = best(one_by_one, 30) / calls
        print(f"  {scene:20s} {1e6 * in_one:7.2f} us a step, {1e6 * alone:7.2f} us called from Python: "
              f"{1e6 * (alone - in_one):+.2f} us")


def measure_views() -> None:
    """A view costs the same whatever its size."""
    calls = 20000
    for scene in ("pendulum", "clutter_160"):
        world = stiction.World(stiction.make_scene(scene))

        def read() -> None:
            for _ in range(calls):
                world.q

        print(f"  {scene:20s} {world.q.size:5d} numbers: {1e9 * best(read, 10) / calls:.0f} ns")


def humanoid_text() -> tuple[str, str]:
    """A humanoid in both engines: MuJoCo's own where the shared models are there, otherwise ours."""
    try:
        with open(stiction.shared_file("models/mujoco/humanoid/humanoid.xml")) as file:
            return "MuJoCo's humanoid", file.read()
    except stiction.UserError:
        return "our humanoid", stiction.make_scene("humanoid_standing").to_mjcf()[0]


def measure_rollouts(worlds: int, steps: int) -> None:
    """Worlds on one and two threads, beside MuJoCo's rollout of the same model, step and controls, in turns."""
    name, text = humanoid_text()
    model = stiction.parse(text)
    controls = 0.3 * np.random.default_rng(0).uniform(-1, 1, (worlds, steps, model.num_controls))
    states = [stiction.State(model)] * worlds
    rate = worlds * steps

    def ours(formulation: str, threads: int) -> Callable[[], object]:
        return lambda: stiction.rollout(model, states, controls, formulation=formulation, every=steps, threads=threads)

    laws = {"our default law": stiction.formulations()[0], "MuJoCo's law": "convex_cone+newton_mujoco"}
    runs = {(who, threads): ours(law, threads) for who, law in laws.items() for threads in (1, 2)}
    try:
        import mujoco
        from mujoco import rollout as mujoco_rollout

        other = mujoco.MjModel.from_xml_string(text)
        data = [mujoco.MjData(other) for _ in range(2)]
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.zeros(mujoco.mj_stateSize(other, full))
        mujoco.mj_getState(other, data[0], start, full)

        def theirs(threads: int) -> Callable[[], object]:
            roll = mujoco_rollout.Rollout(nthread=threads if threads > 1 else 0)
            return lambda: roll.rollout(other, data[:threads], np.tile(start, (worlds, 1)), controls)

        runs |= {("MuJoCo", threads): theirs(threads) for threads in (1, 2)}
    except ImportError:
        pass
    # In turns, so that whatever else the machine does meets all of them.
    wall = {key: np.inf for key in runs}
    for _ in range(5):
        for key, run in runs.items():
            wall[key] = min(wall[key], best(run, 1))
    print(f"  {worlds} worlds of {name}, {steps} steps of {1e3 * model.timestep:g} ms")
    for (who, threads), seconds in wall.items():
        line = f"  {who:16s} {threads} thread{'s' if threads > 1 else ' '} {rate / seconds:9.0f} steps/s"
        if threads == 2:
            line += f", {wall[who, 1] / seconds:.2f} x one thread"
        if ("MuJoCo", threads) in wall and who != "MuJoCo":
            line += f", {wall['MuJoCo', threads] / seconds:.2f} x MuJoCo"
        print(line)


def measure_pictures() -> None:
    """A picture of a robot, as environments have it."""
    for scene in ("quadruped_standing", "humanoid_standing"):
        world = stiction.World(stiction.make_scene(scene))
        seconds = best(lambda: stiction.render(world, width=480, height=360), 10)
        print(f"  {scene:20s} 480 x 360: {1e3 * seconds:.0f} ms")


def main() -> None:
    """Prints all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--steps", type=int, default=100)
    arguments = parser.parse_args()
    print("A step called from Python:")
    measure_step()
    print("A view of q:")
    measure_views()
    print("A picture:")
    measure_pictures()
    print("Rollouts:")
    measure_rollouts(arguments.worlds, arguments.steps)


if __name__ == "__main__":
    main()
