"""What the citations in the texts of items lead to in a snapshot; kept in memory.

Neither a text nor a snapshot ever changes, so what was read once holds for as long as the process
lives.
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

_MOST = 100_000  # readings kept; each is a few short strings
Read = tuple[TextKey, int]
"""A text and the snapshot that its citations are resolved in."""


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation as written; `units` are what it means, or what remains where it is ambiguous."""

    text: str
    status: Status
    units: tuple[str, ...]


_kept: dict[tuple[ByDatabase, Task, TextKey, int], tuple[Cite, ...]] = {}


def cites(
    ws: Workspace, session: Session, task: Task, wanted: Iterable[Read]
) -> dict[Read, tuple[Cite, ...]]:
    """Return the citations of each text as they read in each snapshot, in the order of the text.

    Of one text they are as many in every snapshot, in the same order.
    """
    source, asked = ByDatabase.of(ws), sorted(set(wanted))
    lacking = [each for each in asked if (source, task, *each) not in _kept]
    if len(_kept) + len(lacking) > _MOST:
        _kept.clear()
        lacking = asked
    texts = resting_of(task).texts(session, {key for key, _ in lacking}) if lacking else {}
    laws = {number: catalogue(ws, number) for number in sorted({law for _, law in lacking})}
    for key, law in lacking:
        _kept[source, task, key, law] = tuple(_read(texts.get(key, ()), laws[law]))
    return {each: _kept[source, task, *each] for each in asked}


def _read(parts: Sequence[str], law: Catalogue) -> list[Cite]:
    found: list[Cite] = []
    earlier: list[Resolution] = []
    for part in parts:
        resolutions = resolve(find(part), part, law, earlier)
        found += map(_cite, resolutions)
        earlier += resolutions
    return found


def _cite(one: Resolution) -> Cite:
    units = [target.unit_id for target in one.targets] or list(one.unit_ids)
    return Cite(one.citation.text, one.status, tuple(dict.fromkeys(units)))
