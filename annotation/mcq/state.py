"""What has become of a multiple-choice question, and how much of it somebody may read now.

An item waits until all the submissions that it wants are in, and while it is discussed. Where they
say the same it is kept, fixed or dropped; where they differ it is disputed until an adjudicator
settles it.

A multiple-choice question as somebody may read it now: what a later step shows is left out. The
second provision is told to who has answered from the first, the stored answer to who has answered
from both, what models answered to who has submitted, and all of it to an adjudicator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from annotation.forms.disputes import FormCase
from annotation.forms.outcomes import AnsweredItem, states_by_subject
from annotation.mcq.solvability import Fix, Stage, Verdict, fix_of, stage_of
from annotation.people.roles import annotator
from annotation.work.queue_service import ItemView
from construction.mcq.model import Mcq, Passage
from evaluation.replies.outcomes import Outcome
from storage.db.workspace import Workspace
from storage.mcq.questions import question_by_id
from storage.mcq.votes import ReadVote, Wordings, read_votes, votes
from storage.tasks import Task

# The packaged causes, the weightiest first; a project's own come behind them.
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
    """What has become of an item."""

    KEPT = "kept"
    FIXED = "fixed"
    DROPPED = "dropped"
    DISPUTED = "disputed"
    WAITING = "waiting"


class Dispute(StrEnum):
    """Why an item needs an adjudicator."""

    VERDICT = "verdict"  # some would keep, some fix, some drop it
    FIX = "fix"  # it is put right in different ways
    SOUNDNESS = "soundness"  # all would keep it, but not all find it sound
    FLAGGED = "flagged"  # somebody flagged it
    RECALLED = "recalled"  # a discussion was recalled before all had answered


@dataclass(frozen=True, slots=True)
class McqState:
    """What has become of one item.

    `causes` are why it is fixed or dropped, the weightiest first; `disputes` why it is disputed, or
    was before it was settled; `fix` is the item as it was put right. `annotation_ids` are the
    submissions it follows from, `settled` whether an adjudicator decided.
    """

    fate: Fate
    causes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    fix: Fix | None = None
    annotation_ids: tuple[int, ...] = ()
    settled: bool = False


WAITING = McqState(Fate.WAITING)
_FATES = {Verdict.KEEP: Fate.KEPT, Verdict.FIX: Fate.FIXED, Verdict.DROP: Fate.DROPPED}


def mcq_states(session: Session, project_id: int) -> dict[int, McqState]:
    """Return what has become of each item of the project, by the id of its question, in order."""
    return states_by_subject(session, project_id, Task.MCQ_SOLVABILITY, state_of_case, state_of)


def state_of_case(case: FormCase) -> McqState:
    """Return the state of an item: while it is discussed it waits for its people's answers."""
    decision = case.decision
    found = state_of(case.submissions, None if decision is None else decision.answers)
    if case.unsaid:
        return McqState(Fate.WAITING, disputes=found.disputes, annotation_ids=found.annotation_ids)
    if case.unconfirmed and not found.disputes and not found.settled:
        why = (Dispute.RECALLED,)
        return McqState(Fate.DISPUTED, disputes=why, annotation_ids=found.annotation_ids)
    return found


def state_of(said: Sequence[AnsweredItem], settlement: Mapping[str, Any] | None = None) -> McqState:
    """Return the state of an item with these complete submissions and this settlement."""
    ids = tuple(sorted(each.annotation_id for each in said))
    disputes = disputes_of(said)
    if settlement is not None:
        return _agreed([settlement], disputes, ids, is_settled=True)
    if not said:
        return WAITING
    if disputes:
        return McqState(Fate.DISPUTED, disputes=disputes, annotation_ids=ids)
    return _agreed([each.answers for each in said], (), ids)


def disputes_of(said: Sequence[AnsweredItem]) -> tuple[Dispute, ...]:
    """Return why the submissions need an adjudicator, in the order of `Dispute`; mostly nothing."""
    answers = [each.answers for each in said]
    kept = all(answer["verdict"] == Verdict.KEEP for answer in answers)
    sound = {tuple(answer.get(field) for field in _SOUNDNESS) for answer in answers}
    found = {
        Dispute.VERDICT: len({answer["verdict"] for answer in answers}) > 1,
        Dispute.FIX: len({fix for answer in answers if (fix := fix_of(answer))}) > 1,
        Dispute.SOUNDNESS: kept and len(sound) > 1,
        Dispute.FLAGGED: any(each.flag for each in said),
    }
    return tuple(dispute for dispute, holds in found.items() if holds)


def _agreed(
    answers: Sequence[Mapping[str, Any]],
    disputes: tuple[Dispute, ...],
    ids: tuple[int, ...],
    is_settled: bool = False,
) -> McqState:
    fate = _FATES[Verdict(answers[0]["verdict"])]
    said = (answer["cause"] for answer in answers if "cause" in answer)
    causes = () if fate is Fate.KEPT else _ordered(said)
    return McqState(fate, causes, disputes, fix_of(answers[0]), ids, is_settled)


def _ordered(causes: Iterable[str]) -> tuple[str, ...]:
    """Return each cause once, the packaged ones first and in their order."""
    place = {cause: at for at, cause in enumerate(CAUSES)}
    return tuple(sorted(set(causes), key=lambda each: (place.get(each, len(place)), each)))


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What one model of a server answered: per setting an option (from 0) for each repeat.

    None stands where the reply chooses none; `outcomes` says, in the same order, what it came to.
    """

    model: str
    server: str
    said: Mapping[str, tuple[int | None, ...]]
    outcomes: Mapping[str, tuple[Outcome, ...]]


@dataclass(frozen=True, slots=True)
class McqView:
    """A question and what its reader may see of it; None stands for what is not told yet.

    Options and `stored`, the place of the stored answer among them, count from 0.
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
    """Return the question of an item as far as the person's own answers have opened it."""
    stage = stage_of(item.answers, item.status == "submitted")
    with ws.reading() as session:
        project_id = annotator(session, person_id).project_id
        return mcq_view(session, project_id, item.subject_id, stage)


def mcq_view(session: Session, project_id: int, mcq_id: int, stage: Stage) -> McqView:
    """Return a question at a stage. Raises UserError for one that is not of the project."""
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
        votes=_answered(session, project_id, mcq_id, found) if stage is Stage.DONE else None,
    )


def _answered(
    session: Session, project_id: int, mcq_id: int, asked: Mcq
) -> tuple[ModelAnswers, ...]:
    """Return what models answered to this very wording; a corrected one is another question."""
    cast = read_votes(votes(session, project_id, mcq_id), {mcq_id: Wordings.of(asked)})
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
