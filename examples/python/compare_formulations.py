"""The same drop under several formulations: energies over time, as a plot.

usage: compare_formulations.py [FILE.png]
"""

import sys

import stiction

FORMULATIONS = ["icf_lagged", "sap", "convex_cone+pgs", "coulomb_ncp+pgs"]


def main() -> None:
    """Draws, or prints the end where Matplotlib is not installed."""
    model = stiction.make_scene("falling_sphere")
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for formulation in FORMULATIONS:
        world = stiction.World(model, formulation=formulation, h=1e-3)
        times: list[float] = []
        energies: list[float] = []
        for _ in range(100):
            world.step(steps=5)
            times.append(world.time)
            energies.append(world.energies().total)
        curves[formulation] = (times, energies)
        print(f"{formulation:20s} {energies[0]:.4f} J -> {energies[-1]:.4f} J")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    for formulation, (times, energies) in curves.items():
        plt.plot(times, energies, label=formulation)
    plt.xlabel("time, s")
    plt.ylabel("mechanical energy, J")
    plt.legend()
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "compare.png", dpi=120)


if __name__ == "__main__":
    main()
