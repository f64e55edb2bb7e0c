"""The rules' proposals for the gold sets of a project, and their states.

Proposals are derived on every call and never stored; the newest decision on one applies while the
gold set lacks the provision.

Rule-based completion of augmented questions' gold, as a layer of the quality cascade.

A question keeps the gold that it was written from; completions are rows beside it
(`ClosureDecision`), as if somebody had added each provision, so that every reader of its gold reads
both. A provision that a person dismissed stays out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session

from annotation.adjudication.decisions import current_decisions
from annotation.closure.gold_sets import (
    KINDS,
    Decision,
    GoldCase,
    Kind,
    augmented_case,
    completed_gold,
    decisions_in,
    gold_cases,
)
from annotation.work.discussions import open_discussions
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.audit import audit
from construction.closure.engine import Added, Missing, missing
from construction.closure.rules import ClosureRules, parse
from normalization.grouping import grouped
from storage.closure.stored_law import StoredLaw
from storage.law.corpus import required_snapshot
from storage.projects import ProjectView
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision

State = Literal["waiting", "sent_back", "declined", "dismissed"]
STATES: tuple[State, ...] = ("waiting", "sent_back", "declined", "dismissed")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A provision that rules propose for a gold set, with the reasons in `why`.

    ``waiting`` for a decision; ``sent_back`` to those who made the gold; ``declined`` if they
    decided again, or in curation, without it; ``dismissed`` with a reason. `place` is the
    provision's name, `decision` the newest one in force.
    """

    unit: str
    place: str
    why: tuple[Added, ...]
    state: State
    decision: Decision | None

    @property
    def rules(self) -> tuple[str, ...]:
        """Keys of the rules that propose it."""
        return tuple(each.rule for each in self.why)


@dataclass(frozen=True, slots=True)
class CheckedSet:
    """A gold set with the provisions it lacks; see `construction.closure.engine.Missing`.

    `unknown` are provisions of its gold that the law in use does not have.
    """

    case: GoldCase
    proposals: tuple[Proposal, ...]
    unknown: tuple[str, ...]
    complete: bool

    def lacking(self, rule: str = "") -> bool:
        """Return True if it lacks a provision (by that rule) that nobody has dismissed."""
        return any(
            each.state != "dismissed" and (not rule or rule in each.rules)
            for each in self.proposals
        )

    @property
    def states(self) -> frozenset[State]:
        """States of its proposals."""
        return frozenset(each.state for each in self.proposals)


@dataclass(slots=True)
class Scope:
    """The inputs of proposals: law in use, current rules, and decisions."""

    session: Session
    project: ProjectView
    law: StoredLaw
    snapshot_id: int
    rules_number: int
    rules: ClosureRules
    decisions: Mapping[tuple[Kind, int], Mapping[str, Decision]]
    discussed: frozenset[int]
    adjudicated: Mapping[int, int]


def scope_of(session: Session, project: ProjectView, rules: ClosureRules | None = None) -> Scope:
    """Return a project's scope, optionally with other `rules`. Raises UserError without law."""
    snapshot = required_snapshot(session, project)
    number, text = CLOSURE_RULES.text_in(session, project.id)
    decided = current_decisions(session, project.id)
    return Scope(
        session=session,
        project=project,
        law=StoredLaw(session, snapshot.id),
        snapshot_id=snapshot.id,
        rules_number=number,
        rules=parse(text) if rules is None else rules,
        decisions=decisions_in(session, project.id),
        discussed=frozenset(open_discussions(session, project.id)),
        adjudicated={item: each.number for item, each in decided.items()},
    )


def checked_sets(scope: Scope, kinds: Collection[Kind] = KINDS) -> list[CheckedSet]:
    """Return the gold sets of the project with their missing provisions.

    An item without gold is included while a proposal sent back with it is open.
    """
    cases = gold_cases(scope.session, scope.project, kinds)
    found = [checked(scope, case) for case in cases]
    return [each for each in found if each.case.settled or each.proposals]


def checked(scope: Scope, case: GoldCase) -> CheckedSet:
    """Check a gold set by the closure rules; return it with the provisions it lacks."""
    said = scope.decisions.get(case.key, {})
    if case.settled:
        found = missing(case.as_set(), scope.rules, scope.law)
    else:  # without gold now, it has the proposals that it was sent back with
        sent = (each for each in said.values() if each.verdict == "added")
        found = Missing(tuple(Added(each.unit, each.rule, "articles", each.fired) for each in sent))
    why = grouped((each.unit, each) for each in found.added)
    proposals = [
        _proposal(scope, case, unit, tuple(reasons), said.get(unit))
        for unit, reasons in why.items()
    ]
    return CheckedSet(case, tuple(proposals), found.unknown, found.complete)


def _proposal(
    scope: Scope, case: GoldCase, unit: str, why: tuple[Added, ...], decision: Decision | None
) -> Proposal:
    """Return a proposed unit with its state and the decision in force."""
    holding = None if decision is None or decision.verdict == "reopened" else decision
    place = scope.law.place(unit)
    state = _state(scope, case, holding)
    if state == "waiting" and unit in case.declined:
        state = "declined"
    return Proposal(unit, place, why, state, holding)


def _state(scope: Scope, case: GoldCase, decision: Decision | None) -> State:
    """Return the state of a proposal under this decision."""
    if decision is None:
        return "waiting"
    if decision.verdict == "dismissed":
        return "dismissed"
    if decision.adjudication_id is not None:
        same = scope.adjudicated.get(case.id) == decision.adjudication_id
        return "sent_back" if same else "declined"
    if case.id in scope.discussed or not case.settled:
        return "sent_back"
    return "declined"


Outcome = Literal["passed", "rejected"]
INCOMPLETE, UNKNOWN = "closure_bound", "closure_unknown_gold"
ADDED, LEAKED = "closure_added", "closure_leaked"


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of completing the gold of an augmented question.

    ``rejected``: the gold names a provision that the law in use does not have, or does not close
    within the bound. `reasons` lists each fault and each addition as {code, values}, `leaks` each
    pinpoint missing from its provision, which is no fault of the set: both codes are in the
    catalogue under ``closure.reason``. `gold` is the completed gold, in the shape of
    `AugmentedQuestion.gold`.
    """

    external_id: str
    outcome: Outcome
    reasons: tuple[dict[str, Any], ...]
    gold: tuple[dict[str, Any], ...]
    leaks: tuple[dict[str, Any], ...]


def completion(
    scope: Scope, question: AugmentedQuestion, only: Collection[str] = ()
) -> tuple[Completion, list[dict[str, Any]]]:
    """Return the completion of a question, and the fields of the rows to store it.

    `only` are the keys of the rules to apply; all if empty.
    """
    rules = scope.rules
    if only:
        rules = replace(rules, rules=tuple(each for each in rules.rules if each.key in only))
    said = scope.decisions.get(("augmented", question.id or 0), {})
    case = augmented_case(question, said)
    found = checked(replace(scope, rules=rules), case)
    taken = [each for each in found.proposals if each.state != "dismissed"]
    gold = completed_gold(question, said)
    gold += [{"unit": each.unit, "pinpoint": "", "role": each.rules[0]} for each in taken]
    faults: list[dict[str, Any]] = [
        {"code": UNKNOWN, "values": {"unit": unit}} for unit in found.unknown
    ]
    if not found.complete:
        faults.append({"code": INCOMPLETE, "values": {"added": len(found.proposals)}})
    added, rows = list[dict[str, Any]](), list[dict[str, Any]]()
    for each in taken:
        first = each.why[0]
        words = [fired.text for fired in first.fired]
        values = {"unit": each.unit, "rule": first.rule, "words": words}
        added.append({"code": ADDED, "values": values})
        fired = [asdict(fired) for fired in first.fired]
        rows.append({"unit": each.unit, "rule": first.rule, "fired": fired})
    about = {"augmented_question_id": question.id}
    outcome: Outcome = "rejected" if faults else "passed"
    leaks = tuple(
        {"code": LEAKED, "values": {"unit": leak.place.unit, "pinpoint": leak.place.pinpoint}}
        for leak in audit(case.gold, (), scope.law).leaks
    )
    made = Completion(question.external_id, outcome, (*faults, *added), tuple(gold), leaks)
    return made, [] if faults else [about | row for row in rows]


def new_decision(scope: Scope, **fields: Any) -> ClosureDecision:
    """Return a row about a proposal of this scope, with these fields besides."""
    return ClosureDecision(
        project_id=scope.project.id,
        snapshot_id=scope.snapshot_id,
        rules_number=scope.rules_number,
        **fields,
    )


def keep(scope: Scope, rows: Iterable[dict[str, Any]], at: datetime, by: int | None) -> None:
    """Store the additions of `completion`, in the transaction of the scope."""
    more = {"kind": "added", "person_id": by, "at": at}
    scope.session.add_all(new_decision(scope, **more, **row) for row in rows)
    scope.session.flush()
