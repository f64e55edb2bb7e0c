"""SEAL's weights and the scores of documents, worked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.generative.constrained_beam import Written, search_beams
from retrieval.generative.ngram_scores import DocumentScore, Matches, NGram, Weighting, weighed
from retrieval.generative.suffix_array import TokenIndex
from tests.retrieval.generative.test_suffix_array import standing
from tests.retrieval.generative.toy_writer import ToyWriter, random_model


def written(index: TokenIndex, tokens: tuple[int, ...], chance: float) -> Written:
    span = index.find(tokens)
    assert span is not None
    return Written(tokens, math.log(chance), span)


def test_a_weight_is_the_log_of_the_odds_that_the_question_makes_over_those_of_the_corpus():
    # P(n) = (5 + 5) / (995 + 5) = 1/100, odds 1/99; P(n|q) = 1/2, odds 1: ln 99.
    assert Weighting().weight(math.log(0.5), 3, 5, 995) == pytest.approx(math.log(99))
    # P(n) = 30 / 1000, odds 3/97; P(n|q) = 1/5, odds 1/4: ln (97/12).
    assert Weighting().weight(math.log(0.2), 1, 25, 995) == pytest.approx(math.log(97 / 12))
    # Without smoothing P(n) = 25 / 1000: odds 1/39.
    plain = Weighting(smoothing=0.0)
    assert plain.weight(math.log(0.2), 1, 25, 1000) == pytest.approx(math.log(39 / 4))


def test_what_the_question_makes_no_likelier_weighs_nothing():
    assert Weighting().weight(math.log(0.01), 3, 5, 995) == 0
    assert Weighting().weight(math.log(0.009), 3, 5, 995) == 0
    assert Weighting().weight(math.log(0.9), 1, 10, 10) == 0  # the corpus is nothing else


def test_what_is_certain_has_a_weight_that_is_a_number():
    assert math.isfinite(Weighting().weight(0.0, 1, 1, 100))
    assert Weighting().weight(0.0, 1, 1, 100) > Weighting().weight(math.log(0.99), 1, 1, 100)


def test_the_other_weight_is_the_mean_probability_of_the_tokens():
    assert Weighting("likelihood").weight(math.log(0.25), 2, 9, 9) == pytest.approx(0.5)


def hand() -> tuple[TokenIndex, list[NGram]]:
    """Return three documents, and n-grams with weights 3, 2, 2 and 1."""
    index = TokenIndex.build([[1, 2, 3, 1, 2, 9], [2, 3, 4, 7], [8, 8]])
    runs = [((1, 2), 3.0), ((2, 3, 4), 2.0), ((2, 3), 2.0), ((2,), 1.0)]
    return index, [NGram(written(index, tokens, 0.5), weight) for tokens, weight in runs]


def test_a_document_scores_what_its_heaviest_runs_that_do_not_overlap_add():
    index, ngrams = hand()
    found = Matches(index, ngrams, Weighting()).best(9)
    # The first document: 1 2 at its beginning, 3² = 9; 2 3 overlaps it, and stands nowhere else;
    # 2 stands again at its fifth place, and adds 1² · .2, as its token was counted before.
    # The second: 2 3 4, 2² = 4; 2 3 and 2 lie within it.
    assert [each.document for each in found] == [0, 1]
    assert [each.score for each in found] == pytest.approx([9 + 0.2, 4])
    assert [(each.ngram, each.place) for each in found[0].taken] == [(0, 0), (3, 4)]
    assert [(each.ngram, each.place) for each in found[1].taken] == [(1, 7)]


def test_a_run_adds_less_the_more_of_its_tokens_were_counted():
    index = TokenIndex.build([[1, 2, 3, 4, 2, 2, 5]])
    ngrams = [
        NGram(written(index, (1, 2, 3), 0.5), 3.0),
        NGram(written(index, (2, 2, 5), 0.5), 2.0),
    ]
    (found,) = Matches(index, ngrams, Weighting()).best(1)
    # Of 2 and 5, the distinct tokens of the second, 5 is new: 2² · (.2 + .8 / 2).
    assert found.score == pytest.approx(9 + 4 * 0.6)
    (plain,) = Matches(index, ngrams, Weighting(repetition=0.0, power=1.0)).best(1)
    assert plain.score == pytest.approx(5)


def test_runs_are_ordered_by_weight_then_the_longer_first_and_frequent_ones_are_left_out():
    index = TokenIndex.build([[1, 2, 3], [1, 2, 4], [1, 5]])
    runs = [(1,), (1, 2), (1, 2, 3), (1, 2, 4)]
    found = weighed(index, [written(index, run, 0.5) for run in runs], Weighting(smoothing=0.01))
    assert [each.written.tokens for each in found] == [(1, 2, 3), (1, 2, 4), (1, 2), (1,)]
    few = Weighting(smoothing=0.01, most_places=1)
    rare = weighed(index, [written(index, run, 0.5) for run in runs], few)
    assert [each.written.tokens for each in rare] == [(1, 2, 3), (1, 2, 4)]


def test_several_pieces_are_one_document():
    index = TokenIndex.build([[1, 2], [3], [3], [1, 2], [], [9]])
    ngrams = [NGram(written(index, (1, 2), 0.5), 2.0), NGram(written(index, (3,), 0.5), 1.0)]
    matches = Matches(index, ngrams, Weighting(), pieces=2)
    assert [(each.document, each.score) for each in matches.best(5)] == [(0, 5.0), (1, 5.0)]
    assert matches.of(2) == DocumentScore(2, 0.0, ())


def plainly(pieces, ngrams, weighting: Weighting) -> dict[int, float]:
    """Return the score of each document that has one, by the rule as it is said."""
    scores: dict[int, float] = {}
    for document, piece in enumerate(pieces):
        taken: set[int] = set()
        seen: set[int] = set()
        for ngram in ngrams:
            tokens = ngram.written.tokens
            for _, at in standing([piece], tokens):
                own = set(range(at, at + len(tokens)))
                if not own & taken:
                    new = len(set(tokens) - seen) / len(set(tokens))
                    share = 1 - weighting.repetition + weighting.repetition * new
                    before = scores.get(document, 0.0)
                    scores[document] = before + ngram.weight**weighting.power * share
                    taken |= own
                    seen |= set(tokens)
                    break
    return scores


@given(
    st.lists(st.lists(st.integers(0, 4), max_size=10), min_size=1, max_size=8),
    st.integers(0, 30),
    st.sampled_from(("seal", "likelihood")),
)
def test_the_best_documents_are_those_of_all_that_are_scored(pieces, seed, name):
    index = TokenIndex.build(pieces)
    weighting = Weighting(name, smoothing=0.1)
    beams = search_beams(index, ToyWriter(random_model(seed, 5)), 6, 4)
    ngrams = weighed(index, beams.written, weighting)
    matches = Matches(index, ngrams, weighting)
    wanted = plainly(pieces, ngrams, weighting)
    every = matches.best(100)
    assert {each.document: each.score for each in every} == pytest.approx(wanted)
    assert [(-each.score, each.document) for each in every] == sorted(
        (-each.score, each.document) for each in every
    )
    for k in range(len(every)):
        assert matches.best(k) == every[:k]
    for document in range(len(pieces)):
        assert matches.of(document).score == pytest.approx(wanted.get(document, 0.0))
