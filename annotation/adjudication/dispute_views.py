"""Views of disputes for adjudicators, as plain values.

Spans and ids are those of `annotation.mapping.candidate_views`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from annotation.mapping.candidate_views import CandidateView, CitationView
from annotation.people.members import PersonView

Cause = Literal["differ", "unsure", "flagged", "recalled"]
State = Literal["open", "sent_back", "agreed", "decided"]


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision on a case; `labels` are its units' citation forms, in the order of ids.

    `conflict`: the adjudicator had labelled the item themselves. `number` is the decision's id.
    """

    person: str
    at: datetime
    unit_ids: tuple[int, ...]
    labels: tuple[str, ...]
    no_provision: bool
    reason: str
    conflict: bool = False
    number: int | None = None


@dataclass(frozen=True, slots=True)
class RoundView:
    """One referral of a case: by whom, why, to whom, and who has answered.

    `recalled` and `recall_reason` are set if it was recalled. Earlier referrals have been answered
    by all or recalled.
    """

    person: str
    at: datetime
    reason: str
    people: tuple[str, ...]
    waiting: tuple[str, ...]
    recalled: datetime | None = None
    recall_reason: str = ""


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An item that needs an adjudicator (for the `causes`), or has had one.

    `state` is open, sent back and not answered yet, agreed by the annotators after that, or
    decided. `waiting` are those who have yet to answer; `own` is the time of the adjudicator's own
    submission on the item, None if there is none.
    """

    item_id: int
    position: int
    external_id: str
    question: str
    causes: tuple[Cause, ...]
    decision: DecisionView | None
    state: State = "open"
    waiting: tuple[str, ...] = ()
    own: datetime | None = None


@dataclass(frozen=True, slots=True)
class SideView:
    """One person's submission. `decisions` maps the ids of the case's units to decisions.

    `seconds` is None for a submission made in another tool.

    `taken_back` counts their earlier withdrawals, `read_before` the messages of others they could
    read at the last of them. `confidence` is 1 (guessing) to 5 (certain), None if not given. `own`:
    they are the adjudicator who is looking; `answered`: it was made after the case was sent back.
    """

    person: PersonView
    at: datetime
    seconds: float | None
    comment: str
    flag: str
    no_provision: bool
    decisions: dict[int, str]
    taken_back: int
    read_before: int = 0
    confidence: int | None = None
    own: bool = False
    answered: bool = False


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case: the question, the submissions side by side, and all units involved.

    `candidates` are the suggested units, then those added by people; their `decision` is always
    None, the sides have theirs. `suggested` are the units that every side accepts. `annotation_ids`
    are the submissions shown. `earlier` are superseded ones that were sent back, `rounds` the
    referrals. `revising`: somebody has withdrawn theirs to change it, so the case cannot be decided
    now. `own` is the time of the adjudicator's own submission on the item, None if there is none.
    """

    item_id: int
    external_id: str
    question: str
    answer: str
    language: str
    causes: tuple[Cause, ...]
    citations: tuple[CitationView, ...]
    sides: tuple[SideView, ...]
    candidates: tuple[CandidateView, ...]
    suggested: tuple[int, ...]
    decision: DecisionView | None
    annotation_ids: tuple[int, ...]
    snapshot_id: int
    candidate_set_id: int
    guideline_version: str
    state: State = "open"
    earlier: tuple[SideView, ...] = ()
    rounds: tuple[RoundView, ...] = ()
    revising: bool = False
    own: datetime | None = None

    @property
    def before(self) -> int | None:
        """Id of the decision shown, None if there is none."""
        return None if self.decision is None else self.decision.number
