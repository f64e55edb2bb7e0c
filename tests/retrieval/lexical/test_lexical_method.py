"""BM25 over fields and in its variants, and TF-IDF, against the formulas written out plainly."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.method import QUERY_CHARACTERS, best_positions
from retrieval.core.model import Corpus, Document, Query
from retrieval.core.registry import make
from retrieval.lexical import postings
from retrieval.lexical.bm25_method import BM25Index
from retrieval.lexical.lexical_method import Lexical, TermCounter
from retrieval.lexical.postings import Postings
from retrieval.text.tokenise import TOKENISERS, bigrams

WORD = st.sampled_from(["소방", "시설", "건축물", "설치", "a", "b", "12"])
MIXED = st.sampled_from(["소방시설", "제12조의2", "消防法", "exits", "a.b", "2.1.1의", "ㄱ", "및"])
LIGHT = [name for name in TOKENISERS if name != "morphemes"]  # that one starts an analyser
TEXT = st.lists(WORD, max_size=6).map(" ".join)
DOCUMENT = st.tuples(TEXT, TEXT, TEXT, st.lists(WORD, max_size=2).map(tuple))
DOCUMENTS = st.lists(DOCUMENT, min_size=1, max_size=7)
SMALL = Corpus.of(
    [
        Document("a", "소방 법", "제1조", "목적", "시설 설치 시설"),
        Document("b", "소방 법", "제2조", "시설", "건축물"),
        Document("c", "건축 법", "제1조", "목적", "소방 시설 설치"),
    ]
)


def corpus_of(documents) -> Corpus:
    return Corpus.of(
        Document(f"u{i}", statute_title=title, heading=heading, body=body, path=path)
        for i, (title, heading, body, path) in enumerate(documents)
    )


def fitted(corpus: Corpus, **spec) -> Lexical:
    method = made({"tokeniser": "whitespace", "method": "bm25"} | spec)
    method.fit(corpus)
    return method


def made(spec) -> Lexical:
    method = make(spec)
    assert isinstance(method, Lexical)
    return method


def scores_of(method, corpus: Corpus, query: str) -> dict[str, float]:
    return {hit.unit_id: hit.score for hit in method.search([Query("q", query)], len(corpus))["q"]}


def fields_of(document: Document, weights) -> list[tuple[list[str], float]]:
    texts = [
        document.statute_title,
        " ".join(document.path),
        f"{document.label} {document.heading}",
        document.body,
    ]
    pairs = zip(texts, [*weights, 1.0], strict=True)
    return [(text.split(), weight) for text, weight in pairs]


def pseudo_frequencies(documents, weights, bs):
    """Return each document's weighted frequency of each term, as BM25F adds it up."""
    cut = [fields_of(document, weights) for document in documents]
    found: list[dict[str, float]] = [defaultdict(float) for _ in documents]
    for place, b in enumerate(bs):
        mean = sum(len(each[place][0]) for each in cut) / len(cut) or 1
        for counted, each in zip(found, cut, strict=True):
            terms, weight = each[place]
            for term in terms:
                if weight:
                    counted[term] += weight / (1 - b + b * len(terms) / mean)
    return found


def lucene(frequencies, query, k1):
    size, scores = len(frequencies), []
    for one in frequencies:
        score = 0.0
        for term in query.split():
            df = sum(term in each for each in frequencies)
            if term in one:
                score += math.log(1 + (size - df + 0.5) / (df + 0.5)) * one[term] / (k1 + one[term])
        scores.append(score)
    return scores


@given(DOCUMENTS, TEXT, st.sampled_from([(1.5, 0.75, 0.3), (0.9, 0.0, 1.0)]))
def test_bm25f_is_its_formula(documents, query, params):
    k1, b, title_b = params
    weights = {"statute_weight": 2.0, "path_weight": 0.5, "heading_weight": 0.0}
    corpus = corpus_of(documents)
    method = fitted(corpus, fields="bm25f", k1=k1, b=b, title_b=title_b, **weights)
    counted = pseudo_frequencies(corpus.documents, weights.values(), [title_b] * 3 + [b])
    expected = dict(zip(corpus.ids, lucene(counted, query, k1), strict=True))
    found = scores_of(method, corpus, query)
    assert found == pytest.approx({u: s for u, s in expected.items() if s > 0}, rel=1e-5)


@given(DOCUMENTS, TEXT)
def test_the_sum_over_fields_is_the_sum_of_bm25_over_each(documents, query):
    corpus = corpus_of(documents)
    method = fitted(corpus, fields="sum", statute_weight=3.0, path_weight=0.5, heading_weight=1.0)
    expected: dict[str, float] = defaultdict(float)
    for place, weight in enumerate([3.0, 0.5, 1.0, 1.0]):
        texts = [" ".join(fields_of(each, [1, 1, 1])[place][0]) for each in corpus.documents]
        for hit in BM25Index.fit(corpus.ids, texts, "whitespace").search(query, len(corpus)):
            expected[hit.unit_id] += weight * hit.score
    assert scores_of(method, corpus, query) == pytest.approx(dict(expected), rel=1e-5)


@given(DOCUMENTS, TEXT)
def test_one_text_is_one_field(documents, query):
    corpus = corpus_of((" ", " ", f"{t} {h} {b}", ()) for t, h, b, _ in documents)
    joined = scores_of(fitted(corpus), corpus, query)
    assert joined == pytest.approx(scores_of(fitted(corpus, fields="bm25f"), corpus, query))
    index = BM25Index.fit(corpus.ids, [each.text for each in corpus.documents], "whitespace")
    assert joined == {hit.unit_id: hit.score for hit in index.search(query, len(corpus))}


# The body of "a" is 3 terms long, the mean of the corpus (3 + 1 + 3) / 3; "시설" is in it twice
# and in 2 of 3 bodies. With k1 1 and b 1, f = 2 / (9 / 7) = 14 / 9.
F = 14 / 9


@pytest.mark.parametrize(
    ("variant", "score"),
    [
        ("lucene", math.log(1 + 1.5 / 2.5) * F / (1 + F)),
        ("robertson", None),  # ln(1.5 / 2.5) is negative, so 0, and nothing is found
        ("atire", math.log(3 / 2) * 2 * F / (1 + F)),
        ("bm25l", math.log(4 / 2.5) * 2 * (F + 0.5) / (1 + F + 0.5)),
        ("bm25+", math.log(4 / 2) * (2 * F / (1 + F) + 1)),
    ],
)
def test_variants_by_hand(variant, score):
    titles = {"statute_weight": 0, "heading_weight": 0}
    method = fitted(SMALL, fields="bm25f", k1=1, b=1, variant=variant, **titles)
    found = scores_of(method, SMALL, "시설")
    assert found.get("a") == (None if score is None else pytest.approx(score, rel=1e-6))
    assert set(found) == ({"a", "c"} if score else set())


@given(DOCUMENTS, TEXT, st.booleans())
def test_tfidf_is_scikit_learns_cosine(documents, query, sublinear):
    corpus = corpus_of(documents)
    method = fitted(corpus, method="tfidf", sublinear=sublinear)
    found = scores_of(method, corpus, query)
    texts = [document.text for document in corpus.documents]
    if not any(texts):
        assert found == {}
        return
    from sklearn.feature_extraction.text import TfidfVectorizer  # here: one process loads it

    reference = TfidfVectorizer(analyzer=str.split, sublinear_tf=sublinear)
    cosines = (reference.fit_transform(texts) @ reference.transform([query]).T).toarray().ravel()
    expected = {u: c for u, c in zip(corpus.ids, cosines, strict=True) if c > 0}
    assert found == pytest.approx(expected, rel=1e-5)
    assert all(score <= 1 + 1e-6 for score in found.values())


SPECS = [{}, {"fields": "bm25f"}, {"fields": "sum", "variant": "bm25+"}, {"method": "tfidf"}]


@pytest.mark.parametrize("spec", SPECS)
def test_units_alike_stand_by_id_and_long_questions_are_cut(spec):
    corpus = Corpus.of(Document(unit, body="소방 시설") for unit in "dbac")
    method = fitted(corpus, **spec)
    long = Query("q", "소방 " * 10_000 + "시설 " * 50_000)
    hits = method.search([long], 3)["q"]
    assert [hit.unit_id for hit in hits] == ["a", "b", "c"]
    assert hits == method.search([Query("q", long.text[:QUERY_CHARACTERS])], 3)["q"]
    assert method.score(long, ["b"])[0] == hits[1].score


@given(st.integers(0, 2**32 - 1), st.integers(0, 1_000), st.integers(1, 30), st.integers(0, 40))
def test_the_best_are_those_of_a_full_sort(seed, size, values, k):
    scores = np.random.default_rng(seed).integers(0, values, size).astype(np.float64)
    full = sorted((at for at in range(size) if scores[at] > 0), key=lambda at: (-scores[at], at))
    assert best_positions(scores, k).tolist() == full[:k]


@given(st.lists(st.lists(MIXED, max_size=5).map(" ".join), max_size=6), st.sampled_from(LIGHT))
def test_terms_counted_by_kinds_of_words_are_those_of_each_text(texts, name):
    counter = TermCounter(TOKENISERS[name])
    terms, fields = counter.by_term([counter.count(texts), counter.count(reversed(texts))])
    expected = [Counter(TOKENISERS[name](text)) for text in texts]
    assert terms == sorted({term for counts in expected for term in counts})
    for counts, wanted in zip(fields, (expected, expected[::-1]), strict=True):
        assert counts.has_canonical_format or counts.nnz == 0
        rows = [dict(zip(terms, row, strict=True)) for row in counts.toarray().tolist()]
        assert [{term: n for term, n in row.items() if n} for row in rows] == wanted


def test_a_word_is_cut_once_however_often_it_stands():
    asked: list[Sequence[str]] = []

    def terms_of(words: Sequence[str]) -> list[Sequence[str]]:
        asked.append(words)
        return [[word] for word in words]

    spy = replace(bigrams, opened=lambda folder: terms_of)
    counter = TermCounter(spy)
    counter.count(["소방 시설 소방"] * 3)
    counter.count(["시설 설치"])
    assert asked == [["소방", "시설"], ["설치"]]


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9)), min_size=1, max_size=9),
    st.dictionaries(st.sampled_from("abcdefz"), st.floats(0.01, 9)),
    st.integers(1, 40),
)
def test_terms_added_up_together_score_as_one_after_another_to_the_last_bit(texts, asked, at_once):
    from scipy.sparse import csr_array

    terms = list("abcdef")
    weights = np.array([[text.get(term, 0) / 7 for term in terms] for text in texts], np.float32)
    found = Postings.of(terms, csr_array(weights))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_AT_ONCE", at_once)
        scores = found.scores(asked)
    known = {term: weight for term, weight in sorted(asked.items()) if term in terms}
    expected = [0.0] * len(texts)
    for term, weight in known.items():
        for at in range(len(texts)):
            expected[at] += float(weights[at, terms.index(term)]) * weight
    assert scores.tolist() == expected


@pytest.mark.parametrize(
    "spec",
    [
        {"method": "tfidf"},
        {"method": "bm25"},
        {"method": "bm25", "fields": "bm25f"},
        {"method": "bm25", "fields": "sum"},
        {"method": "rank_bm25"},
        {"method": "lsa", "dimensions": 2, "min_df": 1},
    ],
)
def test_the_title_is_compared_or_not(spec) -> None:
    rankings = {}
    for compared in ("titled", "passage"):
        method = make({"tokeniser": "whitespace", "compared": compared} | spec)
        method.fit(SMALL)
        hits = method.search([Query("q", "건축")], 3)["q"]
        rankings[compared] = {hit.unit_id for hit in hits if hit.score > 1e-9}
    assert "c" in rankings["titled"]
    assert "c" not in rankings["passage"]
