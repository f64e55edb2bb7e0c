"""Versions of guideline and codebook under which a case's answers were given."""

from __future__ import annotations

from sqlmodel import col, select

from annotation.people.roles import adjudicator, require_item
from annotation.work.submissions import stands
from storage.db.workspace import Workspace
from storage.tables.core import Annotation


def judged_under(ws: Workspace, adjudicator_id: int, item_id: int) -> dict[str, tuple[str, ...]]:
    """Return the document versions of the current submissions by kind, newest first.

    Raises UserError for anybody but an adjudicator, and for an unknown item.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        query = (
            select(Annotation.guideline_version, Annotation.codebook_version)
            .where(Annotation.item_id == item_id, stands())
            .order_by(col(Annotation.id).desc())
        )
        rows = session.exec(query).all()
    return {
        "guideline": _newest_first([guideline for guideline, _ in rows]),
        "codebook": _newest_first([codebook for _, codebook in rows]),
    }


def _newest_first(versions: list[str]) -> tuple[str, ...]:
    """Deduplicate and sort by number, highest first; equal numbers keep their order."""
    return tuple(sorted(dict.fromkeys(versions), key=_number, reverse=True))


def _number(version: str) -> int:
    number = version.partition("-")[0]
    return int(number) if number.isdecimal() else 0
