"""The citation graph as arrays: what counts as a link, walking both ways, and keeping it."""

from __future__ import annotations

import errno

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from retrieval.core.method import Resources
from retrieval.graph.citation_graph import (
    LINK_TYPES,
    CitationGraph,
    kept_links,
    links_of,
)
from tests.retrieval.toys import corpus_of

TYPES = [each.value for each in LINK_TYPES]


def edge(source, target, kind=EdgeType.REFERENCES, start=0) -> Edge:
    return Edge(source, target, kind, Origin.TEXT, start, start + 1)


GRAPH = Graph(
    dict.fromkeys(["law", "d", "c", "b", "a", "gone"], Tier.ACT),
    [
        edge("a", "c"),
        edge("a", "c", start=9),
        edge("a", "b", EdgeType.APPLIES),
        edge("b", "b"),
        edge("b", "gone"),
        edge("c", "a", EdgeType.DELEGATES_TO),
        edge("a", "law", EdgeType.PART_OF),
        edge("b", "b", EdgeType.DEFINES),
    ],
)
CORPUS = corpus_of("a", "b", "c", "d")  # positions 0 … 3


def pairs(sources, targets):
    return list(zip(sources.tolist(), targets.tolist(), strict=True))


def test_links_join_two_documents_of_the_corpus() -> None:
    links = links_of(GRAPH, CORPUS)
    assert pairs(*links.of_types(TYPES)) == [(0, 2), (0, 2), (0, 1), (1, 1), (2, 0)]
    assert pairs(*links.of_types(["applies"])) == [(0, 1)]
    assert pairs(*links.of_types([])) == []
    assert pairs(*links_of(Graph({}, []), CORPUS).of_types(TYPES)) == []


def test_links_are_chosen_by_where_they_were_read_too(tmp_path) -> None:
    linked = Edge("a", "b", EdgeType.REFERENCES, Origin.HYPERLINK)
    graph = Graph(dict.fromkeys("abc", Tier.ACT), [edge("a", "c"), linked])
    using = Resources(graph=lambda: graph, folder=tmp_path, settings={"graph": "1"})
    for _ in range(2):  # the second time from the disk
        links = kept_links(corpus_of("a", "b", "c"), using)
        assert links is not None
        assert pairs(*links.of_types(["references"])) == [(0, 2), (0, 1)]
        assert pairs(*links.of_types(["references"], ["hyperlink"])) == [(0, 1)]
        assert pairs(*links.of_types(["applies"], ["hyperlink"])) == []


def test_several_references_are_one_link_and_one_to_oneself_is_none() -> None:
    graph = CitationGraph(*links_of(GRAPH, CORPUS).of_types(TYPES), 4)
    assert pairs(graph.sources, graph.targets) == [(0, 1), (0, 2), (2, 0)]
    assert graph.out.degrees.tolist() == [2, 0, 1, 0]
    assert graph.into.degrees.tolist() == [1, 1, 1, 0]
    both = CitationGraph(*links_of(GRAPH, CORPUS).of_types(TYPES), 4, undirected=True)
    assert pairs(both.sources, both.targets) == [(0, 1), (0, 2), (1, 0), (2, 0)]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=30),
    st.lists(st.integers(0, 6)),
)
def test_rows_are_the_neighbours(links, asked) -> None:
    sources, targets = np.array(links, dtype=np.int64).reshape(-1, 2).T
    graph = CitationGraph(sources, targets, 7)
    expected = [
        (i, end)
        for i, at in enumerate(asked)
        for end in sorted({b for a, b in links if a == at})
        if end != at
    ]
    assert pairs(*graph.out.of(np.array(asked, dtype=np.int64))) == expected
    assert len(graph) == len({link for link in links if link[0] != link[1]})


@pytest.fixture
def counted():
    calls = []

    def graph():
        calls.append(1)
        return GRAPH

    return graph, calls


def test_links_are_read_from_the_graph_once_and_then_from_the_folder(tmp_path, counted) -> None:
    graph, calls = counted
    resources = Resources(graph=graph, folder=tmp_path, settings={"graph": "1"})
    first, second = kept_links(CORPUS, resources), kept_links(CORPUS, resources)
    assert len(calls) == 1
    for name in ("sources", "targets", "types"):
        assert getattr(first, name).tolist() == getattr(second, name).tolist()
    (file,) = tmp_path.rglob("*.npz")
    file.write_bytes(file.read_bytes()[:40])
    third = kept_links(CORPUS, resources)
    assert third and first and third.sources.tolist() == first.sources.tolist()
    assert len(calls) == 2


def test_links_whose_file_is_damaged_anywhere_are_read_anew(tmp_path, counted) -> None:
    graph, _ = counted
    resources = Resources(graph=graph, folder=tmp_path, settings={"graph": "1"})
    first = kept_links(CORPUS, resources)
    (file,) = tmp_path.rglob("*.npz")
    whole = file.read_bytes()
    for at in range(0, len(whole), 7):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        found = kept_links(CORPUS, resources)
        assert found and first
        for name in ("sources", "targets", "types"):
            assert getattr(found, name).tolist() == getattr(first, name).tolist()


def test_links_that_cannot_be_kept_are_there_all_the_same(tmp_path, counted, monkeypatch) -> None:
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    graph, _ = counted
    monkeypatch.setattr(np, "savez", full)
    resources = Resources(graph=graph, folder=tmp_path, settings={"graph": "1"})
    found = kept_links(CORPUS, resources)
    assert found and found.sources.tolist() == links_of(GRAPH, CORPUS).sources.tolist()
    assert not list(tmp_path.rglob("*.npz"))


def test_another_version_or_corpus_is_read_anew(tmp_path, counted) -> None:
    graph, calls = counted
    for version, corpus in [("1", CORPUS), ("2", CORPUS), ("1", corpus_of("a", "b"))]:
        kept_links(corpus, Resources(graph=graph, folder=tmp_path, settings={"graph": version}))
    assert len(calls) == 3


def test_without_a_version_nothing_is_kept(tmp_path, counted) -> None:
    graph, calls = counted
    for _ in range(2):
        kept_links(CORPUS, Resources(graph=graph, folder=tmp_path))
    assert len(calls) == 2
    assert list(tmp_path.iterdir()) == []
    assert kept_links(CORPUS, Resources()) is None
