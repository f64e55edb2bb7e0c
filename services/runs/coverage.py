"""How much of the gold that is read a run answers, each outcome counted where it belongs.

Of the questions with gold in the run's snapshot a run ranks units for some and answered some of
these; a question without gold is no question of any figure. A method that finds nothing for a
question has failed on it, and scores 0; a file that leaves a question out says nothing of it, and
a question that came in after the run was made was never asked. Runs are compared on the questions
that all of them rank: one that lacks questions that most runs rank would shrink that ground, so it
stands apart unless somebody wants it in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.runs.scoring import ScoredRun


class LeftOut(StrEnum):
    """Why a run is not held against the others by default."""

    FEWER = "fewer"  # it lacks questions with gold that most runs rank
    SNAPSHOT = "snapshot"  # it is of another snapshot than the one in use


@dataclass(frozen=True, slots=True)
class Coverage:
    """The questions of a run, counted. Those with gold are answered, unanswered or not asked.

    `unanswered` were asked and nothing was returned. `not_asked` have gold and are no question of
    the run. `no_gold` are those of its questions that are settled without any provision,
    `unsettled` those that nobody has judged; no figure has them.
    """

    answered: int = 0
    unanswered: int = 0
    not_asked: int = 0
    no_gold: int = 0
    unsettled: int = 0

    @classmethod
    def of(cls, scored: ScoredRun) -> Coverage:
        """Return the counts of a run on the gold that it is scored on."""
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
        """How many questions have gold."""
        return self.answered + self.unanswered + self.not_asked

    @property
    def share(self) -> float | None:
        """The share of them that is answered; None where there are none."""
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
    """Return the questions that more than half of the runs rank units for."""
    counts = Counter(query for each in scored for query in each.asked)
    return frozenset(query for query, count in counts.items() if 2 * count > len(scored))


def lacks(scored: ScoredRun, questions: Iterable[str]) -> bool:
    """Return whether a run lacks one of the questions that has gold."""
    qrels = scored.gold.qrels
    return any(qrels.get(query) and query not in scored.asked for query in questions)
