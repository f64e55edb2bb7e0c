"""Parallel groups in a snapshot: which members exist, and the edges between them.

The edges are stored with those read from the text, as type PARALLEL and origin DECLARED, so that
every walk of the graph follows them; they depend on the project's newest declaration alone and are
rewritten whenever it or the graph changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Table, delete, insert, update
from sqlmodel import Session, col, func, select

from corpus.graph.model import EdgeType, Origin
from corpus.model import Tier
from normalization.hashing import text_hash
from storage.db.rows import rows_with
from storage.law.corpus import units_called
from storage.tables.core import Snapshot, StatuteRow, UnitRow
from storage.tables.law import EdgeRow, GraphRow, ParallelGroupsRow

if TYPE_CHECKING:
    from construction.parallel.declaration import Declaration, Group

MISSING, OTHER_TIER = "missing", "other_tier"


@dataclass(frozen=True, slots=True)
class Problem:
    """A group member without edges: its provision is missing from the law, or at another tier."""

    group: str
    unit: str
    what: str
    tier: Tier | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """A declaration applied to a snapshot: edges as (source, target, group), and problems.

    An edge of two groups is listed once, with the first of them.
    """

    edges: tuple[tuple[str, str, str], ...]
    problems: tuple[Problem, ...]


def declaration_in(session: Session, project_id: int) -> Declaration:
    """Return the project's newest declaration of groups; an empty one if it has none."""
    from construction.parallel.declaration import Declaration  # reads YAML

    declared = _newest_declaration(session, ParallelGroupsRow.project_id == project_id)
    return Declaration() if declared is None else declared


def _newest_declaration(session: Session, of_project: Any) -> Declaration | None:
    """Return the newest declaration under an SQL condition; None if there is none."""
    query = select(ParallelGroupsRow.text).where(of_project)
    text = session.exec(query.order_by(col(ParallelGroupsRow.number).desc())).first()
    if text is None:
        return None
    from construction.parallel.declaration import parse  # reads YAML

    return parse(text)


def joined(session: Session, snapshot_id: int, declaration: Declaration) -> Joined:
    """Return a declaration's edges in a snapshot, and members without any; nothing is stored."""
    units = {member.unit for group in declaration.groups for member in group.members}
    tiers = _tiers(session, snapshot_id, units)
    edges: dict[tuple[str, str], str] = {}
    problems: list[Problem] = []
    for group in declaration.groups:
        problems += _problems(group, tiers)
        for pair in group.pairs():
            if all(tiers.get(unit) is group.tier for unit in pair):
                edges.setdefault(pair, group.key)
    return Joined(tuple((*pair, key) for pair, key in edges.items()), tuple(problems))


def keep_declared(session: Session, snapshot_id: int) -> int:
    """Replace the edges of the project's groups in a snapshot's graph; return how many, 0 for none.

    0, and nothing written, for a snapshot without a graph.
    """
    if session.exec(select(GraphRow.id).where(GraphRow.snapshot_id == snapshot_id)).first() is None:
        return 0
    project_id = session.exec(select(Snapshot.project_id).where(Snapshot.id == snapshot_id)).one()
    found = joined(session, snapshot_id, declaration_in(session, project_id)).edges
    before = session.exec(select(func.count()).where(*_is_declared_edge(snapshot_id))).one()
    if before:
        session.execute(delete(EdgeRow).where(*_is_declared_edge(snapshot_id)))
    if found:
        numbers = units_called(session, snapshot_id, {unit for edge in found for unit in edge[:2]})
        table: Table = EdgeRow.__table__  # type: ignore[attr-defined]
        rows = [_row(snapshot_id, numbers, *edge) for edge in found]
        session.connection().execute(insert(table), rows)
    if before != len(found):
        more = GraphRow.edges + len(found) - before
        session.execute(
            update(GraphRow).where(col(GraphRow.snapshot_id) == snapshot_id).values(edges=more)
        )
    return len(found)


def keep_declared_everywhere(session: Session, project_id: int) -> None:
    """Rewrite the edges of the project's groups in every snapshot of it that has a graph."""
    query = select(Snapshot.id).where(Snapshot.project_id == project_id).order_by(col(Snapshot.id))
    for snapshot_id in session.exec(query).all():
        keep_declared(session, snapshot_id or 0)


def declared_version(session: Session, snapshot_id: int) -> str:
    """Return a hash of the groups' edges in a snapshot; "" without any."""
    project = select(Snapshot.project_id).where(Snapshot.id == snapshot_id).scalar_subquery()
    declared = _newest_declaration(session, ParallelGroupsRow.project_id == project)
    if declared is None:
        return ""
    edges = joined(session, snapshot_id, declared).edges
    said = json.dumps(sorted(edge[:2] for edge in edges), ensure_ascii=False)
    return text_hash(said)[:16] if edges else ""


def _problems(group: Group, tiers: Mapping[str, Tier]) -> list[Problem]:
    """Return the members that get no edge, and why."""
    found = []
    for member in group.members:
        tier = tiers.get(member.unit)
        if tier is None:
            found.append(Problem(group.key, member.unit, MISSING))
        elif tier is not group.tier:
            found.append(Problem(group.key, member.unit, OTHER_TIER, tier))
    return found


def _tiers(session: Session, snapshot_id: int, units: Iterable[str]) -> dict[str, Tier]:
    """Return the tier of each unit that the snapshot has and that is not deleted."""
    query = select(UnitRow.semantic_id, StatuteRow.tier)
    query = query.join(StatuteRow)
    query = query.where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.deleted).is_(False))
    return {u: Tier(tier) for u, tier in rows_with(session, query, UnitRow.semantic_id, units)}


def _is_declared_edge(snapshot_id: int) -> tuple[ColumnElement[bool], ...]:
    """SQL conditions of declared parallel edges."""
    kind = col(EdgeRow.type) == EdgeType.PARALLEL.value
    declared = col(EdgeRow.origin) == Origin.DECLARED.value
    return col(EdgeRow.snapshot_id) == snapshot_id, kind, declared


def _row(
    snapshot_id: int, numbers: Mapping[str, int], source: str, target: str, group: str
) -> dict[str, object]:
    """Return the row of a declared edge."""
    return {
        "snapshot_id": snapshot_id,
        "source_unit_id": numbers[source],
        "target_unit_id": numbers[target],
        "type": EdgeType.PARALLEL.value,
        "origin": Origin.DECLARED.value,
        "start": 0,
        "end": 0,
        "pinpoint": "",
        "part": "",
        "term": group,
    }
