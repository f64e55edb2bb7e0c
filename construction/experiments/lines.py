"""The lines of one method in an experiment's file: as written, grid, ablations, noise.

Each is a change of the method as written, alone: noise is not crossed with the grid. Noise is drawn
once with each seed; a method's own seed is a parameter, which a grid can vary.

A path within a method's spec is ``beta``, ``base.dimensions``, ``of.2.k1`` or ``of.bm25.k1``: of
several parts one is named by its number from 1, or by its method if it is the only one of it. Lines
that vary one number make up a sweep.

An experiment as its file declares it, with every line spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from corpus.files.declarations import (
    ONCE_EACH,
    Declared,
    Listed,
    Reading,
    Text,
    Texts,
    choice_of,
    fault,
    faults,
    longest,
    number,
    text_of,
)
from corpus.files.yaml_fields import Fields, Value
from errors import Problems, UserError, Where
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import Measure, parse_measure, too_deep
from normalization.grouping import grouped
from retrieval.core.model import MAX_DEPTH, Spec
from retrieval.core.registry import complete, parameters, unknown_parameter
from retrieval.core.spec_file import Named, read_parameter, read_spec
from retrieval.graph.noise import DROP, REWIRE, with_noise

CURRENT = "current"
MOST_LINES = 200
MOST_SEEDS = 50
NAME_LIMIT = 200
DEFAULT_DEPTH = 100
DEFAULT_MEASURES = tuple(map(parse_measure, ("Recall@10", "nDCG@10", "MRR@10")))
_SNAPSHOT = re.compile(r"current|[1-9][0-9]{0,6}|[0-9a-f]{8,64}")

Kind = Literal["method", "grid", "ablation", "noise"]


@dataclass(frozen=True, slots=True)
class ExperimentMethod:
    """One line of an experiment: a method to be run.

    `label` is unique among the lines, `entry` the name of its method in the file. `spec` is
    complete. `changes` are the differences from that method as written, by path. `seed` is that of
    its noise, `at` its line in the file (counted from 1).
    """

    label: str
    entry: str
    spec: Mapping[str, Any]
    kind: Kind = "method"
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    at: int | None = field(default=None, compare=False)


def _measure(value: Any, info: Reading) -> Measure:
    """Parse a measure. Raises the fault of one that looks deeper than the experiment's depth."""
    with faults():
        measure = value if isinstance(value, Measure) else parse_measure(text_of(value))
    depth = info.data.get("depth", MAX_DEPTH)
    if too_deep([repr(measure)], depth):
        raise fault("experiment_depth", measure=repr(measure), depth=depth)
    return measure


def _some_seeds(value: Any) -> Any:
    """Check that seeds are a list of bounded length."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_SEEDS:
        raise fault("experiment_list")
    return value


def _snapshot(value: str) -> str:
    """Return the name of a snapshot. Raises the fault of an invalid one."""
    if not _SNAPSHOT.fullmatch(value):
        raise fault("experiment_corpus", value=value)
    return value


Name = Annotated[Text, longest(NAME_LIMIT)]
Seed = Annotated[int, number("experiment_number", 0, 2**31 - 1, "[0-9]{1,12}")]
Seeds = Annotated[tuple[Seed, ...], BeforeValidator(_some_seeds), ONCE_EACH]
Depth = Annotated[int, number("experiment_number", 1, MAX_DEPTH)]
Measures = Annotated[
    Listed[Annotated[Measure, PlainValidator(_measure)]], ONCE_EACH, Field(validate_default=True)
]
Snapshot = Annotated[Text, AfterValidator(_snapshot)]
Resamples = Annotated[int, number("experiment_number", FEWEST_RESAMPLES, MOST_RESAMPLES)]
HolmOver = Annotated[Family, choice_of(Family, "holm_unknown", "said")]


@dataclass(frozen=True, slots=True)
class Settings(Declared):
    """The settings of an experiment besides its methods.

    `corpus` is CURRENT, or a snapshot's number or the beginning of its hash; `gold` names the gold
    set to evaluate on, "" the widest. `depth` is the number of units kept per question. `strata`
    are columns of questions. `baseline` is the label of the line that the others are tested
    against.
    """

    name: Name
    seeds: Seeds = (0,)
    depth: Depth = DEFAULT_DEPTH
    measures: Measures = DEFAULT_MEASURES
    corpus: Snapshot = CURRENT
    gold: Text = ""
    strata: Annotated[Texts, ONCE_EACH] = ()
    note: Text = ""
    resamples: Resamples = RESAMPLES
    holm_over: HolmOver = Family.MEASURE
    baseline: Text = ""

    @property
    def inference(self) -> Inference:
        """The settings of intervals and corrected p-values."""
        return Inference(self.resamples, self.holm_over)


@dataclass(frozen=True, slots=True)
class Experiment(Settings):
    """An experiment: methods to run, the data, and measures.

    `places` has the line in the file of corpus, gold and each of the strata.
    """

    lines: tuple[ExperimentMethod, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return the fields to hash: all that figures depend on, but corpus and judgements."""
        return {
            "resamples": self.resamples,
            "holm_over": self.holm_over.value,
            "gold": self.gold,
            "lines": [[line.label, dict(line.spec)] for line in self.lines],
            "baseline": self.baseline,
            "measures": [repr(measure) for measure in self.measures],
            "strata": list(self.strata),
            "depth": self.depth,
        }


def changed(
    spec: Spec, path: str, value: Value, file: str | None, named: Named | None = None
) -> tuple[dict[str, Any], Any]:
    """Set `path` of the complete `spec` to `value`; return the new spec and the value read.

    Raises UserError with the line of `value` for an unknown path and an invalid value.
    """
    where = Where(file, value.line, path)
    steps, whole = path.split("."), deepcopy(dict(spec))
    inner = _at(whole, steps, where)
    known = {each.name: each for each in parameters(inner["method"])}
    if steps[-1] not in known:
        raise _nowhere(where, inner, steps[-1], known)
    read = read_parameter(known[steps[-1]], inner["method"], value, file, named)
    inner[steps[-1]] = read
    with _placed(where):
        return complete(whole), read


def value_at(spec: Spec, path: str) -> Any:
    """Return the value at `path` of the complete `spec`. Raises UserError for an unknown path."""
    steps, where = path.split("."), Where(field=path)
    inner = _at(spec, steps, where)
    if steps[-1] not in inner:
        raise _nowhere(where, inner, steps[-1], [name for name in inner if name != "method"])
    return inner[steps[-1]]


def _parts(spec: Spec) -> Iterator[tuple[str, Spec]]:
    """Yield the nested specs of a spec, each with its parameter."""
    for name, value in spec.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                yield name, each


def _at(spec: Any, steps: list[str], where: Where) -> Any:
    """Return the part of `spec` that has the last step as its parameter."""
    if len(steps) < 2:
        return spec
    if isinstance(spec.get(steps[0]), Mapping):
        return _at(spec[steps[0]], steps[1:], where)
    parts = [part for name, part in _parts(spec) if name == steps[0]]
    if not parts:
        raise _nowhere(where, spec, steps[0], [name for name, _ in _parts(spec)])
    part = parts[_place(parts, steps[1], where)]
    if len(steps) == 2:
        raise _nowhere(where, part, steps[1], [each.name for each in parameters(part["method"])])
    return _at(part, steps[2:], where)


def _place(parts: list[Spec], step: str, where: Where) -> int:
    """Return the index of the part that `step` names by number or method. Raises UserError."""
    methods = [part["method"] for part in parts]
    if step.isascii() and step.isdecimal() and 1 <= int(step[:6]) <= len(parts):
        return int(step) - 1
    if methods.count(step) == 1:
        return methods.index(step)
    known = [str(n) for n in range(1, len(parts) + 1)]
    known += [each for each in methods if methods.count(each) == 1]
    raise UserError("experiment_part", where, part=step, known=", ".join(known))


@contextmanager
def _placed(where: Where) -> Iterator[None]:
    """Let a UserError of the block name that place."""
    try:
        yield
    except UserError as error:
        raise UserError(error.code, where, **error.params) from error


def _nowhere(where: Where, spec: Spec, step: str, known: Iterable[str]) -> UserError:
    """Return the error for a step that leads to no parameter."""
    return unknown_parameter(spec["method"], step, known, where)


FIELDS = ("name", "grid", "ablations", "noise")
KINDS = (DROP, REWIRE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A method in the file: its name, its spec, and its place."""

    name: str
    spec: Mapping[str, Any]
    fields: Fields


def read_entry(fields: Fields, named: Named) -> Entry:
    """Read a method from its fields; `named` are the specs of earlier ones by name.

    A method with a name alone may be a preset. Raises UserError with the line for invalid fields.
    """
    problems, called = Problems(), ""
    spec: Mapping[str, Any] = {}
    with problems.collecting():
        spec = read_spec(_short(fields), fields.file, named, FIELDS, "method")
    with problems.collecting():
        called = within_limit(fields, fields.optional_text("name"))
    problems.refuse()
    return Entry(called or fields.optional_text("method"), spec, fields)


def _short(fields: Fields) -> Value:
    """Return the fields as the method's name alone if they set no parameter."""
    method = fields.values.get("method")
    if method is not None and not fields.values.keys() - {"method", *FIELDS}:
        return method
    return Value(dict(fields.values), fields.line)


def within_limit(fields: Fields, name: str) -> str:
    """Return the name. Raises UserError if it is longer than NAME_LIMIT."""
    if len(name) > NAME_LIMIT:
        raise UserError("text_too_long", fields.where("name"), limit=NAME_LIMIT, length=len(name))
    return name


def lines_of(
    entry: Entry, named: Named, seeds: Sequence[int]
) -> Iterator[tuple[ExperimentMethod, int]]:
    """Yield a method as written, then of its grid, ablations and noise, each with its file line.

    Raises UserError with the line for invalid entries.
    """
    written = ExperimentMethod(entry.name, entry.name, entry.spec)
    yield written, entry.fields.line
    problems = Problems()
    for variants in (_grid(entry, named, problems), _ablations(entry, named, problems)):
        with problems.collecting():
            for variant, at in variants:
                if variant.spec != entry.spec:  # the same as the method as written
                    yield variant, at
    with problems.collecting():
        for kind, rate, value in _noise(entry, problems):
            with problems.collecting():
                for seed in seeds:
                    yield _noisy(entry, kind, rate, value, seed, len(seeds) > 1), value.line
    problems.refuse()


def _grid(entry: Entry, named: Named, problems: Problems) -> Iterator[tuple[ExperimentMethod, int]]:
    """Yield the combinations of a grid, or of each of a list of grids by itself."""
    value = entry.fields.values.get("grid")
    if value is None:
        return
    listed = isinstance(value.content, list)
    seen: list[Mapping[str, Any]] = []
    for fields in (
        entry.fields.rows("grid", "experiment_grid") if listed else [entry.fields.inside("grid")]
    ):
        with problems.collecting():
            for line in _combinations(entry, fields, named):
                if not listed or line.spec not in seen:  # grids may overlap
                    yield line, fields.line
                seen.append(line.spec)


def _combinations(entry: Entry, fields: Fields, named: Named) -> Iterator[ExperimentMethod]:
    """Yield a method for each point of the grid, with all faults collected."""
    axes = _axes(fields)
    size = prod(len(axis) for axis in axes)
    if size > MOST_LINES:
        where = Where(fields.file, fields.line, "grid")
        raise UserError("experiment_too_large", where, count=size, limit=MOST_LINES)
    problems = Problems()
    for point in product(*axes):
        with problems.collecting():
            spec, said = _changed(entry, dict(point), named)
            told = ", ".join(f"{path}={_text_of(value)}" for path, value in said.items())
            yield ExperimentMethod(f"{entry.name} · {told}", entry.name, spec, "grid", said)
    problems.refuse()


def _axes(fields: Fields) -> list[list[tuple[str, Value]]]:
    """Return the values of each path. Raises UserError listing all paths without values."""
    axes, problems = [], Problems()
    for path in fields.values:
        with problems.collecting():
            axes.append([(path, each) for each in _several(fields, path)])
    problems.refuse()
    return axes


def _several(fields: Fields, path: str) -> list[Value]:
    """Return the list under a path. Raises UserError for anything else."""
    content = fields.values[path].content
    if not isinstance(content, list) or not content:
        raise UserError("experiment_list", fields.where(path))
    return content


def _ablations(
    entry: Entry, named: Named, problems: Problems
) -> Iterator[tuple[ExperimentMethod, int]]:
    """Yield a method for each ablation of the entry, with its line in the file."""
    if "ablations" not in entry.fields.values:
        return
    fields = entry.fields.inside("ablations")
    for name in fields.values:
        with problems.collecting():
            changes = fields.inside(name)
            spec, said = _changed(entry, changes.values, named)
            label = f"{entry.name} · {name}"
            yield ExperimentMethod(label, entry.name, spec, "ablation", said), changes.line


def _changed(
    entry: Entry, changes: Mapping[str, Value], named: Named
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Return the spec with all changes made, and the value set at each path."""
    spec: Mapping[str, Any] = entry.spec
    said: dict[str, Any] = {}
    problems = Problems()
    for path, value in changes.items():
        with problems.collecting():
            spec, said[path] = changed(spec, path, value, entry.fields.file, named)
    problems.refuse()
    return spec, said


def _noise(entry: Entry, problems: Problems) -> Iterator[tuple[str, float, Value]]:
    """Yield (kind, rate, value) for each kind and rate of noise that is asked for."""
    if "noise" not in entry.fields.values:
        return
    fields = entry.fields.inside("noise")
    for stranger in fields.strangers(KINDS):
        problems.add(stranger)
    for kind in KINDS:
        with problems.collecting():
            for each in _several(fields, kind) if kind in fields.values else []:
                with problems.collecting():
                    yield kind, _rate(fields, kind, each), each


def _rate(fields: Fields, kind: str, value: Value) -> float:
    """Parse a rate above 0, at most 1. Raises UserError for any other value."""
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
    """Return the entry's method with noise of a kind and rate."""
    label = f"{entry.name} · {kind} {100 * rate:g} %" + (f" · seed {seed}" if several else "")
    with _placed(Where(entry.fields.file, value.line, "noise")):
        spec = with_noise(entry.spec, kind, rate, seed)
    return ExperimentMethod(label, entry.name, spec, "noise", {kind: rate}, seed)


def _text_of(value: Any) -> str:
    """Return a swept value as text."""
    if isinstance(value, Mapping):
        return str(value["method"])
    if isinstance(value, list):
        return "/".join(_text_of(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Sweep:
    """A parameter sweep of a method: `points` are (value, position of the line).

    They ascend by value, then by position. `path` is the parameter's, or ``drop`` or ``rewire``,
    whose value is the share of the pairs that is affected; several lines of one value differ in
    seed.
    """

    entry: str
    path: str
    points: tuple[tuple[float, int], ...]


def sweeps(experiment: Experiment) -> list[Sweep]:
    """Return the sweeps of at least three values, in the order of the file.

    The method as written is a point of each.
    """
    written = {line.entry: at for at, line in enumerate(experiment.lines) if line.kind == "method"}
    found = grouped(
        ((line.entry, change[0]), (change[1], at))
        for at, line in enumerate(experiment.lines)
        if (change := _change(line)) is not None
    )
    result = []
    for (entry, path), points in found.items():
        start = _written(experiment.lines[written[entry]].spec, path)
        every = points if start is None else [*points, (start, written[entry])]
        if len({value for value, _ in every}) > 2:
            result.append(Sweep(entry, path, tuple(sorted(every))))
    return result


def _change(line: ExperimentMethod) -> tuple[str, float] | None:
    """Return the only number that a line of a grid or of noise changes, with its path."""
    if line.kind not in ("grid", "noise") or len(line.changes) != 1:
        return None
    ((path, value),) = line.changes.items()
    number = _number(value)
    return None if number is None else (path, number)


def _written(spec: Mapping[str, Any], path: str) -> float | None:
    """Return a swept number as the file states it, None for others."""
    return 0.0 if path in ("drop", "rewire") else _number(value_at(spec, path))


def _number(value: object) -> float | None:
    """Return a number as float, None for others."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
