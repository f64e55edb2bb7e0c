"""The questions of a project as they stand: what people made of each, and its present wording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlmodel import Session

from annotation.mcq.state import WAITING, Fate, McqState, mcq_states
from construction.mcq.model import Mcq
from storage.mcq.questions import Kept, questions
from storage.mcq.readings import Wordings


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with what has become of it; `item` is as people put it right where they did."""

    id: int
    item: Mcq
    kept: Kept
    state: McqState

    @property
    def dropped(self) -> bool:
        """Whether people took it out."""
        return self.state.fate is Fate.DROPPED

    @property
    def checked(self) -> bool:
        """Whether people let it stand, as it was or put right."""
        return self.state.fate in (Fate.KEPT, Fate.FIXED)


def standing_questions(session: Session, project_id: int) -> list[QuestionState]:
    """Return every question of the project with what has become of it, in order of id."""
    states = mcq_states(session, project_id)
    return [
        QuestionState(each.id, _as_put_right(each.question, state), each, state)
        for each in questions(session, project_id)
        for state in (states.get(each.id, WAITING),)
    ]


def wordings_of(found: Iterable[QuestionState]) -> dict[int, Wordings]:
    """Return the wordings that votes on the questions may be on: as they are, and as written."""
    return {each.id: Wordings.of(each.item, [each.kept.question]) for each in found}


def _as_put_right(question: Mcq, state: McqState) -> Mcq:
    fix = state.fix
    if fix is None:
        return question
    options = (*fix.options, question.options[-1])
    return replace(question, query=fix.query, options=options, answer=fix.answer + 1)
