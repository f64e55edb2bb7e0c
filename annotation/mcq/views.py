"""A multiple-choice question as somebody may read it now: what a later step shows is left out.

The second provision is told to who has answered from the first, the stored answer to who has
answered from both, what models answered to who has submitted, and all of it to an adjudicator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from annotation.mcq.solvability import Stage, stage_of
from annotation.people.roles import annotator
from annotation.work.queue_service import ItemView
from construction.mcq.model import Mcq, Passage
from evaluation.replies.outcomes import Outcome
from storage.db.workspace import Workspace
from storage.mcq.questions import question_by_id
from storage.mcq.readings import ReadVote, Wordings, read_votes
from storage.mcq.votes import votes


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
