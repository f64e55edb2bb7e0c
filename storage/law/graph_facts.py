"""What the graph report reads of a snapshot: a line per unit and edge, and counts of references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlmodel import Session, col, func, select

from corpus.citations.model import Reason, Status
from corpus.graph.model import Edge, EdgeType, Form, Origin
from corpus.graph.report import ReferenceFacts, UnitFacts
from corpus.model import Level, Tier
from storage.tables.core import StatuteRow, UnitRow
from storage.tables.graph import EdgeRow, ReferenceRow

_BATCH = 2_000  # texts in memory at a time
_ROWS = 50_000


def unit_facts(
    session: Session, snapshot_id: int, tokens: Callable[[str], int]
) -> Iterator[UnitFacts]:
    """Yield the facts of every unit, in order of import; `tokens` counts those of a text."""
    query = (
        select(  # type: ignore[call-overload]
            UnitRow.semantic_id,
            StatuteRow.semantic_id,
            UnitRow.level,
            StatuteRow.tier,
            UnitRow.text,
            UnitRow.deleted,
        )
        .join(StatuteRow, col(StatuteRow.id) == UnitRow.statute_id)
        .where(UnitRow.snapshot_id == snapshot_id)
        .order_by(col(UnitRow.id))
        .execution_options(yield_per=_BATCH)
    )
    for unit, statute, level, tier, text, deleted in session.execute(query):
        yield UnitFacts(unit, statute, Level(level), Tier(tier), len(text), tokens(text), deleted)


def edge_facts(session: Session, snapshot_id: int, units: Iterable[UnitFacts]) -> Iterator[Edge]:
    """Yield the snapshot's edges by type, origin and ends alone; `units` are its units' facts."""
    for each in units:
        yield Edge(each.unit_id, each.statute_id, EdgeType.PART_OF, Origin.STRUCTURE)
    named = select(UnitRow.id, UnitRow.semantic_id).where(UnitRow.snapshot_id == snapshot_id)
    names = dict(session.exec(named).all())
    kinds, origins = ({str(e): e for e in EdgeType}, {str(e): e for e in Origin})
    query = (
        select(EdgeRow.source_unit_id, EdgeRow.target_unit_id, EdgeRow.type, EdgeRow.origin)
        .where(EdgeRow.snapshot_id == snapshot_id)
        .execution_options(yield_per=_ROWS)
    )
    for source, target, kind, origin in session.execute(query):
        yield Edge(names[source], names[target], kinds[kind], origins[origin])


def reference_facts(session: Session, snapshot_id: int) -> list[ReferenceFacts]:
    """Return how many references there are of each form, status and reason."""
    kinds = (col(ReferenceRow.form), col(ReferenceRow.status), col(ReferenceRow.reason))
    query = (
        select(*kinds, func.count())
        .where(ReferenceRow.snapshot_id == snapshot_id)
        .group_by(*kinds)
        .order_by(*kinds)
    )
    return [
        ReferenceFacts(Form(form), Status(status), count, Reason(reason) if reason else None)
        for form, status, reason, count in session.exec(query)
    ]
