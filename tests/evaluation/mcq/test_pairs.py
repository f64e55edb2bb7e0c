"""Before and after, on votes counted by hand: every outcome, paired by question."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.mcq.pairs import JOINT, MEASURES, MISSING, Change, ModelPair, between_models
from evaluation.mcq.votes import Ballots, Of, ReplyVote, Setting, by_likelihood, gathered
from evaluation.replies.outcomes import Outcome
from tests.evaluation.mcq.test_safety import KEYS, REFUSED, UNREADABLE, WORDS, votes
from tests.support.examples import scaled

PAIR = ModelPair("base", "cpt", "domain adaptation")


def changed(
    ballots: Ballots, measure: str, setting: Setting | None, of: Of = Of.ALL, pair: ModelPair = PAIR
) -> Change:
    at = measure, setting, of
    [found] = [e for e in between_models(ballots, pair) if (e.measure, e.setting, e.of) == at]
    return found


def test_every_outcome_is_paired_by_question() -> None:
    """Abstains, in words, refuses, answers; then answers twice, is unreadable, says it in words."""
    cast = votes("base", Setting.A, 4, WORDS, REFUSED, 0)
    cast += votes("cpt", Setting.A, 0, 1, UNREADABLE, WORDS)
    ballots = gathered(KEYS, cast)
    expected = {
        "accuracy": (0.5, 0.25),  # to abstain is what is expected with A alone
        "answered_anyway": (0.25, 0.5),
        "answered": (0.25, 0.5),
        "abstained_option": (0.25, 0.0),
        "abstained_words": (0.25, 0.25),
        "refused": (0.25, 0.0),
        "unreadable": (0.0, 0.25),
        "missing": (0.0, 0.0),
    }
    assert list(expected) == list(MEASURES)
    for measure, (was, became) in expected.items():
        found = changed(ballots, measure, Setting.A)
        assert (found.was, found.became, found.difference.figure.n) == (was, became, 4), measure
        assert found.difference.figure.value == pytest.approx(became - was)
    words = changed(ballots, "abstained_words", Setting.A).difference
    assert (words.higher, words.lower, words.figure.value) == (1, 1, 0.0)
    assert words.figure.low is not None
    assert words.figure.low < 0 < (words.figure.high or 0)


def test_only_questions_that_both_have_count_and_what_is_missing_is_told() -> None:
    cast = votes("base", Setting.A, 4, 4) + votes("cpt", Setting.A, 0, 4, 4, 4)
    ballots = gathered(KEYS, cast)
    found = changed(ballots, "abstained_option", Setting.A)
    assert (found.was, found.became, found.difference.figure.n) == (1.0, 0.5, 2)
    missing = changed(ballots, MISSING, Setting.A)
    assert (missing.was, missing.became, missing.difference.figure.n) == (0.5, 0.0, 4)


def test_of_readable_replies_none_is_unreadable_or_missing() -> None:
    cast = votes("base", Setting.A, 4, UNREADABLE, 4, 0) + votes("cpt", Setting.A, 4, 4, 0, 0)
    of_readable = [e for e in between_models(gathered(KEYS, cast), PAIR) if e.of is Of.READABLE]
    assert {e.measure for e in of_readable} == {JOINT, *MEASURES} - {"unreadable", MISSING}
    found = changed(gathered(KEYS, cast), "accuracy", Setting.A, Of.READABLE)
    assert found.was == pytest.approx(2 / 3)
    assert found.became == pytest.approx(1 / 3)
    assert found.difference.figure.n == 3


def test_able_and_safe_is_over_both_settings() -> None:
    cast = votes("base", Setting.A, 4, 4, 4, 0) + votes("cpt", Setting.A, 4, 1, 1, 0)
    cast += votes("base", Setting.BOTH, 0, 0, 0, 0) + votes("cpt", Setting.BOTH, 0, 1, 0, 0)
    cast += votes("base", Setting.ZERO, 0, 0, 0, 0)
    ballots = gathered(KEYS, cast)
    joint = changed(ballots, JOINT, None)
    assert (joint.was, joint.became, joint.difference.figure.n) == (0.25, 0.25, 4)
    assert {e.setting for e in between_models(ballots, PAIR)} == {None, Setting.A, Setting.BOTH}
    with_both = changed(ballots, "accuracy", Setting.BOTH)
    assert with_both.difference.figure.value == 0.25


def test_a_pair_is_called_by_its_name_or_its_models() -> None:
    assert PAIR.shown == "domain adaptation"
    assert ModelPair("base", "cpt").shown == "base → cpt"


_SAID = st.sampled_from([WORDS, REFUSED, UNREADABLE]) | st.integers(0, 4)
_REPLIES = st.lists(_SAID, min_size=4, max_size=4)


@settings(max_examples=scaled(20), deadline=None)
@given(_REPLIES, _REPLIES)
def test_a_difference_turns_round_with_its_sides(
    first: list[int | ReplyVote], second: list[int | ReplyVote]
) -> None:
    ballots = gathered(KEYS, votes("x", Setting.A, *first) + votes("y", Setting.A, *second))
    there = between_models(ballots, ModelPair("x", "y"))
    back = between_models(ballots, ModelPair("y", "x"))
    for one, other in zip(there, back, strict=True):
        up, down = one.difference, other.difference
        assert (up.higher, up.lower) == (down.lower, down.higher)
        if up.figure.value is not None:
            assert up.figure.value == pytest.approx(-(down.figure.value or 0.0))
            assert up.figure.value == pytest.approx((one.became or 0) - (one.was or 0))
    whole = [e.was for e in there if e.of is Of.ALL and e.measure in tuple(Outcome)]
    assert sum(value or 0.0 for value in whole) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("logprobs", "outcome", "option"),
    [
        ([-3.0, -0.1, None, None, -4.0], Outcome.ANSWERED, 1),
        ([None, None, None, None, -4.0], Outcome.ABSTAINED_OPTION, 4),
        ([-1.0, -1.0, None, None, -4.0], Outcome.UNREADABLE, None),
        ([None] * 5, Outcome.UNREADABLE, None),
        ([], Outcome.UNREADABLE, None),
    ],
)
def test_a_vote_by_likelihood(
    logprobs: list[float | None], outcome: Outcome, option: int | None
) -> None:
    assert by_likelihood(logprobs, 4) == ReplyVote(outcome, option)
