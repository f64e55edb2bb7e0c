"""Noise in the citation graph: how much, how repeatable, and in which specs."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from retrieval.core.method import Resources
from retrieval.core.registry import METHODS, method_class, parameters
from retrieval.graph.citation_graph import distinct
from retrieval.graph.citation_method import Citing
from retrieval.graph.noise import NOISE, noisy, with_noise
from retrieval.graph.sar import SAR
from tests.retrieval.graph.test_sar import fitted

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
