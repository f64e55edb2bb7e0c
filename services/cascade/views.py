"""Views of augmented questions with their layer results, for reading and overruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.cascade.restoring import restore, withdraw
from annotation.closure.gold_sets import completed_gold, decisions_in
from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import Layers
from errors import UserError, Where
from storage.cascade.names import Names, names_in
from storage.cascade.results import (
    Overruled,
    QuestionState,
    State,
    layers_by_number,
    question_called,
    restorations,
    states,
)
from storage.db.workspace import Workspace
from storage.tables.augmentation import AugmentedQuestion

__all__ = ["State", "restore", "withdraw"]


@dataclass(frozen=True, slots=True)
class QuestionDetail:
    """A question with its whole history; `gold` includes closure's additions.

    `layers` are those of its latest run, or the current ones without a run; `history` are its
    restorations and withdrawals, oldest first; `names` are display names of its keys.
    """

    state: QuestionState
    gold: list[dict[str, Any]]
    layers: Layers
    history: tuple[Overruled, ...]
    names: Names

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        question = self.state.question
        return _line(self.state) | {
            "answer": question.answer,
            "language": question.language,
            "axes": dict(question.axes),
            "gold": self.gold,
            "results": [
                {"layer": each.layer, "outcome": each.outcome, "reasons": list(each.reasons)}
                for each in self.state.results
            ],
            "restorations": [
                {
                    "layer": each.layer,
                    "kind": each.kind,
                    "reason": each.reason,
                    "person": each.person,
                    "at": each.at.isoformat(),
                }
                for each in self.history
            ],
        }


def list_questions(
    ws: Workspace, project_slug: str, state: str = "", by: int | None = None
) -> list[QuestionState]:
    """Return the augmented questions with their state, in order of creation.

    `state` filters by state. Raises UserError for `by` who may not read others' labels and for an
    unknown state.
    """
    if state and state not in tuple(State):
        raise UserError("cascade_state", Where(field="state"), known=", ".join(State))
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return [each for each in states(session, project.id) if not state or each.state == state]


def read_question(
    ws: Workspace, project_slug: str, external_id: str, by: int | None = None
) -> QuestionDetail:
    """Return one question with all its results.

    Raises UserError for `by` who may not read others' labels and for an unknown question.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        number = question_called(session, project.id, external_id)
        found = next(each for each in states(session, project.id) if each.question.id == number)
        if found.run is None:
            layers = CASCADE_LAYERS.current(session, project.id)[1]
        else:
            held = found.run.layers_number
            layers = layers_by_number(session, project.id, [held])[held]
        gold = completed_gold(
            session.get_one(AugmentedQuestion, number),
            decisions_in(session, project.id).get(("augmented", number), {}),
        )
        history = [each for each in restorations(session, project.id) if each.question == number]
        names = names_in(session, project.id)
    return QuestionDetail(found, gold, layers, tuple(history), names)


def as_line(state: QuestionState) -> dict[str, Any]:
    """Return a question of the list as JSON values."""
    return _line(state)


def _line(state: QuestionState) -> dict[str, Any]:
    """Return a question's state as JSON values."""
    return {
        "id": state.question.external_id,
        "state": str(state.state),
        "layer": state.layer,
        "text": state.question.text,
        "target": state.question.level,
        "overruled": sorted(state.overruled),
        "version": None if state.run is None else state.run.layers_number,
    }
