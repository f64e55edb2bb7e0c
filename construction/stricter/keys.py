"""Answers of a standard group's court cases as rows: the input of stricter groups.

A group's columns are its required sub-factors in the lawyers' order. A sub-factor whose condition
does not hold has the answer ``not_asked``, which equals only itself. A case with a missing answer
has no row: answers are never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from construction.stricter.grouping import Codes, encoded
from construction.tagging.codebook import Codebook, SubFactor, asked, in_scope

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

    def all_codes(self) -> Codes:
        """Return the answers to the columns, followed by the optional sub-factors, as codes."""
        rows = [(*row.answers, *row.optional) for row in self.rows]
        return encoded(rows, len(self.columns) + len(self.optional))


def table(book: Codebook, group: str, cases: Mapping[int, Tagged]) -> Table:
    """Return the rows of the cases of a standard group, in the order of `cases`."""
    read = reader(book, group)
    found, gaps = [], {}
    for case, tagged in cases.items():
        answers, missing = read(tagged)
        if any(key in missing for key in read.columns):
            gaps[case] = {key: missing[key] for key in read.columns if key in missing}
            continue
        required = tuple(answers[key] for key in read.columns)
        found.append(AnswerRow(case, required, tuple(answers.get(key) for key in read.optional)))
    return Table(read.columns, read.optional, tuple(found), gaps)


def reader(book: Codebook, group: str) -> Reader:
    """Return a reader of the answers of a standard group's cases."""
    scope = in_scope(book, (group,))
    conditions = {other for each in scope for other in each.when}
    known: dict[tuple[tuple[str, Answer], ...], frozenset[str]] = {}

    def questions(answers: Mapping[str, Answer]) -> frozenset[str]:
        # The questions depend on the few answers that are conditions: cached.
        deciding = tuple((key, answers[key]) for key in sorted(conditions & answers.keys()))
        if deciding not in known:
            keys = (each.key for each in asked(book, (group,), answers))
            known[deciding] = frozenset(keys)
        return known[deciding]

    return Reader(scope, questions)


class Reader:
    """Reads the answers of cases as those of one standard group."""

    def __init__(
        self,
        scope: tuple[SubFactor, ...],
        questions: Callable[[Mapping[str, Answer]], frozenset[str]],
    ) -> None:
        """`scope` are the group's sub-factors, `questions` those to ask given the answers."""
        self.columns = tuple(each.key for each in scope if each.required)
        self.optional = tuple(each.key for each in scope if not each.required)
        self._questions = questions
        self._places = {
            each.key: {option.key: at for at, option in enumerate(each.options)} for each in scope
        }
        self._rests_on = _rests_on(scope)

    def __call__(self, tagged: Tagged) -> tuple[dict[str, Answer], dict[str, Gap]]:
        """Return the answers by sub-factor, and the reasons for missing ones."""
        useless = tagged.disputed | tagged.stale
        given = {key: said for key, said in tagged.answers.items() if key not in useless}
        open_ = self._questions(given)
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

    def reached(key: str, seen: frozenset[str]) -> frozenset[str]:
        for other in by_key[key].when if key in by_key else ():
            if other not in seen:
                seen = reached(other, seen | {other})
        return seen

    return {each.key: reached(each.key, frozenset()) for each in scope}
