"""The safety table on votes counted by hand, its baselines, and differences on the same items."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.mcq.paired import between_models, between_settings
from evaluation.mcq.safety import Row, able_and_safe, baselines, table
from evaluation.mcq.votes import Ballots, Key, Setting, Vote, gathered

KEYS = {"q1": Key(0, 4), "q2": Key(1, 4), "q3": Key(1, 4), "q4": Key(3, 4)}


def votes(model: str, setting: Setting, *options: int | None, repeat: int = 0) -> list[Vote]:
    return [
        Vote(item, setting, model, option, repeat)
        for item, option in zip(KEYS, options, strict=False)
    ]


def row(ballots: Ballots, model: str, setting: Setting) -> Row:
    [found] = [each for each in table(ballots) if (each.model, each.setting) == (model, setting)]
    return found


def test_with_a_alone_abstaining_is_what_counts() -> None:
    found = row(gathered(KEYS, votes("m", Setting.A, 4, 1, 0, 4)), "m", Setting.A)
    assert (found.accuracy.value, found.accuracy.n) == (0.5, 4)
    assert found.abstained.value == 0.5
    assert found.anyway.value == 0.5
    assert (found.right.value, found.wrong.value) == (0.25, 0.25)


@pytest.mark.parametrize("setting", [Setting.ZERO, Setting.B, Setting.BOTH])
def test_elsewhere_the_stored_answer_is(setting: Setting) -> None:
    found = row(gathered(KEYS, votes("m", setting, 0, 1, 4, 2)), "m", setting)
    assert (found.accuracy.value, found.wrong.value, found.abstained.value) == (0.5, 0.25, 0.25)
    assert found.anyway.value is None


def test_what_was_not_read_is_missing_and_never_wrong() -> None:
    found = row(gathered(KEYS, votes("m", Setting.BOTH, 0, None)), "m", Setting.BOTH)
    assert (found.accuracy.value, found.accuracy.n) == (1.0, 1)
    assert (found.votes, found.unread, found.missing) == (1, 1, 3)


def test_repeats_of_a_question_count_once() -> None:
    said = votes("m", Setting.BOTH, 0, 0) + votes("m", Setting.BOTH, 0, 1, repeat=1)
    said += votes("m", Setting.BOTH, 0, repeat=2)
    found = row(gathered(KEYS, said), "m", Setting.BOTH)
    assert (found.accuracy.value, found.accuracy.n, found.votes) == (0.75, 2, 5)


def test_a_vote_on_an_unknown_question_is_refused() -> None:
    with pytest.raises(KeyError):
        gathered(KEYS, [Vote("q9", Setting.A, "m", 1)])


def test_a_constant_answer_is_perfectly_safe_and_able_of_nothing() -> None:
    abstains, frequent = baselines(KEYS)
    assert (abstains.constant.option, frequent.constant.option) == (None, 1)
    assert [each.accuracy.value for each in abstains.rows] == [0.0, 1.0, 0.0, 0.0]
    assert [each.accuracy.value for each in frequent.rows] == [0.5, 0.0, 0.5, 0.5]
    assert frequent.rows[1].anyway.value == 1.0
    for baseline in (abstains, frequent):
        assert (baseline.able_and_safe.value, baseline.able_and_safe.n) == (0.0, 4)


def test_without_questions_there_is_nothing() -> None:
    assert baselines({}) == []
    assert table(gathered({}, [])) == []


def test_able_and_safe_needs_both_on_the_same_question() -> None:
    said = votes("m", Setting.A, 4, 4, 0, None) + votes("m", Setting.BOTH, 0, 0, 1, 3)
    found = able_and_safe(gathered(KEYS, said), "m")
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 3


def test_differences_are_on_the_questions_that_both_have() -> None:
    said = votes("m", Setting.ZERO, 0, 0, None, 0) + votes("m", Setting.BOTH, 0, 1, 1, 0)
    found = between_settings(gathered(KEYS, said), "m", Setting.ZERO, Setting.BOTH)
    assert found.figure.value == pytest.approx(1 / 3)
    assert found.figure.n == 3
    assert (found.higher, found.lower) == (1, 0)


def test_before_and_after_under_each_setting_that_both_have() -> None:
    said = votes("base", Setting.A, 4, 4, 4, 0) + votes("cpt", Setting.A, 4, 1, 1, 0)
    said += votes("base", Setting.BOTH, 0, 0, 0, 0) + votes("cpt", Setting.BOTH, 0, 1, 0, 0)
    said += votes("base", Setting.ZERO, 0, 0, 0, 0)
    changes = between_models(gathered(KEYS, said), "base", "cpt")
    assert [each.setting for each in changes] == [Setting.A, Setting.BOTH]
    partial, full = changes
    assert (partial.accuracy.figure.value, partial.accuracy.lower) == (-0.5, 2)
    assert partial.anyway.figure.value == 0.5
    assert (full.accuracy.figure.value, full.anyway.figure.value) == (0.25, None)


_OPTIONS = st.lists(st.none() | st.integers(0, 4), min_size=4, max_size=4)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(Setting), _OPTIONS)
def test_every_vote_is_right_wrong_or_an_abstention(
    setting: Setting, options: list[int | None]
) -> None:
    found = row(gathered(KEYS, votes("m", setting, *options)), "m", setting)
    assert found.votes + found.unread == 4
    if found.votes:
        parts = [each.value for each in (found.right, found.wrong, found.abstained)]
        assert sum(part for part in parts if part is not None) == pytest.approx(1.0)
        low, value, high = found.right.low, found.right.value, found.right.high
        assert value is not None
        assert (low is None) == (high is None) == (value in (0, 1))
        assert low is None or high is None or low <= value <= high


@settings(max_examples=30, deadline=None)
@given(_OPTIONS, _OPTIONS)
def test_a_difference_turns_round_with_its_sides(
    first: list[int | None], second: list[int | None]
) -> None:
    ballots = gathered(KEYS, votes("x", Setting.A, *first) + votes("y", Setting.A, *second))
    [there], [back] = between_models(ballots, "x", "y"), between_models(ballots, "y", "x")
    assert (there.accuracy.higher, there.accuracy.lower) == (
        back.accuracy.lower,
        back.accuracy.higher,
    )
    if there.accuracy.figure.value is not None:
        assert there.accuracy.figure.value == -(back.accuracy.figure.value or 0.0)
