"""Rule-based completion of augmented questions' gold, as a layer of the quality cascade.

A question keeps the gold that it was written from; completions are rows beside it
(`ClosureDecision`), as if somebody had added each provision, so that every reader of its gold reads
both. A provision that a person dismissed stays out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from annotation.closure.gold_sets import augmented_case, completed_gold
from annotation.closure.proposals import CheckedSet, Scope, checked
from construction.closure.audit import audit
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.closure import ClosureDecision

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
    leaks: tuple[dict[str, Any], ...] = ()


def questions_called(
    session: Session, project_id: int, external_ids: Iterable[str]
) -> list[AugmentedQuestion]:
    """Return the augmented questions of these names, by id; unknown names are left out."""
    wanted = set(external_ids)
    query = select(AugmentedQuestion).where(AugmentedQuestion.project_id == project_id)
    rows = session.exec(query.order_by(col(AugmentedQuestion.id)))
    return [row for row in rows if row.external_id in wanted]


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
    faults = _faults(found)
    added = [
        {"code": ADDED, "values": {"unit": each.unit, "rule": first.rule, "words": words}}
        for each in taken
        for first in each.why[:1]
        for words in ([fired.text for fired in first.fired],)
    ]
    outcome: Outcome = "rejected" if faults else "passed"
    rows = [
        {
            "augmented_question_id": question.id,
            "unit": each.unit,
            "rule": each.rules[0],
            "fired": [asdict(fired) for fired in each.why[0].fired],
        }
        for each in taken
    ]
    leaks = tuple(
        {"code": LEAKED, "values": {"unit": leak.place.unit, "pinpoint": leak.place.pinpoint}}
        for leak in audit(case.gold, (), scope.law).leaks
    )
    made = Completion(question.external_id, outcome, (*faults, *added), tuple(gold), leaks)
    return made, [] if faults else rows


def keep(scope: Scope, rows: Iterable[dict[str, Any]], at: datetime, by: int | None) -> None:
    """Store the additions of `completion`, in the transaction of the scope."""
    for row in rows:
        scope.session.add(
            ClosureDecision(
                project_id=scope.project.id,
                snapshot_id=scope.snapshot_id,
                rules_number=scope.rules_number,
                kind="added",
                person_id=by,
                at=at,
                **row,
            )
        )
    scope.session.flush()


def _faults(found: CheckedSet) -> list[dict[str, Any]]:
    """Return the faults of a gold set as codes with their values."""
    faults: list[dict[str, Any]] = [
        {"code": UNKNOWN, "values": {"unit": unit}} for unit in found.unknown
    ]
    if not found.complete:
        faults.append({"code": INCOMPLETE, "values": {"added": len(found.proposals)}})
    return faults
