"""Ratings for agreement: whole answers, and decisions on candidates.

Only complete items are read, and of discussed ones the submissions from before the discussion
(`annotation.work.discussions`). As an answer, unsure throughout is missing. A candidate counts if
it was shown to everybody who submitted the item; one left undecided is missing, except beside "no
provision", which rejects every candidate that is not unsure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.adjudication.dispute_state import cases
from annotation.agreement.views import ItemLine
from annotation.work.discussions import independent
from annotation.work.submissions import Decision, Submission
from evaluation.agreement.ratings import Rating, Ratings, Scale
from storage.law.corpus import load_items
from storage.projects import ProjectView
from storage.tables.core import CandidateRow, CandidateSet, Item, UnitRow
from storage.tasks import of_task

LABELS = (Decision.ACCEPT, Decision.REJECT, Decision.UNSURE)


@dataclass(frozen=True, slots=True)
class ProjectRatings:
    """Ratings on the complete items of a project.

    The items of `questions` are item ids; those of `candidates` (item id, semantic id). Raters are
    people's names, in alphabetical order. `lines` has every item of the project, by id.
    """

    submissions: dict[int, list[Submission]]
    questions: Ratings
    candidates: Ratings
    lines: dict[int, ItemLine]

    def completed(self, item_id: int) -> datetime:
        """Return the time of the last submission of a complete item."""
        return max(each.at for each in self.submissions[item_id])


def load(
    session: Session, project: ProjectView, only: Collection[int] | None = None
) -> ProjectRatings:
    """Return the project's ratings, optionally on the items of `only`, in an open session."""
    submitted = {
        item_id: made
        for item_id, made in independent(session, project.id).items()
        if only is None or item_id in only
    }
    shown = _shown(session, project.id)
    answers = [
        (item_id, each.person, each.answer) for item_id, made in submitted.items() for each in made
    ]
    decisions = [
        rating for item_id, made in submitted.items() for rating in _decisions(item_id, made, shown)
    ]
    return ProjectRatings(
        submissions=submitted,
        questions=_by_name(Ratings.of(answers, Scale.SETS)),
        candidates=_by_name(Ratings.of(decisions, Scale.NOMINAL, LABELS)),
        lines=load_lines(session, project),
    )


def _shown(session: Session, project_id: int) -> dict[int, tuple[str, ...]]:
    """Return the semantic ids of each candidate set, by rank."""
    query = (
        select(CandidateRow.candidate_set_id, UnitRow.semantic_id)
        .join(UnitRow, col(UnitRow.id) == CandidateRow.unit_id)
        .join(CandidateSet, col(CandidateSet.id) == CandidateRow.candidate_set_id)
        .join(Item, col(Item.id) == CandidateSet.item_id)
        .where(of_task(project_id))
        .order_by(col(CandidateRow.candidate_set_id), col(CandidateRow.rank))
    )
    found: dict[int, list[str]] = {}
    for set_id, semantic_id in session.exec(query):
        found.setdefault(set_id, []).append(semantic_id)
    return {set_id: tuple(ids) for set_id, ids in found.items()}


def _decisions(
    item_id: int, made: list[Submission], shown: dict[int, tuple[str, ...]]
) -> Iterator[Rating]:
    first, *others = (shown.get(each.candidate_set_id, ()) for each in made)
    for semantic_id in first:
        if all(semantic_id in other for other in others):
            for each in made:
                yield (item_id, semantic_id), each.person, _decision(each, semantic_id)


def _decision(made: Submission, semantic_id: str) -> str | None:
    labels = (said.label for said in made.labels if said.semantic_id == semantic_id)
    return next(labels, Decision.REJECT if made.no_provision else None)


def _by_name(ratings: Ratings) -> Ratings:
    return ratings.of_raters(*sorted(ratings.raters, key=str))


def load_lines(session: Session, project: ProjectView) -> dict[int, ItemLine]:
    """Return every item of the project by id."""
    open_to_judge = cases(session, project.id)
    found = {}
    for item in load_items(session, project.id):
        case = item.item_id in open_to_judge
        words = item.question
        line = ItemLine(item.item_id, words.external_id, words.text, None, case)
        found[item.item_id] = line
    return found
