"""The provisions of a law that questions can be written from, and how they are joined."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import select as rows_of
from sqlmodel import Session, select

from construction.augmentation.axes import Axes
from construction.augmentation.governing import LEADING, Law, Provision, group_slots
from corpus.gc_pause import in_bulk
from corpus.graph.model import Edge
from errors import UserError
from storage.law.graph import edge_of, graph_view
from storage.law.parallel_groups import declaration_in
from storage.law.passages import Passage, passages_by_id, retrieval_passages
from storage.tables.core import StatuteRow
from storage.tables.graph import EdgeRow


def load_law(
    session: Session,
    project_id: int,
    snapshot_id: int,
    axes: Axes,
    gold: Collection[str] = (),
) -> Law:
    """Return the law of a snapshot for drawing governing provisions.

    Provisions are articles, sections and annexes that have not been deleted, of a fit length or of
    `gold`. Raises UserError for
    a snapshot without a graph.
    """
    if graph_view(session, snapshot_id) is None:
        raise UserError("graph_missing")
    with in_bulk():
        languages = statute_languages(session, snapshot_id)
        passages = list(retrieval_passages(session, snapshot_id))
        names = {each.row_id: each.unit_id for each in passages}
        provisions = [provision_of(each, languages) for each in passages]
        edges = _edges(session, snapshot_id, names)
    groups = group_slots(declaration_in(session, project_id), axes.groups)
    return Law.of(provisions, edges, groups, axes.rubric, gold)


def provisions_named(
    session: Session, snapshot_id: int, units: Collection[str]
) -> dict[str, Provision]:
    """Return the named provisions by id, whether deleted or not.

    What the snapshot lacks comes from the newest of the project's that has it, if any.
    """
    languages = statute_languages(session, snapshot_id)
    found = passages_by_id(session, snapshot_id, units)
    return {unit: provision_of(each, languages) for unit, each in found.items()}


def statute_languages(session: Session, snapshot_id: int) -> dict[str, str]:
    """Return the language of each statute of a snapshot, by its semantic id."""
    query = select(StatuteRow.semantic_id, StatuteRow.language)
    return dict(session.exec(query.where(StatuteRow.snapshot_id == snapshot_id)).all())


def provision_of(passage: Passage, languages: Mapping[str, str]) -> Provision:
    """Return a passage as a provision that can govern; Korean where its statute is not there."""
    return Provision(
        unit_id=passage.unit_id,
        statute_id=passage.statute_id,
        tier=passage.tier,
        language=languages.get(passage.statute_id, "ko"),
        head=passage.title,
        text=passage.text,
    )


def _edges(session: Session, snapshot_id: int, names: Mapping[int, str]) -> list[Edge]:
    table: Any = EdgeRow.__table__  # type: ignore[attr-defined]
    query = rows_of(table).where(
        table.c.snapshot_id == snapshot_id, table.c.type.in_([str(kind) for kind in LEADING])
    )
    return [
        edge_of(row, names[row.source_unit_id], names[row.target_unit_id])
        for row in session.execute(query.order_by(table.c.id))
        if row.source_unit_id in names and row.target_unit_id in names
    ]
