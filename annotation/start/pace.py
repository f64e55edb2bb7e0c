"""A person's pace: submissions and decisions since a time, and their durations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sqlmodel import Session, col, select

from annotation.people.roles import Act, require
from annotation.work.draft import MIGRATE
from annotation.work.origins import was_imported
from annotation.work.submissions import known_seconds, stands
from storage.db.workspace import Workspace
from storage.overlap import undone
from storage.tables.core import Adjudication, Annotation, DraftEvent, Settlement


@dataclass(frozen=True, slots=True)
class OwnPace:
    """A person's work since a time.

    `submitted` counts their current submissions, without imported and migrated ones; `decided`
    their decisions on disputes that were not withdrawn. `median_seconds` is over all of these with
    a known duration, None if there is none.
    """

    submitted: int
    decided: int
    median_seconds: float | None


def own_pace(ws: Workspace, person_id: int, since: datetime) -> OwnPace:
    """Return the person's pace since then. Raises UserError for an unknown or inactive person."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # any role may read its own pace
        submitted = _submission_seconds(session, who.person_id, since)
        decided = _decision_seconds(session, who.person_id, since)
    known = [*submitted, *(each for each in decided if each is not None)]
    return OwnPace(len(submitted), len(decided), median(known) if known else None)


def _submission_seconds(session: Session, person_id: int, since: datetime) -> list[float]:
    """Return the known seconds of submissions, without imported and migrated ones."""
    query = (
        select(Annotation.seconds)
        .join(DraftEvent, col(DraftEvent.id) == Annotation.event_id)
        .where(Annotation.person_id == person_id, Annotation.at >= since, stands())
        .where(DraftEvent.kind != MIGRATE, ~was_imported())
    )
    return [each for each in map(known_seconds, session.exec(query)) if each is not None]


def _decision_seconds(session: Session, person_id: int, since: datetime) -> list[float | None]:
    """Return the seconds of each decision, None if not stored."""
    timed = select(Adjudication.seconds).where(
        Adjudication.person_id == person_id, Adjudication.at >= since, ~undone(Adjudication)
    )
    others = select(Settlement.id).where(
        Settlement.person_id == person_id, Settlement.at >= since, ~undone(Settlement)
    )
    return [*map(known_seconds, session.exec(timed)), *(None for _ in session.exec(others))]
