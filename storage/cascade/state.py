"""What has become of each augmented question, derived from what layers said and who overruled them.

The newest run that saw a question counts. A layer that somebody overruled for a question stays
overruled for it, in later runs too, until that is withdrawn: the question goes on to the layers
behind it, which may reject it in their turn.
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

PACKAGED = 1  # the number of the version of the layers that the product comes with


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


def layers_by_number(
    session: Session, project_id: int, numbers: Collection[int]
) -> dict[int, Layers]:
    """Return what each of these versions of the layers says."""
    texts = {PACKAGED: starter()} | layers_texts(session, project_id, numbers)
    return {number: parse(texts[number]) for number in sorted(set(numbers))}
