"""Which snapshot of a project is in use: the one that candidates and searches come from.

Every import puts its snapshot in use, one of equal content that was there before too, and a person
may go back to an earlier one. Nothing is removed by that: the newest row counts.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from storage.tables.core import SnapshotUse


def id_in_use(session: Session, project_id: int) -> int | None:
    """Return the id of the snapshot that the project uses, None before its first import."""
    query = select(SnapshotUse.snapshot_id).where(SnapshotUse.project_id == project_id)
    return session.exec(query.order_by(col(SnapshotUse.id).desc()).limit(1)).first()


def ever_used(session: Session, project_id: int) -> set[int]:
    """Return the ids of the snapshots that the project uses or has used."""
    query = select(SnapshotUse.snapshot_id).where(SnapshotUse.project_id == project_id)
    return set(session.exec(query))


def put_in_use(session: Session, project_id: int, snapshot_id: int, at: datetime) -> int | None:
    """Let the project use this snapshot from now on; return the id of the one it used before.

    None where that is the same one, or where there was none; then nothing or the first row is
    written.
    """
    before = id_in_use(session, project_id)
    if before == snapshot_id:
        return None
    session.add(SnapshotUse(project_id=project_id, snapshot_id=snapshot_id, at=at))
    session.flush()
    return before
