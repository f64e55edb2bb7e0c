"""Which lines of an experiment make up a sweep: one number of a method that goes through values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from construction.experiments.model import Experiment, ExperimentMethod
from construction.experiments.paths import value_at


@dataclass(frozen=True, slots=True)
class Sweep:
    """A number of a method, and its lines: `points` are (value, position of the line).

    They ascend by value, then by position. `path` is the parameter's, or ``drop`` or ``rewire``,
    whose value is the part of the links that is hit; several lines of one value differ in seed.
    """

    entry: str
    path: str
    points: tuple[tuple[float, int], ...]


def sweeps(experiment: Experiment) -> list[Sweep]:
    """Return the sweeps of at least three values, in the order of the file.

    The method as written is a point of each, as it stands where nothing is changed.
    """
    written = {line.entry: at for at, line in enumerate(experiment.lines) if line.kind == "method"}
    found: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for at, line in enumerate(experiment.lines):
        change = _change(line)
        if change is not None:
            found.setdefault((line.entry, change[0]), []).append((change[1], at))
    result = []
    for (entry, path), points in found.items():
        start = _written(experiment.lines[written[entry]].spec, path)
        every = points if start is None else [*points, (start, written[entry])]
        if len({value for value, _ in every}) > 2:
            result.append(Sweep(entry, path, tuple(sorted(every))))
    return result


def _change(line: ExperimentMethod) -> tuple[str, float] | None:
    """Return the one number that a line of a grid or of noise changes."""
    if line.kind not in ("grid", "noise") or len(line.changes) != 1:
        return None
    ((path, value),) = line.changes.items()
    number = _number(value)
    return None if number is None else (path, number)


def _written(spec: Mapping[str, Any], path: str) -> float | None:
    return 0.0 if path in ("drop", "rewire") else _number(value_at(spec, path))


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
