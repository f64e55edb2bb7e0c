"""How sure a person was of what they submitted, where they said it: 1 (guessing) to 5 (certain)."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session, col, select

from errors import UserError, Where
from storage.tables.people import Confidence

LEAST, MOST = 1, 5
_CHUNK = 10_000  # ids that one query names; PostgreSQL takes 65,535


def checked_confidence(value: object) -> int | None:
    """Return the value, None where nothing was said; raise UserError for any other."""
    if value is None:
        return None
    if type(value) is not int or not LEAST <= value <= MOST:
        shown = str(value)[:20]
        raise UserError("confidence_unknown", Where(field="confidence"), value=shown)
    return value


def keep_confidence(session: Session, annotation_id: int, value: int | None) -> None:
    """Keep what was said of a submission that is being made; None keeps nothing."""
    if value is not None:
        session.add(Confidence(annotation_id=annotation_id, value=value))


def confidence_of(session: Session, annotation_ids: Iterable[int]) -> dict[int, int]:
    """Return what was said of these submissions; those of which nothing was said are absent."""
    ids = sorted(set(annotation_ids))
    found: dict[int, int] = {}
    for start in range(0, len(ids), _CHUNK):
        part = col(Confidence.annotation_id).in_(ids[start : start + _CHUNK])
        query = select(Confidence.annotation_id, Confidence.value).where(part)
        found |= dict(session.exec(query).all())
    return found
