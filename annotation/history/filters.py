"""Which part of a history is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

FAMILIES = (
    "draft",
    "submission",
    "adjudication",
    "settlement",
    "referral",
    "comment",
    "known_answer",
    "candidates",
    "batch",
    "person",
    "account",
    "guideline",
    "migration",
    "snapshot",
    "run",
    "experiment",
    "court_cases",
    "typology",
    "case_query",
    "suggestions",
    "levels",
)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which part of a history is wanted; what is None is not asked.

    `kinds` are families (``draft``) or kinds (``draft.label``); `since` is included, `until` not.
    `person_id` is who did it or whom it happened to.
    """

    item_id: int | None = None
    person_id: int | None = None
    kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
