"""Catalogues of snapshots that citations resolve against, cached in memory."""

from __future__ import annotations

from collections.abc import Collection

from sqlmodel import Session

from corpus.citations.catalogue import Catalogue
from corpus.citations.labels import unit_of_label
from corpus.citations.successors import Successors
from storage.db.workspace import Workspace
from storage.law.corpus import catalogue_entries, units_called
from storage.law.parallel_groups import declaration_in
from storage.tables.core import Snapshot

_opened: dict[tuple[str, int, str, Successors | None], Catalogue] = {}
_MOST = 4


def catalogue(ws: Workspace, snapshot_id: int) -> Catalogue:
    """Return the catalogue of what citations can name in a snapshot, cached."""
    with ws.reading() as session:
        return catalogue_in(session, snapshot_id)


def successors_of(ws: Workspace, snapshot_id: int) -> Successors | None:
    """Return the successors that a snapshot's project declares, None without a declaration."""
    with ws.reading() as session:
        project_id = session.get_one(Snapshot, snapshot_id).project_id
        return declaration_in(session, project_id).successors


def catalogue_in(session: Session, snapshot_id: int) -> Catalogue:
    """Return :func:`catalogue`'s result within an open session.

    It knows the successors of instruments that the project declares now.
    """
    snapshot = session.get_one(Snapshot, snapshot_id)
    successors = declaration_in(session, snapshot.project_id).successors
    key = str(session.get_bind().engine.url), snapshot_id, snapshot.content_hash, successors
    if key not in _opened:
        if len(_opened) >= _MOST:
            _opened.clear()
        _opened[key] = Catalogue(catalogue_entries(session, snapshot_id), successors)
    return _opened[key]


def units_of_labels(session: Session, snapshot_id: int, labels: Collection[str]) -> dict[str, str]:
    """Return the unit that each label of a source names; one that names none stays as written."""
    others = set(labels) - units_called(session, snapshot_id, labels).keys()
    known = catalogue_in(session, snapshot_id) if others else None
    read = {each: unit_of_label(each, known) or each for each in others if known}
    return {each: read.get(each, each) for each in labels}
