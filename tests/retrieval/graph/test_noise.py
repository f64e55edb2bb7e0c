"""Noise in the citation graph: which pairs it hits, what is lost, and where it is put."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.core.method import Resources
from retrieval.core.registry import METHODS, method_class, parameters
from retrieval.graph.citation_graph import distinct
from retrieval.graph.cited import noise_effects
from retrieval.graph.noise import GONE, NOISE, Noisy, noise_in, noisy_ends, with_noise
from retrieval.graph.sar import SAR
from tests.retrieval.graph.test_citation_graph import pairs
from tests.retrieval.graph.test_sar import fitted
from tests.support.refusals import code_of

DOCUMENTS = 40
RING = distinct(np.arange(DOCUMENTS), (np.arange(DOCUMENTS) + 1) % DOCUMENTS, DOCUMENTS)


def noise(kind, rate, seed=0, links=RING, documents=DOCUMENTS):
    sources, targets = noisy_ends(links[0], links[1], documents, kind, rate, seed)
    ends = zip(sources.tolist(), targets.tolist(), strict=True)
    return [each for each in ends if each[0] != GONE]


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


def test_what_a_seed_hits_and_where_it_leads_stays_what_it_was() -> None:
    twins = distinct(np.r_[0:6, 1:7], np.r_[1:7, 0:6], DOCUMENTS)
    new = sorted(set(noise("rewire", 0.5, 7, twins)) - set(pairs(*twins)))
    assert new == [(2, 33), (4, 20), (4, 24), (20, 4), (24, 4), (33, 2)]


def test_a_link_that_can_go_nowhere_else_stays() -> None:
    every = distinct(np.arange(9) // 3, np.arange(9) % 3, 3)
    assert noise("rewire", 1, links=every, documents=3) == noise("none", 1, links=every)


LINKS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40)


def drawn(links, kind, rate, seed):
    """Return the links before and after, as sets of ends."""
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    before = distinct(ends[:, 0], ends[:, 1], 9)
    return set(pairs(*before)), noise(kind, rate, seed, before, 9)


def adjacent(links):
    return {frozenset(link) for link in links}


@given(LINKS, st.floats(0, 1), st.integers(0, 5))
def test_a_link_and_its_twin_are_dropped_together(links, rate, seed) -> None:
    """Exactly the share of pairs asked for is gone, and a pair that stays has all its links."""
    before, after = drawn(links, "drop", rate, seed)
    linked, left = adjacent(before), adjacent(after)
    assert len(linked) - len(left) == round(rate * len(linked))
    assert set(after) == {link for link in before if frozenset(link) in left}


@given(LINKS, st.floats(0, 1), st.integers(0, 5))
def test_rewiring_keeps_the_number_of_pairs_and_of_links(links, rate, seed) -> None:
    before, after = drawn(links, "rewire", rate, seed)
    assert len(after) == len(set(after)) == len(before)
    assert all(source != target for source, target in after)
    assert len(adjacent(after)) == len(adjacent(before))
    gone = adjacent(before) - adjacent(after)
    assert len(gone) <= round(rate * len(adjacent(before)))
    kept = {link for link in before if frozenset(link) not in gone}
    assert kept <= set(after)  # a pair that stays has all its links


def test_other_types_of_edges_lose_the_same_pairs() -> None:
    """Parts that follow different edges lose what they have in common alike, but at the border."""
    ring = set(BEFORE)
    both = np.array([*ring, *((a, (a + 7) % 40) for a in range(40))])
    more = distinct(both[:, 0], both[:, 1], DOCUMENTS)
    lost = ring - set(noise("drop", 0.3))
    lost_of_more = set(pairs(*more)) - set(noise("drop", 0.3, links=more))
    nested = lost <= lost_of_more & ring or lost_of_more & ring <= lost
    assert nested and len(lost & lost_of_more) >= 6


@pytest.mark.parametrize("undirected", [False, True])
def test_the_share_really_lost_is_counted(undirected) -> None:
    spec = {"edges": ["references", "applies", "delegates_to"], "undirected": undirected}
    clean = fitted(**spec)
    linked = adjacent(pairs(clean.graph.sources, clean.graph.targets))
    noisy_one = fitted(**spec, graph_noise="drop", noise_rate=0.5)
    left = adjacent(pairs(noisy_one.graph.sources, noisy_one.graph.targets))
    (effect,) = noise_effects(noisy_one)
    assert (effect.kind, effect.rate, effect.seed) == ("drop", 0.5, 0)
    assert (effect.pairs, effect.lost) == (len(linked), len(linked) - len(left))
    assert effect.lost == round(0.5 * len(linked))
    assert noise_effects(clean) == []


def test_what_noise_a_spec_has_is_told() -> None:
    spec = {"method": "rrf", "of": [{"method": "sar"}, {"method": "cited_by"}]}
    assert noise_in(spec) == []
    assert noise_in(with_noise(spec, "drop", 0.1, 4)) == [("drop", 0.1)]
    assert noise_in({"method": "sar", "edges": [], "graph_noise": "drop"}) == []


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
    """Whatever takes the graph of its resources, or makes one of its own, can be given noise."""
    source = inspect.getsource(method_class(name))
    reads = issubclass(method_class(name), Noisy) or "resources.graph" in source
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
    assert code_of(with_noise, spec, kind, rate) == code


def test_a_noisy_method_votes_along_fewer_links_and_is_another_method() -> None:
    clean, noisy_one = fitted(), fitted(graph_noise="drop", noise_rate=0.4)
    (effect,) = noise_effects(noisy_one)
    assert (effect.pairs, effect.lost) == (4, 2)  # one of the two is a pair that cite each other
    assert (len(clean.graph), len(noisy_one.graph)) == (5, 2)
    assert clean.content != noisy_one.content
    assert noisy_one.versions != clean.versions  # runs of another way to draw are not taken for it
    newer = SAR(clean.spec, clean.parts, Resources(settings={"graph": "2"}))
    assert newer.content_for(clean.corpus) != clean.content
