"""What the benchmark of fusion plays back, and that its corpus is what the product searches."""

from __future__ import annotations

from benchmarks.retrieval_quality import corpus_of
from benchmarks.retrieval_speed import Played
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from retrieval.core.model import Query
from services.runs.methods.preparation import corpus_of as snapshot_corpus
from tests.conftest import ROOT
from tests.projects.small_law import law, small_workspace
from tests.retrieval.toys import ToyDense


def test_what_is_played_back_is_what_was_found() -> None:
    corpus = corpus_of(read_tree(ROOT / "sample" / "statutes"))
    asked = [Query("1", "안전"), Query("2", "점검")]
    units = {unit: (at, 1) for at, unit in enumerate(corpus.ids)}
    dense = ToyDense(units, {"안전": (1, 0), "점검": (0, 1)})
    dense.fit(corpus)
    played = Played(dense, asked, dense)
    for k in (1, 5):
        assert played.search(asked, k) == dense.search(asked, k)


def test_the_corpus_is_what_the_product_searches(tmp_path, clock) -> None:
    here, there = corpus_of(law()), snapshot_corpus(small_workspace(tmp_path / "ws", clock), 1)
    assert list(here.documents) == list(there.documents)
    articles = [document for document in there.documents if "별" not in document.label]
    assert list(corpus_of(law(), [Level.ARTICLE]).documents) == articles
    assert 0 < len(articles) < len(here)
