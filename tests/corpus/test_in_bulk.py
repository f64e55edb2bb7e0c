"""Very many rows are read without a search for cycles among them."""

from __future__ import annotations

import gc
from functools import partial

import pytest

from corpus.in_bulk import in_bulk
from jobs.graph import build_snapshot
from jobs.methods import corpus_of
from storage import graph, passages
from storage.graph import load_graph
from tests.small_law import small_workspace


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
