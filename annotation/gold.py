"""Gold, derived anew from submissions and adjudications at every call and stored nowhere.

The rule, in order: an item on which an adjudicator decided is gold by that decision; one whose
submissions are all in, agree, and are neither unsure nor flagged, is gold by agreement (``single``
where one is all that an item takes); every other item is pending, with its reasons.
Unsure never counts as accepting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, select

from annotation.lineage import LineageEntry, lineage_of
from annotation.settling import Settled, causes, settled
from annotation.submissions import Submission, complete, stands
from storage.corpus import ItemQuestion, load_items
from storage.projects import ProjectView, find_project
from storage.tables import Annotation, Item
from storage.workspace import Workspace

Outcome = Literal["agreed", "single", "adjudicated", "pending"]
Pending = Literal["not_begun", "waiting", "differ", "unsure", "flagged"]


@dataclass(frozen=True, slots=True)
class GoldItem:
    """What is gold for one item.

    `units` are semantic ids, ascending, of the snapshot `snapshot_id`; empty while pending and
    for "no provision". `pending` says why an item is: no submission yet, waiting for more, or
    what an adjudicator has to settle. `lineage` are the decisions that the gold rests on, in order
    of time; empty until all submissions are in, as nobody may read them before.
    """

    item_id: int
    external_id: str
    question: str
    outcome: Outcome
    no_provision: bool
    units: tuple[str, ...]
    pending: tuple[Pending, ...]
    snapshot_id: int | None
    lineage: tuple[LineageEntry, ...]

    @property
    def settled(self) -> bool:
        """Whether the item is gold."""
        return self.outcome != "pending"


def derive(ws: Workspace, project_slug: str) -> list[GoldItem]:
    """Return every item of a project, in its order. Raises UserError for an unknown project."""
    with ws.reading() as session:
        return gold_in(session, find_project(session, project_slug))


def gold_in(session: Session, project: ProjectView) -> list[GoldItem]:
    """Return every item of a project, in its order, within an open session."""
    submitted = complete(session, project.id)
    decided = settled(session, project.id)
    begun = _begun(session, project)
    lineage = lineage_of(session, project.id, submitted, decided)
    return [
        _gold(
            each,
            submitted.get(each.item_id, []),
            decided.get(each.item_id),
            each.item_id in begun,
            lineage,
        )
        for each in load_items(session, project.id)
    ]


def _gold(
    item: ItemQuestion,
    submissions: Sequence[Submission],
    decision: Settled | None,
    begun: bool,
    lineage: Mapping[int, tuple[LineageEntry, ...]],
) -> GoldItem:
    outcome, pending = _outcome(submissions, decision, begun)
    no_provision, units, snapshot_id = False, frozenset[str](), None
    if decision is not None:
        no_provision = decision.row.no_provision
        units = frozenset(each.semantic_id for each in decision.units)
        snapshot_id = decision.row.snapshot_id
    elif outcome != "pending":
        no_provision, units = submissions[0].no_provision, submissions[0].accepted
        snapshot_id = max(each.snapshot_id for each in submissions)
    return GoldItem(
        item_id=item.item_id,
        external_id=item.question.external_id,
        question=item.question.text,
        outcome=outcome,
        no_provision=no_provision,
        units=tuple(sorted(units)),
        pending=pending,
        snapshot_id=snapshot_id,
        lineage=lineage.get(item.item_id, ()),
    )


def _outcome(
    submissions: Sequence[Submission],
    decision: Settled | None,
    begun: bool,
) -> tuple[Outcome, tuple[Pending, ...]]:
    if decision is not None:
        return "adjudicated", ()
    if not submissions:
        return "pending", ("waiting",) if begun else ("not_begun",)
    found = causes(submissions)
    if found:
        return "pending", found
    return ("single" if len(submissions) == 1 else "agreed"), ()


def _begun(session: Session, project: ProjectView) -> set[int]:
    """Return the items that have a submission; of what they say, nothing."""
    query = select(Annotation.item_id).join(Item, col(Item.id) == Annotation.item_id)
    return set(session.exec(query.where(Item.project_id == project.id, stands())))
