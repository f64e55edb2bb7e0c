"""Former law: the stored snapshot that holds an act as it was before an amendment.

Candidates are units of one snapshot, the one in use, so a citation of former law cannot resolve in
another; this names the snapshot to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlmodel import Session, col, func, select

from corpus.citations.catalogue import Catalogue
from corpus.citations.model import Reason, Resolution
from corpus.model import place_id
from storage.db.workspace import Workspace
from storage.tables.core import Snapshot, StatuteRow, UnitRow


def with_snapshots(
    ws: Workspace, snapshot_id: int, known: Catalogue, citations: Sequence[Resolution]
) -> tuple[Resolution, ...]:
    """Return all the citations; those of former law name the snapshot that holds it.

    `known` is the catalogue of the snapshot that they were resolved in.
    """
    if not any(map(_is_dated, citations)):
        return tuple(citations)
    with ws.reading() as session:
        return tuple(_confirmed_former(session, snapshot_id, known, citations))


def _is_dated(one: Resolution) -> bool:
    """Return True for a citation of former law with a date."""
    return one.reason is Reason.FORMER_VERSION and one.amended is not None


def _confirmed_former(
    session: Session, snapshot_id: int, known: Catalogue, citations: Sequence[Resolution]
) -> Iterator[Resolution]:
    """Yield every citation; of dated former law, with the name of the snapshot that holds it."""
    for one in citations:
        statutes = known.by_title(one.instrument_title or "") if _is_dated(one) else ()
        units = [
            f"{statute.statute_id}_{place_id(place.level, place.number, language)}"
            for statute in statutes
            for place in one.citation.places
            for language in ("ko", "en")
            if place.number
        ]
        yield replace(one, kept_in=_kept_in(session, snapshot_id, units, one)) if units else one


def _kept_in(session: Session, snapshot_id: int, units: Sequence[str], one: Resolution) -> str:
    """Return the name of the snapshot with the act's last version before the amendment, or "".

    A version is dated by its effect, else its promulgation, else its snapshot.
    """
    day = func.coalesce(StatuteRow.effective, StatuteRow.promulgated, Snapshot.effective)
    query = (
        select(Snapshot.name)
        .join(StatuteRow)
        .join(UnitRow)
        .where(
            Snapshot.id != snapshot_id,
            Snapshot.project_id == session.get_one(Snapshot, snapshot_id).project_id,
            col(UnitRow.semantic_id).in_(units),
            col(UnitRow.deleted).is_(False),
            day < one.amended,
        )
        .order_by(day.desc(), col(Snapshot.id).desc())
    )
    return session.exec(query).first() or ""
