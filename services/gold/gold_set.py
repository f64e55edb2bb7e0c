"""The gold as retrieval needs it: settled questions, judgements, and a hash of both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from annotation.gold.counts import count_gold
from annotation.gold.derivation import GoldItem, Pending, derive
from corpus.natural_order import in_natural_order
from errors import UserError
from storage.db.workspace import Workspace
from storage.law.corpus import SnapshotView, id_in_use, project_snapshot, required_snapshot
from storage.projects import find_project

_NAMED = 10  # questions that a message names


@dataclass(frozen=True)
class GoldSet:
    """A project's gold for the snapshot `snapshot_id`: its settled items by ascending external id.

    `pending` counts the questions that are not, as every page does (`annotation.gold.counts`),
    `left_out` those made of their options with them. `amended` are the external ids, ascending, of
    those of them that are settled for the law they were decided on and not for this snapshot, as it
    says something else; `waiting` those of which that cannot be told, as candidates from it are
    lacking.
    """

    items: Sequence[GoldItem]
    pending: int
    snapshot_id: int | None = None
    amended: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    left_out: int = 0

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Question → unit → the grade that the source of the question gave it, else 1.

        A question without provision has no unit, so it is not scored.
        """
        return {item.external_id: _graded(item) for item in self.items}

    @cached_property
    def units(self) -> list[str]:
        """Return every gold unit once, ascending."""
        return sorted({unit for item in self.items for unit in item.units})

    @cached_property
    def question_hashes(self) -> dict[str, str]:
        """Question → the SHA-256 of what is gold for it, of every settled question."""
        return {query: _hash_of(_hashed(units)) for query, units in self.qrels.items()}

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of what is gold: equal exactly when questions and their units are."""
        rows = [
            [item.external_id, item.no_provision, _hashed(self.qrels[item.external_id])]
            for item in self.items
        ]
        return _hash_of(rows)


def _graded(item: GoldItem) -> dict[str, int]:
    """Return unit → grade. What people accepted is relevant, even where the source says 0."""
    return {unit: max(item.grades.get(unit, 1), 1) for unit in sorted(item.units)}


def _hashed(units: Mapping[str, int]) -> list[str] | dict[str, int]:
    """Return what a hash has of judgments: the units alone where all are of grade 1."""
    return dict(units) if set(units.values()) - {1} else [*units]


def _hash_of(said: object) -> str:
    return sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()


def gold_set(ws: Workspace, project_slug: str, snapshot_id: int | None = None) -> GoldSet:
    """Return the gold that holds for a snapshot of the project, the one in use by default.

    Raises UserError for an unknown project and for a snapshot that it does not have.
    """
    if snapshot_id is not None:
        chosen_snapshot(ws, project_slug, snapshot_id)
    return gold_of(derive(ws, project_slug, snapshot_id), snapshot_id)


def gold_of(items: Sequence[GoldItem], snapshot_id: int | None = None) -> GoldSet:
    """Return the gold of what was derived for a snapshot."""
    decided = [item for item in items if item.settled]
    return GoldSet(
        items=tuple(sorted(decided, key=lambda item: item.external_id)),
        pending=count_gold(items).pending,
        snapshot_id=snapshot_id,
        amended=_pending(items, "amended"),
        waiting=_pending(items, "no_candidates"),
        left_out=len(items) - len(decided),
    )


def _pending(items: Iterable[GoldItem], reason: Pending) -> tuple[str, ...]:
    return tuple(sorted(item.external_id for item in items if reason in item.pending))


@dataclass(frozen=True, slots=True)
class GoldSets:
    """The gold of several snapshots of a project: that in use, and others by their id."""

    in_use: GoldSet
    others: Mapping[int, GoldSet]

    def of(self, snapshot_id: int) -> GoldSet:
        """Return the gold of one of the snapshots."""
        return self.others.get(snapshot_id, self.in_use)

    @property
    def all(self) -> list[GoldSet]:
        """Each of them, that of the snapshot in use first."""
        return [self.in_use, *self.others.values()]


def gold_sets(ws: Workspace, project_slug: str, snapshots: Iterable[int]) -> GoldSets:
    """Return the gold of the snapshot in use and of each of the snapshots, derived once each.

    Raises UserError as :func:`gold_set` does.
    """
    with ws.reading() as session:
        used = id_in_use(session, find_project(session, project_slug).id)
    others = sorted({*snapshots} - {used})
    in_use = gold_set(ws, project_slug, used)
    return GoldSets(in_use, {number: gold_set(ws, project_slug, number) for number in others})


def required_gold(ws: Workspace, project_slug: str, snapshot_id: int | None = None) -> GoldSet:
    """Return the gold of :func:`gold_set`. Raises UserError also when no question is settled."""
    gold = gold_set(ws, project_slug, snapshot_id)
    if not gold.items and gold.amended:
        named = ", ".join(in_natural_order(gold.amended)[:_NAMED])
        raise UserError("gold_amended", slug=project_slug, count=len(gold.amended), named=named)
    if not gold.items and gold.waiting:
        named = ", ".join(in_natural_order(gold.waiting)[:_NAMED])
        raise UserError("gold_waits", slug=project_slug, count=len(gold.waiting), named=named)
    if not gold.items:
        raise UserError("no_gold", slug=project_slug, pending=gold.pending)
    return gold


def chosen_snapshot(
    ws: Workspace, project_slug: str, snapshot_id: int | None = None
) -> SnapshotView:
    """Return a snapshot of the project, the one in use by default.

    Raises UserError for an unknown project, a snapshot that is not its, and when it has none.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        if snapshot_id is None:
            return required_snapshot(session, project)
        return project_snapshot(session, project, snapshot_id)
