"""One method of an experiment's file spelled out: as written, its grid, its ablations, its noise.

Each is a change of the method as written, alone: noise is not crossed with the grid. Noise is drawn
once with each seed; a method's own seed is a parameter, which a grid can go through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from construction.experiments.model import MOST_LINES, ExperimentMethod
from construction.experiments.paths import changed
from corpus.files.yaml_fields import Fields, Value
from errors import UserError, Where
from retrieval.core.spec_file import Named, read_spec
from retrieval.graph.noise import DROP, REWIRE, with_noise

FIELDS = ("name", "grid", "ablations", "noise")
KINDS = (DROP, REWIRE)
NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """A method of the file: its name, its spec, and where it stands."""

    name: str
    spec: Mapping[str, Any]
    fields: Fields


def read_entry(fields: Fields, named: Named) -> Entry:
    """Return the method that the fields say; `named` are the specs of those above it by name.

    Raises UserError with the line for what cannot be.
    """
    spec = read_spec(Value(dict(fields.values), fields.line), fields.file, named, FIELDS)
    name = fields.optional_text("name") or spec["method"]
    return Entry(within_limit(fields, name), spec, fields)


def within_limit(fields: Fields, name: str) -> str:
    """Return the name that `fields` have. Raises UserError where it is longer than NAME_LIMIT."""
    if len(name) > NAME_LIMIT:
        raise UserError("text_too_long", fields.where("name"), limit=NAME_LIMIT, length=len(name))
    return name


def lines_of(
    entry: Entry, named: Named, seeds: Sequence[int]
) -> Iterator[tuple[ExperimentMethod, int]]:
    """Yield the lines of a method, each with its line in the file.

    Raises UserError with the line for what cannot be.
    """
    written = ExperimentMethod(entry.name, entry.name, entry.spec)
    yield written, entry.fields.line
    for variant, at in (*_grid(entry, named), *_ablations(entry, named)):
        if variant.spec != entry.spec:  # what equals the method as written is there already
            yield variant, at
    for kind, rate, value in _noise(entry):
        for seed in seeds:
            yield _noisy(entry, kind, rate, value, seed, len(seeds) > 1), value.line


def _grid(entry: Entry, named: Named) -> Iterator[tuple[ExperimentMethod, int]]:
    """Yield the combinations of a grid, or of each of a list of grids by itself."""
    value = entry.fields.values.get("grid")
    if value is None:
        return
    listed = isinstance(value.content, list)
    seen: list[Mapping[str, Any]] = []
    for fields in (
        entry.fields.rows("grid", "experiment_grid") if listed else [entry.fields.inside("grid")]
    ):
        for line in _combinations(entry, fields, named):
            if not listed or line.spec not in seen:  # grids may meet in a point
                yield line, fields.line
            seen.append(line.spec)


def _combinations(entry: Entry, fields: Fields, named: Named) -> Iterator[ExperimentMethod]:
    axes = [[(path, each) for each in _several(fields, path)] for path in fields.values]
    size = prod(len(axis) for axis in axes)
    if size > MOST_LINES:
        where = Where(fields.file, fields.line, "grid")
        raise UserError("experiment_too_large", where, count=size, limit=MOST_LINES)
    for point in product(*axes):
        spec, said = _changed(entry, dict(point), named)
        told = ", ".join(f"{path}={_shown(value)}" for path, value in said.items())
        yield ExperimentMethod(f"{entry.name} · {told}", entry.name, spec, "grid", said)


def _several(fields: Fields, path: str) -> list[Value]:
    content = fields.values[path].content
    if not isinstance(content, list) or not content:
        raise UserError("experiment_list", fields.where(path))
    return content


def _ablations(entry: Entry, named: Named) -> Iterator[tuple[ExperimentMethod, int]]:
    if "ablations" not in entry.fields.values:
        return
    fields = entry.fields.inside("ablations")
    for name in fields.values:
        changes = fields.inside(name)
        spec, said = _changed(entry, changes.values, named)
        label = f"{entry.name} · {name}"
        yield ExperimentMethod(label, entry.name, spec, "ablation", said), changes.line


def _changed(
    entry: Entry, changes: Mapping[str, Value], named: Named
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Return the spec with all changes made, and what was set at each path."""
    spec: Mapping[str, Any] = entry.spec
    said: dict[str, Any] = {}
    for path, value in changes.items():
        spec, said[path] = changed(spec, path, value, entry.fields.file, named)
    return spec, said


def _noise(entry: Entry) -> Iterator[tuple[str, float, Value]]:
    if "noise" not in entry.fields.values:
        return
    fields = entry.fields.inside("noise")
    fields.only(KINDS)
    for kind in fields.values:
        for each in _several(fields, kind):
            yield kind, _rate(fields, kind, each), each


def _rate(fields: Fields, kind: str, value: Value) -> float:
    try:
        rate = float(value.content) if isinstance(value.content, str) else -1.0
    except ValueError:
        rate = -1.0
    if not 0 < rate <= 1:
        raise UserError("experiment_rate", Where(fields.file, value.line, kind))
    return rate


def _noisy(
    entry: Entry, kind: str, rate: float, value: Value, seed: int, several: bool
) -> ExperimentMethod:
    label = f"{entry.name} · {kind} {100 * rate:g} %" + (f" · seed {seed}" if several else "")
    try:
        spec = with_noise(entry.spec, kind, rate, seed)
    except UserError as error:
        where = Where(entry.fields.file, value.line, "noise")
        raise UserError(error.code, where, **error.params) from error
    return ExperimentMethod(label, entry.name, spec, "noise", {kind: rate}, seed)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value["method"])
    if isinstance(value, list):
        return "/".join(_shown(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
