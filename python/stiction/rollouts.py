"""Many trajectories of one model at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    steps: NDArray[np.int64]
    """(worlds,), how many steps each world was asked for; rows after its last one are NaN."""

    def __repr__(self) -> str:
        """Shapes, and what went wrong."""
        worlds, times, _ = self.q.shape
        return (
            f"Rollout(worlds={worlds}, times={times}, time={np.nanmax(self.time, initial=0.0):g}, q={self.q.shape},"
            f" v={self.v.shape}, sensors={self.sensors.shape}, failed={int(np.sum(self.failed_at >= 0))},"
            f" unconverged={int(self.unconverged.sum())})"
        )


def rollout(
    model: _core.Model,
    states: _core.State | Sequence[_core.State] | None = None,
    controls: ArrayLike | Sequence[ArrayLike] | None = None,
    *,
    steps: int | Sequence[int] | None = None,
    joint_forces: ArrayLike | Sequence[ArrayLike] | None = None,
    overrides: Mapping[str | tuple[str | int, ...], ArrayLike] | None = None,
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
    controls: (num_controls,), (steps, num_controls) or (worlds, steps, num_controls); or a list of (steps,
        num_controls), one for each world, whose lengths may differ.
    steps: how many, or one number for each world; None: as many as there are controls. Rows after the end of a
        world are NaN.
    joint_forces: N m or N by velocity, shapes as of controls.
    overrides: numbers that differ from world to world, {("friction", "floor"): mus, ("pair_friction", "cup",
        "table"): mus, "gravity": [0, 0, -1.62]}: a word of override_kinds() (describe_override() says what it
        takes), then the names or numbers of what it is of. One number, or one for each world; where a parameter has
        several numbers, a row of them, or a row for each world. One that cannot act, because a rule or another shape
        decides, warns.
    h: step, s; None: Model.timestep. formulation, scheme, sensor_noise: as of World.
    every: keeps every so many steps; the start is always kept.
    sensors: whether the sensors are read at the times that are kept.
    threads: 0: one per core; None: as set_thread_count() said.
    """
    starts = [_core.State(model)] if states is None else [states] if isinstance(states, _core.State) else list(states)
    control_table, control_lengths = _table(controls, "controls")
    force_table, force_lengths = _table(joint_forces, "joint_forces")
    changes = [(*_words(key), _numbers(values)) for key, values in (overrides or {}).items()]
    rows = [_core._override_worlds(model, *change) for change in changes]  # type: ignore[attr-defined]
    tables = [table for table in (control_table, force_table) if table.shape[2] > 0]
    lengths = _lengths(steps, control_lengths, force_lengths)
    worlds = max([len(starts), len(lengths)] + [table.shape[0] for table in tables] + rows)
    if lengths:
        most = max(lengths)
        control_table, force_table = _padded(control_table, most), _padded(force_table, most)
    elif steps is None:
        most = max([table.shape[1] for table in tables], default=0)
        if not tables:
            raise _core.UserError("rollout() needs steps, or controls for each of them")
    else:
        most = int(np.asarray(steps).item())
    before = _core.thread_count()
    if threads is not None:
        _core.set_thread_count(threads)
    try:
        time, q, v, readings, failed_at, unconverged, ends = _core._rollout(  # type: ignore[attr-defined]
            model, starts, control_table, force_table, worlds, most, lengths, every, h, formulation, scheme,
            sensor_noise, changes, sensors
        )
    finally:
        if threads is not None:
            _core.set_thread_count(before)
    return Rollout(
        time, q, v, readings, np.array(failed_at, np.int64), np.array(unconverged, np.int64), ends,
        np.array(lengths or [most] * worlds, np.int64),
    )


def _words(key: str | tuple[str | int, ...]) -> tuple[str, list[str | int]]:
    """The word of an override and the names or numbers of what it is of."""
    words: list[Any] = [key] if isinstance(key, str) else list(key) if isinstance(key, tuple) else []
    if not words or not isinstance(words[0], str) or not all(isinstance(word, (str, int)) for word in words):
        raise _core.UserError(f"an override is a word and names, such as ('friction', 'floor'), not {key!r}")
    return words[0], words[1:]


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if numbers.ndim > 2:
        raise _core.UserError(f"the numbers of an override have 1 or 2 dimensions, not {numbers.ndim}")
    return numbers


def _lengths(steps: int | Sequence[int] | None, *of_inputs: list[int]) -> list[int]:
    """Steps of each world where they may differ; none: they are the same."""
    given = [] if steps is None or np.ndim(steps) == 0 else [int(n) for n in np.asarray(steps)]
    for lengths in of_inputs:
        if not lengths or steps is not None and not given:
            continue
        if given and given != lengths:
            raise _core.UserError(f"worlds have {given} steps, but inputs for {lengths} of them")
        given = lengths
    if any(length < 0 for length in given):
        raise _core.UserError(f"the number of steps must not be negative, not {min(given)}")
    return given


def _padded(table: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """Inputs up to the last step of the longest world."""
    missing = steps - table.shape[1]
    if table.shape[1] == 1 or missing <= 0 or table.shape[2] == 0:
        return table
    return np.pad(table, ((0, 0), (0, missing), (0, 0)))


def _table(values: ArrayLike | Sequence[ArrayLike] | None, name: str) -> tuple[NDArray[np.float64], list[int]]:
    """As (worlds or 1, steps or 1, numbers), and the lengths of the worlds where they differ.

    No numbers where nothing is given.
    """
    if values is None:
        return np.zeros((1, 1, 0)), []
    if isinstance(values, (list, tuple)):
        parts = [np.asarray(part, dtype=np.float64) for part in values]
        if all(part.ndim == 2 for part in parts) and len({part.shape[0] for part in parts}) > 1:
            longest, width = max(part.shape[0] for part in parts), parts[0].shape[1]
            if any(part.shape[1] != width for part in parts):
                raise _core.UserError(f"{name} of the worlds have {sorted({part.shape[1] for part in parts})} numbers")
            table = np.zeros((len(parts), longest, width))
            for row, part in zip(table, parts, strict=True):
                row[: len(part)] = part
            return table, [len(part) for part in parts]
    table = np.ascontiguousarray(values, dtype=np.float64)
    if not 1 <= table.ndim <= 3:
        raise _core.UserError(f"{name} have 1, 2 or 3 dimensions, not {table.ndim}")
    return table.reshape((1,) * (3 - table.ndim) + table.shape), []
