"""Report on the cascade: questions removed per layer, and accuracy of difficulty.

Views of augmented questions with their layer results, for reading and overruling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from annotation.cascade import restore, withdraw
from annotation.closure.gold_sets import completed_gold, decisions_in
from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.augmentation.rubric import LEVELS
from construction.cascade.checks import Outcome, counts
from construction.cascade.layers import Layer, Layers, Step
from errors import Where, require_known
from evaluation.figure import Figure, share_figure
from evaluation.reports.report import Chart, Kind, Report, Section, Shape, Word, Words
from messages import say
from storage.cascade.names import Names, names_in, reason_name
from storage.cascade.results import (
    Overruled,
    QuestionState,
    Result,
    State,
    layers_by_number,
    question_called,
    restorations,
    states,
)
from storage.curation import admissions
from storage.db.workspace import Workspace
from storage.tables.augmentation import AugmentedQuestion

__all__ = ["State", "restore", "withdraw"]


@dataclass(frozen=True, slots=True)
class CascadeReport:
    """What the report is made of: the questions whose latest run used version `number`.

    `found` are these, and those not yet run. `outdated` others used another version, and count only
    in `questions`. `admitted` are now questions of the project.
    """

    number: int
    layers: Layers
    found: Sequence[QuestionState]
    outdated: int = 0
    admitted: int = 0

    @property
    def questions(self) -> int:
        """All questions, whatever version they went through."""
        return len(self.found) + self.outdated

    @property
    def states(self) -> dict[str, int]:
        """Number of questions by state, those not yet run among them."""
        counted = Counter(each.state for each in self.found)
        return {str(state): counted[state] for state in State}

    @property
    def yielded(self) -> Figure:
        """Share of questions through all layers, or restored, among these and the rejected."""
        states = self.states
        through = states[State.THROUGH] + states[State.RESTORED]
        return share_figure("yield", through, through + states[State.REJECTED])

    @property
    def levels(self) -> Counter[tuple[str, str]]:
        """Number of questions whose level was checked, by requested and actual level."""
        return Counter(
            (reason["values"]["target"], reason["values"]["actual"])
            for _, result in self.seen_by(Layer.DIFFICULTY)
            for reason in result.reasons
            if reason["code"] == "level"
        )

    @property
    def hits(self) -> Figure:
        """Share of the questions whose level was checked that have the requested level."""
        levels = self.levels
        hit = sum(count for (target, actual), count in levels.items() if target == actual)
        return share_figure("hits", hit, levels.total())

    def seen_by(self, layer: str) -> list[tuple[QuestionState, Result]]:
        """Return the questions that came to a layer, with what it said."""
        return [(e, said) for e in self.found for said in e.results if said.layer == layer]


def cascade_report(ws: Workspace, project_slug: str, by: int | None = None) -> CascadeReport:
    """Return the report on questions whose latest run used the current layers, or not yet run.

    Raises UserError for `by` who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        number, layers = CASCADE_LAYERS.current(session, project.id)
        found = states(session, project.id)
        admitted = len(admissions(session, project.id))
    present = [each for each in found if each.run is None or each.run.layers_number == number]
    return CascadeReport(number, layers, present, len(found) - len(present), admitted)


def as_report(found: CascadeReport, language: str) -> Report:
    """Return the report: what each layer took out and why, the yield, and the levels."""
    words = Words("cascade.report", language, kinds={"share": Kind.SHARE})
    sections = (
        _layers(found, words),
        _states(found, words),
        _shares(found, words),
        _reasons(found, words),
        _levels(found, words),
    )
    facts = {"version": found.number, "questions": found.questions}
    facts |= {"outdated": found.outdated, "admitted": found.admitted}
    share = {"share": found.yielded.percent(), "n": found.yielded.n}
    lead = words("yield_lead", **share) if found.yielded.n else ""
    notes = (words("admitted", count=found.admitted),) if found.admitted else ()
    return Report("cascade", say("cascade.title", language), sections, lead, notes, facts)


def _layers(found: CascadeReport, words: Words) -> Section:
    """Return the counts of each layer, in order.

    Those restored of its rejected or unjudged ones were let through by a person. The share is
    passed among passed and rejected; unjudged ones are excluded.
    """
    on, off = (say(f"cascade.yes.{each}", words.language) for each in ("true", "false"))
    rows = []
    for step in _steps(found):
        seen = found.seen_by(step.layer)
        counted = Counter(str(result.outcome) for _, result in seen)
        passed, decided = counted["passed"], counted["passed"] + counted["rejected"]
        let = (e for e, result in seen if result.outcome != Outcome.PASSED)
        row: dict[str, object] = {
            "layer": _layer_word(step.layer, words),
            "share": share_figure(step.layer, passed, decided),
            "n": decided,
            "on": Word("yes", on) if step.on else Word("no", off),
            "entered": len(seen),
            **{name: counted[name] for name in Outcome},
            "restored": sum(step.layer in each.overruled for each in let),
        }
        rows.append(row)
    chart = Chart(Shape.STACK, ("layer",), tuple(Outcome), legend=words("count"))
    lead, notes = _states_sentence(found, words), (words("funnel_note"),)
    return words.section("layers", "funnel", rows, lead, chart, notes)


def _steps(found: CascadeReport) -> list[Step]:
    """Return the layers that machines run: all but curation by people."""
    return [step for step in found.layers.steps if step.layer is not Layer.PEOPLE]


def _layer_word(layer: str, words: Words) -> Word:
    return Word(layer, say(f"cascade.layer.{layer}", words.language))


def _states_sentence(found: CascadeReport, words: Words) -> str:
    """Return the counts of questions by state, and of those that are not counted."""
    counts = dict(found.states)
    counts["through"] += counts["restored"]
    present = found.questions - found.outdated
    sentence = words("version", number=found.number, **counts, questions=present)
    if not found.outdated:
        return sentence
    return f"{sentence} {words('outdated', count=found.outdated)}"


def _states(found: CascadeReport, words: Words) -> Section:
    """Count the questions by state."""
    row = {"of": words.word("questions"), **found.states}
    heads = {state: say(f"cascade.state.{state}", words.language) for state in found.states}
    rows = [row] if any(found.states.values()) else []
    chart = Chart(Shape.STACK, ("of",), tuple(found.states), legend=words("count"))
    return words.section("states", "states", rows, chart=chart, heads=heads)


def _shares(found: CascadeReport, words: Words) -> Section:
    """Return the yield of the cascade, and the share of questions at the requested level."""
    rows = (
        {"measure": words.word(each.name), "share": each, "n": each.n}
        for each in (found.yielded, found.hits)
    )
    chart, heads = Chart(Shape.FOREST, ("measure",), ("share",)), {"share": words("value")}
    notes = (words("yield_note"), words("hits_note"))
    return words.section("shares", "shares", rows, chart=chart, notes=notes, heads=heads)


def _reasons(found: CascadeReport, words: Words) -> Section:
    """Count the questions per layer and reason against them, most frequent first."""
    rows = []
    for step in _steps(found):
        counted: Counter[str] = Counter()
        for _, result in found.seen_by(step.layer):
            if result.outcome != Outcome.PASSED:
                counted.update({str(each["code"]) for each in result.reasons if counts(each)})
        layer, labels = _layer_word(step.layer, words), found.layers.labels()
        rows += [
            {
                "layer": layer,
                "reason": Word(code, reason_name(code, labels, words.language)),
                "count": count,
            }
            for code, count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
        ]
    chart = Chart(Shape.STACK, ("reason",), ("count",), "layer", words("count"))
    return words.section("reasons", "reasons", rows, chart=chart)


def _levels(found: CascadeReport, words: Words) -> Section:
    """Return the questions by the level asked for and that of the provisions they cite."""
    levels, hits = found.levels, found.hits
    rows = (
        {"target": target, "actual": actual, "count": levels[target, actual]}
        for target, actual in product(LEVELS, LEVELS)
    )
    lead = words("hits_lead", share=hits.percent(), n=hits.n) if hits.n else ""
    chart = Chart(Shape.HEAT, ("actual", "target"), ("count",))
    return words.section("levels", "levels", rows if levels else (), lead, chart)


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
        return as_line(self.state) | {
            "answer": question.answer,
            "language": question.language,
            "axes": dict(question.axes),
            "gold": self.gold,
            "results": [
                {"layer": each.layer, "outcome": each.outcome, "reasons": list(each.reasons)}
                for each in self.state.results
            ],
            "restorations": [
                {name: getattr(each, name) for name in ("layer", "kind", "reason", "person")}
                | {"at": each.at.isoformat()}
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
    if state:
        require_known("cascade_state", State, Where(field="state"), state=state)
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
