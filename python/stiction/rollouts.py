"""Many trajectories of one model at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiction import _core

__all__ = ["Rollout", "rollout"]


@dataclass(frozen=True)
class Rollout:
    """What rollout() answers: one row for each world, then one for each time that was kept."""

    time: NDArray[np.float64]
    """(worlds, times), s."""
    q: NDArray[np.float64]
    """(worlds, times, num_q), rad or m."""
    v: NDArray[np.float64]
    """(worlds, times, num_v), rad/s or m/s."""
    sensors: NDArray[np.float64]
    """(worlds, times, numbers of all sensors); of no width where sensors were not asked for."""
    failed_at: NDArray[np.int64]
    """(worlds,), the step that failed, after which all rows are NaN; -1: none."""
    unconverged: NDArray[np.int64]
    """(worlds,), steps whose solver stopped above its tolerance."""
    states: list[_core.State]
    """The state of every world at the end."""


def rollout(
    model: _core.Model,
    states: _core.State | Sequence[_core.State] | None = None,
    controls: ArrayLike | None = None,
    *,
    steps: int | None = None,
    joint_forces: ArrayLike | None = None,
    overrides: Mapping[tuple[str, str], ArrayLike] | None = None,
    h: float | None = None,
    formulation: str | _core.Formulation | None = None,
    scheme: str | None = None,
    every: int = 1,
    sensors: bool = False,
    sensor_noise: int | None = None,
    threads: int | None = None,
) -> Rollout:
    """Simulates many worlds of one model on threads, with the GIL released.

    The number of worlds is that of the states, of the controls or of the overrides, whichever are many. Every bit
    of the answer is that of a loop over worlds, whatever the number of threads. A world whose step fails does not
    raise: `failed_at` tells.

    states: where the worlds start: one state for all, or one each; None: the model's own.
    controls: (num_controls,), (steps, num_controls) or (worlds, steps, num_controls).
    steps: how many; None: as many as there are controls.
    joint_forces: N m or N by velocity, shapes as of controls.
    overrides: numbers that differ from world to world, {("friction", "floor"): mus, ("mass", "box"): masses}; the
        first word is one of override_kinds(), units as of World.set_<kind>.
    h: step, s; None: Model.timestep. formulation, scheme, sensor_noise: as of World.
    every: keeps every so many steps; the start is always kept.
    sensors: whether the sensors are read at the times that are kept.
    threads: 0: one per core; None: as set_thread_count() said.
    """
    starts = [_core.State(model)] if states is None else [states] if isinstance(states, _core.State) else list(states)
    control_table = _table(controls, "controls")
    force_table = _table(joint_forces, "joint_forces")
    changes = [(kind, name, _numbers(values)) for (kind, name), values in (overrides or {}).items()]
    tables = [table for table in (control_table, force_table) if table.shape[2] > 0]
    worlds = max([len(starts)] + [table.shape[0] for table in tables] + [len(values) for _, _, values in changes])
    if steps is None:
        steps = max([table.shape[1] for table in tables], default=0)
        if not tables:
            raise _core.UserError("rollout() needs steps, or controls for each of them")
    before = _core.thread_count()
    if threads is not None:
        _core.set_thread_count(threads)
    try:
        time, q, v, readings, failed_at, unconverged, ends = _core._rollout(  # type: ignore[attr-defined]
            model, starts, control_table, force_table, worlds, steps, every, h, formulation, scheme, sensor_noise,
            changes, sensors
        )
    finally:
        if threads is not None:
            _core.set_thread_count(before)
    return Rollout(time, q, v, readings, np.array(failed_at, np.int64), np.array(unconverged, np.int64), ends)


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    return np.atleast_1d(np.asarray(values, dtype=np.float64))


def _table(values: ArrayLike | None, name: str) -> NDArray[np.float64]:
    """As (worlds or 1, steps or 1, numbers); no numbers where nothing is given."""
    if values is None:
        return np.zeros((1, 1, 0))
    table = np.ascontiguousarray(values, dtype=np.float64)
    if not 1 <= table.ndim <= 3:
        raise _core.UserError(f"{name} have 1, 2 or 3 dimensions, not {table.ndim}")
    return table.reshape((1,) * (3 - table.ndim) + table.shape)

