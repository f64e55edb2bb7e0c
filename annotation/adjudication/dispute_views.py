"""What an adjudicator is shown, as plain values. Spans and ids are those of
`annotation.mapping.candidate_views`."""

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
    """A decision on a case; `labels` names its units as a lawyer would, in the order of ids.

    `conflict` says that whoever decided had labelled the item themselves. `number` tells it from
    others on the case.
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
    """One time that the case was sent back: by whom, why, to whom, and who has answered.

    `recalled` says when it was recalled, and `recall_reason` why, where it was. Of an earlier
    time, everybody has answered or it was recalled.
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
    """One item that needs an adjudicator (`causes` says why), or has had one.

    `state` is open, sent back and not answered yet, agreed by the annotators after that, or
    decided. `waiting` are those who have yet to answer; `own` is when the adjudicator submitted an
    answer of their own on the item, None if never.
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

    `seconds` is None of one that was made in another tool.

    `taken_back` is how often they withdrew an earlier submission of theirs, `read_before` how many
    messages of others were open to them when they last did. `confidence` is 1 (guessing) to 5
    (certain), None where they did not say. `own` says that they are the adjudicator who looks at
    it, `answered` that it is from after the case was sent back.
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
    """A case: the question, the submissions side by side, and every unit in play.

    `candidates` are those that were suggested, then the units that people added; their `decision`
    is always None, the sides have theirs. `suggested` are the units that every side accepts.
    `annotation_ids` names the submissions shown. `earlier` are those that were sent back and stand
    no more, `rounds` each time that was done. `revising` says that somebody has withdrawn theirs to
    change it, so the case cannot be decided now. `own` is when the adjudicator submitted an answer
    of their own on the item, None if never.
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
        """The number of the decision shown, None for none."""
        return None if self.decision is None else self.decision.number
