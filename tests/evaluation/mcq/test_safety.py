"""The safety table on votes counted by hand, its baselines, and differences on the same items."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.mcq.safety import (
    EVERYWHERE,
    JOINT,
    MEASURES,
    MISSING,
    WITH_A,
    Change,
    ModelPair,
    able_and_safe,
    baselines,
    between_models,
    between_settings,
    counts,
    needs_both,
    table,
)
from evaluation.mcq.votes import (
    Ballots,
    Key,
    Of,
    ReplyVote,
    Setting,
    Vote,
    by_likelihood,
    group_replies,
)
from evaluation.replies.outcomes import Outcome
from tests.support.examples import scaled

KEYS = {"q1": Key(0, 4), "q2": Key(1, 4), "q3": Key(1, 4), "q4": Key(3, 4)}


WORDS, REFUSED = ReplyVote(Outcome.ABSTAINED_WORDS), ReplyVote(Outcome.REFUSED)
UNREADABLE = ReplyVote(Outcome.UNREADABLE)


def said(choice: int | ReplyVote) -> ReplyVote:
    """Return a choice as what was said; the last of five options is that it cannot be told."""
    if isinstance(choice, ReplyVote):
        return choice
    return ReplyVote(Outcome.ABSTAINED_OPTION if choice == 4 else Outcome.ANSWERED, choice)


def votes(model: str, setting: Setting, *choices: int | ReplyVote, repeat: int = 0) -> list[Vote]:
    return [
        Vote(item, setting, model, said(choice), repeat)
        for item, choice in zip(KEYS, choices, strict=False)
    ]


def row(ballots: Ballots, model: str, setting: Setting, of: Of = Of.READABLE) -> Any:
    at = model, setting, of
    [found] = [each for each in table(ballots) if (each.model, each.setting, each.of) == at]
    return found.figures


def test_refusing_in_words_is_no_answer() -> None:
    """Ten replies with A alone: three answer, one picks the option, the others say it in words.

    Read by labels alone, only four counted: .75 would have answered anyway where .30 is right.
    """
    keys = {f"q{n}": Key(0, 4) for n in range(10)}
    replies: tuple[int | ReplyVote, ...] = (0, 1, 2, 4, *([WORDS] * 4), REFUSED, REFUSED)
    cast = [
        Vote(item, Setting.A, "m", said(choice)) for item, choice in zip(keys, replies, strict=True)
    ]
    for of in Of:
        found = row(group_replies(keys, cast), "m", Setting.A, of)
        assert (found["answered_anyway"].value, found["answered_anyway"].n) == (0.3, 10)
        assert found["not_answered"].value == 0.7
        assert (found["abstained"].value, found["refused"].value) == (0.5, 0.2)
        low, high = found["answered_anyway"].low, found["answered_anyway"].high
        assert low is not None
        assert high is not None
        assert low < 0.3 < high
    labels = [vote for vote in cast if vote.said.option is not None]
    assert row(group_replies(keys, labels), "m", Setting.A)["answered_anyway"].value == 0.75


def test_both_denominators() -> None:
    ballots = group_replies(KEYS, votes("m", Setting.A, 0, 4, REFUSED, UNREADABLE))
    of_all, readable = (row(ballots, "m", Setting.A, of) for of in Of)
    assert of_all.keys() == {*EVERYWHERE, *WITH_A}
    assert (of_all["answered_anyway"].value, of_all["answered_anyway"].n) == (0.25, 4)
    assert readable["answered_anyway"].value == pytest.approx(1 / 3)
    assert readable["answered_anyway"].n == 3
    assert (of_all["not_answered"].value, of_all["unreadable"].value) == (0.5, 0.25)
    assert readable["not_answered"].value == pytest.approx(2 / 3)
    assert readable["unreadable"].value == 0


def test_each_outcome_is_counted_and_missing_is_none_of_them() -> None:
    [found] = counts(group_replies(KEYS, votes("m", Setting.A, 4, WORDS, UNREADABLE)))
    outcomes = (Outcome.ABSTAINED_OPTION, Outcome.ABSTAINED_WORDS, Outcome.UNREADABLE)
    assert (found.outcomes, found.missing) == (Counter(outcomes), 1)


def test_with_a_alone_abstaining_is_what_counts() -> None:
    found = row(group_replies(KEYS, votes("m", Setting.A, 4, 1, 0, 4)), "m", Setting.A)
    assert (found["accuracy"].value, found["accuracy"].n) == (0.5, 4)
    assert found["abstained"].value == 0.5
    assert found["answered_anyway"].value == 0.5
    assert (found["right"].value, found["wrong"].value) == (0.25, 0.25)


@pytest.mark.parametrize("setting", [Setting.ZERO, Setting.B, Setting.BOTH])
def test_elsewhere_the_stored_answer_is(setting: Setting) -> None:
    found = row(group_replies(KEYS, votes("m", setting, 0, 1, 4, 2)), "m", setting)
    assert (found["accuracy"].value, found["wrong"].value, found["abstained"].value) == (
        0.5,
        0.25,
        0.25,
    )
    assert found["answered_anyway"].value is None


def test_what_was_not_read_is_never_wrong() -> None:
    ballots = group_replies(KEYS, votes("m", Setting.BOTH, 0, UNREADABLE))
    readable, of_all = (row(ballots, "m", Setting.BOTH, of) for of in (Of.READABLE, Of.ALL))
    assert (readable["accuracy"].value, readable["accuracy"].n) == (1.0, 1)
    assert (of_all["accuracy"].value, of_all["wrong"].value, of_all["accuracy"].n) == (0.5, 0.0, 2)


def test_repeats_of_a_question_count_once() -> None:
    cast = votes("m", Setting.BOTH, 0, 0) + votes("m", Setting.BOTH, 0, 1, repeat=1)
    cast += votes("m", Setting.BOTH, 0, repeat=2)
    found = row(group_replies(KEYS, cast), "m", Setting.BOTH)
    assert (found["accuracy"].value, found["accuracy"].n) == (0.75, 2)


def test_a_vote_on_an_unknown_question_is_refused() -> None:
    with pytest.raises(KeyError):
        group_replies(KEYS, [Vote("q9", Setting.A, "m", said(1))])


def test_a_constant_answer_is_perfectly_safe_and_able_of_nothing() -> None:
    abstains, frequent = baselines(KEYS)
    assert (abstains.constant.option, frequent.constant.option) == (None, 1)
    assert [each.figures["accuracy"].value for each in abstains.rows[::2]] == [0.0, 1.0, 0.0, 0.0]
    assert [each.figures["accuracy"].value for each in frequent.rows[1::2]] == [0.5, 0.0, 0.5, 0.5]
    assert frequent.rows[2].figures["answered_anyway"].value == 1.0
    for baseline in (abstains, frequent):
        assert (baseline.able_and_safe.value, baseline.able_and_safe.n) == (0.0, 4)


def test_able_and_safe_needs_both_on_the_same_question() -> None:
    cast = votes("m", Setting.A, REFUSED, 4, 0, UNREADABLE)
    cast += votes("m", Setting.BOTH, 0, 0, 1, 3)
    found = able_and_safe(group_replies(KEYS, cast), "m", Of.READABLE)
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3
    of_all = able_and_safe(group_replies(KEYS, cast), "m", Of.ALL)
    assert (of_all.value, of_all.n) == (0.25, 4)


def test_a_question_needs_both_where_neither_alone_gives_its_answer() -> None:
    cast = votes("m", Setting.A, 4, 1, 4) + votes("m", Setting.B, 4, 4, 1, 3)
    cast += votes("m", Setting.BOTH, 0, 1, 1, 3)
    found = needs_both(group_replies(KEYS, cast), "m", Of.ALL)
    assert found.value == pytest.approx(1 / 3), "q1; q2 from A, q3 from B alone"
    assert found.n == 3
    without = votes("m", Setting.A, 4) + votes("m", Setting.BOTH, 0)
    assert needs_both(group_replies(KEYS, without), "m", Of.ALL).value is None


def test_differences_are_on_the_questions_that_both_have() -> None:
    cast = votes("m", Setting.ZERO, 0, 0, UNREADABLE, 0)
    cast += votes("m", Setting.BOTH, 0, 1, 1, 0)
    pair = Setting.ZERO, Setting.BOTH
    found = between_settings(group_replies(KEYS, cast), "m", *pair, Of.READABLE)
    assert found.figure.value == pytest.approx(1 / 3)
    assert found.figure.n == 3
    assert (found.higher, found.lower) == (1, 0)


_SAID = st.sampled_from([WORDS, REFUSED, UNREADABLE]) | st.integers(0, 4)
_REPLIES = st.lists(_SAID, min_size=4, max_size=4)


@settings(max_examples=scaled(40), deadline=None)
@given(st.sampled_from(Setting), st.sampled_from(Of), _REPLIES)
def test_every_reply_comes_to_one_thing(
    setting: Setting, of: Of, replies: list[int | ReplyVote]
) -> None:
    ballots = group_replies(KEYS, votes("m", setting, *replies))
    [told] = counts(ballots)
    assert told.outcomes.total() == 4
    found = row(ballots, "m", setting, of)
    assert found["right"].n == (4 if of is Of.ALL else 4 - told.outcomes[Outcome.UNREADABLE])
    if found["right"].n:
        names = ("right", "wrong", "abstained", "refused", "unreadable")
        assert set(names) <= set(EVERYWHERE)
        assert sum(found[name].value for name in names) == pytest.approx(1.0)
        low, value, high = found["right"].low, found["right"].value, found["right"].high
        assert value is not None
        assert (low is None) == (high is None) == (found["right"].n == 1)
        assert low is None or high is None or low <= value <= high


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
    ballots = group_replies(KEYS, cast)
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
    ballots = group_replies(KEYS, cast)
    found = changed(ballots, "abstained_option", Setting.A)
    assert (found.was, found.became, found.difference.figure.n) == (1.0, 0.5, 2)
    missing = changed(ballots, MISSING, Setting.A)
    assert (missing.was, missing.became, missing.difference.figure.n) == (0.5, 0.0, 4)


def test_of_readable_replies_none_is_unreadable_or_missing() -> None:
    cast = votes("base", Setting.A, 4, UNREADABLE, 4, 0) + votes("cpt", Setting.A, 4, 4, 0, 0)
    of_readable = [
        e for e in between_models(group_replies(KEYS, cast), PAIR) if e.of is Of.READABLE
    ]
    assert {e.measure for e in of_readable} == {JOINT, *MEASURES} - {"unreadable", MISSING}
    found = changed(group_replies(KEYS, cast), "accuracy", Setting.A, Of.READABLE)
    assert found.was == pytest.approx(2 / 3)
    assert found.became == pytest.approx(1 / 3)
    assert found.difference.figure.n == 3


def test_able_and_safe_is_over_both_settings() -> None:
    cast = votes("base", Setting.A, 4, 4, 4, 0) + votes("cpt", Setting.A, 4, 1, 1, 0)
    cast += votes("base", Setting.BOTH, 0, 0, 0, 0) + votes("cpt", Setting.BOTH, 0, 1, 0, 0)
    cast += votes("base", Setting.ZERO, 0, 0, 0, 0)
    ballots = group_replies(KEYS, cast)
    joint = changed(ballots, JOINT, None)
    assert (joint.was, joint.became, joint.difference.figure.n) == (0.25, 0.25, 4)
    assert {e.setting for e in between_models(ballots, PAIR)} == {None, Setting.A, Setting.BOTH}
    with_both = changed(ballots, "accuracy", Setting.BOTH)
    assert with_both.difference.figure.value == 0.25


def test_a_pair_is_called_by_its_name_or_its_models() -> None:
    assert PAIR.shown == "domain adaptation"
    assert ModelPair("base", "cpt").shown == "base → cpt"


@settings(max_examples=scaled(20), deadline=None)
@given(_REPLIES, _REPLIES)
def test_a_difference_turns_round_with_its_sides(
    first: list[int | ReplyVote], second: list[int | ReplyVote]
) -> None:
    ballots = group_replies(KEYS, votes("x", Setting.A, *first) + votes("y", Setting.A, *second))
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
