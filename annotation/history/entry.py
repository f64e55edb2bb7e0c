"""One entry of a history: what happened, when, by whom, to whom; and the filter of a history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

# Without a name, these are the operator's. A draft or a submission is nameless only where it was
# taken over to a new version of a guideline or codebook and nobody signed that.
_SIGNED = (
    *("draft", "submission", "known_answer", "batch", "person", "guideline", "migration"),
    *("levels", "experiment"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `key` names its record: ``draft-12``; `kind` is ``draft.label``.

    `item` is the question's external id, `person` the name of who did it, None for the operator
    of the machine; `about` is the name of whom it happened to. `details` are JSON values.
    """

    key: str
    at: datetime
    kind: str
    item: str | None
    person: str | None
    about: str | None
    details: dict[str, Any]

    @property
    def by_operator(self) -> bool:
        """Whether the operator of the machine did it; of other kinds nobody's name is recorded."""
        return self.person is None and self.kind.partition(".")[0] in _SIGNED

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as JSON values; the time in ISO 8601."""
        return {
            "key": self.key,
            "at": self.at.isoformat(),
            "kind": self.kind,
            "item": self.item,
            "person": self.person,
            "about": self.about,
            "details": self.details,
        }


FAMILIES = (
    "draft",
    "submission",
    "adjudication",
    "settlement",
    "undone",
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
