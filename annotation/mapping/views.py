"""What screens are shown of an item: plain values, nothing that leads back to the database.

Spans are (start, end) character offsets, end exclusive. `unit_id` is the unit's number in the
database, `semantic_id` its name in the field.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from annotation.work.draft import Status

Span = tuple[int, int]
Mark = Literal["", "amended", "moved", "brought", "gone"]


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One item in a person's queue. `position` counts from 1 in the order of that queue.

    `messages` are those of its thread that the person may read now. `discuss` says that it was sent
    back and waits for the person's answer.
    """

    item_id: int
    position: int
    external_id: str
    question: str
    status: Status
    messages: int = 0
    discuss: bool = False


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation string of the answer and what became of it.

    `status` is resolved, ambiguous or unresolved; `reason` says why it is not resolved, None if it
    is. `unit_ids` are the units that it means, or the several that remain when it is ambiguous.
    """

    index: int
    text: str
    start: int
    end: int
    status: str
    reason: str | None
    instrument_title: str | None
    unit_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WhyView:
    """One reason why a unit is a candidate: source citation, title or text; rank and BM25 score."""

    source: str
    rank: int | None
    score: float | None
    citation_text: str | None
    pinpoint: str


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A unit to decide on.

    `marks` are the matched terms in `text`, `pinpoints` the spans of the paragraphs and items that
    a citation names. `decision` is the viewer's own, None while undecided. `added` marks a unit
    that a person brought in; it has no `rank` and no `why`.

    `mark` tells of amendments since a decision on the unit: amended (it says something else now),
    moved (it was at the place `former`), brought (it says the same; it is on the list only for
    having been decided on) or gone (the law shown no longer has it).
    """

    unit_id: int
    semantic_id: str
    statute: str
    kind: str
    tier: int
    level: str
    label: str
    heading: str
    path: tuple[str, ...]
    text: str
    deleted: bool
    text_missing: bool
    effective: date | None
    marks: tuple[Span, ...]
    pinpoints: tuple[Span, ...]
    why: tuple[WhyView, ...]
    decision: str | None
    added: bool
    rank: int | None
    mark: Mark = ""
    former: str = ""


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item as its annotator sees it: the question, what is suggested, and their own draft.

    `position`, `total` and `done` count in this person's queue. `outrun` says that the law in use
    is not what the person decided on any more, so they can check again; `dropped` names what they
    had decided on that is gone since. `confidence` is what they said of the submission that
    stands, None if nothing or if none does; `messages` counts those of the thread that they may
    read now. `begun_under` are the versions of the guideline and of the codebook that a draft was
    begun under, each empty unless a newer one holds now. `again` says why it is to be answered
    again: the kind of document, the number of its version, and the reason of who took answers over.
    `revision` names what the draft says, for a submission of what was shown and nothing else.
    What the person can do about it all, from `can_undo` to `sent_back`, is as in
    `annotation.work.open_item.OwnState`.
    """

    item_id: int
    external_id: str
    position: int
    total: int
    done: int
    question: str
    answer: str
    language: str
    citations: tuple[CitationView, ...]
    candidates: tuple[CandidateView, ...]
    no_provision: bool
    comment: str
    flag: str
    skip_reason: str
    can_undo: bool
    can_take_back: bool
    status: Status
    snapshot_id: int
    candidate_set_id: int
    guideline_version: str
    codebook_version: str
    begun_under: tuple[str, str] = ("", "")
    again: tuple[str, int, str] | None = None
    outrun: bool = False
    dropped: tuple[str, ...] = ()
    confidence: int | None = None
    messages: int = 0
    revision: str = ""
    locked: bool = False
    asked: bool = False
    declined: tuple[datetime, str, str] | None = None
    sent_back: tuple[str, str, bool] | None = None
