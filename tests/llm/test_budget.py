from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.budget import Budget, BudgetReachedError, Limit, Use
from tests.support.refusals import refused

amounts = st.integers(0, 50)
calls = st.lists(st.tuples(amounts, st.floats(0, 1), st.booleans()), max_size=40)


@given(calls, st.integers(0, 200), st.integers(0, 10))
def test_what_is_charged_never_passes_the_limit(
    asked: list[tuple[int, float, bool]], tokens: int, number: int
) -> None:
    limit = Limit(calls=number, tokens=tokens, money=tokens / 10)
    budget = Budget(limit)
    under_way: list[tuple[Use, Use]] = []
    for most_tokens, share, finish in asked:
        most = Use(1, most_tokens, most_tokens / 10)
        used = Use(1, int(most_tokens * share), int(most_tokens * share) / 10)
        try:
            budget.reserve(most)
        except BudgetReachedError:
            continue
        under_way.append((most, used))
        if finish:
            budget.settle(*under_way.pop(0))
    for most, used in under_way:
        budget.settle(most, used)
    assert budget.used.calls <= number
    assert budget.used.tokens <= tokens
    assert budget.used.money is not None
    assert budget.used.money <= tokens / 10 + 1e-9


def test_what_was_set_aside_and_not_used_is_free_again() -> None:
    budget = Budget(Limit(tokens=100))
    budget.reserve(Use(1, 90, 0.0))
    with pytest.raises(BudgetReachedError) as caught:
        budget.reserve(Use(1, 20, 0.0))
    assert caught.value.kind == "tokens"
    budget.settle(Use(1, 90, 0.0), Use(1, 10, 0.0))
    budget.reserve(Use(1, 90, 0.0))


def test_what_earlier_runs_used_counts() -> None:
    with pytest.raises(BudgetReachedError):
        Budget(Limit(calls=5), Use(5, 0, 0.0)).reserve(Use(1, 1, 0.0))


def test_money_cannot_be_limited_without_a_price() -> None:
    with refused("models_price_unknown"):
        Budget(Limit(money=1.0)).reserve(Use(1, 10, None))
    Budget(Limit(tokens=100)).reserve(Use(1, 10, None))


def test_money_is_set_aside_charged_and_free_again() -> None:
    budget = Budget(Limit(money=1.0), Use(0, 0, 0.25))
    budget.reserve(Use(1, 10, 0.5))
    with pytest.raises(BudgetReachedError) as caught:
        budget.reserve(Use(1, 10, 0.5))
    assert (caught.value.kind, caught.value.params["used"]) == ("money", "0.25")
    budget.settle(Use(1, 10, 0.5), Use(1, 8, 0.125))
    assert budget.used == Use(1, 8, 0.375)
    budget.reserve(Use(1, 10, 0.625))  # up to the limit itself
    with pytest.raises(BudgetReachedError):
        budget.reserve(Use(1, 1, 0.01))


def test_a_sum_with_an_unknown_price_is_unknown() -> None:
    assert Use(1, 2, 0.5).plus(Use(1, 3, None)) == Use(2, 5, None)
    assert Use(1, 2, None).plus(Use(1, 3, 0.5)) == Use(2, 5, None)
    assert Use(1, 2, 0.5).plus(Use(1, 3, 0.25)) == Use(2, 5, 0.75)
