"""The walk of one question through the layers, and the layers' inputs.

The closure layer: rules that add provisions to a question's gold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlmodel import Session

from annotation.closure.proposals import (
    ADDED,
    INCOMPLETE,
    Completion,
    Scope,
    completion,
    keep,
    scope_of,
)
from annotation.work.editions import PACKAGED
from construction.augmentation.axes import Axes
from construction.augmentation.axes import parse as parse_axes
from construction.augmentation.axes import starter as packaged_axes
from construction.augmentation.governing import group_slots
from construction.augmentation.rubric import LEVELS, Governing, ReferenceSet, reference_set
from construction.cascade.checks import (
    MISSING,
    Addition,
    Finding,
    Outcome,
    closure,
    completed,
    gate,
    heuristics,
    level,
    unjudged,
)
from construction.cascade.layers import Closure, Difficulty, Gate, Heuristics, Judge, Step
from construction.parallel.declaration import Declaration
from storage.augmentation.provisions import cited_units
from storage.cascade.names import axes_texts, governing
from storage.cascade.results import Question, QuestionState
from storage.closure.stored_law import StoredLaw
from storage.db.workspace import Workspace
from storage.law.graph import graph_view
from storage.law.parallel_groups import declaration_in
from storage.projects import ProjectView
from storage.tables.augmentation import AugmentedQuestion


@dataclass(frozen=True, slots=True)
class Ground:
    """Inputs of the layers: law, axes by number, parallel groups, restorations.

    `provisions` grow with closure's additions. `cited` are the provisions each question's answer
    cites, and `overruled` the layers overruled by people, per question.
    """

    cited: Mapping[int, Sequence[str]]
    provisions: dict[str, Governing]
    axes: Mapping[int, Axes]
    groups: Declaration
    overruled: Mapping[int, Collection[str]]
    closing: Closing

    def reference_set(self, question: Question, units: Sequence[str]) -> ReferenceSet:
        """Return the reference set of these provisions for a question."""
        axes = self.axes[question.axes_number]
        return reference_set(
            [self.provisions[unit] for unit in units if unit in self.provisions],
            axes.rubric,
            **axes.traits(str(question.axes.get("type"))),
            groups=group_slots(self.groups, axes.groups),
        )


def ground_in(
    session: Session,
    project_id: int,
    snapshot_id: int,
    questions: Sequence[QuestionState],
    closing: Closing,
) -> Ground:
    """Return the layers' inputs for these questions in a law."""
    cited = cited_units(session, snapshot_id, [each.question for each in questions])
    units = {
        unit for each in questions for unit in (*each.question.units, *cited[each.question.id])
    }
    texts = {PACKAGED: packaged_axes()} | axes_texts(session, project_id)
    numbers = {each.question.axes_number for each in questions}
    return Ground(
        cited=cited,
        provisions=governing(session, snapshot_id, units),
        axes={number: parse_axes(texts[number]) for number in numbers},
        groups=declaration_in(session, project_id),
        overruled={each.question.id: frozenset(each.overruled) for each in questions},
        closing=closing,
    )


@dataclass(slots=True)
class Walk:
    """A question in the cascade; `said` are the findings of the layers so far, in order.

    `units` are its governing provisions, including closure's additions.
    """

    question: Question
    steps: Sequence[Step]
    ground: Ground
    said: list[tuple[Step, Finding]] = field(default_factory=list)
    units: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Start with the provisions that the question was written from."""
        self.units = self.question.units

    @property
    def at(self) -> Step | None:
        """The next layer, None at the end."""
        if self._is_stopped or len(self.said) == len(self.steps):
            return None
        return self.steps[len(self.said)]

    @property
    def judge(self) -> Judge:
        """Parameters of the judge, when it is the next layer."""
        step = self.at
        if step is None or not isinstance(step, Judge):
            raise ValueError("the question is not before the judge")
        return step

    @property
    def end(self) -> tuple[str, Outcome]:
        """Layer that stopped the question with its outcome; "" and passed if none did."""
        if self._is_stopped:
            step, finding = self.said[-1]
            return str(step.layer), finding.outcome
        return "", Outcome.PASSED

    @property
    def completed(self) -> bool:
        """Whether it passed and closure added to its gold."""
        return self.end[1] is Outcome.PASSED and any(
            isinstance(step, Closure) and finding.outcome is Outcome.PASSED
            for step, finding in self.said
            if any(reason.code == MISSING for reason in finding.reasons)
        )

    def go_on(self) -> None:
        """Run layers until the judge is next or the end is reached."""
        while (step := self.at) is not None and not isinstance(step, Judge):
            self.said.append((step, self._finding(step)))

    def say(self, finding: Finding) -> None:
        """Record the judge's finding, and continue."""
        step = self.at
        if step is not None:
            self.said.append((step, finding))
        self.go_on()

    @property
    def _is_stopped(self) -> bool:
        """Whether the last layer failed the question and nobody overruled it."""
        if not self.said:
            return False
        step, finding = self.said[-1]
        let = self.ground.overruled.get(self.question.id, ())
        return finding.outcome is not Outcome.PASSED and str(step.layer) not in let

    def _finding(self, step: Step) -> Finding:
        """Apply one layer to the question."""
        match step:
            case Gate() as layer:
                return gate(self.question, layer)
            case Heuristics() as layer:
                return heuristics(self.question, layer)
            case Difficulty() as layer:
                return self._level(layer)
            case Closure() as layer:
                return self._gold_closure(layer)
            case _:
                raise AssertionError(f"{step.layer} is not for a machine to decide")

    def _level(self, layer: Difficulty) -> Finding:
        """Compare the level of the cited provisions with the one requested; unjudged if unknown."""
        absent = [unit for unit in self.units if unit not in self.ground.provisions]
        if absent:
            return unjudged("absent", units=", ".join(absent))
        if self.question.level not in LEVELS:
            return unjudged("no_target")
        cited, written = self.ground.cited[self.question.id], self.question.units
        added = [unit for unit in self.units if unit not in written]  # by closure, if it came first
        found = self.ground.reference_set(self.question, [*cited, *added])
        rubric = self.ground.axes[self.question.axes_number].rubric
        return level(found, self.question.level, layer, rubric)

    def _gold_closure(self, layer: Closure) -> Finding:
        """Check that the gold has all that citation rules add; a pass sets the walk's units."""
        closing = self.ground.closing
        if not closing.graph:
            return unjudged("no_graph")
        made = closing.completion(self.question)
        if faults := [each for each in made.reasons if each["code"] != ADDED]:
            code = "open_end" if faults[0]["code"] == INCOMPLETE else "absent"
            units = ", ".join(str(each["values"].get("unit", "")) for each in faults)
            return unjudged(code, units=units)
        told = (each["values"] for each in made.reasons)
        missing = [Addition(v["unit"], v["rule"], ", ".join(v["words"])) for v in told]
        finding = closure(missing, layer, closing.added_before(self.question))
        if finding.outcome is not Outcome.PASSED:
            return finding
        self.units = tuple(dict.fromkeys(str(each["unit"]) for each in made.gold))
        new = [unit for unit in self.units if unit not in self.ground.provisions]
        self.ground.provisions.update(closing.lookup(new) if new else {})
        found = self.ground.reference_set(self.question, self.units)
        rubric = self.ground.axes[self.question.axes_number].rubric
        return completed(finding, found, self.question.level, rubric)


@dataclass(frozen=True, slots=True)
class Closing:
    """Closure of augmented questions' gold by the rules and decisions current at creation.

    `graph` is whether the law has a citation graph, without which nothing can be closed.
    """

    ws: Workspace
    scope: Scope
    graph: bool

    def lookup(self, units: Collection[str]) -> Mapping[str, Governing]:
        """Return the provisions that exist in the law."""
        with self.ws.reading() as session:
            return governing(session, self.scope.snapshot_id, units)

    def completion(self, question: Question) -> Completion:
        """Return the completed gold of a question, or why it cannot be completed."""
        with self.ws.reading() as session:
            row = session.get_one(AugmentedQuestion, question.id)
            return completion(self._scope(session), row)[0]

    def added_before(self, question: Question) -> list[Addition]:
        """Return the provisions added to a question's gold so far, in order."""
        said = self.scope.decisions.get(("augmented", question.id), {})
        return [
            Addition(each.unit, each.rule, ", ".join(fired.text for fired in each.fired))
            for _, each in sorted(said.items())
            if each.verdict == "added" and each.unit not in question.units
        ]

    def keep(self, session: Session, question_id: int, at: datetime, by: int | None) -> None:
        """Store the additions to a question's gold, in the session's transaction."""
        scope = self._scope(session)
        _, rows = completion(scope, session.get_one(AugmentedQuestion, question_id))
        keep(scope, rows, at, by)

    def _scope(self, session: Session) -> Scope:
        """Return the scope in another session."""
        return replace(self.scope, session=session, law=StoredLaw(session, self.scope.snapshot_id))


def closing_in(session: Session, ws: Workspace, project: ProjectView) -> Closing:
    """Return the closure by a project's current rules in the law in use."""
    scope = scope_of(session, project)
    return Closing(ws, scope, graph_view(session, scope.snapshot_id) is not None)
