"""The provisions of a snapshot that questions can be written from, and their edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import select as rows_of
from sqlmodel import Session, select

from construction.attribution import Law as CitedLaw
from construction.attribution import cited_in_text
from construction.augmentation.axes import Axes
from construction.augmentation.governing import LEADING, Law, Provision, group_slots
from corpus.graph.model import Edge
from corpus.long_work import in_bulk
from corpus.model import split_id
from errors import UserError
from storage.law.catalogues import catalogue_in
from storage.law.corpus import snapshot_by_id
from storage.law.graph import edge_of, graph_view
from storage.law.parallel_groups import declaration_in
from storage.law.passages import Passage, passages_by_id, retrieval_passages
from storage.tables.core import StatuteRow
from storage.tables.law import EdgeRow


def load_law(
    session: Session,
    project_id: int,
    snapshot_id: int,
    axes: Axes,
    gold: Collection[str] = (),
) -> Law:
    """Return a snapshot's law to draw governing provisions from. Raises UserError without a graph.

    Provisions are articles, sections and annexes that are not deleted, and of suitable length or in
    `gold`. Raises UserError for a snapshot without a graph.
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
    """Return the named provisions by id, deleted or not, of this snapshot or the newest with them.

    What the snapshot lacks comes from the project's newest snapshot that has it, if any.
    """
    languages = statute_languages(session, snapshot_id)
    found = passages_by_id(session, snapshot_id, units)
    return {unit: provision_of(each, languages) for unit, each in found.items()}


# Parsing an answer takes milliseconds, and every view needs it.
_read: dict[tuple[str, str, str], tuple[str, ...]] = {}
_MOST_READ = 10_000


class _Answered(Protocol):
    @property
    def id(self) -> int: ...
    @property
    def answer(self) -> str: ...
    @property
    def gold(self) -> Sequence[Mapping[str, Any]]: ...


def cited_units(
    session: Session, snapshot_id: int, answered: Sequence[_Answered]
) -> dict[int, tuple[str, ...]]:
    """Return the provisions that each answer cites, ascending, by the question's id.

    A bare article number belongs to the statute of the governing provisions, if they share one.
    """
    law = CitedLaw.of(catalogue_in(session, snapshot_id))
    digest = snapshot_by_id(session, snapshot_id).content_hash
    units = {each.id: [str(gold["unit"]) for gold in each.gold] for each in answered}
    wanted = {unit for some in units.values() for unit in some}
    known = provisions_named(session, snapshot_id, wanted)
    found = {}
    for each in answered:
        mine = units[each.id]
        alone = len({split_id(unit)[0] for unit in mine}) == 1 and mine[0] in known
        about = known[mine[0]].head if alone else ""
        key = digest, each.answer, about
        if key not in _read:
            if len(_read) >= _MOST_READ:
                _read.clear()
            _read[key] = cited_in_text(each.answer, law, about).units
        found[each.id] = _read[key]
    return found


def statute_languages(session: Session, snapshot_id: int) -> dict[str, str]:
    """Return the language of each statute of a snapshot, by semantic id."""
    query = select(StatuteRow.semantic_id, StatuteRow.language)
    return dict(session.exec(query.where(StatuteRow.snapshot_id == snapshot_id)).all())


def provision_of(passage: Passage, languages: Mapping[str, str]) -> Provision:
    """Convert a passage to a governing provision; Korean if its statute's language is unknown."""
    return Provision(
        unit_id=passage.unit_id,
        statute_id=passage.statute_id,
        tier=passage.tier,
        language=languages.get(passage.statute_id, "ko"),
        head=passage.title,
        text=passage.text,
    )


def _edges(session: Session, snapshot_id: int, unit_ids: Mapping[int, str]) -> list[Edge]:
    """Return the stored edges of LEADING types between `unit_ids` (unit by database id)."""
    table: Any = EdgeRow.__table__  # type: ignore[attr-defined]
    query = rows_of(table).where(
        table.c.snapshot_id == snapshot_id, table.c.type.in_([str(kind) for kind in LEADING])
    )
    return [
        edge_of(row, unit_ids[row.source_unit_id], unit_ids[row.target_unit_id])
        for row in session.execute(query.order_by(table.c.id))
        if row.source_unit_id in unit_ids and row.target_unit_id in unit_ids
    ]
