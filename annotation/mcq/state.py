"""State of a multiple-choice question, with what each reader may see.

An item waits until it is complete, and while it is discussed. If the submissions agree it is kept,
fixed or dropped; if they differ it is disputed until an adjudicator decides.

The material of later steps is hidden: the second provision is shown to people who have answered
from the first, the stored answer to those who have answered from both, models' answers to those who
have submitted, and everything to adjudicators.

Disputes on multiple-choice questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from annotation.mcq.solvability import SPEC, Fix, Stage, fix_of, stage_of
from annotation.people.roles import ProjectMember, annotator
from annotation.tasks.outcomes import DeclaredDisputes, ItemState, Outcomes
from annotation.work.queue_service import ItemView
from construction.mcq.model import Mcq, Passage
from evaluation.replies.outcomes import Outcome
from normalization.grouping import grouped
from storage.db.workspace import Workspace
from storage.mcq.questions import question_by_id
from storage.mcq.votes import Wordings, read_votes, votes
from storage.tables.core import Item

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


class Fate(StrEnum):
    """The outcome of an item."""

    KEPT = "kept"
    FIXED = "fixed"
    DROPPED = "dropped"
    DISPUTED = "disputed"
    WAITING = "waiting"


class McqState(ItemState):
    """The outcome of one item; `causes` are most important first."""

    __slots__ = ()

    @property
    def fix(self) -> Fix | None:
        """The correction; None unless it is fixed."""
        return fix_of(self.agreed)


WAITING = McqState(Fate.WAITING)
_OUTCOMES = Outcomes(SPEC, McqState, Fate, CAUSES)
mcq_states, state_of, state_of_case = _OUTCOMES.by_subject, _OUTCOMES.of, _OUTCOMES.of_case


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
    here = [each for each in cast if each.present]
    by_model = grouped(((each.vote.model, each.vote.server), each) for each in here)
    answers = []
    for who in sorted(by_model):
        settings = grouped((each.vote.setting, each) for each in by_model[who])
        said = {name: tuple(e.option for e in there) for name, there in settings.items()}
        came = {name: tuple(e.reading.outcome for e in there) for name, there in settings.items()}
        answers.append(ModelAnswers(*who, said, came))
    return tuple(answers)


class McqDisputes(DeclaredDisputes):
    """MCQ disputes, with what they show of an item."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> McqView:
        """Return the full question."""
        return mcq_view(session, who.project_id, item.subject_id or 0, Stage.DONE)


DISPUTES = McqDisputes(_OUTCOMES)
