"""State of a multiple-choice question, with what each reader may see.

An item waits until it is complete, and while it is discussed. If the submissions agree it is kept,
fixed or dropped; if they differ it is disputed until an adjudicator decides.

The material of later steps is hidden: the second provision is shown to people who have answered
from the first, the stored answer to those who have answered from both, models' answers to those who
have submitted, and everything to adjudicators.

Disputes on multiple-choice questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from annotation.forms.disputes import FormCase, FormDisputes
from annotation.forms.outcomes import AnsweredItem, Outcomes
from annotation.forms.submissions import FormSubmission
from annotation.mcq.solvability import Fix, Stage, Verdict, fix_of, stage_of
from annotation.people.roles import ProjectMember, annotator
from annotation.work.queue_service import ItemView
from construction.mcq.model import Mcq, Passage
from evaluation.replies.outcomes import Outcome
from storage.db.workspace import Workspace
from storage.mcq.questions import question_by_id
from storage.mcq.votes import ReadVote, Wordings, read_votes, votes
from storage.tables.core import Item
from storage.tasks import Task

# The packaged causes, most important first; a project's own come after them.
CAUSES = (
    "answerable_alone",
    "unanswerable",
    "wrong_answer",
    "several_right",
    "unclear",
    "outdated",
    "other",
)
_SOUNDNESS = ("alone_answerable", "both_answerable", "stored_right")


class Fate(StrEnum):
    """The outcome of an item."""

    KEPT = "kept"
    FIXED = "fixed"
    DROPPED = "dropped"
    DISPUTED = "disputed"
    WAITING = "waiting"


class Dispute(StrEnum):
    """Why an item needs an adjudicator."""

    VERDICT = "verdict"  # some would keep, some fix, some drop it
    FIX = "fix"  # different corrections
    SOUNDNESS = "soundness"  # all would keep it, but not all find it sound
    FLAGGED = "flagged"  # somebody flagged it
    RECALLED = "recalled"  # a discussion was recalled before all had answered


@dataclass(frozen=True, slots=True)
class McqState:
    """The outcome of one item.

    `causes` are why it is fixed or dropped, most important first; `disputes` why it is disputed, or
    was before the decision; `fix` is the correction. `annotation_ids` are the submissions it
    follows from, `settled` whether an adjudicator decided.
    """

    fate: Fate
    causes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    fix: Fix | None = None
    annotation_ids: tuple[int, ...] = ()
    settled: bool = False


WAITING = McqState(Fate.WAITING)
_FATES = {Verdict.KEEP: Fate.KEPT, Verdict.FIX: Fate.FIXED, Verdict.DROP: Fate.DROPPED}


def disputes_of(submissions: Sequence[AnsweredItem]) -> tuple[Dispute, ...]:
    """Return why the submissions need an adjudicator, in the order of `Dispute`."""
    answers = [each.answers for each in submissions]
    kept = all(answer["verdict"] == Verdict.KEEP for answer in answers)
    sound = {tuple(answer.get(field) for field in _SOUNDNESS) for answer in answers}
    found = {
        Dispute.VERDICT: len({answer["verdict"] for answer in answers}) > 1,
        Dispute.FIX: len({fix for answer in answers if (fix := fix_of(answer))}) > 1,
        Dispute.SOUNDNESS: kept and len(sound) > 1,
        Dispute.FLAGGED: any(each.flag for each in submissions),
    }
    return tuple(dispute for dispute, holds in found.items() if holds)


def _agreed_state(
    answers: Sequence[Mapping[str, Any]],
    disputes: tuple[Dispute, ...],
    ids: tuple[int, ...],
    is_settled: bool,
) -> McqState:
    fate = _FATES[Verdict(answers[0]["verdict"])]
    said = (answer["cause"] for answer in answers if "cause" in answer)
    causes = () if fate is Fate.KEPT else _ordered_causes(said)
    return McqState(fate, causes, disputes, fix_of(answers[0]), ids, is_settled)


_OUTCOMES = Outcomes(
    Task.MCQ_SOLVABILITY, McqState, Fate, Dispute.RECALLED, disputes_of, _agreed_state
)
mcq_states, state_of, state_of_case = _OUTCOMES.by_subject, _OUTCOMES.of, _OUTCOMES.of_case


def _ordered_causes(causes: Iterable[str]) -> tuple[str, ...]:
    """Return the causes deduplicated, packaged ones first, in order."""
    place = {cause: at for at, cause in enumerate(CAUSES)}
    return tuple(sorted(set(causes), key=lambda each: (place.get(each, len(place)), each)))


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """Answers of one model of a server: per setting an option (from 0) for each repeat.

    None for a reply without an option; `outcomes` has the outcome of each reply, in the same order.
    """

    model: str
    server: str
    said: Mapping[str, tuple[int | None, ...]]
    outcomes: Mapping[str, tuple[Outcome, ...]]


@dataclass(frozen=True, slots=True)
class McqView:
    """A question with what its reader may see of it; None for parts not revealed yet.

    Options and `stored`, the index of the stored answer, are counted from 0.
    """

    language: str
    query: str
    options: tuple[str, ...]
    a: Passage
    b: Passage | None
    stored: int | None
    explanation: str | None
    votes: tuple[ModelAnswers, ...] | None


def own_view(ws: Workspace, person_id: int, item: ItemView) -> McqView:
    """Return an item's question as far as the person's own answers have revealed it."""
    stage = stage_of(item.answers, item.status == "submitted")
    with ws.reading() as session:
        project_id = annotator(session, person_id).project_id
        return mcq_view(session, project_id, item.subject_id, stage)


def mcq_view(session: Session, project_id: int, mcq_id: int, stage: Stage) -> McqView:
    """Return a question at a stage. Raises UserError for one of another project."""
    found = question_by_id(session, project_id, mcq_id).question
    at = list(Stage).index(stage)
    compared = at >= list(Stage).index(Stage.COMPARED)
    return McqView(
        language=found.pair.source.language,
        query=found.query,
        options=found.options,
        a=found.pair.source,
        b=found.pair.target if at >= list(Stage).index(Stage.BOTH) else None,
        stored=found.answer - 1 if compared else None,
        explanation=found.explanation if compared else None,
        votes=_model_answers(session, project_id, mcq_id, found) if stage is Stage.DONE else None,
    )


def _model_answers(
    session: Session, project_id: int, mcq_id: int, mcq: Mcq
) -> tuple[ModelAnswers, ...]:
    """Return models' answers to this exact wording; a corrected one is another question."""
    cast = read_votes(votes(session, project_id, mcq_id), {mcq_id: Wordings.of(mcq)})
    return _by_model(each for each in cast if each.present)


def _by_model(cast: Iterable[ReadVote]) -> tuple[ModelAnswers, ...]:
    found: dict[tuple[str, str], dict[str, list[ReadVote]]] = {}
    for each in cast:
        of_model = found.setdefault((each.vote.model, each.vote.server), {})
        of_model.setdefault(each.vote.setting, []).append(each)
    return tuple(
        ModelAnswers(
            model,
            server,
            {name: tuple(each.option for each in there) for name, there in settings.items()},
            {
                name: tuple(each.reading.outcome for each in there)
                for name, there in settings.items()
            },
        )
        for (model, server), settings in sorted(found.items())
    )


class McqDisputes(FormDisputes):
    """MCQ disputes: a decision is a verdict with its fields, including the reason."""

    def causes(self, case: FormCase) -> tuple[Dispute, ...]:
        """Return why the question needs an adjudicator, or did before it was decided."""
        return state_of_case(case).disputes

    def question(self, session: Session, who: ProjectMember, item: Item) -> McqView:
        """Return the full question."""
        return mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE)

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[FormSubmission]
    ) -> Mapping[str, Any]:
        """Return the decision with its reason as a form field."""
        return dict(answers) | ({"reason": reason} if reason.strip() else {})


DISPUTES = McqDisputes(Task.MCQ_SOLVABILITY)
