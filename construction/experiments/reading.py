"""Read an experiment from its YAML, refusing what is wrong in it with the line it stands on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from construction.experiments.lines import lines_of, read_entry, within_limit
from construction.experiments.model import CURRENT, MOST_LINES, Experiment, ExperimentMethod
from corpus.files.yaml_fields import Fields, Value, read_value
from corpus.limits import METHOD_FILE
from errors import Problems, UserError, Where
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import Measure, parse_measure, too_deep
from retrieval.core.model import MAX_DEPTH

TEXT_LIMIT = METHOD_FILE
DEFAULT_DEPTH = 100
DEFAULT_MEASURES = ("Recall@10", "nDCG@10", "MRR@10")
MOST_SEEDS = 50
_FIELDS = (
    *("name", "note", "corpus", "gold", "depth", "measures", "strata", "seeds", "baseline"),
    *("resamples", "holm_over", "methods"),
)
_OTHER_WORDS = {"metric": "measures", "metrics": "measures"}
_DEEPEST = 24
_SEED_LIMIT = 2**31 - 1
_HASH = re.compile(r"[0-9a-f]{8,64}")
_NUMBER = re.compile(r"[1-9][0-9]{0,6}")

T = TypeVar("T")


def parse(text: str, file: str | None = None) -> Experiment:
    """Return the experiment that the text says; `file` stands for it in messages.

    Raises UserError, with the line and with all that is wrong at once, for what is no YAML, an
    unknown, missing or repeated field, a method or parameter that cannot be, a path of a grid that
    leads nowhere, two lines of one label, more than MOST_LINES lines, and a baseline that is none
    of them.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("experiment_empty", Where(file, value.line))
    fields, problems = Fields(file, value.line, value.content), Problems()
    for stranger in fields.strangers(_FIELDS, _OTHER_WORDS):
        problems.add(stranger)
    said = _Said(problems)
    name = said.of(lambda: within_limit(fields, fields.text("name")), "")
    seeds = said.of(lambda: _seeds(fields), tuple[int, ...]((0,)))
    depth = said.of(lambda: _depth(fields), MAX_DEPTH)
    measures = said.of(lambda: _measures(fields, depth), tuple[Measure, ...]())
    corpus = said.of(lambda: _named(fields, "corpus", _NUMBER, _HASH), CURRENT)
    gold = said.of(lambda: fields.optional_text("gold"), "")
    strata = said.of(lambda: fields.texts("strata"), list[tuple[str, int]]())
    note = said.of(lambda: fields.optional_text("note"), "")
    resamples = said.of(lambda: _resamples(fields), RESAMPLES)
    family = said.of(lambda: _family(fields), Family.MEASURE)
    lines = _lines(fields, seeds, problems)
    baseline = said.of(lambda: _baseline(fields, lines), "") if not problems.errors else ""
    problems.refuse()
    return Experiment(
        name=name,
        lines=lines,
        baseline=baseline,
        measures=measures,
        corpus=corpus,
        gold=gold,
        depth=depth,
        strata=tuple(dict.fromkeys(text for text, _ in strata)),
        note=note,
        inference=Inference(resamples, family),
        places={
            **{each: fields.where(each).line or 0 for each in ("corpus", "gold")},
            **{f"strata.{text}": line for text, line in reversed(strata)},
        },
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """Reads fields one by one; what is wrong with one does not keep the others from being read."""

    problems: Problems

    def of(self, read: Callable[[], T], otherwise: T) -> T:
        """Return what `read` returns, `otherwise` where that cannot be."""
        found = otherwise
        with self.problems.collecting():
            found = read()
        return found


def _lines(
    fields: Fields, seeds: tuple[int, ...], problems: Problems
) -> tuple[ExperimentMethod, ...]:
    named: dict[str, Mapping[str, Any]] = {}
    places: dict[str, int] = {}
    found: list[ExperimentMethod] = []
    rows: list[Fields] = []
    with problems.collecting():
        rows = _rows(fields)
        if not rows:
            raise UserError("field_missing", Where(fields.file, fields.line, "methods"))
    broken: set[str] = set()
    for row in rows:
        if broken & set(_words(row.values)):
            broken.add(_called(row))  # what it builds on is told already
            continue
        with problems.collecting():
            broken.add(_called(row))
            entry = read_entry(row, named)
            for line, at in lines_of(entry, named, seeds):
                _keep(found, places, line, Where(fields.file, at, "methods"))
            named[entry.name] = entry.spec
            broken.discard(_called(row))
    return tuple(found)


def _called(row: Fields) -> str:
    """Return what an entry is called, whether or not it can be read."""
    said = [row.values[name].content for name in ("name", "method") if name in row.values]
    return next((" ".join(each.split()) for each in said if isinstance(each, str)), "")


def _words(values: Mapping[str, Value]) -> Iterator[str]:
    """Yield every text within an entry that may name one above it: none says its own method so."""
    for name, value in values.items():
        content = value.content
        if isinstance(content, dict):
            yield from _words(content)
        elif isinstance(content, list):
            yield from _words({f"{name} {at}": each for at, each in enumerate(content)})
        elif name not in ("name", "method"):
            yield content


def _rows(fields: Fields) -> list[Fields]:
    """Return the methods of the file; one that is a name alone is that method at its defaults."""
    value = fields.values.get("methods")
    if value is None or not isinstance(value.content, list):
        return fields.rows("methods", "experiment_methods")
    spelled = [
        Value({"method": each}, each.line) if isinstance(each.content, str) else each
        for each in value.content
    ]
    inside = Fields(fields.file, fields.line, {"methods": Value(spelled, value.line)})
    return inside.rows("methods", "experiment_methods")


def _keep(
    found: list[ExperimentMethod], places: dict[str, int], line: ExperimentMethod, where: Where
) -> None:
    if line.label in places:
        first = places[line.label]
        raise UserError("experiment_label_twice", where, shown=line.label, first=first)
    if len(found) >= MOST_LINES:
        count = len(found) + 1
        raise UserError("experiment_too_large", where, count=count, limit=MOST_LINES)
    places[line.label] = where.line or 0
    found.append(replace(line, at=where.line))


def _baseline(fields: Fields, lines: tuple[ExperimentMethod, ...]) -> str:
    said = fields.optional_text("baseline")
    if not said:
        return lines[0].label
    if any(said == line.label for line in lines):
        return said
    known = ", ".join(line.label for line in lines)
    raise UserError("experiment_baseline", fields.where("baseline"), name=said, known=known)


def _measures(fields: Fields, depth: int) -> tuple[Measure, ...]:
    said = fields.texts("measures") or [(key, fields.line) for key in DEFAULT_MEASURES]
    found, problems = dict[Measure, None](), Problems()
    for key, line in said:
        where = Where(fields.file, line, "measures")
        with problems.collecting():
            measure = _at(partial(parse_measure, key), where)
            if too_deep([repr(measure)], depth):
                raise UserError("experiment_depth", where, measure=repr(measure), depth=depth)
            found[measure] = None
    problems.refuse()
    return tuple(found)


def _depth(fields: Fields) -> int:
    if "depth" not in fields.values:
        return DEFAULT_DEPTH
    return _whole(fields.values["depth"], fields, "depth", 1, MAX_DEPTH)


def _resamples(fields: Fields) -> int:
    if "resamples" not in fields.values:
        return RESAMPLES
    value = fields.values["resamples"]
    return _whole(value, fields, "resamples", FEWEST_RESAMPLES, MOST_RESAMPLES)


def _family(fields: Fields) -> Family:
    said = fields.optional_text("holm_over") or Family.MEASURE
    if said not in list(Family):
        raise UserError("holm_unknown", fields.where("holm_over"), said=said)
    return Family(said)


def _seeds(fields: Fields) -> tuple[int, ...]:
    value = fields.values.get("seeds")
    if value is None or value.content == "":
        return (0,)
    if not isinstance(value.content, list) or not 1 <= len(value.content) <= MOST_SEEDS:
        raise UserError("experiment_list", fields.where("seeds"))
    read = [_whole(each, fields, "seeds", 0, _SEED_LIMIT) for each in value.content]
    return tuple(dict.fromkeys(read))


def _whole(value: Value, fields: Fields, field: str, low: int, high: int) -> int:
    said = value.content
    number = int(said) if isinstance(said, str) and re.fullmatch(r"\d{1,12}", said) else -1
    if not low <= number <= high:
        where = Where(fields.file, value.line, field)
        raise UserError("experiment_number", where, low=low, high=high)
    return number


def _named(fields: Fields, field: str, *patterns: re.Pattern[str]) -> str:
    said = fields.optional_text(field) or CURRENT
    if said != CURRENT and not any(pattern.fullmatch(said) for pattern in patterns):
        raise UserError(f"experiment_{field}", fields.where(field), value=said)
    return said


def _at(read: Callable[[], T], where: Where) -> T:
    try:
        return read()
    except UserError as error:
        raise UserError(error.code, where, **error.params) from error
