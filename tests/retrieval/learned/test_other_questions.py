"""Who may be learnt from: neither the question itself nor one nearly the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.model import JudgedQuestion, Query
from retrieval.learned.other_questions import OtherQuestions


def known(*texts: str, near: float = 0.3) -> OtherQuestions:
    judged = [JudgedQuestion(f"q{at}", text, ()) for at, text in enumerate(texts)]
    return OtherQuestions(judged[::-1], "whitespace", near)


def test_itself_and_the_near_duplicates_are_left_out_also_those_joined_through_another() -> None:
    # q0 and q2 share no word; q1 is like both.
    chain = known("a b c", "a b c x y z", "x y z", "elsewhere entirely")
    assert [chain.others(at).tolist() for at in range(4)] == [[3], [3], [3], [0, 1, 2]]
    strict = known("a b c", "a b c x y z", "x y z", "elsewhere entirely", near=0.99)
    assert strict.others(0).tolist() == [1, 2, 3]


def test_likeness_is_a_cosine_of_the_words() -> None:
    found = known("a b", "b c", "d").likeness("a b")
    assert found[0] == pytest.approx(1) and 0 < found[1] < 1 and found[2] == 0
    assert not known("a b").likeness("nothing of it").any()


def test_a_question_that_is_not_known_is_refused() -> None:
    """A sub-question has another id: it would be answered from the gold of its own question."""
    with pytest.raises(UserError) as refused:
        known("a").position(Query("0/1", "a"), "gold_prior")
    assert refused.value.code == "method_gold_question"


def test_no_two_questions_have_one_id() -> None:
    with pytest.raises(ValueError, match="id of its own"):
        OtherQuestions([JudgedQuestion("q", "a", ()), JudgedQuestion("q", "b", ())], "bigram", 0.3)


def test_no_questions_and_questions_without_words() -> None:
    assert len(known()) == 0
    assert known("", "...", "").others(0).tolist() == [1, 2]


@given(st.lists(st.text(alphabet="ab 가나\ud800🔥", max_size=12), min_size=1, max_size=8))
def test_nobody_learns_from_himself_and_leaving_out_goes_both_ways(texts: list[str]) -> None:
    found = known(*texts, near=0.5)
    others = [set(found.others(at).tolist()) for at in range(len(texts))]
    for at, mine in enumerate(others):
        assert at not in mine
        assert all(at in others[other] for other in mine)
        same = {there for there, text in enumerate(texts) if text == texts[at] and text.split()}
        assert not mine & same


def test_questions_of_one_family_leave_each_other_out_whatever_they_say() -> None:
    judged = [
        JudgedQuestion("a", "수선 의무", ("u",), "a"),
        JudgedQuestion("a-o1", "등불 켜기", ("u",), "a"),
        JudgedQuestion("b", "구명 조끼", ("v",)),
    ]
    known = OtherQuestions(judged, "bigram", 1.0)
    assert known.others(0).tolist() == known.others(1).tolist() == [2]
    assert known.others(2).tolist() == [0, 1]
