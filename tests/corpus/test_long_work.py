"""Very many rows are read without a search for cycles among them."""

from __future__ import annotations

import gc
from functools import partial

import pytest

from corpus.long_work import in_bulk
from services.law.graph.citation_graph import build_snapshot
from services.runs.methods.preparation import corpus_of
from storage.law import graph, passages
from storage.law.graph import load_graph
from tests.projects.small_law import small_workspace


def test_the_search_is_put_off_until_the_block_ends_however_it_ends():
    with in_bulk(), in_bulk():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="stop"), in_bulk():
        raise ValueError("stop")
    assert gc.isenabled()


def test_documents_and_edges_are_read_that_way(tmp_path, clock, monkeypatch):
    ws = small_workspace(tmp_path / "ws", clock)
    build_snapshot(ws, 1)
    seen = []

    def noting(real, *row):
        seen.append(gc.isenabled())
        return real(*row)

    for module, name in ((passages, "_passage"), (graph, "edge_of")):
        monkeypatch.setattr(module, name, partial(noting, getattr(module, name)))
    assert corpus_of(ws, 1).documents
    with ws.reading() as session:
        assert load_graph(session, 1).edges
    assert len(seen) > 2 and not any(seen) and gc.isenabled()
