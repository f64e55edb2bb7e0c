"""What the fusion benchmark reads and times, over the sample's small law."""

from __future__ import annotations

import json

import pytest

from benchmarks.retrieval_fusion import Played, fusion_figures
from benchmarks.retrieval_law import asked_of, corpus_of, resources_of
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.core.method import Resources
from retrieval.core.model import Query
from retrieval.core.registry import make
from services.runs.methods.preparation import corpus_of as snapshot_corpus
from tests.conftest import ROOT
from tests.projects.small_law import law, small_workspace
from tests.retrieval.toys import ToyDense, ids_of

STATUTES = read_tree(ROOT / "sample" / "statutes")
CORPUS = corpus_of(STATUTES)
ASKED = [Query("1", "안전"), Query("2", "점검"), Query("3", " ")]
DENSE = ToyDense(
    {unit: (at, 1) for at, unit in enumerate(CORPUS.ids)}, {"안전": (1, 0), "점검": (0, 1)}
)


def test_every_figure_is_there_with_its_n() -> None:
    DENSE.fit(CORPUS)
    lexical = make({"method": "bm25"})
    lexical.fit(CORPUS)
    figures = {
        one.name: one for one in fusion_figures(DENSE, lexical, resources_of(STATUTES), ASKED)
    }
    names = {"sar_ms", "rocchio_ms", "fusion_ms"}
    assert set(figures) == names | {f"{name}_p95" for name in names}
    assert all(one.n == 2 and one.value and one.value > 0 for one in figures.values())
    with pytest.raises(ValueError, match="no query"):
        fusion_figures(DENSE, lexical, Resources(), ASKED[2:])


def test_what_is_played_back_is_what_was_found() -> None:
    DENSE.fit(CORPUS)
    played = Played(DENSE, ASKED[:2], DENSE)
    for k in (1, 5):
        assert played.search(ASKED[:2], k) == DENSE.search(ASKED[:2], k)
    assert len(ids_of(played.search(ASKED[:1], 5)["1"])) == 5


def test_the_corpus_is_what_the_product_searches(tmp_path, clock) -> None:
    here, there = corpus_of(law()), snapshot_corpus(small_workspace(tmp_path / "ws", clock), 1)
    assert list(here.documents) == list(there.documents)
    articles = [document for document in there.documents if "별" not in document.label]
    assert list(corpus_of(law(), [Level.ARTICLE]).documents) == articles
    assert 0 < len(articles) < len(here)


def test_questions_come_with_the_gold_that_the_corpus_has(tmp_path) -> None:
    known = CORPUS.ids[0]
    rows = [
        {
            "question_id": 1,
            "question": "안전",
            "answer": "…",
            "semantic_ids": [known, "없는법_1조"],
        },
        {"question_id": 2, "question": "점검", "answer": "…", "semantic_ids": ["없는법_1조"]},
    ]
    file = tmp_path / "qna.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (asked,) = asked_of(file, STATUTES, CORPUS)
    assert (asked.query.text, asked.gold) == ("안전", (known,))
