"""How much of the gold of today a run answers, each outcome counted where it belongs.

Of the questions with gold in the run's snapshot a run was asked some and answered some of these; a
question without gold is no question of any figure. A method that finds nothing for a question has
failed on it, and scores 0; a file that leaves a question out says nothing of it, and a question
that was settled after the run was made was never asked. Runs of the last two kinds rest on fewer
questions than the others, so no test holds them against each other unless somebody wants that.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from services.runs.scoring import ScoredRun


class LeftOut(StrEnum):
    """Why a run is not held against the others by default."""

    GOLD_ADDED = "gold_added"  # gold decided what it searched
    FEWER = "fewer"  # it rests on fewer than all questions
    SNAPSHOT = "snapshot"  # it is of another snapshot than the one in use


@dataclass(frozen=True, slots=True)
class Coverage:
    """The questions of a run, counted. Those with gold are answered, unanswered or not asked.

    `unanswered` were asked and nothing was returned; of a run from a file (`imported`) the file
    left them out. `not_asked` have gold now and were no question of the run. `no_gold` are those of
    its questions that are settled without any provision, `unsettled` those that are not settled
    now; no figure has them.
    """

    answered: int = 0
    unanswered: int = 0
    not_asked: int = 0
    no_gold: int = 0
    unsettled: int = 0
    imported: bool = False

    @classmethod
    def of(cls, scored: ScoredRun, imported: bool) -> Coverage:
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
            imported=imported,
        )

    @property
    def questions(self) -> int:
        """How many questions have gold."""
        return self.answered + self.unanswered + self.not_asked

    @property
    def share(self) -> float | None:
        """The share of them that is answered; None where there are none."""
        return self.answered / self.questions if self.questions else None

    @property
    def fewer(self) -> bool:
        """Whether its figures rest on fewer questions than they could."""
        return self.not_asked > 0 or (self.imported and self.unanswered > 0)

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
