"""TREC's plain text formats: qrels and runs, written and read.

White space separates fields there, so in an id that holds any, white space and ``%`` are written as
in a URL (``%20``); every other id is written as it is. Ids are read as written, those of a BEIR
file as they would be written here, so that runs and qrels share their ids.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from urllib.parse import quote

import numpy as np

from corpus.files.rows import check_file, read_lines
from errors import UserError, Where

RUN_FILE_BYTES = 1024 * 1024 * 1024
_LINE_BYTES = 16 * 1024 * 1024  # a file with carriage returns as its only line ends is one line
_WIDEST = 1e38  # larger scores are indistinguishable in 32-bit floats
_SPACE = re.compile(r"\s")
_UNSAFE = re.compile(r"[\s%]")
_BEIR_HEADER = ["query-id", "corpus-id", "score"]
_QRELS_FIELDS = ["query", "0", "unit", "relevance"]
_RUN_FIELDS = ["query", "Q0", "unit", "rank", "score", "tag"]

Qrels = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class RankedUnit:
    """A unit in a run file: its id as written, score, line number, and the run's tag."""

    unit: str
    score: float
    line: int
    tag: str


def write_qrels(path: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write ``query 0 unit relevance`` by ascending query and unit id."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query, units in sorted(qrels.items()):
            for unit, relevance in sorted(units.items()):
                file.write(f"{as_field(query)} 0 {as_field(unit)} {relevance}\n")


def write_run(path: Path, run: Mapping[str, Sequence[tuple[str, float]]], tag: str) -> int:
    """Write ``query Q0 unit rank score tag`` by ascending query; return the number of lines.

    Tied scores are separated in their last digit, because readers order by score alone, in 32-bit
    floats, and break ties each in their own way. A ranking with a score outside the range of these
    is written with falling whole numbers.
    """
    lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for query, ranking in sorted(run.items()):
            scores = _falling([score for _, score in ranking])
            for rank, ((unit, _), score) in enumerate(zip(ranking, scores, strict=True), 1):
                ids = f"{as_field(query)} Q0 {as_field(unit)}"
                file.write(f"{ids} {rank} {score!s} {as_field(tag)}\n")
                lines += 1
    return lines


def read_qrels(path: Path) -> Qrels:
    """Return query → unit → relevance from TREC qrels, or from BEIR's three-column file.

    Raises UserError naming file and line for a line of another shape, a relevance that is not a
    whole number, and a unit judged twice.
    """
    qrels: Qrels = {}
    beir = False
    for at, line in _lines(path):
        if at.line == 1 and line.split() == _BEIR_HEADER:
            beir = True
            continue
        fields = _beir_fields(line) if beir else line.split()
        _require_shape(fields, _BEIR_HEADER if beir else _QRELS_FIELDS, at)
        query, unit, relevance = fields[0], fields[-2], fields[-1]
        units = qrels.setdefault(query, {})
        if unit in units:
            raise UserError("trec_repeated", at, query=query, unit=unit)
        units[unit] = _whole(relevance, at)
    return qrels


def read_run(path: Path) -> dict[str, list[str]]:
    """Return query → units, best first, from a TREC run; see :func:`read_rankings`."""
    return {
        query: [each.unit for each in ranking] for query, ranking in read_rankings(path).items()
    }


def read_rankings(path: Path, name: str | None = None) -> dict[str, list[RankedUnit]]:
    """Return query → ranking of a TREC run, best first.

    Higher scores come first, as everywhere in TREC; equal scores by the rank written, then by
    ascending id. Raises UserError naming file (`name`, if given) and line for a line of another
    shape, a score or rank that is not a finite number, and a unit ranked twice.
    """
    found: dict[str, dict[str, tuple[float, float, int, str]]] = {}
    for at, line in _lines(path, name):
        fields = line.split()
        _require_shape(fields, _RUN_FIELDS, at)
        query, unit = fields[0], intern(fields[2])
        units = found.setdefault(query, {})
        if unit in units:
            raise UserError("trec_repeated", at, query=query, unit=unit)
        score, rank = _number(fields[4], "score", at), _number(fields[3], "rank", at)
        units[unit] = -score, rank, at.line or 0, intern(fields[5])
    # One question at a time, so that a large file is not in memory twice.
    return {query: _best_first(found.pop(query)) for query in list(found)}


def _best_first(units: Mapping[str, tuple[float, float, int, str]]) -> list[RankedUnit]:
    """Return the ranked units, best first."""
    order = sorted(units, key=lambda unit: (*units[unit][:2], unit))
    return [RankedUnit(unit, -units[unit][0], *units[unit][2:]) for unit in order]


def _lines(path: Path, name: str | None = None) -> Iterator[tuple[Where, str]]:
    """Yield each line that is not blank with its place; UserError for a file with none."""
    name = str(path) if name is None else name
    check_file(path, name, RUN_FILE_BYTES)
    blank, more = True, 0
    for number, text in read_lines(path, name, _LINE_BYTES):
        for at, line in enumerate(text.removesuffix("\n").removesuffix("\r").split("\r")):
            more += at > 0  # old systems end a line with a carriage return alone
            if line.strip():
                blank = False
                yield Where(name, number + more), line
    if blank:
        raise UserError("file_empty", Where(name))


def _beir_fields(line: str) -> list[str]:
    """Return the cells of a BEIR line (CSV quoting), encoded as TREC ids."""
    cells = next(csv.reader([line], delimiter="\t"))
    return [as_field(cell) for cell in cells]


def _require_shape(fields: list[str], columns: list[str], at: Where) -> None:
    """Raise UserError unless a line has as many fields as `columns`."""
    if len(fields) != len(columns):
        raise UserError("trec_shape", at, found=len(fields), wanted=" ".join(columns))


def _whole(written: str, at: Where) -> int:
    """Parse a relevance of at most nine digits. Raises UserError for anything else."""
    if not re.fullmatch(r"[+-]?\d{1,9}", written, re.ASCII):
        raise UserError("trec_number", Where(at.file, at.line, "relevance"), written=written)
    return int(written)


def _number(written: str, field: str, at: Where) -> float:
    """Parse a finite number. Raises UserError for anything else."""
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if "_" in written or not written.isascii():  # valid for Python's float alone
        number = math.nan
    if not math.isfinite(number):
        raise UserError("trec_number", Where(at.file, at.line, field), written=written)
    return number


def _falling(scores: Sequence[float]) -> list[np.float32]:
    """Return the scores, each lowered just enough to be below the previous one.

    Where one of them is outside the range of 32-bit floats, all are replaced by falling ranks.
    """
    if any(abs(score) > _WIDEST for score in scores):
        scores = range(len(scores), 0, -1)
    falling: list[np.float32] = []
    for score in map(np.float32, scores):
        below = np.nextafter(falling[-1], np.float32(-np.inf)) if falling else score
        falling.append(min(score, below))
    return falling


def as_field(value: str) -> str:
    """Return an id for a TREC file: one with white space is percent-encoded, others unchanged."""
    if not _SPACE.search(value):
        return value
    return _UNSAFE.sub(lambda found: quote(found[0], safe=""), value)
