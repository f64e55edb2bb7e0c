"""The rules' proposals for the gold sets of a project, and their states.

Proposals are derived on every call and never stored; the newest decision on one applies while the
gold set lacks the provision.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session

from annotation.adjudication.decisions import settled
from annotation.closure.gold_sets import (
    KINDS,
    Decision,
    GoldCase,
    Kind,
    decisions_in,
    gold_cases,
)
from annotation.work.discussions import open_discussions
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.engine import Added, missing
from construction.closure.rules import ClosureRules, parse
from storage.closure.stored_law import StoredLaw
from storage.law.corpus import required_snapshot
from storage.projects import ProjectView

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
    decision: Decision | None = None

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
    unknown: tuple[str, ...] = ()
    complete: bool = True

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
    decided = settled(session, project.id)
    return Scope(
        session=session,
        project=project,
        law=StoredLaw(session, snapshot.id),
        snapshot_id=snapshot.id,
        rules_number=number,
        rules=parse(text) if rules is None else rules,
        decisions=decisions_in(session, project.id),
        discussed=frozenset(open_discussions(session, project.id)),
        adjudicated={item: each.row.id or 0 for item, each in decided.items()},
    )


def checked_sets(scope: Scope, kinds: Collection[Kind] = KINDS) -> list[CheckedSet]:
    """Return the gold sets of the project with their missing provisions.

    An item without gold is included while a proposal sent back with it is open.
    """
    cases = gold_cases(scope.session, scope.project, kinds)
    found = [checked(scope, case) for case in cases]
    return [each for each in found if each.case.settled or each.proposals]


def checked(scope: Scope, case: GoldCase) -> CheckedSet:
    """Return a gold set with the provisions it lacks."""
    said = scope.decisions.get(case.key, {})
    if not case.settled:
        return CheckedSet(case, tuple(_sent_back_proposals(scope, case, said.values())))
    found = missing(case.as_set(), scope.rules, scope.law)
    why: dict[str, list[Added]] = {}
    for each in found.added:
        why.setdefault(each.unit, []).append(each)
    proposals = [
        _proposal(scope, case, unit, tuple(reasons), said.get(unit))
        for unit, reasons in why.items()
    ]
    return CheckedSet(case, tuple(proposals), found.unknown, found.complete)


def _sent_back_proposals(
    scope: Scope, case: GoldCase, said: Iterable[Decision]
) -> Iterable[Proposal]:
    """Yield the proposals sent back with an item that has no gold now."""
    for each in said:
        if each.verdict == "added":
            place = scope.law.place(each.unit)
            why = (Added(each.unit, each.rule, "articles", each.fired),)
            yield Proposal(each.unit, place, why, _state(scope, case, each), each)


def _proposal(
    scope: Scope, case: GoldCase, unit: str, why: tuple[Added, ...], said: Decision | None
) -> Proposal:
    """Return a proposed unit with its state and the decision in force."""
    holding = None if said is None or said.verdict == "reopened" else said
    place = scope.law.place(unit)
    state = _state(scope, case, holding)
    if state == "waiting" and unit in case.declined:
        state = "declined"
    return Proposal(unit, place, why, state, holding)


def _state(scope: Scope, case: GoldCase, said: Decision | None) -> State:
    """Return the state of a proposal under this decision."""
    if said is None:
        return "waiting"
    if said.verdict == "dismissed":
        return "dismissed"
    if said.adjudication_id is not None:
        same = scope.adjudicated.get(case.id) == said.adjudication_id
        return "sent_back" if same else "declined"
    if case.id in scope.discussed or not case.settled:
        return "sent_back"
    return "declined"
