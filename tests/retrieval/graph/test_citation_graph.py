"""The citation graph as arrays: what counts as a link, walking both ways, and keeping it."""

from __future__ import annotations

import errno
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.graph.model import Edge, EdgeType, Graph, Origin
from corpus.model import Tier
from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.registry import METHODS, method_class, parameters
from retrieval.graph.citation_graph import (
    LINK_TYPES,
    NOISE,
    CitationGraph,
    distinct,
    kept_links,
    links_of,
    noisy,
    with_noise,
)
from retrieval.graph.cited import Citing
from retrieval.graph.sar import SAR
from tests.retrieval.graph.test_sar import fitted
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


def test_several_references_are_one_link_and_one_to_oneself_is_none() -> None:
    graph = CitationGraph(*links_of(GRAPH, CORPUS).of_types(TYPES), 4)
    assert pairs(graph.sources, graph.targets) == [(0, 1), (0, 2), (2, 0)]
    assert graph.out.degrees.tolist() == [2, 0, 1, 0]
    assert graph.into.degrees.tolist() == [1, 1, 1, 0]
    both = CitationGraph(*links_of(GRAPH, CORPUS).of_types(TYPES), 4, undirected=True)
    assert pairs(both.sources, both.targets) == [(0, 1), (0, 2), (1, 0), (2, 0)]


def test_rows_say_whose_link_it_is() -> None:
    graph = CitationGraph(np.array([2, 0, 0]), np.array([0, 2, 1]), 4)
    which, ends = graph.out.of(np.array([3, 2, 0]))
    assert pairs(which, ends) == [(1, 0), (2, 1), (2, 2)]
    which, ends = graph.out.of(np.array([], dtype=np.int64))
    assert pairs(which, ends) == []


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


def test_an_empty_corpus_has_no_links() -> None:
    none = np.array([], dtype=np.int64)
    assert pairs(*distinct(none, none, 0)) == []


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


DOCUMENTS = 40
RING = distinct(np.arange(DOCUMENTS), (np.arange(DOCUMENTS) + 1) % DOCUMENTS, DOCUMENTS)


def noise(kind, rate, seed=0, links=RING, documents=DOCUMENTS):
    sources, targets = noisy(links[0], links[1], documents, kind, rate, seed)
    return list(zip(sources.tolist(), targets.tolist(), strict=True))


BEFORE = noise("none", 0.5)


@pytest.mark.parametrize(("rate", "gone"), [(0, 0), (0.1, 4), (0.2, 8), (1, 40)])
def test_a_part_of_the_links_is_dropped_or_led_elsewhere(rate, gone) -> None:
    dropped, rewired = noise("drop", rate), noise("rewire", rate)
    assert len(dropped) == DOCUMENTS - gone
    assert set(dropped) <= set(BEFORE)
    assert len(set(rewired)) == DOCUMENTS
    assert len(set(BEFORE) - set(rewired)) == gone
    assert [source for source, _ in rewired] == [source for source, _ in BEFORE]
    assert set(BEFORE) - set(rewired) == set(BEFORE) - set(dropped)


def test_the_seed_decides_and_more_noise_holds_the_less() -> None:
    assert noise("rewire", 0.2, 7) == noise("rewire", 0.2, 7)
    assert noise("drop", 0.2, 7) != noise("drop", 0.2, 8)
    assert set(noise("drop", 0.2)) < set(noise("drop", 0.1))


def test_a_link_that_can_go_nowhere_else_stays() -> None:
    every = distinct(np.arange(9) // 3, np.arange(9) % 3, 3)
    assert noise("rewire", 1, links=every, documents=3) == noise("none", 1, links=every)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40),
    st.floats(0, 1),
    st.integers(0, 5),
)
def test_rewiring_keeps_links_distinct_and_apart(links, rate, seed) -> None:
    pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
    ends = distinct(pairs[:, 0], pairs[:, 1], 9)
    rewired = noise("rewire", rate, seed, ends, 9)
    assert len(set(rewired)) == len(ends[0])
    assert all(source != target for source, target in rewired)


def test_it_reaches_every_method_that_follows_links_and_no_other() -> None:
    sar = {"method": "sar", "base": {"method": "sar"}}
    spec = with_noise({"method": "rrf", "of": [{"method": "bm25"}, sar]}, "rewire", 0.2, 3)
    given = {"graph_noise": "rewire", "noise_rate": 0.2, "noise_seed": 3}
    assert spec["of"][1] == spec["of"][1] | given
    assert spec["of"][1]["base"] == spec["of"][1]["base"] | given
    assert not set(given) & set(spec["of"][0])
    assert set(given) <= {each.name for each in parameters("sar")}


@pytest.mark.parametrize("name", METHODS)
def test_it_reaches_every_method_that_reads_the_graph(name) -> None:
    """Whatever takes the graph of its resources can be given noise."""
    source = inspect.getsource(method_class(name))
    reads = issubclass(method_class(name), Citing) or "resources.graph" in source
    noise = {each.name for each in NOISE}
    assert (noise <= {each.name for each in parameters(name)}) == reads


@pytest.mark.parametrize(
    ("spec", "kind", "rate", "code"),
    [
        ({"method": "bm25"}, "drop", 0.1, "noise_without_graph"),
        ({"method": "sar", "edges": []}, "drop", 0.1, "noise_without_graph"),
        ({"method": "refwalk", "expansion": False}, "drop", 0.1, "noise_without_graph"),
        ({"method": "sar"}, "scramble", 0.1, "method_parameter"),
        ({"method": "sar"}, "drop", 1.5, "method_parameter"),
    ],
)
def test_noise_that_cannot_be_is_refused(spec, kind, rate, code) -> None:
    with pytest.raises(UserError) as refused:
        with_noise(spec, kind, rate)
    assert refused.value.code == code


def test_a_noisy_method_votes_along_fewer_links_and_is_another_method() -> None:
    clean, noisy_one = fitted(), fitted(graph_noise="drop", noise_rate=0.4)
    assert (len(clean.graph), len(noisy_one.graph)) == (5, 3)
    assert clean.content != noisy_one.content
    newer = SAR(clean.spec, clean.parts, Resources(settings={"graph": "2"}))
    assert newer.content_for(clean.corpus) != clean.content
