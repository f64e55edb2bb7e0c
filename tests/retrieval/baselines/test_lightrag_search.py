"""The order of LightRAG's search, by hand over four entities, four relations and six units."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.baselines.lightrag_search import (
    MODES,
    GraphArrays,
    GraphSearch,
    Limits,
    Sought,
    in_turns,
    within,
)
from retrieval.baselines.lists import PositionLists
from tests.retrieval.toys import ToyDense, corpus_of

# How near to the question each unit is.
COSINES = {"u0": 0.1, "u1": 0.9, "u2": 0.5, "u3": 0.7, "u4": 0.3, "u5": -0.2}
# A, B, C, D; joined A-B, A-C, B-C, C-D. Degrees 2, 2, 3, 1; of the relations 4, 5, 5, 4.
GRAPH = GraphArrays(
    ends=np.array([[0, 1], [0, 2], [1, 2], [2, 3]]),
    weights=np.array([1.0, 2.0, 1.0, 5.0]),
    entity_sizes=np.array([40, 40, 40, 40]),
    relation_sizes=np.array([40, 40, 40, 40]),
    entity_units=PositionLists.of([[0, 1], [1, 2], [3], [4]]),
    relation_units=PositionLists.of([[1], [3, 0], [5], [4]]),
    entity_vectors=np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1]], np.float32),
    relation_vectors=np.array([[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0], [0, 0, 1]], np.float32),
)
LIMITS = Limits("local", 40, 20, 0.2, 5, 0, 0)
LOW, HIGH = np.array([1, 0, 0], np.float32), np.array([0, 1, 0], np.float32)
SOUGHT = Sought(np.array([0, 0, 1], np.float32), LOW, HIGH)


def searcher(graph: GraphArrays = GRAPH) -> GraphSearch:
    units = {unit: (sqrt(1 - c * c), 0.0, c) for unit, c in COSINES.items()}
    base = ToyDense(units, {})
    base.fit(corpus_of(*units))
    return GraphSearch(graph, base)


def ranked(sought: Sought = SOUGHT, **limits: Any) -> list[int]:
    return searcher().ranked([sought], replace(LIMITS, **limits))[0]


def test_local_takes_entities_near_the_low_keywords_and_their_relations() -> None:
    # A and B; units 0, 1, 2 by cosine: 1, 2, 0. Relations A-C (5, 2), B-C (5, 1), A-B (4, 1): what
    # they have beyond these is 3, then 5.
    assert ranked() == [1, 3, 2, 5, 0]


def test_global_takes_relations_near_the_high_keywords_and_their_ends() -> None:
    # A-C and B-C; their ends A, C, B have units 1, 3, 2, 0; beyond them there is 5.
    assert ranked(mode="global") == [1, 5, 3, 2, 0]


def test_hybrid_takes_both_in_turns_and_mix_units_near_the_question_before_them() -> None:
    assert ranked(mode="hybrid") == [1, 5, 3, 2, 0]
    # Near the question are 1, 3, 2, 4; 0 and 5 are too far from it, but the graph leads there.
    assert ranked(mode="mix") == [1, 5, 3, 2, 4, 0]
    assert ranked(mode="mix", chunk_top_k=2) == [1, 5]


def test_units_are_cut_to_so_many_for_each_holder() -> None:
    # of A and B one: 1; of A-C and B-C, which have others, one of 3, 0 and 5; A-B has none left
    assert ranked(related=1) == [1, 3]
    # 3 · 2 / 2 for each
    assert ranked(related=3) == [1, 3, 2, 5, 0]


def test_what_is_too_far_or_beyond_the_first_is_not_found() -> None:
    # A alone: units 1, 0; then A-C with 3
    assert ranked(cosine=0.85) == [1, 3, 0]
    assert ranked(top_k=1) == [1, 3, 0]
    # a unit is as far as it may be
    assert ranked(mode="mix", cosine=0.75, sought=replace(SOUGHT, low=None, high=None)) == [1]


def test_entities_and_relations_stay_within_their_budgets() -> None:
    assert ranked(entity_tokens=19) == [1, 3, 0, 5]  # A alone has units; all relations count
    assert ranked(entity_tokens=20, relation_tokens=10) == [1, 3, 2, 0]
    assert ranked(entity_tokens=9, relation_tokens=9) == []
    sizes = np.array([5, 9, 12])
    assert within([2, 0, 1], sizes, 4) == [2, 0]  # 12 + 5 - 1 bytes in 16
    assert within([2, 0, 1], sizes + 1, 4) == [2]
    assert within([2, 0, 1], sizes, 0) == [2, 0, 1]
    assert within([], sizes, 4) == []


def test_without_keywords_of_its_level_a_mode_takes_those_of_the_other() -> None:
    assert ranked(replace(SOUGHT, low=None)) == ranked(mode="global")
    assert ranked(replace(SOUGHT, high=None), mode="global") == ranked()
    assert ranked(replace(SOUGHT, high=None), mode="hybrid") == ranked()
    assert ranked(replace(SOUGHT, low=None, high=None)) == []


def test_questions_asked_together_are_asked_alone() -> None:
    some = [
        SOUGHT,
        replace(SOUGHT, low=None),
        replace(SOUGHT, high=None),
        replace(SOUGHT, low=HIGH),
    ]
    for mode in MODES:
        alone = [ranked(each, mode=mode) for each in some]
        assert searcher().ranked(some, replace(LIMITS, mode=mode)) == alone
    assert searcher().ranked([], LIMITS) == []


def test_ties_are_by_place() -> None:
    same = replace(
        GRAPH,
        weights=np.ones(4),
        entity_vectors=np.array([[1, 0, 0]] * 4, np.float32),
        entity_units=PositionLists.of([[], [], [], [4, 3]]),
        relation_units=PositionLists.of([[5], [2], [], []]),
    )
    # Entities A, B, C, D; of the relations A-C and B-C have the highest degrees, A-B and C-D equal.
    assert searcher(same)._relations([0, 1, 2, 3]) == [1, 2, 0, 3]
    assert searcher(same)._relations([3, 0]) == [1, 3, 0]  # as the entities lead to them
    assert searcher(same).ranked([SOUGHT], LIMITS) == [[3, 2, 4, 5]]


def test_things_are_taken_in_turns_each_once() -> None:
    assert in_turns([1, 2, 3], [2], [4, 1, 5]) == [1, 2, 4, 3, 5]
    assert in_turns([], []) == []
    # An entity at the end of several relations takes one turn, and not one for each of them.
    assert in_turns([5, 6, 7, 8, 9], [0, 2, 1, 2, 2, 3]) == [5, 0, 6, 2, 7, 1, 8, 3, 9]


def test_a_graph_comes_back_from_disk_and_one_that_is_none_is_refused(tmp_path: Path) -> None:
    GRAPH.save(tmp_path)
    back = GraphArrays.load(tmp_path, 6)
    assert searcher(back).ranked([SOUGHT], LIMITS) == [ranked()]
    assert isinstance(back.entity_vectors, np.memmap)
    with pytest.raises(ValueError, match="not there"):
        GraphArrays.load(tmp_path, 5)
    np.save(tmp_path / "ends.npy", GRAPH.ends + 1)
    with pytest.raises(ValueError, match="not there"):
        GraphArrays.load(tmp_path, 6)
    np.save(tmp_path / "ends.npy", GRAPH.ends[:2])
    with pytest.raises(ValueError, match="two graphs"):
        GraphArrays.load(tmp_path, 6)


def test_lists_of_positions_are_kept_as_they_are(tmp_path: Path) -> None:
    lists = PositionLists.of([[3, 1], [], [2]])
    lists.save(tmp_path, "some")
    back = PositionLists.load(tmp_path, "some", 4)
    assert [back[at].tolist() for at in range(len(back))] == [[3, 1], [], [2]]
    with pytest.raises(ValueError, match="should"):
        PositionLists(np.array([0, 2]), np.array([1]))
    with pytest.raises(ValueError, match="should"):
        PositionLists(np.array([], np.int64), np.array([], np.int64))
