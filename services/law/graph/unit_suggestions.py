"""Units whose id is like one that a snapshot lacks: what a person may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import Indel
from sqlmodel import Session

from corpus.place import split_id
from storage.law.corpus import statute_titles
from storage.law.outline import unit_lines

_STATUTES = 3
_UNITS = 3


def near_units(session: Session, snapshot_id: int, unit_id: str) -> list[str]:
    """Return the ids of up to three units of the snapshot, most alike first.

    They are of the statute that the id names, else of the statutes with the most similar ids.
    """
    wanted = "_".join(unit_id.split())
    statute = split_id(wanted)[0] or wanted
    titles = statute_titles(session, snapshot_id)
    named = [statute] if statute in titles else _alike(statute, titles, _STATUTES)
    ids = [line.unit_id for each in named for line in unit_lines(session, snapshot_id, each)]
    return _alike(wanted, ids, _UNITS)


def _alike(wanted: str, names: Iterable[str], limit: int) -> list[str]:
    found = process.extract(wanted, list(names), scorer=Indel.normalized_similarity, limit=limit)
    return [name for name, _, _ in found]
