"""A person's pace: what they submitted and decided since a time, and how long each took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sqlmodel import Session, col, select

from annotation.people.roles import Act, require
from annotation.work.draft import MIGRATE
from annotation.work.origins import was_imported
from annotation.work.submissions import stands
from storage.db.workspace import Workspace
from storage.overlap import undone
from storage.tables.core import Adjudication, Annotation, DraftEvent, Settlement

READ = 1.0  # seconds: what took less was brought in by a program, and nobody read anything


@dataclass(frozen=True, slots=True)
class OwnPace:
    """What a person did since a time.

    `submitted` are their submissions that stand, `decided` their decisions on disputes that were
    not withdrawn. `median_seconds` is over all of these of which the time is known, None where that
    is of none.
    """

    submitted: int
    decided: int
    median_seconds: float | None


def own_pace(ws: Workspace, person_id: int, since: datetime) -> OwnPace:
    """Return the person's pace since then. Raises UserError for an unknown or inactive person."""
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)  # theirs alone, whatever their role
        submitted = _submissions(session, who.person_id, since)
        decided = _decisions(session, who.person_id, since)
    known = [each for each in (*submitted, *decided) if each is not None and each >= READ]
    return OwnPace(len(submitted), len(decided), median(known) if known else None)


def _submissions(session: Session, person_id: int, since: datetime) -> list[float | None]:
    """Return the seconds of each; what a migration or a file submitted for them is not theirs."""
    query = (
        select(Annotation.seconds)
        .join(DraftEvent, col(DraftEvent.id) == Annotation.event_id)
        .where(Annotation.person_id == person_id, Annotation.at >= since, stands())
        .where(DraftEvent.kind != MIGRATE, ~was_imported())
    )
    return list(session.exec(query))


def _decisions(session: Session, person_id: int, since: datetime) -> list[float | None]:
    """Return the seconds of each, None where no time is kept."""
    timed = select(Adjudication.seconds).where(
        Adjudication.person_id == person_id, Adjudication.at >= since, ~undone(Adjudication)
    )
    others = select(Settlement.id).where(
        Settlement.person_id == person_id, Settlement.at >= since, ~undone(Settlement)
    )
    return [*session.exec(timed), *(None for _ in session.exec(others))]
