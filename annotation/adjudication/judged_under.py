"""Which guideline and codebook the answers of a case were given under."""

from __future__ import annotations

from sqlmodel import col, select

from annotation.people.roles import adjudicator, require_item
from annotation.work.submissions import stands
from storage.db.workspace import Workspace
from storage.tables.core import Annotation


def judged_under(ws: Workspace, adjudicator_id: int, item_id: int) -> dict[str, tuple[str, ...]]:
    """Return by kind of document the versions of the submissions that stand, the newest first.

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
    """Return each version once, by number; those of one number in the order given."""
    return tuple(sorted(dict.fromkeys(versions), key=_number, reverse=True))


def _number(version: str) -> int:
    number = version.partition("-")[0]
    return int(number) if number.isdecimal() else 0
