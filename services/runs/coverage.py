"""Coverage of a run: how many questions with gold it answers, leaves unanswered or never asked.

A question without gold counts in no figure. A method that finds nothing for a question has failed
on it and scores 0. A run file that omits a question, or a run made before the question existed,
never asked it. Runs are compared on the questions that all of them rank; a run that lacks questions
most others rank would shrink that set, so it is left out unless requested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.runs.scoring import ScoredRun


class LeftOut(StrEnum):
    """Why a run is excluded from comparison by default."""

    FEWER = "fewer"  # does not rank questions with gold that most runs rank
    SNAPSHOT = "snapshot"  # made on another snapshot than the one in use


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of a run's questions by outcome; with gold: answered, unanswered, not asked.

    `unanswered`: asked, nothing returned. `not_asked`: with gold, but not in the run. `no_gold`:
    settled without any provision. `unsettled`: not yet judged. The last two count in no figure.
    """

    answered: int = 0
    unanswered: int = 0
    not_asked: int = 0
    no_gold: int = 0
    unsettled: int = 0

    @classmethod
    def of(cls, scored: ScoredRun) -> Coverage:
        """Count a run's questions on the gold it is scored on."""
        qrels = scored.gold.qrels
        with_gold = {query for query, units in qrels.items() if units}
        asked = [query for query in scored.asked if query in with_gold]
        answered = sum(scored.asked[query].count > 0 for query in asked)
        settled = sum(query in qrels for query in scored.asked)
        return cls(
            answered=answered,
            unanswered=len(asked) - answered,
            not_asked=len(with_gold) - len(asked),
            no_gold=settled - len(asked),
            unsettled=len(scored.asked) - settled,
        )

    @property
    def questions(self) -> int:
        """Number of questions with gold."""
        return self.answered + self.unanswered + self.not_asked

    @property
    def share(self) -> float | None:
        """Share of questions with gold that are answered; None without any."""
        return self.answered / self.questions if self.questions else None

    def as_dict(self) -> dict[str, int | float | None]:
        """Return the counts as JSON values."""
        return {
            "questions": self.questions,
            "answered": self.answered,
            "unanswered": self.unanswered,
            "not_asked": self.not_asked,
            "no_gold": self.no_gold,
            "unsettled": self.unsettled,
            "share": self.share,
        }


def ranked_by_most(scored: Sequence[ScoredRun]) -> frozenset[str]:
    """Return the questions that more than half of the runs rank."""
    counts = Counter(query for each in scored for query in each.asked)
    return frozenset(query for query, count in counts.items() if 2 * count > len(scored))


def lacks(scored: ScoredRun, questions: Iterable[str]) -> bool:
    """Return True if the run does not rank one of `questions` that has gold."""
    qrels = scored.gold.qrels
    return any(qrels.get(query) and query not in scored.asked for query in questions)
