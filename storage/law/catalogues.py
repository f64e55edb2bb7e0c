"""The catalogue of a snapshot that citations resolve against, kept in memory."""

from __future__ import annotations

from functools import lru_cache

from sqlmodel import Session

from corpus.citations.catalogue import Catalogue
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import catalogue_entries, snapshot_by_id


def catalogue(ws: Workspace, snapshot_id: int) -> Catalogue:
    """Return the catalogue of a snapshot; it is read once for as long as it is used."""
    with ws.reading() as session:
        digest = snapshot_by_id(session, snapshot_id).content_hash
    return _catalogue(ByDatabase.of(ws), snapshot_id, digest)


@lru_cache(maxsize=4)
def _catalogue(source: ByDatabase, snapshot_id: int, _digest: str) -> Catalogue:
    with source.ws.reading() as session:
        return Catalogue(catalogue_entries(session, snapshot_id))


_opened: dict[tuple[str, int, str], Catalogue] = {}
_MOST = 4


def catalogue_in(session: Session, snapshot_id: int) -> Catalogue:
    """Do what :func:`catalogue` does where a session is open."""
    digest = snapshot_by_id(session, snapshot_id).content_hash
    key = str(session.get_bind().engine.url), snapshot_id, digest
    if key not in _opened:
        if len(_opened) >= _MOST:
            _opened.clear()
        _opened[key] = Catalogue(catalogue_entries(session, snapshot_id))
    return _opened[key]
