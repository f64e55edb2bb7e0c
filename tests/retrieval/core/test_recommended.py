"""The recommended method: it is complete, runs without a download, and finds by citation."""

from __future__ import annotations

from retrieval.core.method import Resources
from retrieval.core.model import Query
from retrieval.core.presets import RECOMMENDED
from retrieval.core.registry import complete, make
from tests.retrieval.graph.test_cited import CORPUS, GRAPH


def test_it_answers_from_a_small_corpus_the_same_each_time():
    runs = []
    for _ in range(2):
        method = make(RECOMMENDED, Resources(graph=lambda: GRAPH))
        method.fit(CORPUS)
        runs.append(method.search([Query("q", "자체점검은 누가 하나요?")], 5)["q"])
    assert runs[0] == runs[1]
    assert runs[0][0].unit_id in ("가법_1조", "가법_2조", "나법_1조")
    assert "가법_2조" in [hit.unit_id for hit in runs[0]]  # it never says 자체점검 itself


def test_one_weight_for_each_part():
    spec = complete(RECOMMENDED)
    assert len(spec["weights"]) == len(spec["of"])
    assert all(weight > 0 for weight in spec["weights"])
