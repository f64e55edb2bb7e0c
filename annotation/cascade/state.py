"""What has become of each augmented question, derived from what layers said and who overruled them.

The newest run that saw a question counts. A layer that somebody overruled for a question stays
overruled for it, in later runs too, until that is withdrawn: the question goes on to the layers
behind it, which may reject it in their turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from annotation.cascade.layers import layers_by_number
from annotation.people.roles import Act, writing_as
from annotation.work.submissions import checked_text
from construction.cascade.checks import Outcome
from construction.cascade.layers import Layers
from corpus.limits import NOTE
from errors import UserError, Where
from storage.cascade.results import (
    RESTORE,
    WITHDRAW,
    Overruled,
    Question,
    Result,
    RunView,
    add_restoration,
    newest_results,
    question_called,
    questions,
    restorations,
    runs,
)
from storage.db.workspace import Workspace
from storage.tables.cascade import Restoration


class State(StrEnum):
    """What has become of a question."""

    WAITING = "waiting"  # a layer has still to see it
    REJECTED = "rejected"
    UNJUDGED = "unjudged"  # a layer had nothing to go by
    THROUGH = "through"
    RESTORED = "restored"  # came through, and somebody overruled a layer


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with what has become of it.

    `layer` is the one that rejected it or had nothing to go by, "" for other states; `results` is
    what the layers of its newest run said, by place; `overruled` the restorations that stand, by
    layer; `run` is None where no run has seen it.
    """

    question: Question
    state: State
    layer: str
    results: tuple[Result, ...]
    overruled: Mapping[str, Overruled]
    run: RunView | None

    @property
    def came_through(self) -> bool:
        """Whether every layer has let it through, or was overruled."""
        return self.state in (State.THROUGH, State.RESTORED)


def fate(
    results: Sequence[Result], overruled: Iterable[str], layers: Layers | None
) -> tuple[State, str]:
    """Return what has become of a question of which this was said, and at which layer.

    `layers` are those of the run, None where there was none.
    """
    if not results or layers is None:
        return State.WAITING, ""
    let = set(overruled)
    for each in results:
        if each.outcome != Outcome.PASSED and each.layer not in let:
            rejected = each.outcome == Outcome.REJECTED
            return (State.REJECTED if rejected else State.UNJUDGED), each.layer
    seen = {each.layer for each in results}
    if any(str(step.layer) not in seen for step in layers.asked):
        return State.WAITING, ""
    restored = any(each.outcome != Outcome.PASSED for each in results)
    return (State.RESTORED if restored else State.THROUGH), ""


def states(session: Session, project_id: int) -> list[QuestionState]:
    """Return every augmented question of a project with what has become of it, in order of id."""
    known, said = runs(session, project_id), newest_results(session, project_id)
    numbers = {known[results[0].run].layers_number for results in said.values()}
    layers = layers_by_number(session, project_id, numbers)
    standing = standing_restorations(restorations(session, project_id))
    found = []
    for question in questions(session, project_id):
        results = tuple(said.get(question.id, ()))
        run = known[results[0].run] if results else None
        let = standing.get(question.id, {})
        state, layer = fate(results, let, None if run is None else layers[run.layers_number])
        found.append(QuestionState(question, state, layer, results, let, run))
    return found


def standing_restorations(rows: Iterable[Overruled]) -> dict[int, dict[str, Overruled]]:
    """Return the restorations that stand, by question and layer; of each the newest row holds."""
    newest: dict[tuple[int, str], Overruled] = {}
    for row in rows:
        newest[row.question, row.layer] = row
    found: dict[int, dict[str, Overruled]] = {}
    for (question, layer), row in newest.items():
        if row.kind == RESTORE:
            found.setdefault(question, {})[layer] = row
    return found


def come_through(session: Session, project_id: int) -> list[int]:
    """Return the ids of the augmented questions that people are to curate, ascending.

    They are those that every layer of their newest run let through or was overruled on, where the
    version of the layers that the run went by gives them to people.
    """
    found = [each for each in states(session, project_id) if each.came_through]
    numbers = {each.run.layers_number for each in found if each.run}
    layers = layers_by_number(session, project_id, numbers)
    return [
        each.question.id
        for each in found
        if each.run is not None and layers[each.run.layers_number].to_people
    ]


def restore(
    ws: Workspace, slug: str, external_id: str, reason: str, by: int | None = None
) -> QuestionState:
    """Overrule the layer that rejected a question, or had nothing to go by; return its state then.

    Raises UserError for who may not, an unknown question, one that no layer holds up, and a reason
    that is empty or too long.
    """
    reason = _reason(reason)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, who):
        now = _state_of(session, project.id, external_id)
        held = next((each for each in now.results if each.layer == now.layer), None)
        if held is None:
            raise UserError("cascade_not_held", id=external_id)
        person = None if who is None else who.person_id
        add_restoration(session, _row(now, held.id, RESTORE, reason, person, ws))
        return _state_of(session, project.id, external_id)


def withdraw(
    ws: Workspace, slug: str, external_id: str, reason: str, layer: str = "", by: int | None = None
) -> QuestionState:
    """Withdraw a restoration of a question, so that its layer counts again; return its state then.

    It is that of `layer`, else the newest that stands. Raises UserError as `restore` does, and
    where there is no such restoration.
    """
    reason = _reason(reason)
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, who):
        now = _state_of(session, project.id, external_id)
        standing = sorted(now.overruled.values(), key=lambda each: each.at)
        chosen = [each for each in standing if not layer or each.layer == layer]
        if not chosen:
            raise UserError("cascade_not_restored", id=external_id)
        person = None if who is None else who.person_id
        add_restoration(session, _row(now, chosen[-1].result, WITHDRAW, reason, person, ws))
        return _state_of(session, project.id, external_id)


def _state_of(session: Session, project_id: int, external_id: str) -> QuestionState:
    number = question_called(session, project_id, external_id)
    return next(each for each in states(session, project_id) if each.question.id == number)


def _reason(text: str) -> str:
    reason = checked_text(text, "reason", NOTE).strip()
    if not reason:
        raise UserError("reason_missing", Where(field="reason"))
    return reason


def _row(
    now: QuestionState, result_id: int, kind: str, reason: str, person: int | None, ws: Workspace
) -> Restoration:
    return Restoration(
        augmented_question_id=now.question.id,
        layer_result_id=result_id,
        kind=kind,
        reason=reason,
        person_id=person,
        at=ws.clock(),
    )
