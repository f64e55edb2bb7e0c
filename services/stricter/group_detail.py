"""One standard group in detail: back-off steps, splitting answers, and effects of tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from construction.stricter.grouping import (
    NOT_ASKED,
    Answer,
    AnswerRow,
    CodeMove,
    Gap,
    Level,
    Reader,
    grouping,
    levels,
    moves,
    table,
)
from errors import UserError, Where
from normalization.grouping import grouped
from services.stricter.groups import GroupFound, Stricter

MOST_MOVES = 2000  # examined at most; a longer list would not help


@dataclass(frozen=True, slots=True)
class SplitPart:
    """Cases of a group with one answer to a sub-factor; None for those without an answer."""

    answer: Answer | None
    cases: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """Parts of a group if this sub-factor had to match, too."""

    sub_factor: str
    optional: bool
    parts: tuple[SplitPart, ...]


@dataclass(frozen=True, slots=True)
class CaseMove:
    """An alternative answer that would put the case in a group with `beside`.

    They would match in `depth` answers. `longer`: the new group would replace the present ones.
    """

    case: int
    sub_factor: str
    now: Answer
    then: Answer
    depth: int
    beside: tuple[int, ...]
    longer: bool


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The groups before and after a changed answer, by case.

    `gaps` are what the case would have to answer first: until then it is in no group.
    """

    before: tuple[tuple[int, ...], ...]
    after: tuple[tuple[int, ...], ...]
    depth_before: int | None
    depth_after: int | None
    gaps: Mapping[str, Gap]


def steps(group: GroupFound) -> tuple[Level, ...]:
    """Return the result of each key length, from all sub-factors down to the first."""
    return levels(group.table.codes())


def key_of(group: GroupFound, number: int) -> tuple[tuple[str, Answer], ...]:
    """Return the (sub-factor, answer) pairs that the cases of a stricter group share, in order."""
    first = group.table.rows[group.found.groups[number][0]]
    depth = group.found.depth or 0
    return tuple(zip(group.table.columns[:depth], first.answers[:depth], strict=True))


def splits_of(group: GroupFound, number: int) -> tuple[CaseSplit, ...]:
    """Return how each sub-factor outside the key would split a stricter group, by largest part.

    Optional ones that none of its cases answers split nothing, and are left out.
    """
    required, depth = group.table.columns, group.found.depth or 0
    rows = [group.table.rows[at] for at in group.found.groups[number]]
    found = []
    for at, key in enumerate((*required, *group.table.optional)[depth:], depth):
        parts = grouped(((*row.answers, *row.optional)[at], row.case) for row in rows)
        if any(parts):  # a part without an answer has None
            largest_first = sorted(parts.items(), key=lambda part: -len(part[1]))
            told = tuple(SplitPart(answer, tuple(cases)) for answer, cases in largest_first)
            found.append(CaseSplit(key, at >= len(required), told))
    return tuple(found)


def moves_of(stricter: Stricter, group: GroupFound) -> tuple[CaseMove, ...]:
    """Return possible single changes of answers that would bring a case into a group, best first.

    Changes that alter which questions are asked are left out: :func:`what_if` shows their effect.
    Those that make a longer group come first, among equals those beside a case of *the* group.
    """
    codes = group.table.codes()
    told = [
        (_case_move(group, move), group.table.rows[move.row])
        for move in islice(moves(codes, group.found.depth), MOST_MOVES)
    ]
    read = Reader(stricter.book, group.key)
    possible = [move for move, row in told if _is_possible(stricter, group, move, row, read)]
    the = set(group.groups[0]) if group.groups else set()

    def place(move: CaseMove) -> tuple[bool, int, bool]:
        """Return the sort key of a move."""
        return not move.longer, -move.depth, the.isdisjoint(move.beside)

    return tuple(sorted(possible, key=place))


def choices(stricter: Stricter, group: GroupFound, sub_factor: str) -> tuple[Answer, ...]:
    """Return the answers to try: each option, and combinations that a case has."""
    single = [(key,) for key in stricter.book.places[sub_factor][1].givable]
    place = group.table.columns.index(sub_factor)
    there = sorted({row.answers[place] for row in group.table.rows if len(row.answers[place]) > 1})
    return (*single, *there)


def what_if(
    stricter: Stricter, group: GroupFound, case: int, sub_factor: str, then: Answer
) -> WhatIf:
    """Regroup as if `case` had that answer; dependent questions are re-evaluated.

    Raises UserError for a case or sub-factor outside the group, or an invalid answer.
    """
    known = {row.case for row in group.table.rows} | set(group.table.gaps)
    if case not in known or sub_factor not in group.table.columns:
        raise UserError("stricter_no_cell", Where(field=sub_factor), key=group.key)
    if then not in choices(stricter, group, sub_factor):
        raise UserError("stricter_no_answer", Where(field=sub_factor), answer=", ".join(then))
    said = {each: stricter.tagged[each] for each in group.cases if each in known}
    now = said[case]
    said[case] = replace(
        now,
        answers=dict(now.answers) | {sub_factor: then},
        disputed=now.disputed - {sub_factor},
        stale=now.stale - {sub_factor},
    )
    other = table(stricter.book, group.key, said)
    regrouped = grouping(other.codes())
    return WhatIf(
        before=group.groups,
        after=tuple(tuple(other.rows[at].case for at in group) for group in regrouped.groups),
        depth_before=group.found.depth,
        depth_after=regrouped.depth,
        gaps=other.gaps.get(case, {}),
    )


def _case_move(group: GroupFound, move: CodeMove) -> CaseMove:
    """Return a move between rows of the table as one of a case."""
    rows = group.table.rows
    return CaseMove(
        case=rows[move.row].case,
        sub_factor=group.table.columns[move.column],
        now=rows[move.row].answers[move.column],
        then=rows[move.beside[0]].answers[move.column],
        depth=move.depth,
        beside=tuple(rows[at].case for at in move.beside),
        longer=move.depth > (group.found.depth or 0),
    )


def _is_possible(
    stricter: Stricter, group: GroupFound, move: CaseMove, row: AnswerRow, read: Reader
) -> bool:
    """Return True if people could answer so without changing which questions are asked."""
    if NOT_ASKED in (*move.now, *move.then):
        return False
    said, change = stricter.tagged[move.case], {move.sub_factor: move.then}
    answers, gaps = read(replace(said, answers=dict(said.answers) | change))
    expected = dict(zip(group.table.columns, row.answers, strict=True)) | change
    return not gaps.keys() & expected.keys() and all(
        answers[key] == answer for key, answer in expected.items()
    )
