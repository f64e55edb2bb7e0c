"""Resolved citations of items' texts per snapshot, cached in memory.

Neither texts nor snapshots ever change, so the cache is valid for the life of the process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from annotation.gold.resting import TextKey, resting_of
from corpus.citations.catalogue import Catalogue
from corpus.citations.find import find
from corpus.citations.model import Resolution, Status
from corpus.citations.resolve import resolve
from storage.db.workspace import ByDatabase, Workspace
from storage.law.catalogues import catalogue
from storage.tasks import Task

_MAX_CACHED = 100_000  # cached entries; each is a few short strings
Read = tuple[TextKey, int]
"""A text and the snapshot in which to resolve its citations."""


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation as written; `units` are its targets, or the alternatives of an ambiguous one."""

    text: str
    status: Status
    units: tuple[str, ...]


_cache: dict[tuple[ByDatabase, Task, TextKey, int], tuple[Cite, ...]] = {}


def cites(
    ws: Workspace, session: Session, task: Task, reads: Iterable[Read]
) -> dict[Read, tuple[Cite, ...]]:
    """Return the citations of each text as resolved in each snapshot, in the order of the text.

    A text has the same citations in every snapshot, in the same order.
    """
    source, asked = ByDatabase.of(ws), sorted(set(reads))
    lacking = [each for each in asked if (source, task, *each) not in _cache]
    if len(_cache) + len(lacking) > _MAX_CACHED:
        _cache.clear()
        lacking = asked
    texts = resting_of(task).texts(session, {key for key, _ in lacking}) if lacking else {}
    laws = {number: catalogue(ws, number) for number in sorted({law for _, law in lacking})}
    for key, law in lacking:
        _cache[source, task, key, law] = tuple(_resolve_parts(texts.get(key, ()), laws[law]))
    return {each: _cache[source, task, *each] for each in asked}


def _resolve_parts(parts: Sequence[str], law: Catalogue) -> list[Cite]:
    """Resolve the citations of the parts in order; later ones may refer to earlier ones."""
    found: list[Cite] = []
    earlier: list[Resolution] = []
    for part in parts:
        resolutions = resolve(find(part), part, law, earlier)
        for each in resolutions:
            units = dict.fromkeys([one.unit_id for one in each.targets] or each.unit_ids)
            found.append(Cite(each.citation.text, each.status, tuple(units)))
        earlier += resolutions
    return found
