"""Parser of experiments in YAML; errors are reported with their line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from construction.experiments.lines import (
    MOST_LINES,
    Experiment,
    ExperimentMethod,
    Settings,
    lines_of,
    read_entry,
)
from corpus.files.declarations import read_every
from corpus.files.yaml_fields import Fields, Value, read_value
from corpus.limits import METHOD_FILE
from errors import Problems, UserError, Where, require_known

TEXT_LIMIT = METHOD_FILE
_SETTINGS = tuple(each.name for each in fields_of(Settings))
_FIELDS = (
    *("name", "note", "corpus", "gold", "depth", "measures", "strata", "seeds", "baseline"),
    *("resamples", "holm_over", "methods"),
)
_OTHER_WORDS = {"metric": "measures", "metrics": "measures"}
_DEEPEST = 24


def parse(text: str, file: str | None = None) -> Experiment:
    """Parse an experiment; `file` is the text's name in messages.

    Raises UserError, with the line and with all errors at once, for invalid YAML, an unknown,
    missing or repeated field, an invalid method or parameter, an unknown path in a grid, two lines
    of one label, more than MOST_LINES lines, and a baseline that is none of them.
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
    said = {name: value.content[name] for name in _SETTINGS if name in value.content}
    settings = read_every(Settings, Value(said, value.line), file, problems) or Settings("")
    lines = _lines(fields, settings.seeds, problems)
    problems.refuse()
    kept = {name: getattr(settings, name) for name in _SETTINGS}
    kept["baseline"] = _baseline(fields, settings.baseline, lines)
    return Experiment(**kept, lines=lines, places=dict(_places(fields)))


def _places(fields: Fields) -> Iterator[tuple[str, int]]:
    """Yield the names of ``corpus``, ``gold`` and each stratum with their lines in the file."""
    for name in ("corpus", "gold"):
        yield name, fields.where(name).line or 0
    for text, line in reversed(fields.texts("strata")):
        yield f"strata.{text}", line


def _lines(
    fields: Fields, seeds: tuple[int, ...], problems: Problems
) -> tuple[ExperimentMethod, ...]:
    """Return the methods of all entries; faults are collected in `problems`."""
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
            broken.add(_entry_name(row))  # the error of its base is reported already
            continue
        with problems.collecting():
            broken.add(_entry_name(row))
            entry = read_entry(row, named)
            for line, at in lines_of(entry, named, seeds):
                _add_line(found, places, line, Where(fields.file, at, "methods"))
            named[entry.name] = entry.spec
            broken.discard(_entry_name(row))
    return tuple(found)


def _entry_name(row: Fields) -> str:
    """Return the name of an entry, even if the entry is invalid."""
    said = [row.values[name].content for name in ("name", "method") if name in row.values]
    return next((" ".join(each.split()) for each in said if isinstance(each, str)), "")


def _words(values: Mapping[str, Value]) -> Iterator[str]:
    """Yield every text within an entry that may be the name of an earlier one."""
    for name, value in values.items():
        content = value.content
        if isinstance(content, dict):
            yield from _words(content)
        elif isinstance(content, list):
            yield from _words({f"{name} {at}": each for at, each in enumerate(content)})
        elif name not in ("name", "method"):
            yield content


def _rows(fields: Fields) -> list[Fields]:
    """Return the methods of the file; a name alone is that method at its defaults."""
    value = fields.values.get("methods")
    if value is None or not isinstance(value.content, list):
        return fields.rows("methods", "experiment_methods")
    spelled = [
        Value({"method": each}, each.line) if isinstance(each.content, str) else each
        for each in value.content
    ]
    inside = Fields(fields.file, fields.line, {"methods": Value(spelled, value.line)})
    return inside.rows("methods", "experiment_methods")


def _add_line(
    methods: list[ExperimentMethod], places: dict[str, int], line: ExperimentMethod, where: Where
) -> None:
    """Add a method. Raises UserError for a repeated label, or one too many."""
    if line.label in places:
        first = places[line.label]
        raise UserError("experiment_label_twice", where, shown=line.label, first=first)
    if len(methods) >= MOST_LINES:
        count = len(methods) + 1
        raise UserError("experiment_too_large", where, count=count, limit=MOST_LINES)
    places[line.label] = where.line or 0
    methods.append(replace(line, at=where.line))


def _baseline(fields: Fields, name: str, lines: tuple[ExperimentMethod, ...]) -> str:
    """Return the label of the baseline, by default the first. Raises UserError if unknown."""
    if not name:
        return lines[0].label
    known = [line.label for line in lines]
    require_known("experiment_baseline", known, fields.where("baseline"), name=name)
    return name
