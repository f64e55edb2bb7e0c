"""Estimate of a plan's calls, tokens and cost against the budget, without asking anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from construction.answers import pseudo_passage
from llm.budget import Limit, Use
from services.answers.planning import (
    AnswerOptions,
    AnswerPlan,
    Call,
    SystemPlan,
    plan_answers,
    request_of,
    requests_before,
)
from services.models.asking import most_use
from services.models.workspace_models import load_settings
from storage.db.workspace import Workspace
from storage.models import call_ids, used


@dataclass(frozen=True, slots=True)
class SystemEstimate:
    """Calls planned for a system; `known` of them are answered in the call cache."""

    system: str
    model: str
    new: bool
    questions: int
    left_out: Mapping[str, int]
    already: Mapping[str, int]
    calls: int
    known: int


@dataclass(frozen=True, slots=True)
class AnswerEstimate:
    """Calls of a plan, and an upper bound of its use.

    `passages` are calls for pseudo-passages and anchors. `cost` is None where a price is unknown.
    `over` names the limits of the budget it could exceed: calls, tokens or money.
    """

    systems: tuple[SystemEstimate, ...]
    passages: int
    calls: int
    known: int
    tokens: int
    cost: float | None
    limit: Limit
    used: Use
    over: tuple[str, ...]

    def words(self) -> list[tuple[str, dict[str, str]]]:
        """Return keys below the catalogue's ``answers.plan`` with their parameters."""
        limit, used = self.limit, self.used
        counts = {name: f"{getattr(self, name):,}" for name in ("calls", "known", "passages")}
        counts["answers"] = f"{sum(each.calls for each in self.systems):,}"
        most = {"tokens": f"{self.tokens:,}"}
        if self.cost is not None:
            most["cost"] = f"{self.cost:,.4f}"
        pairs = {
            **{"calls": limit.calls, "tokens": limit.tokens, "money": limit.money},
            **{"used_calls": used.calls, "used_tokens": used.tokens, "used_money": used.money},
        }
        budget = {name: "–" if n is None else f"{n:,.10g}" for name, n in pairs.items()}
        return [
            ("total", counts),
            ("most" if "cost" in most else "most_unpriced", most),
            ("budget" if limit != Limit() else "no_budget", budget),
        ]


def estimated(
    ws: Workspace, project_slug: str, options: AnswerOptions, by: int | None = None
) -> AnswerEstimate:
    """Plan and estimate; nothing is asked.

    Raises UserError as `plan_answers` does.
    """
    return estimate(ws, plan_answers(ws, project_slug, options, by))


def estimate(ws: Workspace, plan: AnswerPlan) -> AnswerEstimate:
    """Return the calls of a plan and an upper bound of its use; nothing is asked.

    Tokens are bounded by bytes, so the bound is high; cached calls are not in it.
    """
    limit = load_settings(ws).budget or Limit()
    keys: dict[str, list[str]] = {}
    requests = {each.key: each for each in requests_before(plan)}
    passages = set(requests)
    for system in plan.systems:
        some = [request_of(plan, system, _longest_call(system, each)) for each in system.calls]
        keys[system.system] = [each.key for each in some]
        requests |= {each.key: each for each in some}
    with ws.reading() as session:
        known = call_ids(session, list(requests)).keys()
        spent = used(session)
    most = most_use(each for key, each in requests.items() if key not in known)
    systems = (
        SystemEstimate(
            system=each.system,
            model=each.endpoint.model,
            new=each.run is None,
            questions=each.questions,
            left_out=each.left_out,
            already=each.already,
            calls=len(each.calls),
            known=sum(key in known for key in keys[each.system]),
        )
        for each in plan.systems
    )
    return AnswerEstimate(
        systems=tuple(systems),
        passages=len(passages - known),
        calls=len(requests),
        known=len(requests.keys() & known),
        tokens=most.tokens,
        cost=most.money,
        limit=limit,
        used=spent,
        over=_limits_exceeded(limit, spent.plus(most)),
    )


def _longest_call(system: SystemPlan, call: Call) -> Call:
    """Return a call with the longest possible pseudo-passage or anchor."""
    if call.shown is None:
        passage = pseudo_passage("가" * system.context.characters, system.context.characters)
        return replace(call, shown=(passage,))
    return replace(call, anchor="가" * system.before.max_tokens) if system.context.anchor else call


def _limits_exceeded(limit: Limit, total: Use) -> tuple[str, ...]:
    """Return the names of the limits that `total` exceeds; an unknown amount exceeds any limit."""
    pairs = {each: (getattr(limit, each), getattr(total, each)) for each in Use.__slots__}
    return tuple(
        name
        for name, (bound, wanted) in pairs.items()
        if bound is not None and (wanted is None or wanted > bound)
    )
