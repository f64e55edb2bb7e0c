"""Runs, judgements and whole numbers as a notebook has them, read into one form.

Ids are compared as composed texts: 7, 7.0 (as pandas makes of 7 beside a gap) and "7" are one
question, and a Korean id is one however its syllables are written. Nothing is guessed: what cannot
be read is refused with the columns or types that can.

Whole numbers as a notebook gives them, numpy's among them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from corpus.run import Hit, Run, best
from errors import UserError, Where
from normalization import composed
from normalization.grouping import grouped
from storage.export.trec import read_qrels as read_qrels_file
from storage.export.trec import read_rankings
from storage.export.trec import write_run as write_run_file

if TYPE_CHECKING:
    import pandas as pd


Qrels = dict[str, dict[str, int]]


class SearchedLaw(Protocol):
    """What knows which units methods can find: a `library.law.Law`."""

    def unsearchable(self, qrels: Mapping[str, Iterable[str]]) -> dict[str, str]:
        """Return each gold unit that no method finds by its text, with why."""


class Gold(Qrels):
    """Judgements, and the law that they are of: it knows which of their units can be found."""

    def __init__(self, qrels: Mapping[str, dict[str, int]], law: SearchedLaw) -> None:
        """Take the judgements of units of `law`."""
        super().__init__(qrels)
        self.law = law


QUERY = ("query", "query_id", "qid", "question", "question_id", "q_id")
UNIT = ("unit", "unit_id", "doc", "doc_id", "docno", "docid", "document", "corpus-id")
SCORE = ("score", "sim")
RANK = ("rank",)
RELEVANCE = ("relevance", "rel", "label", "grade", "score")


def read_run(path: str | Path, name: str = "") -> Run:
    """Read a TREC run file: ``query Q0 unit rank score tag``; `name` is that of the file if none.

    Higher scores come first, equal ones by the rank written, then by id. Raises UserError naming
    file and line for what cannot be read.
    """
    rankings = read_rankings(Path(path))
    hits = {
        query: [Hit(each.unit, each.score) for each in ranking]
        for query, ranking in rankings.items()
    }
    return Run(hits, name or Path(path).stem)


def write_run(run: object, path: str | Path) -> int:
    """Write a run as a TREC run file; return the number of lines.

    `run` is whatever `evaluate` takes as one. Raises UserError for what is no run, and where the
    file cannot be written.
    """
    made = run_of(run)
    hits = {query: [(hit.unit_id, hit.score) for hit in found] for query, found in made.items()}
    try:
        return write_run_file(Path(path), hits, made.name.replace(" ", "-") or "touchstone")
    except OSError as error:
        raise UserError("library_unwritable", Where(str(path))) from error


def read_qrels(path: str | Path) -> Qrels:
    """Read TREC qrels (``query 0 unit relevance``) or BEIR's three-column file.

    Raises UserError naming file and line for what cannot be read.
    """
    return read_qrels_file(Path(path))


def run_of(run: object, name: str = "") -> Run:
    """Return the run that a `Run`, a dict, a data frame or the path of a TREC file is.

    A dict has for each query a list of ids, best first, scores by id, or (id, score) pairs. A data
    frame has a row for each hit. Raises UserError for anything else, for a score that is not a
    number, and for a unit that stands twice.
    """
    if isinstance(run, Run):
        return Run(
            {
                _id(query): _checked_ranking(_id(query), _rows(query, hits))
                for query, hits in run.items()
            },
            name or run.name,
            run.depth,
        )
    if isinstance(run, str | Path):
        return read_run(run, name)
    if _is_frame(run):
        return Run(
            {query: _checked_ranking(query, rows) for query, rows in _run_rows(run).items()}, name
        )
    if isinstance(run, Mapping):
        return Run({_id(query): _hits(_id(query), found) for query, found in run.items()}, name)
    raise UserError("library_run", type=type(run).__name__)


def qrels_of(qrels: object) -> Qrels:
    """Return the judgements that a dict, a data frame or the path of a qrels file is.

    A dict has for each query relevances by unit, or the ids of its relevant units. Raises UserError
    for anything else and for a relevance that is no whole number.
    """
    if isinstance(qrels, str | Path):
        return read_qrels(qrels)
    if _is_frame(qrels):
        return _judged_rows(qrels)
    if isinstance(qrels, Mapping):
        return {_id(query): _grades(_id(query), units) for query, units in qrels.items()}
    raise UserError("library_qrels", type=type(qrels).__name__)


def _is_frame(value: object) -> bool:
    """Return True for a data frame; pandas need not be installed."""
    pandas = sys.modules.get("pandas")  # where it was not imported, nothing is a data frame
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _hits(query: str, ranking: object) -> Iterable[Hit]:
    """Return a ranking, a list or scores by unit, as hits. Raises UserError for anything else."""
    if isinstance(ranking, Mapping):
        pairs = [(_id(unit), _number(query, score)) for unit, score in ranking.items()]
        return best(dict(pairs), len(pairs))
    if isinstance(ranking, str) or not isinstance(ranking, Sequence):
        raise UserError("library_ranking", Where(field=query), type=type(ranking).__name__)
    return _checked_ranking(query, _rows(query, ranking))


def _id(value: object) -> str:
    """Return an id as the composed text that is compared; 7.0 is ``7``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return composed(str(value))


def _rows(query: str, ranking: Sequence[Any]) -> list[tuple[str, float]]:
    """Return (unit, score) of a list of units, pairs or hits; units score by their rank."""
    return [_row(query, each, len(ranking) - at) for at, each in enumerate(ranking)]


def _row(query: str, each: Any, rank_score: int) -> tuple[str, float]:
    """Convert an entry to (unit, score); without a score by its rank."""
    if isinstance(each, Hit):
        return _id(each.unit_id), _number(query, each.score)
    if isinstance(each, tuple | list) and len(each) == 2:
        return _id(each[0]), _number(query, each[1])
    return _id(each), float(rank_score)


def _checked_ranking(query: str, rows: Sequence[tuple[str, float]]) -> list[Hit]:
    """Return the rows as hits: by falling score, equal ones in the order in which they came."""
    if len({unit for unit, _ in rows}) != len(rows):
        units = [unit for unit, _ in rows]
        twice = next(unit for unit in units if units.count(unit) > 1)
        raise UserError("trec_repeated", Where(field=query), query=query, unit=twice)
    return [Hit(unit, score) for unit, score in sorted(rows, key=lambda row: -row[1])]


def _number(query: str, value: object) -> float:
    """Return a score as float. Raises UserError if it is not finite."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise UserError("trec_number", Where(field=query), written=str(value))
    return number


def _grades(query: str, units: object) -> dict[str, int]:
    """Return the grade of each unit; those of a list have 1. Raises UserError for other shapes."""
    if isinstance(units, Mapping):
        return {_id(unit): _grade(query, grade) for unit, grade in units.items()}
    if isinstance(units, str) or not isinstance(units, Iterable):
        raise UserError("library_ranking", Where(field=query), type=type(units).__name__)
    return {_id(unit): 1 for unit in units}


def _grade(query: str, value: object) -> int:
    """Return a grade as int. Raises UserError if it is not whole."""
    number = _number(query, value)
    if number != int(number):
        raise UserError("trec_number", Where(field=query), written=str(value))
    return int(number)


def _run_rows(frame: Any) -> dict[str, list[tuple[str, float]]]:
    """Return (unit, score) by query; without scores the ranks say the order, else the rows do."""
    queries, units = _column_texts(frame, QUERY), _column_texts(frame, UNIT)
    score, rank = _column(frame, SCORE), _column(frame, RANK)
    numbers = frame[score or rank].tolist() if score or rank else range(len(frame), 0, -1)
    ranks = frame[rank].tolist() if rank else range(len(frame))
    sign = 1 if score or not rank else -1
    found = grouped(
        (query, (_number(query, place), unit, sign * _number(query, said)))
        for query, unit, said, place in zip(queries, units, numbers, ranks, strict=True)
    )
    return {
        query: [(unit, number) for _, unit, number in sorted(rows)] for query, rows in found.items()
    }


def _judged_rows(frame: Any) -> Qrels:
    """Return the judgments of a data frame by query and unit; relevance 1 without a column."""
    queries, units = _column_texts(frame, QUERY), _column_texts(frame, UNIT)
    column = _column(frame, RELEVANCE)
    grades = frame[column].tolist() if column else [1] * len(frame)
    found: Qrels = {}
    for query, unit, grade in zip(queries, units, grades, strict=True):
        judged = found.setdefault(query, {})
        if unit in judged:
            raise UserError("trec_repeated", Where(field=query), query=query, unit=unit)
        judged[unit] = _grade(query, grade)
    return found


def _column_texts(frame: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """Return a column as ids: the first of `names`. Raises UserError without it, or for gaps."""
    column = _column(frame, names)
    if column is None:
        there = ", ".join(map(str, frame.columns))
        raise UserError("library_column", known=", ".join(names), columns=there)
    if frame[column].isna().any():
        raise UserError("library_empty", Where(field=column))
    return [_id(each) for each in frame[column].tolist()]


def _column(frame: pd.DataFrame, names: Sequence[str]) -> str | None:
    """Return the first of `names` that the frame has."""
    return next((name for name in names if name in frame.columns), None)


def whole(value: object, name: str, example: int) -> int:
    """Return a whole number. Raises UserError, with what it is called, for any other value.

    A number with a point is none, and neither is True, which Python takes for 1.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]
    except TypeError as error:
        said = type(value).__name__
        raise UserError("library_whole", name=name, type=said, example=example) from error
