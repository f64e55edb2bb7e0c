"""The most confident of several passages, and what counts as a reply."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.downstream.outcomes import Attempt, Of, Outcome, Picked, most_confident, score

SAID = "answered"


def test_the_most_confident_of_the_first_k_passages_is_gone_by():
    attempts = {
        1: Attempt(SAID, "A", -0.9),
        2: Attempt(SAID, "B", -0.2),
        3: Attempt(SAID, "C", -0.1),
    }
    assert most_confident(attempts, 1) == Picked(1, SAID, "A", 1, 1)
    assert most_confident(attempts, 2) == Picked(2, SAID, "B", 2, 2)
    assert most_confident(attempts, 10) == Picked(3, SAID, "C", 3, 3)


def test_of_equally_confident_passages_the_first_counts():
    attempts = {4: Attempt(SAID, "B", -0.5), 2: Attempt(SAID, "A", -0.5)}
    assert most_confident(attempts, 10).passage == 2


@pytest.mark.parametrize("unknown", [None, math.nan, -math.inf])
def test_answers_without_a_log_probability_cannot_be_compared(unknown):
    attempts = {1: Attempt(SAID, "A", -0.5), 2: Attempt(SAID, "B", unknown)}
    assert most_confident(attempts, 2) == Picked(0, "unranked", None, 2, 2)
    assert most_confident(attempts, 1).choice == "A"


def test_a_single_answer_needs_no_comparison():
    attempts = {1: Attempt("refused"), 2: Attempt(SAID, "B"), 3: Attempt("unread")}
    assert most_confident(attempts, 3) == Picked(2, SAID, "B", 3, 1)
    assert most_confident(attempts, 1).state == "refused"


def test_without_any_answer_the_state_is_that_of_the_first_passage():
    assert most_confident({2: Attempt("empty"), 3: Attempt("refused")}, 3).state == "empty"
    assert most_confident({5: Attempt(SAID, "A", -1.0)}, 3).state == Outcome.NOT_ASKED
    assert most_confident({0: Attempt(SAID, "A", -1.0)}, 3).state == Outcome.NOT_ASKED


@given(st.lists(st.sampled_from([-1.0, -0.5, -0.25]), min_size=1, max_size=6), st.integers(1, 7))
def test_no_other_passage_is_surer(values, k):
    attempts = {at: Attempt(SAID, "A", value) for at, value in enumerate(values, 1)}
    picked = most_confident(attempts, k)
    assert values[picked.passage - 1] == max(values[:k])
    assert values.index(max(values[:k])) == picked.passage - 1


def test_what_is_no_answer_is_wrong_of_all_and_left_out_of_the_readable():
    replies = ("refused", "empty", "cut_off", "invalid", "unread")
    assert [score(Outcome(each), Of.ALL) for each in replies] == [False] * 5
    assert [score(Outcome(each), Of.READABLE) for each in replies] == [None] * 5
    missing = ("failed", "not_asked", "unjudged", "unranked", "no_logprobs")
    assert {score(Outcome(each), of) for each in missing for of in Of} == {None}
    for of in Of:
        assert (score(Outcome.RIGHT, of), score(Outcome.WRONG, of)) == (True, False)
