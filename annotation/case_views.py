"""What an adjudicator is shown, as plain values. Spans and ids are those of `annotation.views`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from annotation.people import PersonView
from annotation.views import CandidateView, CitationView

Cause = Literal["differ", "unsure", "flagged"]


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision on a case; `labels` names its units as a lawyer would, in the order of ids."""

    person: str
    at: datetime
    unit_ids: tuple[int, ...]
    labels: tuple[str, ...]
    no_provision: bool
    reason: str


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One item that needs an adjudicator (`causes` says why), or has had one (`decision`)."""

    item_id: int
    position: int
    external_id: str
    question: str
    causes: tuple[Cause, ...]
    decision: DecisionView | None


@dataclass(frozen=True, slots=True)
class SideView:
    """One person's submission. `decisions` maps the ids of the case's units to decisions.

    `taken_back` is how often they withdrew an earlier submission of theirs, `read_before` how many
    messages of others were open to them when they last did.
    """

    person: PersonView
    at: datetime
    seconds: float
    comment: str
    flag: str
    no_provision: bool
    decisions: dict[int, str]
    taken_back: int
    read_before: int = 0


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case: the question, the submissions side by side, and every unit in play.

    `candidates` are those that were suggested, then the units that people added; their `decision`
    is always None, the sides have theirs. `suggested` are the units that every side accepts.
    `annotation_ids` names the submissions shown.
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
