"""Judged negatives: provisions that all who decided a question explicitly rejected.

A provision counts as rejected if each submission on a settled question rejects it, or if
submissions label it relevant or unsure and the adjudicator leaves it out. A provision without a
label was not judged and is no negative; nor is anything of a question that inherits its gold, on
which nobody decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import DECIDED, SUBMITTED
from annotation.people.roles import Act, reading_as
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, units_called
from storage.law.counterparts import counterparts


def rejections_for(
    session: Session, items: Iterable[GoldItem], snapshot_id: int
) -> dict[str, tuple[str, ...]]:
    """Return the rejected units per question whose wording in the snapshot is the one judged."""
    having = [item for item in items if item.rejected]
    judged_on: dict[int, set[str]] = {}
    for item in having:
        for law in _decision_snapshots(item):
            judged_on.setdefault(law, set()).update(item.rejected)
    judged_on.pop(snapshot_id, None)
    changed = {law: _changed(session, law, judged_on[law], snapshot_id) for law in judged_on}
    found = {item.external_id: _unchanged(item, changed) for item in having}
    return {query: units for query, units in found.items() if units}


def judged_pairs(
    ws: Workspace, project_slug: str, items: Sequence[GoldItem], by: int | None = None
) -> dict[str, int]:
    """Return the number of judged pairs, relevant and rejected, for the law in use."""
    with reading_as(ws, project_slug, by, Act.SEE_GOLD) as (session, project, _):
        law = id_in_use(session, project.id)
        rejected = {} if law is None else rejections_for(session, items, law)
    return {
        "pairs": sum(len(item.units) for item in items),
        "rejected": sum(map(len, rejected.values())),
    }


def _decision_snapshots(item: GoldItem) -> set[int]:
    return {each.snapshot_id for each in item.lineage if each.kind in (*SUBMITTED, *DECIDED)}


def _unchanged(item: GoldItem, changed: Mapping[int, set[str]]) -> tuple[str, ...]:
    gone = {unit for law in _decision_snapshots(item) for unit in changed.get(law, ())}
    return tuple(unit for unit in item.rejected if unit not in gone)


def _changed(session: Session, law: int, names: set[str], snapshot_id: int) -> set[str]:
    """Return the units of a law that have another wording in the snapshot."""
    numbers = units_called(session, law, names)
    there = counterparts(session, numbers.values(), snapshot_id)
    return {name for name in numbers if not there[numbers[name]].same}
