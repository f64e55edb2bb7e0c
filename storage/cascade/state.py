"""State of each generated question, derived from layer results and restorations.

The newest run that saw a question counts. A layer that somebody overruled for a question stays
overruled in later runs too, until that is withdrawn: the question goes on to the next layers, which
may reject it in their turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session

from construction.cascade.checks import Outcome
from construction.cascade.layers import Layers, parse, starter
from storage.cascade.results import (
    RESTORE,
    Overruled,
    Question,
    Result,
    RunView,
    layers_texts,
    newest_results,
    questions,
    restorations,
    runs,
)

PACKAGED = 1  # the number of the packaged version of the layers


class State(StrEnum):
    """The state of a question in the cascade."""

    WAITING = "waiting"  # some layer has not seen it yet
    REJECTED = "rejected"
    UNJUDGED = "unjudged"  # a layer had nothing to judge by
    THROUGH = "through"
    RESTORED = "restored"  # passed, with a layer overruled


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with its cascade state.

    `layer` is the one that rejected it or could not judge it, "" for other states; `results` are
    the layers' results in its newest run, in order; `overruled` the valid restorations, by layer;
    `run` is None where no run has seen it.
    """

    question: Question
    state: State
    layer: str
    results: tuple[Result, ...]
    overruled: Mapping[str, Overruled]
    run: RunView | None

    @property
    def came_through(self) -> bool:
        """Whether every layer passed it or was overruled."""
        return self.state in (State.THROUGH, State.RESTORED)


def fate(
    results: Sequence[Result], overruled: Iterable[str], layers: Layers | None
) -> tuple[State, str]:
    """Return the state of a question with these results, and the layer that stopped it.

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
    """Return every generated question of a project with its state, in order of id."""
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
    """Return the valid restorations, by question and layer; the newest row of each counts."""
    newest: dict[tuple[int, str], Overruled] = {}
    for row in rows:
        newest[row.question, row.layer] = row
    found: dict[int, dict[str, Overruled]] = {}
    for (question, layer), row in newest.items():
        if row.kind == RESTORE:
            found.setdefault(question, {})[layer] = row
    return found


def come_through(session: Session, project_id: int) -> list[int]:
    """Return the ids of the generated questions that go to curation, decided or not, ascending.

    They passed every layer of their newest run, or were restored, and that version of the layers
    sends questions to people. Whether curation has admitted or rejected them is not looked at.
    """
    found = [each for each in states(session, project_id) if each.came_through]
    numbers = {each.run.layers_number for each in found if each.run}
    layers = layers_by_number(session, project_id, numbers)
    return [
        each.question.id
        for each in found
        if each.run is not None and layers[each.run.layers_number].to_people
    ]


def layers_by_number(
    session: Session, project_id: int, numbers: Collection[int]
) -> dict[int, Layers]:
    """Return the parsed layers of each of these versions."""
    texts = {PACKAGED: starter()} | layers_texts(session, project_id, numbers)
    return {number: parse(texts[number]) for number in sorted(set(numbers))}
