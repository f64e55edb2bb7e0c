"""One method of an experiment's file spelled out: as written, its grid, its ablations, its noise.

Each is a change of the method as written, alone: noise is not crossed with the grid. Every line
that draws anything is there once for each seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from construction.experiments.model import MOST_LINES, Kind, Line
from construction.experiments.paths import changed, has_seed, seeded
from corpus.importers.yaml_fields import Fields, Value
from errors import UserError, Where
from retrieval.graph_noise import DROP, REWIRE, with_noise
from retrieval.spec_file import Named, read_spec

FIELDS = ("name", "grid", "ablations", "noise")
KINDS = (DROP, REWIRE)
_NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """A method of the file: its name, its spec, and where it stands."""

    name: str
    spec: Mapping[str, Any]
    fields: Fields


@dataclass(frozen=True, slots=True)
class _Variant:
    label: str
    spec: Mapping[str, Any]
    kind: Kind
    changes: Mapping[str, Any]
    line: int


def read_entry(fields: Fields, named: Named) -> Entry:
    """Return the method that the fields say; `named` are the specs of those above it by name.

    Raises UserError with the line for what cannot be.
    """
    spec = read_spec(Value(dict(fields.values), fields.line), fields.file, named, FIELDS)
    name = fields.optional_text("name") or spec["method"]
    if len(name) > _NAME_LIMIT:
        raise UserError("text_too_long", fields.where("name"), limit=_NAME_LIMIT, length=len(name))
    return Entry(name, spec, fields)


def lines_of(entry: Entry, named: Named, seeds: Sequence[int]) -> Iterator[tuple[Line, int]]:
    """Yield the lines of a method, each with its line in the file.

    Without `seeds` specs keep their own, and noise is drawn with 0. Raises UserError with the line
    for what cannot be.
    """
    written = _Variant(entry.name, entry.spec, "method", {}, entry.fields.line)
    yield from _for_seeds(entry, written, seeds)
    for variant in _variants(entry, named):
        yield from _for_seeds(entry, variant, seeds)
    for kind, rate, value in _noise(entry):
        yield from _noisy(entry, kind, rate, value, seeds)


def _variants(entry: Entry, named: Named) -> Iterator[_Variant]:
    for variant in (*_grid(entry, named), *_ablations(entry, named)):
        if variant.spec != entry.spec:  # what equals the method as written is there already
            yield variant


def _for_seeds(entry: Entry, variant: _Variant, seeds: Sequence[int]) -> Iterator[tuple[Line, int]]:
    if not seeds or not has_seed(variant.spec):
        line = Line(variant.label, entry.name, variant.spec, variant.kind, variant.changes)
        yield line, variant.line
        return
    for seed in seeds:
        label, spec = _told(variant.label, seed, seeds), seeded(variant.spec, seed)
        yield Line(label, entry.name, spec, variant.kind, variant.changes, seed), variant.line


def _grid(entry: Entry, named: Named) -> Iterator[_Variant]:
    if "grid" not in entry.fields.values:
        return
    fields = entry.fields.inside("grid")
    axes = [[(path, each) for each in _several(fields, path)] for path in fields.values]
    size = 1
    for axis in axes:
        size *= len(axis)
    if size > MOST_LINES:
        where = Where(fields.file, fields.line, "grid")
        raise UserError("experiment_too_large", where, count=size, limit=MOST_LINES)
    for point in product(*axes):
        yield _variant(entry, dict(point), named, "grid", fields.line)


def _several(fields: Fields, path: str) -> list[Value]:
    content = fields.values[path].content
    if not isinstance(content, list) or not content:
        raise UserError("experiment_list", fields.where(path))
    return content


def _ablations(entry: Entry, named: Named) -> Iterator[_Variant]:
    if "ablations" not in entry.fields.values:
        return
    fields = entry.fields.inside("ablations")
    for name in fields.values:
        changes = fields.inside(name)
        found = _variant(entry, changes.values, named, "ablation", changes.line)
        label = f"{entry.name} · {name}"
        yield _Variant(label, found.spec, found.kind, found.changes, found.line)


def _variant(
    entry: Entry, changes: Mapping[str, Value], named: Named, kind: Kind, line: int
) -> _Variant:
    spec: Mapping[str, Any] = entry.spec
    said: dict[str, Any] = {}
    for path, value in changes.items():
        spec, said[path] = changed(spec, path, value, entry.fields.file, named)
    told = ", ".join(f"{path}={_shown(value)}" for path, value in said.items())
    return _Variant(f"{entry.name} · {told}", spec, kind, said, line)


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
    entry: Entry, kind: str, rate: float, value: Value, seeds: Sequence[int]
) -> Iterator[tuple[Line, int]]:
    label = f"{entry.name} · {kind} {100 * rate:g} %"
    for seed in seeds or (0,):
        try:
            spec = with_noise(seeded(entry.spec, seed) if seeds else entry.spec, kind, rate, seed)
        except UserError as error:
            where = Where(entry.fields.file, value.line, "noise")
            raise UserError(error.code, where, **error.params) from error
        line = Line(_told(label, seed, seeds), entry.name, spec, "noise", {kind: rate}, seed)
        yield line, value.line


def _told(label: str, seed: int, seeds: Sequence[int]) -> str:
    return f"{label} · seed {seed}" if len(seeds) > 1 else label


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value["method"])
    if isinstance(value, list):
        return "/".join(_shown(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
