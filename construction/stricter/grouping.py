"""Algorithm 1 of LEGAR BENCH: the group of cases that share the longest run of leading answers.

Cases are grouped by the answers to all sub-factors; where no two cases agree on all, the last
sub-factor is dropped, and so on down to the first, until some group has at least two cases. As the
paper prints it, the back-off starts again with all sub-factors and appends every case a second time
to its group: each case would be a group of two with itself. What is meant is that each length
starts with empty groups. The paper returns "the group"; where several groups of that length have at
least two cases, all are returned here, and *the* group is the largest, of equally large ones that
with the earliest case.

Two cases share a run of r answers exactly if they share one of r - 1 and the r-th: so rows are
separated column by column, and a row that is alone never needs to be looked at again. The length at
which the last two separate is the one at which the back-off would have stopped.

Sensitivity to a single tag: a changed answer matters if it brings a case into a group, one as long
as the present ones or a longer one, which then replaces them. This requires a case that has, but
for that one answer, all the leading answers of another. Changes that take a case out of its group
need no search: every answer of the key does.

Answers of a standard group's court cases as rows: the input of stricter groups.

A group's columns are its required sub-factors in the lawyers' order. A sub-factor whose condition
does not hold has the answer ``not_asked``, which equals only itself. A case with a missing answer
has no row: answers are never guessed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from construction.tagging.codebook import Codebook, SubFactor, asked_sub_factors, in_scope
from normalization.grouping import grouped

Codes = NDArray[np.integer[Any]]
_SPARSE = 32  # the largest ratio of label values to labels for counting


def encoded(rows: Sequence[Sequence[Hashable]], width: int) -> Codes:
    """Encode rows of answers as a table of codes.

    `width` is the number of answers per row. Raises ValueError for a row of another width.
    """
    codes = np.empty((len(rows), width), dtype=np.int32)
    if not rows:
        return codes
    if any(len(row) != width for row in rows):
        raise ValueError(f"every row needs {width} answers")
    for place, column in enumerate(zip(*rows, strict=True)):
        code = {answer: at for at, answer in enumerate(dict.fromkeys(column))}
        codes[:, place] = np.fromiter(map(code.__getitem__, column), np.int32, len(rows))
    return codes


def require_codes(codes: Codes) -> None:
    """Raise ValueError unless `codes` is a table of whole numbers, none below zero."""
    if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
        raise ValueError("codes are a table of whole numbers")
    if codes.size and codes.min() < 0:
        raise ValueError("a code below zero")


def merged(labels: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Combine two labellings, none below zero: labels from 0 on, equal where both are."""
    if labels.size == 0:
        return labels
    return renumbered(labels * (int(more.max()) + 1) + more)


def renumbered(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Renumber the labels, none below zero, from 0 without gaps, in the same order."""
    if labels.size and labels.max() < _SPARSE * labels.size:  # counting is faster than sorting
        there = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
        there[labels] = True
        return (np.cumsum(there, dtype=np.int64) - 1)[labels]
    numbers: NDArray[np.int64] = np.unique(labels, return_inverse=True)[1]
    return numbers


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The result of the algorithm for one standard group.

    `depth` is the number of leading columns that the rows of a group share; None if no two rows
    share even the first. `groups` have at least two rows each, ascending; *the* group comes first.
    """

    depth: int | None
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The number of groups of at least two rows that share `depth` leading columns, and of rows."""

    depth: int
    groups: int
    rows: int


NOTHING = Grouping(None, ())


def grouping(codes: Codes) -> Grouping:
    """Return the groups of rows that share the longest run of leading codes.

    Without columns all rows have the same (empty) key. Raises ValueError for codes below zero.
    """
    longest = deque(_shared(codes), maxlen=1)
    if not longest:
        return NOTHING
    depth, rows, labels = longest[0]
    return Grouping(depth, _groups(rows, labels))


def levels(codes: Codes) -> tuple[Level, ...]:
    """Return the groups at each key length, the longest first: the steps of the back-off.

    All lengths are listed, from all columns down to one; those without groups with zeros.
    """
    require_codes(codes)
    at = {
        depth: Level(depth, int(labels.max()) + 1, len(rows))
        for depth, rows, labels in _shared(codes)
    }
    return tuple(at.get(depth, Level(depth, 0, 0)) for depth in range(codes.shape[1], 0, -1))


def _shared(codes: Codes) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield each key length that two rows share, with these rows and their group labels."""
    require_codes(codes)
    rows = np.arange(len(codes), dtype=np.int64)
    labels = np.zeros(len(codes), dtype=np.int64)
    depth, width = 0, codes.shape[1]
    while len(rows) >= 2:
        if depth or not width:
            yield depth, rows, labels
        if depth == width:
            return
        labels = merged(labels, codes[rows, depth].astype(np.int64))
        together = np.bincount(labels)[labels] > 1
        rows, labels = rows[together], renumbered(labels[together])
        depth += 1


def _groups(rows: Numbers, labels: Numbers) -> tuple[tuple[int, ...], ...]:
    """Return the rows of each label, ascending; the largest groups first."""
    order = np.argsort(labels, kind="stable")  # stable: the rows of each label stay ascending
    ends = np.cumsum(np.bincount(labels))[:-1]
    parts = [tuple(part.tolist()) for part in np.split(rows[order], ends)]
    return tuple(sorted(parts, key=lambda part: (-len(part), part[0])))


@dataclass(frozen=True, slots=True)
class CodeMove:
    """One change that would move a row: from code `now` to `then` in `column`, to join `beside`.

    The new group would share `depth` leading columns, which is then the longest run of all.
    """

    row: int
    column: int
    now: int
    then: int
    depth: int
    beside: tuple[int, ...]


def moves(codes: Codes, depth: int | None) -> Iterator[CodeMove]:
    """Yield every change of one code that would move a row into another group.

    `depth` is that of the present grouping; the group is at least as long. By column, then row,
    then the new code.
    """
    require_codes(codes)
    key = depth or 0
    last = min(key + 1, codes.shape[1])
    for column, alike in enumerate(_alike_but_one(codes[:, :last], key)):
        yield from _moves_of(codes, column, alike)


def _alike_but_one(codes: Codes, key: int) -> Iterator[Numbers]:
    """Yield for each column labels of the rows that agree on all other columns of the key."""
    before = [np.zeros(len(codes), dtype=np.int64)]
    after = [np.zeros(len(codes), dtype=np.int64)]
    for column in range(key):
        before.append(merged(before[-1], codes[:, column].astype(np.int64)))
        after.append(merged(after[-1], codes[:, key - 1 - column].astype(np.int64)))
    for column in range(codes.shape[1]):
        yield merged(before[column], after[max(key - 1 - column, 0)])


def _moves_of(codes: Codes, column: int, alike: Numbers) -> Iterator[CodeMove]:
    """Yield the moves that change one column."""
    order = np.argsort(alike, kind="stable")
    ends = np.cumsum(np.bincount(alike))[:-1]
    found: list[CodeMove] = []
    for rows in np.split(order, ends):
        values = codes[rows, column]
        if len(rows) > 1 and values.min() != values.max():
            found.extend(_between(codes, column, rows.tolist()))
    yield from sorted(found, key=lambda move: (move.row, move.then))


def _between(codes: Codes, column: int, rows: Sequence[int]) -> Iterator[CodeMove]:
    """Yield the moves between rows that agree on all columns of the key but `column`."""
    by_code = grouped((int(codes[row, column]), row) for row in rows)
    for row in rows:
        now = int(codes[row, column])
        for then, others in sorted(by_code.items()):
            if then != now:
                yield _move(codes, column, row, now, then, others)


def _move(
    codes: Codes, column: int, row: int, now: int, then: int, others: Sequence[int]
) -> CodeMove:
    """Return the change of a case's value in a column, with the cases it would then join."""
    differs = codes[others] != codes[row]
    differs[:, column] = False
    shared = np.where(differs.any(axis=1), differs.argmax(axis=1), codes.shape[1])
    depth = int(shared.max())
    beside = tuple(other for other, run in zip(others, shared, strict=True) if run == depth)
    return CodeMove(row, column, now, then, depth, beside)


NOT_ASKED = "not_asked"

Answer = tuple[str, ...]


class Gap(StrEnum):
    """The reason why a case has no answer to a sub-factor."""

    UNANSWERED = "unanswered"
    DISPUTED = "disputed"  # its lawyers differ, without a settlement
    STALE = "stale"  # it names an option that the codebook no longer has


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tags of one case: options by sub-factor, and the unusable ones."""

    answers: Mapping[str, Answer]
    disputed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One case's answers to the columns, then to the optional sub-factors (None if missing)."""

    case: int
    answers: tuple[Answer, ...]
    optional: tuple[Answer | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The answers of one standard group's cases.

    `columns` are the keys of the required sub-factors, `optional` of the others in its scope.
    `gaps` are the cases without a row, with their unanswered columns and the reason.
    """

    columns: tuple[str, ...]
    optional: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    gaps: Mapping[int, Mapping[str, Gap]]

    def codes(self) -> Codes:
        """Return the answers to the columns as codes."""
        return encoded([row.answers for row in self.rows], len(self.columns))


def table(book: Codebook, group: str, cases: Mapping[int, Tagged]) -> Table:
    """Return a group's cases with every required answer as rows, and the gaps of the others."""
    read = Reader(book, group)
    found, gaps = [], {}
    for case, tagged in cases.items():
        answers, missing = read(tagged)
        if any(key in missing for key in read.columns):
            gaps[case] = {key: missing[key] for key in read.columns if key in missing}
            continue
        required = tuple(answers[key] for key in read.columns)
        found.append(AnswerRow(case, required, tuple(answers.get(key) for key in read.optional)))
    return Table(read.columns, read.optional, tuple(found), gaps)


class Reader:
    """Reads the answers of cases as those of one standard group."""

    def __init__(self, book: Codebook, group: str) -> None:
        scope = in_scope(book, (group,))
        self.columns = tuple(each.key for each in scope if each.required)
        self.optional = tuple(each.key for each in scope if not each.required)
        self._places = {
            each.key: {option.key: at for at, option in enumerate(each.options)} for each in scope
        }
        self._rests_on = _rests_on(scope)
        self._conditions = sorted({other for each in scope for other in each.when})
        self._asked = lru_cache(None)(
            lambda *deciding: {e.key for e in asked_sub_factors(book, (group,), dict(deciding))}
        )

    def __call__(self, tagged: Tagged) -> tuple[dict[str, Answer], dict[str, Gap]]:
        """Return the answers by sub-factor, and the reasons for missing ones."""
        useless = tagged.disputed | tagged.stale
        given = {key: said for key, said in tagged.answers.items() if key not in useless}
        # The questions asked depend on the few answers that are conditions.
        open_ = self._asked(*((key, given[key]) for key in self._conditions if key in given))
        answers: dict[str, Answer] = {}
        gaps: dict[str, Gap] = {}
        for key in (*self.columns, *self.optional):
            doubt = self._doubt(key, tagged) if useless else None
            if doubt is not None:
                gaps[key] = doubt
            elif key not in open_:
                answers[key] = (NOT_ASKED,)
            elif given.get(key):
                answers[key] = self._in_order(key, given[key])
            else:
                gaps[key] = Gap.UNANSWERED
        return answers, gaps

    def _doubt(self, key: str, tagged: Tagged) -> Gap | None:
        """Return why the answer here, or whether it is asked, is unknown."""
        for rests_on in ({key}, self._rests_on[key]):
            if rests_on & tagged.disputed:
                return Gap.DISPUTED
            if rests_on & tagged.stale:
                return Gap.STALE
        return None

    def _in_order(self, key: str, options: Answer) -> Answer:
        """Return the options in the codebook's order: the order of ticking does not matter."""
        if len(options) < 2:
            return options
        places = self._places[key]
        return tuple(sorted(set(options), key=lambda each: (places.get(each, len(places)), each)))


def _rests_on(scope: tuple[SubFactor, ...]) -> dict[str, frozenset[str]]:
    """Return for each sub-factor all others that decide whether it is asked."""
    by_key = {each.key: each for each in scope}

    def reached(key: str, visited: frozenset[str]) -> frozenset[str]:
        """Return all questions that decide whether one is asked."""
        for other in by_key[key].when if key in by_key else ():
            if other not in visited:
                visited = reached(other, visited | {other})
        return visited

    return {each.key: reached(each.key, frozenset()) for each in scope}
