"""BM25 against rank-bm25 as the reference and its rule for ties."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from errors import UserError
from retrieval.core.model import Hit
from retrieval.lexical.bm25_method import DEFAULT_B, DEFAULT_K1, BM25Index
from retrieval.text.tokenise import TOKENISERS
from tests.support.refusals import code_of

WORD = st.sampled_from(["소방", "시설", "건축", "건축물", "설치", "a", "b", "12", "2.1", "exit"])
DOCUMENTS = st.lists(st.lists(WORD, max_size=8).map(" ".join), min_size=1, max_size=12)
QUERY = st.lists(WORD | st.just("없음"), max_size=5).map(" ".join)
IDS = [f"법_{i}조" for i in range(12)]


class Reference(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """rank-bm25 with the inverse document frequency of Lucene instead of its floored one."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        n = self.corpus_size
        self.idf = {w: math.log(1 + (n - df + 0.5) / (df + 0.5)) for w, df in nd.items()}


def reference_scores(texts, query, tokeniser, k1, b):
    """Return one score per text. rank-bm25 multiplies every score by k1 + 1; Lucene does not."""
    cut = TOKENISERS[tokeniser]
    documents = [cut(text) for text in texts]
    if not any(documents):
        return np.zeros(len(texts))
    with np.errstate(invalid="ignore"):  # it divides zero by zero for empty texts where b is 1
        scores = Reference(documents, k1=k1, b=b).get_scores(cut(query))
    return np.nan_to_num(np.asarray(scores, dtype=np.float64)) / (k1 + 1)


def assert_same_ranking(hits: list[Hit], ids, scores, k: int) -> None:
    """Check scores, completeness and order; units whose scores are equal may swap."""
    by_id = dict(zip(ids, scores, strict=True))
    best = sorted((score for score in scores if score > 0), reverse=True)[:k]
    assert [hit.score for hit in hits] == pytest.approx(best, rel=1e-4)
    assert [by_id[hit.unit_id] for hit in hits] == pytest.approx(best, rel=1e-4)
    assert len({hit.unit_id for hit in hits}) == len(hits)


@given(
    DOCUMENTS,
    QUERY,
    st.sampled_from(["bigram", "whitespace", "jamo3", "char3", "stemmed"]),
    st.sampled_from([(1.5, 0.75), (0.9, 0.4), (2.0, 0.0), (1.2, 1.0), (0.01, 0.5)]),
)
def test_parity_with_rank_bm25(texts, query, tokeniser, params):
    ids = IDS[: len(texts)]
    index = BM25Index.fit(ids, texts, tokeniser, *params)
    scores = reference_scores(texts, query, tokeniser, *params)
    assert_same_ranking(index.search(query, 10), ids, scores, 10)


@pytest.mark.long
@pytest.mark.real_data
def test_parity_with_rank_bm25_on_real_statutes(shared_data):
    files = sorted((shared_data / "korean-law/fire-safety/kr").rglob("*.md"))[::8]
    units = [
        (f"{file.parent.name}/{file.stem}#{i}", article)
        for file in files
        for i, article in enumerate(re.split(r"(?m)^##### ", file.read_text("utf-8"))[1:])
    ]
    ids, texts = [u for u, _ in units], [t for _, t in units]
    questions = (shared_data / "searchfiresafety/qna.jsonl").read_text("utf-8").splitlines()[::40]
    assert len(units) > 300 and len(questions) > 10
    index = BM25Index.fit(ids, texts)
    cut = TOKENISERS["bigram"]
    reference = Reference([cut(text) for text in texts], k1=DEFAULT_K1, b=DEFAULT_B)
    for line in questions:
        question = json.loads(line)["question"]
        scores = reference.get_scores(cut(question)) / (DEFAULT_K1 + 1)
        hits = index.search(question, 10)
        assert len(hits) == 10
        assert_same_ranking(hits, ids, scores, 10)


def test_ids_must_be_distinct_and_as_many_as_texts():
    with pytest.raises(ValueError, match="each once"):
        BM25Index.fit(["a", "a"], ["x", "y"])
    with pytest.raises(ValueError, match="longer"):
        BM25Index.fit(["a"], ["x", "y"])
    with pytest.raises(UserError):
        BM25Index.fit(["a"], ["x"], "kiwi")


@pytest.mark.parametrize(("k1", "b"), [(-0.1, 0.5), (1.5, 1.1), (float("nan"), 0.5), (1e9, 0.5)])
def test_parameters_out_of_range_are_refused(k1, b):
    assert code_of(BM25Index.fit, ["a"], ["x"], k1=k1, b=b) == "bm25_parameters"
