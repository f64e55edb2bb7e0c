"""Verdicts and ratings of each answer, derived from their rows and never stored.

People's finding on an answer is, in order: the consensus of its review; an adjudicator's decision
if ratings differ; the common rating. It is missing while ratings are due, and if they differ
without a decision. Ratings are not read before an answer has all that it wants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.forms.submissions import submissions_so_far
from annotation.judging.forms import CONSENSUS, found_correct
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import Submission, complete
from errors import require_known
from evaluation.agreement.ratings import Rating
from evaluation.judging.estimate import Movement, Pair, Waiting, Winner, by_movement
from evaluation.judging.judged import MAJORITY, Judged, is_tie, majority
from normalization.grouping import nested
from storage.db.workspace import Workspace
from storage.judging import CaseView, VerdictView, cases, standing_verdicts
from storage.tables.core import Item
from storage.tasks import Task

_MIN_MAJORITY_JUDGES = 3  # minimum number of judges


class Outcome(StrEnum):
    """The origin of people's finding, or why there is none."""

    REVIEWED = "reviewed"
    SETTLED = "settled"
    AGREED = "agreed"  # all ratings are equal
    DIFFER = "differ"  # without a decision
    WAITING = "waiting"  # for ratings


@dataclass(frozen=True, slots=True)
class CaseState:
    """An answer with all its verdicts and ratings.

    `verdicts` maps each judge asked to whether it finds the answer correct, None if its reply is
    unreadable. `ratings` is empty until complete, and while the answer is sent back to its raters;
    `first` are those from before anybody read another's. `so_far` counts those that are in.
    `review` is the newest.
    """

    case: CaseView
    rating_item: int | None
    review_item: int | None
    verdicts: Mapping[str, bool | None]
    ratings: tuple[Submission, ...]
    first: tuple[Submission, ...]
    so_far: int
    settled: bool | None
    review: Submission | None

    @property
    def id(self) -> int:
        """Id of the case."""
        return self.case.id

    @property
    def outcome(self) -> Outcome:
        """The origin of people's finding."""
        if self.review is not None:
            return Outcome.REVIEWED
        if self.settled is not None:
            return Outcome.SETTLED
        said = set(map(rated_correct, self.ratings))
        if not said:
            return Outcome.WAITING
        return Outcome.AGREED if len(said) == 1 else Outcome.DIFFER

    @property
    def people(self) -> bool | None:
        """Whether people find the answer correct; None if unknown."""
        if self.review is not None:
            return found_correct(self.review.answers, CONSENSUS)
        if self.settled is not None:
            return self.settled
        return rated_correct(self.ratings[0]) if self.outcome is Outcome.AGREED else None

    @property
    def disputed(self) -> bool:
        """Whether people differed on it, or reopened it and have not answered since."""
        said = set(map(rated_correct, (*self.first, *self.ratings)))
        return len(said) > 1 or (bool(said) and self.people is None)

    @property
    def tied(self) -> bool:
        """Whether as many judges find it correct as incorrect."""
        return is_tie(self.verdicts.values())

    def verdict(self, judge: str) -> bool | None:
        """Return the verdict of a judge, or of most judges; None for a tie or no verdict."""
        if judge == MAJORITY:
            return majority(self.verdicts.values())
        return self.verdicts.get(judge)

    def judged(self, judge: str) -> Judged:
        """Return the case in the form that figures use."""
        return Judged(
            case=self.id,
            question=self.case.external_id,
            judge=self.verdict(judge),
            people=self.people,
            kind=self.case.kind,
            length=len(self.case.answer),
            disputed=self.disputed,
            tied=judge == MAJORITY and self.tied,
        )


def rated_correct(rating: Submission) -> bool:
    """Return True if a rating finds the answer correct."""
    return bool(found_correct(rating.answers))


def states_of(
    ws: Workspace, project_slug: str, by: int | None = None, act: Act = Act.READ_OTHERS_LABELS
) -> list[CaseState]:
    """Return the state of every answer of a project.

    `by` is the reader (None: the operator). Raises UserError for an unknown project or person, and
    without permission.
    """
    with reading_as(ws, project_slug, by, act) as (session, project, _):
        return states(session, project.id)


def states(session: Session, project_id: int) -> list[CaseState]:
    """Return the state of every answer, in the order of import."""
    binary = _verdicts_by_judge(standing_verdicts(session, project_id).values())
    rated = item_cases(session, project_id, Task.ANSWER_RATING)
    so_far = submissions_so_far(session, project_id, Task.ANSWER_RATING)
    ruled = current_decisions(session, project_id, Task.ANSWER_RATING)
    reviewed = complete(session, project_id, Task.JUDGE_REVIEW).values()
    reviews = {each[0].subject_id: each for each in reviewed if each}
    both = col(Item.task).in_((Task.ANSWER_RATING, Task.JUDGE_REVIEW))
    query = select(Item.task, Item.subject_id, Item.id).where(Item.project_id == project_id, both)
    rows = session.exec(query.order_by(col(Item.id)))
    items = {(task, subject): item for task, subject, item in rows}
    found = []
    for case in cases(session, project_id):
        number = case.id
        item = items.get((Task.ANSWER_RATING, number))
        ruling = ruled.get(item or 0)
        found.append(
            CaseState(
                case=case,
                rating_item=item,
                review_item=items.get((Task.JUDGE_REVIEW, number)),
                verdicts=MappingProxyType(binary.get(number, {})),
                ratings=tuple(_ratings_that_count(rated.get(item or 0))),
                first=tuple(rated[item].independent) if item in rated else (),
                so_far=so_far.get(item or 0, 0),
                settled=None if ruling is None else found_correct(ruling.answers),
                review=max(
                    reviews.get(number, ()),
                    key=lambda made: (made.at, made.annotation_id),
                    default=None,
                ),
            )
        )
    return found


def systems_of(ws: Workspace, project_slug: str, by: int | None = None) -> list[str]:
    """Return the names of the systems with answers in a project."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return sorted({case.system for case in cases(session, project.id)})


def judges_of(cases: Sequence[CaseState]) -> list[str]:
    """Return the judges' names in order, with the majority if there are three or more.

    Of two judges there is no majority: it would be the common verdict of both.
    """
    names = sorted({name for each in cases for name in each.verdicts})
    return [*names, MAJORITY] if len(names) >= _MIN_MAJORITY_JUDGES else names


def default_judge(cases: Sequence[CaseState]) -> str | None:
    """Return the key of the majority, else the judge with most verdicts; None without any judge."""
    names = judges_of(cases)
    if MAJORITY in names:
        return MAJORITY
    said = {name: sum(each.verdict(name) is not None for each in cases) for name in names}
    return max(names, key=said.__getitem__, default=None)


def all_judged(cases: Sequence[CaseState]) -> list[CaseState]:
    """Return the answers on which every judge has a verdict, as the basis of comparisons.

    A judge without any readable verdict is ignored.
    """
    names = {name for each in cases for name, said in each.verdicts.items() if said is not None}
    return [
        each
        for each in cases
        if names and all(each.verdicts.get(name) is not None for name in names)
    ]


def by_judges(cases: Sequence[CaseState], judges: Sequence[str]) -> list[CaseState]:
    """Return the answers with the verdicts of these judges only.

    Raises UserError for a judge without verdicts.
    """
    known = sorted({name for each in cases for name in each.verdicts})
    for judge in judges:
        require_known("judging_judge_unknown", known, judge=judge)
    return [
        replace(each, verdicts={k: v for k, v in each.verdicts.items() if k in judges})
        for each in cases
    ]


def required_judge(cases: Sequence[CaseState], judge: str | None) -> str:
    """Return the judge of that name, by default the one that figures are for.

    Raises UserError for a judge without verdicts.
    """
    chosen = (default_judge(cases) if judge is None else judge) or "–"
    require_known("judging_judge_unknown", judges_of(cases), judge=chosen)
    return chosen


def review_order(cases: Sequence[CaseState], judge: str) -> list[Movement[int]]:
    """Return the cases that wait for review, by decreasing effect of a review on the accuracy.

    See `evaluation.judging.estimate`. Cases without a verdict of the judge or without ratings are
    left out.
    """
    with_verdict = [(each, each.verdict(judge)) for each in cases]
    waiting = [
        Waiting(each.id, said, tuple(map(rated_correct, each.ratings)))
        for each, said in with_verdict
        if said is not None and each.outcome in (Outcome.AGREED, Outcome.DIFFER)
    ]
    decided = [
        (said, each.people)
        for each, said in with_verdict
        if said is not None and each.people is not None and each.outcome not in _WAITING
    ]
    return by_movement(waiting, decided)


def ratings_of(cases: Sequence[CaseState]) -> list[Rating]:
    """Return (case, person, correct) of the ratings from before discussions, for agreement."""
    return [(each.id, said.person, rated_correct(said)) for each in cases for said in each.first]


_WAITING = (Outcome.AGREED, Outcome.DIFFER, Outcome.WAITING)


def _verdicts_by_judge(verdicts: Iterable[VerdictView]) -> dict[int, dict[str, bool | None]]:
    """Return each judge's binary verdict by answer: True for correct, None if unreadable."""
    return nested(
        (row.case_id, row.judge, None if row.verdict is None else row.verdict == "correct")
        for row in verdicts
        if row.kind == "binary"
    )


def _ratings_that_count(case: ItemCase | None) -> Sequence[Submission]:
    """Return the ratings that count: none in a discussion, those sent back after a recall."""
    if case is None or case.unsaid:
        return ()
    return case.sent if case.unconfirmed else case.submissions


Compared = tuple[str, str, str]
"""(pairwise judge, system, other system); "" for the official answer."""


def pairs(session: Session, project_id: int) -> dict[Compared, list[Pair]]:
    """Return pairwise verdicts by judge, system and the system compared with.

    The last is "" for the official answer.
    """
    found = pairs_by_question(session, project_id)
    return {compared: list(said.values()) for compared, said in found.items()}


def pairs_by_question(session: Session, project_id: int) -> dict[Compared, dict[str, Pair]]:
    """Return the pairs as :func:`pairs` does, by the id of their question."""
    known = {case.id: case for case in cases(session, project_id)}
    orders: dict[tuple[int, int | None, str], dict[bool, Winner | None]] = {}
    for row in standing_verdicts(session, project_id).values():
        if row.kind == "pairwise":
            said = None if row.verdict is None else Winner(row.verdict)
            orders.setdefault((row.case_id, row.other_case_id, row.judge), {})[row.swapped] = said
    found: dict[Compared, dict[str, Pair]] = {}
    for (case_id, other_id, judge), both in orders.items():
        case, other = known[case_id], "" if other_id is None else known[other_id].system
        pair = Pair(both.get(False), both.get(True))
        found.setdefault((judge, case.system, other), {})[case.external_id] = pair
    return dict(sorted(found.items()))
