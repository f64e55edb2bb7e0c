"""People's decisions on provisions that rules propose for gold; each adds rows, overwrites none.

Gold is people's: no act edits it. Adding a provision to the gold of a question sends the item back
with the proposal, to the annotators with current submissions or to the adjudicator who decided, and
they decide again. An augmented question has no annotators yet: a provision added to it belongs to
its gold from then on, and its row stays as written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sqlmodel import select

from annotation.adjudication.giving_back import add_referral, refuse_unanswerable
from annotation.closure.gold_sets import GoldCase, Kind, Verdict, gold_cases
from annotation.closure.proposals import (
    CheckedSet,
    Proposal,
    Scope,
    State,
    checked,
    new_decision,
    scope_of,
)
from annotation.people.roles import Act, ProjectMember, writing_as
from annotation.work.submissions import checked_text, complete, says_something
from corpus.limits import NOTE
from errors import UserError, Where
from messages import say
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.overlap import curated
from storage.tables.augmentation import ClosureDecision
from storage.tables.core import Item

_ALLOWED_STATES: Mapping[Verdict, tuple[State, ...]] = {
    "added": ("waiting", "declined", "dismissed"),
    "dismissed": ("waiting", "declined"),
    "reopened": ("dismissed",),
}
"""States of a proposal in which each act is possible."""
_LISTED = 20  # maximum number of proposals in the message to annotators


def decide(
    ws: Workspace,
    project_slug: str,
    verdict: Verdict,
    kind: Kind,
    external_id: str,
    units: Sequence[str],
    reason: str = "",
    *,
    state_shown: State | None = None,
    by: int | None = None,
    language: str = "en",
) -> list[int]:
    """Store a person's decision on provisions proposed for a gold set; return the rows' ids.

    `external_id` is that of the question. Dismissing requires a reason; when adding, annotators
    read it with the proposals, in `language`. `state_shown` is the state on the screen: the act
    never replaces another one. Raises UserError without permission, for a set or a provision that
    is not proposed (any more), a reason that is missing or too long, what was decided already or
    meanwhile, and for sending back an item that is in discussion or that nobody can answer.
    """
    with writing_as(ws, project_slug, by, Act.CLOSE_GOLD) as (session, project, who):
        why = checked_text(reason, "reason", NOTE)
        if verdict == "dismissed" and not says_something(why):
            raise UserError("closure_reason", Where(field="reason"))
        scope = scope_of(session, project)
        known = gold_cases(session, project, (kind,))
        case = next((each for each in known if each.external_id == external_id), None)
        if case is None:
            raise UserError("closure_set_gone", Where(field="question"), question=external_id[:100])
        found = checked(scope, case)
        chosen = [
            _chosen_proposal(found, unit, verdict, state_shown) for unit in dict.fromkeys(units)
        ]
        about = {"kind": verdict, "reason": why, "at": ws.clock()}
        about |= {"person_id": None if who is None else who.person_id}
        about |= {"item_id" if kind == "question" else "augmented_question_id": case.id}
        rows = [
            new_decision(
                scope,
                unit=each.unit,
                rule=each.why[0].rule,
                fired=[asdict(fired) for fired in each.why[0].fired],
                **about,
            )
            for each in chosen
        ]
        if verdict == "added" and kind == "question":
            _send_back(scope, who, found.case, chosen, rows, language)
        add_rows(session, rows)
        return [row.id or 0 for row in rows]


def _chosen_proposal(
    checked_set: CheckedSet, unit: str, verdict: Verdict, state_shown: State | None
) -> Proposal:
    """Return the proposal of a unit. Raises UserError if it is gone or in another state."""
    proposal = next((each for each in checked_set.proposals if each.unit == unit), None)
    name = checked_set.case.external_id
    if proposal is None:
        raise UserError("closure_proposal_gone", unit=unit[:100], question=name)
    if state_shown not in (None, proposal.state) or proposal.state not in _ALLOWED_STATES[verdict]:
        code = "closure_nothing" if proposal.decision is None else "closure_already"
        raise UserError(code, unit=unit, question=name)
    return proposal


def _send_back(
    scope: Scope,
    who: ProjectMember | None,
    case: GoldCase,
    chosen: Sequence[Proposal],
    rows: Sequence[ClosureDecision],
    language: str,
) -> None:
    """Send the item back to its adjudicator if one decided, else to its annotators.

    Whom it was sent to is set on the `rows`. Raises UserError where nobody can decide again.
    """
    if who is None:
        raise UserError("closure_needs_person")
    if scope.session.exec(select(Item.id).where(Item.id == case.id, curated())).first():
        raise UserError("closure_curated", question=case.external_id)
    decided = scope.adjudicated.get(case.id)
    if decided is not None:
        for row in rows:
            row.adjudication_id = decided
        return
    if case.id in scope.discussed:
        raise UserError("in_discussion")
    made = complete(scope.session, scope.project.id, item_id=case.id).get(case.id, [])
    if not made:
        raise UserError("closure_unfinished", question=case.external_id)
    numbers = sorted(each.annotation_id for each in made)
    refuse_unanswerable(scope.session, case.id, [each.person_id for each in made])
    told = _message(scope, chosen, rows[0].reason, language)
    add_referral(scope.session, who, case.id, told, numbers, rows[0].at)
    for row in rows:
        row.annotation_ids = numbers


def _message(scope: Scope, chosen: Sequence[Proposal], reason: str, language: str) -> str:
    """Return the message to annotators: the reason, then the first proposals with evidence."""
    labels = {rule.key: rule.label for rule in scope.rules.rules}
    lines = [reason] if says_something(reason) else []
    for each in chosen[:_LISTED]:
        first = each.why[0]
        label = labels.get(first.rule, {}).get(language, first.rule)
        words = ", ".join(f"“{fired.text}”" for fired in first.fired)
        lines.append(say("closure.told", language, place=each.place, rule=label, words=words))
    return "\n".join(lines)
