"""Methods on a snapshot: fitted once, read back, and told apart from those that lack something."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from retrieval.core.method import Resources
from retrieval.core.model import Query
from retrieval.core.registry import complete, make
from retrieval.graph.noise import with_noise
from retrieval.lexical.bm25_method import BM25
from services.runs.methods import index_cache, preparation
from services.runs.methods.preparation import (
    corpus_of,
    is_not_here,
    is_other_code,
    params_of,
    prepared,
    ready,
    resources,
    spec_of,
    version_of,
)
from storage.law.passages import RETRIEVED_LEVELS
from storage.runs.run_store import RunKey
from tests.projects.small_law import ACT
from tests.retrieval.talking import Talker
from tests.support.refusals import refusal

SPEC = {"method": "bm25"}


def found(ws, snapshot_id):
    corpus = corpus_of(ws, snapshot_id)
    method = ready(ws, SPEC, corpus, resources(ws, snapshot_id))
    return [hit.unit_id for hit in method.search([Query("q", "구명조끼")], 5)["q"]]


def test_a_method_is_fitted_once_and_then_read_from_the_workspace(ws, monkeypatch):
    first = found(ws, 1)
    assert first
    index_cache._open.clear()  # as another process would have it
    monkeypatch.setattr(BM25, "_fit", lambda *_: pytest.fail("fitted again"))
    assert found(ws, 1) == first


def test_a_damaged_description_of_what_is_kept_is_mended(ws):
    """The folder's name says for which corpus it is; whatever its manifest says, it is damaged."""
    first = found(ws, 1)
    (manifest,) = (ws.folder / "index").glob("bm25-*/method.json")
    said = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(said | {"corpus": "0"}), encoding="utf-8")
    index_cache._open.clear()
    assert found(ws, 1) == first
    assert json.loads(manifest.read_text(encoding="utf-8")).keys() == said.keys()


def test_a_method_that_was_kept_asks_the_model_of_who_wants_it_now(ws):
    """Two projects may say the same to one model today, and each its own tomorrow."""
    corpus, spec = corpus_of(ws, 1), {"method": "refwalk", "base": SPEC, "reranker": SPEC}
    talkers = [Talker(lambda _: "refused") for _ in range(2)]
    for talker in talkers:
        using = Resources(graph=resources(ws, 1).graph, ask=talker)
        method = ready(ws, spec, corpus, using)
        method.search([Query("q", "구명조끼")], 5)
        assert method.notes == {"refwalk.asked": 1, "refwalk.refused": 1}
    assert [len(talker.asked) for talker in talkers] == [1, 1]
    assert len(list((ws.folder / "index").glob("refwalk-*"))) == 1


def test_what_fitting_cost_is_told_again_by_what_was_kept(ws):
    corpus, using = corpus_of(ws, 1), resources(ws, 1)
    both = {"method": "rrf", "of": [SPEC, SPEC | {"tokeniser": "whitespace"}, SPEC]}
    _, one = prepared(ws, SPEC, corpus, using)
    _, first = prepared(ws, both, corpus, using)
    index_cache._open.clear()
    _, again = prepared(ws, SPEC, corpus, using)
    assert again == one and one.fit_s is not None and one.fit_s > 0
    folders = list((ws.folder / "index").glob("bm25-*"))
    sizes = [
        sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
        - sum((folder / name).stat().st_size for name in ("method.json", "cost.json"))
        for folder in folders
    ]
    assert len(folders) == 2 and first.index_bytes == sum(sizes) > one.index_bytes > 0
    for folder in folders:
        (folder / "cost.json").unlink()  # as an index of an older version
    _, untold = prepared(ws, both, corpus, using)
    assert (untold.fit_s, untold.index_bytes) == (None, first.index_bytes)


def test_parts_are_fitted_to_what_their_method_cuts_the_law_into(ws):
    corpus = corpus_of(ws, 1)
    spec = {"method": "keller", "passage": 20}
    method = ready(ws, spec, corpus, resources(ws, 1))
    again = ready(ws, spec, corpus_of(ws, 1), resources(ws, 1))
    assert len(method.parts[0].corpus) > len(corpus)
    queries = [Query("q", "구명조끼")]
    assert method.search(queries, 5) == again.search(queries, 5)
    assert {hit.unit_id for hit in method.search(queries, 5)["q"]} <= set(corpus.ids)
    assert len(list((ws.folder / "index").glob("bm25-*"))) == 1


def test_the_graph_of_the_snapshot_brings_in_what_is_cited(ws, monkeypatch):
    corpus, using = corpus_of(ws, 1), resources(ws, 1)
    queries = [Query("q", "갖추어야")]
    cited = {"method": "sar", "base": {"method": "bm25"}}
    alone = ready(ws, {"method": "bm25"}, corpus, using).search(queries, 5)["q"]
    found = ready(ws, cited, corpus, using).search(queries, 5)["q"]
    assert [hit.unit_id for hit in alone] == [f"{ACT}_2조"]
    assert [hit.unit_id for hit in found] == [f"{ACT}_2조", f"{ACT}_별표1"]
    monkeypatch.setattr(preparation, "load_graph", lambda *_: pytest.fail("read again"))
    noisy = ready(ws, with_noise(cited, "drop", 1), corpus, using).search(queries, 5)["q"]
    assert [hit.unit_id for hit in noisy] == [f"{ACT}_2조"]


def test_what_stays_open_holds_neither_the_texts_nor_who_waited_for_it(ws):
    corpus, using = corpus_of(ws, 1), resources(ws, 1)
    told = []
    method = ready(ws, SPEC, corpus, replace(using, progress=lambda *each: told.append(each)))
    assert told and "documents" in vars(corpus)
    assert "documents" not in vars(method.corpus) and method.resources.progress is None
    again = corpus_of(ws, 1)
    assert "documents" not in vars(again) and again.ids is corpus.ids is method.corpus.ids
    assert again.documents == corpus.documents


@pytest.mark.parametrize(
    ("spec", "lacks"),
    [
        ({"method": "bm25_milvus"}, True),
        ({"method": "endpoint"}, True),
        ({"method": "weighted", "of": [{"method": "bm25"}], "weights": [1, 2]}, False),
        ({"method": "bm25", "b": 2}, False),
    ],
)
def test_a_method_that_cannot_be_made_says_which_it_is(spec, lacks):
    assert is_not_here(refusal(make, spec)) is lacks


SAR = {"method": "sar", "base": {"method": "bm25"}, "edges": ["references", "parallel"]}


def key(spec, versions, depth=100):
    params = params_of(spec, depth, versions, RETRIEVED_LEVELS)
    return RunKey(1, 1, spec["method"], params, "gold")


def test_a_run_says_what_it_was_made_with_and_whether_that_was_other_code():
    spec = {"method": "sar", "edges": ["references"], "base": {"method": "bm25"}}
    assert spec_of(key(spec, "1(1)/1")) == spec
    assert spec_of(key(SAR, "1(1)/1/parallel:0123")) == SAR
    made = key(complete("rrf"), "2@model")
    assert version_of(made) == "2@model.1"
    assert not is_other_code(made, "2@model") and is_other_code(made, "2@other")
    assert spec_of(made)["method"] == made.method
