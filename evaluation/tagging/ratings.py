"""What was said of one sub-factor, case by case, as the statistics of agreement take it.

An answer is the frozen set of the options chosen. None stands for somebody who answered the case
and was not asked this, since a condition did not hold for them: a missing answer, not an empty one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.agreement.ratings import Rating, Ratings, Scale

Answer = frozenset[str]
Said = tuple[Hashable, Hashable, Answer | None]  # case, person, answer


@dataclass(frozen=True, slots=True)
class Question:
    """A sub-factor as far as its figures need it.

    `options` are in their order; `silent` is the answer that the text does not say, "" where there
    is none. It stands in no order with the options.
    """

    key: str
    options: tuple[str, ...]
    exclusive: bool
    ordered: bool = False
    silent: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """Everything that can be chosen."""
        return (*self.options, self.silent) if self.silent else self.options

    @property
    def scale(self) -> Scale:
        """How answers compare: sets where several options can be chosen."""
        return Scale.NOMINAL if self.exclusive else Scale.SETS

    def knows(self, answer: Answer) -> bool:
        """Return whether an answer names only what can be chosen, and one thing where only one."""
        return answer <= set(self.choices) and (len(answer) == 1 or not self.exclusive)


@dataclass(frozen=True)
class Gathered:
    """The answers to one question. Those that it does not know (any more) are left out."""

    question: Question
    said: tuple[Said, ...]

    @cached_property
    def known(self) -> list[tuple[Hashable, Hashable, Answer]]:
        """The answers that count."""
        knows = self.question.knows
        return [
            (c, p, answer) for c, p, answer in self.said if answer is not None and knows(answer)
        ]

    @property
    def stale(self) -> int:
        """How many answers were left out."""
        return sum(answer is not None for *_, answer in self.said) - len(self.known)

    @cached_property
    def by_case(self) -> dict[Hashable, list[Answer]]:
        """The answers that count, by case."""
        found: dict[Hashable, list[Answer]] = {}
        for case, _, answer in self.known:
            found.setdefault(case, []).append(answer)
        return found

    @property
    def asked_of_some(self) -> int:
        """How many cases the question was asked of some people and not of others."""
        not_asked = {case for case, _, answer in self.said if answer is None}
        return len(not_asked & self.by_case.keys())

    @property
    def differing(self) -> int:
        """On how many cases people answered differently."""
        return sum(len(set(answers)) > 1 for answers in self.by_case.values())

    def ratings(self) -> Ratings:
        """Return all answers that count as they compare on the question's scale."""
        if self.question.scale is Scale.SETS:
            return Ratings.of(self.known, Scale.SETS)
        return Ratings.of(_single(self.known), Scale.NOMINAL, self.question.choices)

    def ordinal(self) -> Ratings:
        """Return the answers that state something, in the order of the options."""
        stated = [each for each in _single(self.known) if each[2] != self.question.silent]
        return Ratings.of(stated, Scale.ORDINAL, self.question.options)


def _single(known: Sequence[tuple[Hashable, Hashable, Answer]]) -> list[Rating]:
    return [(case, person, next(iter(answer))) for case, person, answer in known]
