from __future__ import annotations

import pytest

from annotation.forms.adjudication import settle
from annotation.judging.state import (
    Outcome,
    all_judged,
    by_judges,
    judges_of,
    pairs,
    rated_correct,
    ratings_of,
    required_judge,
    review_order,
)
from errors import UserError
from evaluation.judging.estimate import Pair, Winner
from evaluation.judging.judged import MAJORITY, Cell
from tests.annotation.judging.answered import Answered, verdict


def test_ratings_are_read_when_all_of_them_are_in(answered: Answered) -> None:
    answered.rate(answered.ann, True)
    waiting = answered.state()
    assert (waiting.outcome, waiting.ratings, waiting.people) == (Outcome.WAITING, (), None)
    assert waiting.so_far == 1
    answered.rate(answered.ben, True)
    agreed = answered.state()
    assert (agreed.outcome, agreed.people) == (Outcome.AGREED, True)
    assert [(each.person, rated_correct(each)) for each in agreed.ratings] == [
        ("Ann", True),
        ("Ben", True),
    ]


def test_disputed_it_stays_once_settled_and_what_was_agreed_on_never_is(answered: Answered) -> None:
    assert not answered.state().disputed
    answered.rate(answered.ann, True)
    assert not answered.state().disputed
    answered.rate(answered.ben, False)
    assert answered.state().judged("gpt").disputed
    assert (answered.state().outcome, answered.state().people) == (Outcome.DIFFER, None)
    item = answered.state().rating_item or 0
    settle(answered.ws, answered.adjudicator, item, {"rating": "incorrect"}, "Article 1.")
    assert (answered.state().outcome, answered.state().people) == (Outcome.SETTLED, False)
    assert answered.state().judged("gpt").disputed
    for person in (answered.ann, answered.ben):
        answered.rate(person, True, "q2")
    assert not answered.state("q2").disputed


def test_the_review_counts_before_all_else(answered: Answered) -> None:
    answered.judge(verdict("q1", False))
    answered.rate(answered.ann, False)
    answered.rate(answered.ben, False)
    assert answered.state().judged("gpt").cell is Cell.TRUE_NEGATIVE
    answered.review(True, "under", "more_specific")
    reviewed = answered.state()
    assert (reviewed.outcome, reviewed.people) == (Outcome.REVIEWED, True)
    assert reviewed.judged("gpt").cell is Cell.FALSE_NEGATIVE
    assert reviewed.review is not None
    assert (reviewed.review.person, reviewed.review.answers["estimate"]) == ("Ada", "under")
    assert reviewed.review.answers["categories"] == ["more_specific"]
    assert len(ratings_of([reviewed])) == 2


def test_the_newest_verdict_counts_unless_it_says_nothing(answered: Answered) -> None:
    answered.judge(verdict("q1", True))
    answered.judge(verdict("q1", False))
    assert answered.state().verdicts == {"gpt": False}
    answered.judge({"id": "q1", "system": "small", "judge": "gpt", "raw": "I cannot tell."})
    assert answered.state().verdicts == {"gpt": False}
    answered.judge({"id": "q2", "system": "small", "judge": "gpt", "raw": "I cannot tell."})
    silent = answered.state("q2")
    assert silent.verdicts == {"gpt": None}
    assert silent.judged("gpt").cell is None


def test_several_judges_vote(answered: Answered) -> None:
    answered.judge(verdict("q1", True, "a"), verdict("q1", False, "b"))
    assert answered.state().verdict(MAJORITY) is None
    assert answered.state().judged(MAJORITY).tied
    assert not answered.state().judged("a").tied
    answered.judge(verdict("q1", True, "c"))
    assert judges_of(answered.states()) == ["a", "b", "c", MAJORITY]
    assert answered.state().verdict(MAJORITY) is True
    assert not answered.state().tied
    assert required_judge(answered.states(), None) == MAJORITY
    with pytest.raises(UserError, match="no verdicts of a judge called"):
        required_judge(answered.states(), "d")


def test_of_two_judges_there_is_no_majority(answered: Answered) -> None:
    answered.judge(verdict("q1", True, "a"), verdict("q1", False, "b"), verdict("q2", True, "b"))
    assert judges_of(answered.states()) == ["a", "b"]
    assert required_judge(answered.states(), None) == "b", "it has judged more"
    answered.judge(verdict("q2", True, "a"))
    assert required_judge(answered.states(), None) == "a", "the first by name"
    with pytest.raises(UserError):
        required_judge(answered.states(), MAJORITY)


def test_judges_compare_on_the_answers_that_all_have_judged(answered: Answered) -> None:
    answered.judge(
        *(verdict(q, True, "a") for q in ("q1", "q2", "q3")),
        *(verdict(q, False, "b") for q in ("q2", "q3")),
        {"id": "q2", "system": "small", "judge": "c", "raw": "Hm."},
    )
    common = all_judged(answered.states())
    assert [each.case.external_id for each in common] == ["q2", "q3"], "c has said nothing at all"
    alone = all_judged(by_judges(answered.states(), ["a"]))
    assert [each.case.external_id for each in alone] == ["q1", "q2", "q3"]
    for name in ("d", MAJORITY):
        with pytest.raises(UserError, match="no verdicts of a judge called"):
            by_judges(answered.states(), [name])
    assert all_judged([]) == []


def test_what_would_move_the_figure_comes_first(answered: Answered) -> None:
    answered.judge(*(verdict(each, True) for each in ("q1", "q2", "q3")))
    for question, ratings in {
        "q1": (True, True),
        "q2": (False, False),
        "q3": (True, False),
    }.items():
        answered.rate(answered.ann, ratings[0], question)
        answered.rate(answered.ben, ratings[1], question)
    found = answered.states()
    names = {each.id: each.case.external_id for each in found}
    assert [names[each.case] for each in review_order(found, "gpt")] == ["q2", "q3", "q1"]
    answered.review(True, "fair", question="q3")
    left = review_order(answered.states(), "gpt")
    assert [names[each.case] for each in left] == ["q2", "q1"]


def test_pairs_join_both_orders(answered: Answered) -> None:
    of = {"id": "q1", "system": "small", "judge": "gpt"}
    answered.judge(
        of | {"verdict": "tie", "other": "large"},
        of | {"verdict": "first"},
        of | {"verdict": "second", "swapped": True},
        of | {"verdict": "first", "id": "q2"},
        verdict("q2", True),
    )
    with answered.ws.reading() as session:
        found = pairs(session, 1)
    assert [*found.items()] == [
        (("gpt", "small", ""), [Pair(Winner.FIRST, Winner.SECOND), Pair(Winner.FIRST, None)]),
        (("gpt", "small", "large"), [Pair(Winner.TIE, None)]),
    ]
    assert (answered.state().verdicts, answered.state("q2").verdicts) == ({}, {"gpt": True})
