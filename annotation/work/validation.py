"""Checking what people enter: texts, how sure they are, and decisions on units."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from sqlmodel import Session, col, select

from corpus.limits import COMMENT, length
from errors import UserError, Where
from storage.tables.people import Confidence

TEXT_LIMIT = COMMENT
LISTED = 500  # characters of a question in a list; no real one has more
LEAST, MOST = 1, 5  # how sure a person is: guessing, certain
_CHUNK = 10_000  # ids that one query names; PostgreSQL takes 65,535


def checked_text(text: str, field: str, limit: int = TEXT_LIMIT, where: Where | None = None) -> str:
    """Return the text fit to be stored; raise UserError if it is longer than the limit.

    Half characters become question marks, since no database holds them; NUL is left out. `where`
    is the line of a file that the text comes from.
    """
    text = fit_text(text)
    if length(text) > limit:
        at = Where(field=field) if where is None else Where(where.file, where.line, field)
        raise UserError("text_too_long", at, limit=limit, length=length(text))
    return text


def fit_text(text: object) -> str:
    """Return the text as `checked_text` keeps it, of any length; "" for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()


def says_something(text: str) -> bool:
    """Return whether a text shows anything: blanks and marks without width alone do not."""
    return any(each.isprintable() and not each.isspace() for each in text)


def beginning(text: str, most: int = LISTED) -> str:
    """Return a text as a list shows it: whole, or its beginning with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def checked_confidence(value: object) -> int | None:
    """Return how sure a person is, None where unsaid; raise UserError for no such value."""
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


class Decision(StrEnum):
    """What a person says of a unit in citation mapping; only `ACCEPT` puts it into an answer."""

    ACCEPT = "accept"  # the question is answered by this provision
    REJECT = "reject"  # it is not
    UNSURE = "unsure"  # cannot tell: sends the item to adjudication, never counts as accepting
