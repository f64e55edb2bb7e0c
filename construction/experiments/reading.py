"""Read an experiment from its YAML, refusing what is wrong in it with the line it stands on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from construction.experiments.lines import lines_of, read_entry, within_limit
from construction.experiments.model import CURRENT, MOST_LINES, Experiment, ExperimentMethod
from corpus.files.yaml_fields import Fields, Value, read_value
from corpus.limits import METHOD_FILE
from errors import UserError, Where
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import Measure, parse_measure
from retrieval.core.model import MAX_DEPTH

TEXT_LIMIT = METHOD_FILE
DEFAULT_DEPTH = 100
DEFAULT_MEASURES = ("Recall@10", "nDCG@10", "MRR@10")
MOST_SEEDS = 50
_FIELDS = (
    *("name", "note", "corpus", "gold", "depth", "measures", "strata", "seeds", "baseline"),
    *("resamples", "holm_over", "methods"),
)
_DEEPEST = 24
_SEED_LIMIT = 2**31 - 1
_HASH = re.compile(r"[0-9a-f]{8,64}")
_NUMBER = re.compile(r"[1-9][0-9]{0,6}")

T = TypeVar("T")


def parse(text: str, file: str | None = None) -> Experiment:
    """Return the experiment that the text says; `file` stands for it in messages.

    Raises UserError, with the line, for what is no YAML, an unknown, missing or repeated field, a
    method or parameter that cannot be, a path of a grid that leads nowhere, two lines of one
    label, more than MOST_LINES lines, and a baseline that is none of them.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("experiment_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content)
    fields.only(_FIELDS)
    lines = _lines(fields, _seeds(fields))
    depth = _depth(fields)
    return Experiment(
        name=within_limit(fields, fields.text("name")),
        lines=lines,
        baseline=_baseline(fields, lines),
        measures=_measures(fields, depth),
        corpus=_named(fields, "corpus", _NUMBER, _HASH),
        gold=_named(fields, "gold", _HASH),
        depth=depth,
        strata=tuple(dict.fromkeys(text for text, _ in fields.texts("strata"))),
        note=fields.optional_text("note"),
        inference=Inference(_resamples(fields), _family(fields)),
    )


def _lines(fields: Fields, seeds: tuple[int, ...]) -> tuple[ExperimentMethod, ...]:
    named: dict[str, Mapping[str, Any]] = {}
    places: dict[str, int] = {}
    found: list[ExperimentMethod] = []
    for row in _rows(fields):
        entry = read_entry(row, named)
        for line, at in lines_of(entry, named, seeds):
            _keep(found, places, line, Where(fields.file, at, "methods"))
        named[entry.name] = entry.spec
    if not found:
        raise UserError("field_missing", Where(fields.file, fields.line, "methods"))
    return tuple(found)


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
    found: dict[Measure, None] = {}
    for key, line in said:
        where = Where(fields.file, line, "measures")
        measure = _at(partial(parse_measure, key), where)
        if measure.cutoff is not None and measure.cutoff > depth:
            raise UserError("experiment_depth", where, measure=repr(measure), depth=depth)
        found[measure] = None
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
