"""What other questions' gold says of a unit, by hand and on toys."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Document, JudgedQuestion, Query
from retrieval.core.registry import LEARNING, METHODS, learns_from_gold, make, method_class
from retrieval.fusion.weighted import all_scores
from retrieval.learned import FAMILY, STATUTE, FromGold, OtherQuestions
from tests.support.refusals import code_of

UNITS = ("가법_1조", "가법_2조", "가법시행령_1조", "나법_1조")
BY_HAND = ("similar_questions", "gold_prior")
TITLES = ("가법", "가법", "가법 시행령", "나법")
CORPUS = Corpus.of(
    Document(unit, title, statute=unit.partition("_")[0])
    for unit, title in zip(UNITS, TITLES, strict=True)
)
JUDGED = (
    JudgedQuestion("q1", "alarm in a hall", ("가법_1조",)),
    JudgedQuestion("q2", "alarm on a ship", ("가법_2조", "나법_1조")),
    JudgedQuestion("q3", "exit width", ("가법_2조", "not searched")),
    JudgedQuestion("q4", "stairs", ()),
)


def fitted(name: str, judged: Sequence[JudgedQuestion] = JUDGED, **given: object) -> Method:
    spec = {"method": name, "tokeniser": "whitespace", "near": 0.9, **given}
    method = make(spec, Resources(gold=lambda: judged, settings={"gold": "0123456789abcdef"}))
    method.fit(CORPUS)
    return method


def scores(method: Method, query: str, text: str) -> dict[str, float]:
    [found] = all_scores(method, [Query(query, text)])
    return {unit: score for unit, score in zip(CORPUS.ids, found.tolist(), strict=True) if score}


def test_similar_questions_vote_for_their_gold_each_with_one_voice() -> None:
    found = scores(fitted("similar_questions", power=1), "q1", "alarm in a hall")
    assert found["가법_2조"] == found["나법_1조"] > 0  # half of q2's voice each; q3 is not alike
    assert set(found) == {"가법_2조", "나법_1조"}
    squared = scores(fitted("similar_questions", power=2), "q1", "alarm in a hall")
    assert squared["가법_2조"] == pytest.approx(2 * found["가법_2조"] ** 2)


def test_the_prior_counts_shares_of_other_questions_in_unit_statute_and_family() -> None:
    units = scores(fitted("gold_prior"), "q4", "stairs")
    assert units["가법_1조"] == pytest.approx(math.log(2))
    assert units["가법_2조"] == pytest.approx(math.log(2.5))  # what is not searched takes no share
    assert units["나법_1조"] == pytest.approx(math.log(1.5))
    assert "가법시행령_1조" not in units
    statutes = scores(fitted("gold_prior", level=STATUTE), "q4", "stairs")
    assert "가법시행령_1조" not in statutes
    assert statutes["가법_1조"] == pytest.approx(math.log(3.5))
    families = scores(fitted("gold_prior", level=FAMILY), "q4", "stairs")
    assert families["가법시행령_1조"] == families["가법_1조"] == pytest.approx(math.log(3.5))


@given(st.sets(st.sampled_from(UNITS), max_size=4), st.sampled_from(["q1", "q1 again"]))
def test_its_own_gold_and_that_of_a_near_duplicate_never_matter(gold, whose: str) -> None:
    text = "alarm in a hall"
    rest = [JudgedQuestion("q1 again", text, ()), *JUDGED[1:]]
    plain = [JudgedQuestion("q1", text, ()), *rest]
    given_gold = tuple(sorted(gold))
    other = [
        JudgedQuestion(each.id, each.text, given_gold) if each.id == whose else each
        for each in plain
    ]
    before, after = (fitted("similar_questions", each) for each in (plain, other))
    assert scores(before, "q1", text) == scores(after, "q1", text)
    before, after = (fitted("gold_prior", each, level=FAMILY) for each in (plain, other))
    assert scores(before, "q1", text) == scores(after, "q1", text)


def test_without_gold_of_others_a_sum_is_what_it_is_without_them() -> None:
    documents = [Document("a", body="alarm"), Document("b", body="alarm exit")]
    corpus = Corpus.of(documents)
    bm25 = {"method": "bm25"}
    alone = [JudgedQuestion("q1", "alarm exit", ("a",))]
    using = Resources(gold=lambda: alone)
    learning = [{"method": name, "tokeniser": "bigram"} for name in BY_HAND]
    learnt = make({"method": "weighted", "of": [bm25, *learning]}, using)
    plain = make({"method": "weighted", "of": [bm25]})
    for method in (learnt, plain):
        method.fit(corpus)
    query = Query("q1", "alarm exit")
    assert learnt.search([query], 9) == plain.search([query], 9)
    assert learnt.notes["similar_questions.learnt_from_none"] == 1


def test_it_says_how_many_near_duplicates_it_left_out() -> None:
    judged = [*JUDGED, JudgedQuestion("q5", "alarm in a hall", ("나법_1조",))]
    method = fitted("similar_questions", judged)
    method.search([Query("q1", "alarm in a hall"), Query("q4", "stairs")], 5)
    assert method.notes == {
        "similar_questions.learnt_from_none": 0,
        "similar_questions.near_duplicates_left_out": 1,
    }


@pytest.mark.parametrize("name", BY_HAND)
def test_without_gold_to_read_it_is_refused_and_other_gold_is_another_method(name: str) -> None:
    assert code_of(make, {"method": name}) == "method_gold"
    contents = {
        make({"method": name}, Resources(gold=lambda: JUDGED, settings={"gold": gold})).content_for(
            CORPUS
        )
        for gold in ("one", "two")
    }
    assert len(contents) == 2


def test_sub_questions_are_not_answered_from_the_gold_of_their_question() -> None:
    using = Resources(gold=lambda: JUDGED)
    keller = make(
        {"method": "keller", "base": {"method": "gold_prior", "tokeniser": "bigram"}}, using
    )
    keller.fit(CORPUS)
    with pytest.raises(UserError) as refused:
        keller.search([Query("q1", "An alarm in a hall. Two exits.")], 5)
    assert refused.value.code == "method_gold_question"


def test_what_learns_is_told_by_its_description_however_deep() -> None:
    inner = {"method": "weighted", "of": [{"method": "gold_prior"}]}
    assert learns_from_gold({"method": "rrf", "of": [{"method": "bm25"}, inner]})
    assert not learns_from_gold({"method": "sar"})
    assert not learns_from_gold({"method": "not there any more", "of": 3})
    classes = {name for name in METHODS if issubclass(method_class(name), FromGold)}
    assert classes == LEARNING == set(BY_HAND)


def known(*texts: str, near: float = 0.3) -> OtherQuestions:
    judged = [JudgedQuestion(f"q{at}", text, ()) for at, text in enumerate(texts)]
    return OtherQuestions(judged[::-1], "whitespace", near)


def test_itself_and_the_near_duplicates_are_left_out_also_those_joined_through_another() -> None:
    # q0 and q2 share no word; q1 is like both.
    chain = known("a b c", "a b c x y z", "x y z", "elsewhere entirely")
    assert [chain.others(at).tolist() for at in range(4)] == [[3], [3], [3], [0, 1, 2]]
    strict = known("a b c", "a b c x y z", "x y z", "elsewhere entirely", near=0.99)
    assert strict.others(0).tolist() == [1, 2, 3]
    assert known("a b c x y z", "a b c x y z", near=1.0).others(0).tolist() == []


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
