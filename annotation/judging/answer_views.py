"""Views of a judged answer: blind for rating, with verdicts and ratings for review.

Disputed ratings of models' answers that nobody has reviewed.

The provisions that a judged answer rests on: supplied with it, cited, and gold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from annotation.forms.disputes import Disputes
from annotation.gold.derivation import evidence_of
from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey, Via
from annotation.people.roles import Act, ProjectMember, require
from annotation.work.queue_service import ItemView
from annotation.work.submissions import Submission, complete, is_current
from errors import UserError
from evaluation.judging.judged import majority
from storage.db.columns import view_of
from storage.db.rows import rows_with
from storage.db.workspace import Workspace
from storage.judging import called, own_judges
from storage.overlap import for_gold, required_submissions
from storage.subjects import item_of
from storage.tables.answers import JudgeCase, Verdict
from storage.tables.core import Annotation, Item
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class BlindCase:
    """An answer as its raters see it, without its author and verdicts.

    Each provision has a `label` and a `text`, and a `unit` if its semantic id is known.
    """

    question: str
    reference: str
    answer: str
    provisions: tuple[Mapping[str, str], ...]
    language: str


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judge's stored verdict.

    `other` is for pairs: the system whose answer this one was compared with, empty for the official
    answer; `other_answer` is that system's answer.
    """

    judge: str
    kind: str
    verdict: str | None
    state: str
    other: str
    other_answer: str | None
    swapped: bool
    prompt: str
    raw: str


@dataclass(frozen=True, slots=True)
class OpenCase(BlindCase):
    """An answer as its reviewers see it.

    `verdicts` are those of the time when the review was begun: on the answer alone first, then of
    pairs, by judge. `ratings` are empty until all that are `wanted` are in; `so_far` counts those
    that are.
    """

    system: str
    verdicts: tuple[JudgeVerdict, ...]
    ratings: tuple[Submission, ...]
    so_far: int
    wanted: int

    @property
    def verdict(self) -> bool | None:
        """Whether most judges find the answer correct; None for a tie or no verdict."""
        binary = [each for each in self.verdicts if each.kind == "binary" and each.verdict]
        return majority(each.verdict == "correct" for each in binary)


def blind_case(ws: Workspace, person_id: int, case_id: int) -> BlindCase:
    """Return the answer as its raters see it. Raises UserError for one of another project."""
    with ws.reading() as session:
        return blind_in(session, require(session, person_id, Act.ANNOTATE), case_id)


def blind_in(session: Session, who: ProjectMember, case_id: int) -> BlindCase:
    """`blind_case` in an open session, without the permission check."""
    row = _case(session, who, case_id)
    return view_of(BlindCase, row, provisions=tuple(row.provisions))


def open_case(ws: Workspace, person_id: int, item: ItemView) -> OpenCase:
    """Return the answer under review with judges' verdicts and people's ratings.

    Raises UserError without permission to review, and for an answer of another project.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.REVIEW_JUDGE)
        row = _case(session, who, item.subject_id)
        rated = item_of(session, Task.ANSWER_RATING, row.id or 0) or 0
        all_in = complete(session, who.project_id, Task.ANSWER_RATING, rated)
        standing = select(func.count()).select_from(Annotation).where(is_current(), for_gold())
        needed = session.exec(select(required_submissions()).where(Item.id == rated)).first()
        return view_of(
            OpenCase,
            row,
            provisions=tuple(row.provisions),
            verdicts=_verdicts(session, who.project_id, item.shown.get("verdicts", ())),
            ratings=tuple(all_in.get(rated, ())),
            so_far=session.exec(standing.where(Annotation.item_id == rated)).one(),
            wanted=needed or 0,
        )


def _case(session: Session, who: ProjectMember, case_id: int) -> JudgeCase:
    """Return an answer of the person's project. Raises UserError for any other."""
    row = session.get(JudgeCase, case_id)
    if row is None or row.project_id != who.project_id:
        raise UserError("item_unknown", item=case_id)
    return row


def _verdicts(session: Session, project_id: int, ids: Iterable[int]) -> tuple[JudgeVerdict, ...]:
    """Return the verdicts of these ids, by kind and judge; the project's own judges are marked."""
    ours = own_judges(session, project_id)
    query = (
        select(Verdict, JudgeCase.system, JudgeCase.answer)
        .join(JudgeCase, col(JudgeCase.id) == Verdict.other_case_id, isouter=True)
        .where(col(Verdict.id).in_(list(ids)))
        .order_by(Verdict.kind, Verdict.judge, col(Verdict.id))
    )
    return tuple(
        view_of(JudgeVerdict, row, judge=called(row, ours), other=system or "", other_answer=answer)
        for row, system, answer in session.exec(query)
    )


class RatingDisputes(Disputes):
    """Rating disputes, adjudicated blind; reviewed answers need no decision."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> BlindCase:
        """Return the answer without its author and verdicts."""
        return blind_in(session, who, item.subject_id or 0)

    def done(self, session: Session, project_id: int) -> frozenset[int]:
        """Return the ids of the answers reviewed: their consensus counts."""
        reviews = complete(session, project_id, Task.JUDGE_REVIEW).values()
        return frozenset(each.subject_id for made in reviews for each in made)


DISPUTES = RatingDisputes(Task.ANSWER_RATING)


class JudgingResting(Resting):
    """The reader of `annotation.gold.resting` for rated and reviewed answers."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> Iterator[Rests]:
        """Yield the provisions of each answer, the gold of its question, and its citing text.

        Annotators are not shown gold.
        """
        gold = {} if scope.blind else scope.once(_gold)
        laws = scope.decided_on(items)
        query = select(JudgeCase).where(JudgeCase.project_id == scope.project_id)
        rows = {row.id or 0: row for row in scope.session.exec(query)}
        for each in items:
            row = rows.get(each.subject_id or 0)
            if row is not None:
                law = laws.get(each.id or 0, 0)
                yield Rests(
                    each.id or 0,
                    units=tuple((unit, "gold") for unit in gold.get(row.question_id or 0, ())),
                    places=tuple(_places(row, scope.law_at(row.at))),
                    texts=(CitingText(("case", row.id or 0), law),),
                )

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return question, official answer, provisions without id and answer, in parts."""
        found: dict[TextKey, Sequence[str]] = {}
        wanted = {number for _, number in keys}
        for row in rows_with(session, select(JudgeCase), JudgeCase.id, wanted):
            named = [each.get("label", "") for each in row.provisions if not each.get("unit")]
            found["case", row.id] = (row.question, row.reference, *named, row.answer)
        return found


def _places(row: JudgeCase, snapshot_id: int) -> Iterator[tuple[str, int, Via]]:
    """Yield (semantic id, snapshot, "source") of the provisions that an answer was given with."""
    for each in row.provisions:
        if each.get("unit"):
            yield each["unit"], snapshot_id, "source"


def _gold(scope: Scope) -> dict[int, tuple[int, ...]]:
    """Return the gold units of each question, by its database id."""
    units = {each.item_id: each.units for each in evidence_of(scope.session, scope.project).bases}
    query = select(Item.id, Item.question_id).where(Item.project_id == scope.project_id)
    return {
        question: units[item or 0]
        for item, question in scope.session.exec(query)
        if question is not None and item in units
    }


RESTS = JudgingResting()
