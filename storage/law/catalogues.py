"""The catalogue of a snapshot that citations resolve against, kept in memory."""

from __future__ import annotations

from functools import lru_cache

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
