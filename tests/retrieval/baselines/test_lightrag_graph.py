"""LightRAG's graph, put together by hand from a few readings."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from retrieval.baselines.lightrag_graph import Link, Node, joined, merged, size_of
from retrieval.readings.model import Entity, Kind, Reading, Relation, State


def reading(*items: Entity | Relation) -> Reading:
    return Reading(
        "u",
        Kind.GRAPH,
        State.READ,
        entities=tuple(each for each in items if isinstance(each, Entity)),
        relations=tuple(each for each in items if isinstance(each, Relation)),
    )


def lines(asked: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    return ["|".join(descriptions) for _, descriptions in asked]


def graph(*readings: Reading, most: int = 200) -> tuple[list[Node], list[Link]]:
    return merged(readings, most, lines)


def test_what_has_one_name_is_one_entity() -> None:
    nodes, links = graph(
        reading(Entity("소방청장", "기관", "장이다"), Entity("Fire", "thing", "hot")),
        reading(Entity(" 소방청장\n", "사람", "임명한다"), Entity("fire", "act", "")),
        reading(Entity("소방청장", "사람", "장이다"), Entity(" ", "x", "y")),
    )
    assert links == []
    assert nodes == [
        Node("Fire", "thing", "hot", (0,)),
        Node("fire", "act", "", (1,)),
        Node("소방청장", "사람", "장이다|임명한다", (0, 1, 2)),
    ]
    assert nodes[2].text == "소방청장\n장이다|임명한다"


def test_of_types_said_equally_often_the_first_counts_and_none_is_unknown() -> None:
    nodes, _ = graph(
        reading(Entity("a", ""), Entity("b", "", "")),
        reading(Entity("a", "y")),
        reading(Entity("a", "x")),
    )
    assert [node.type for node in nodes] == ["y", "UNKNOWN"]


def test_relations_of_a_pair_are_one_whichever_way_they_point() -> None:
    nodes, links = graph(
        reading(Entity("b", "t", "B"), Relation("b", "a", "uses, owns", "b of a", 2.0)),
        reading(Relation("a", "b", "owns", "a and b", 0.5)),
        reading(Relation("a", "a", "self", "itself")),
    )
    assert links == [Link((0, 1), ("a", "b"), "owns,uses", "b of a|a and b", 2.5, (0, 1))]
    assert links[0].text == "owns,uses\ta\nb\nb of a|a and b"
    # a is an end that nobody described: it has the description of the relation, and its units
    assert nodes == [
        Node("a", "UNKNOWN", "b of a|a and b", (0, 1)),
        Node("b", "t", "B", (0, 1)),
    ]


def test_a_relation_weighs_no_less_than_its_units() -> None:
    _, links = graph(*[reading(Relation("a", "b", weight=0.1))] * 3)
    assert links[0].weight == 3.0


def test_the_first_units_stay_and_what_others_say_is_left_out() -> None:
    nodes, links = graph(
        reading(Relation("a", "b", "", "first")),
        reading(Entity("a", "t", "second"), Relation("a", "b", "k", "beyond")),
        reading(Entity("a", "u", "third"), Entity("a", "u", "fourth")),
        most=1,
    )
    # a's own units come before those of its relations
    assert nodes == [Node("a", "t", "second", (1,)), Node("b", "UNKNOWN", "first", (0,))]
    assert links == [Link((0, 1), ("a", "b"), "", "first", 1.0, (0,))]


def test_sizes_are_those_of_the_line_that_a_model_would_be_shown() -> None:
    node, link = Node("가", "t", "d", (0,)), Link((0, 1), ("a", "b"), "k", "d", 1.0, (0,))
    shown = json.dumps({"entity": "가", "type": "t", "description": "d"}, ensure_ascii=False)
    assert node.size == len(shown.encode()) + 1
    shown = json.dumps({"entity1": "a", "entity2": "b", "description": "d"})
    assert link.size == len(shown) + 1
    assert [size_of(each) for each in ("", "가나", "\ud800")] == [1, 7, 4]


def test_descriptions_are_joined_until_the_budget_ends() -> None:
    assert joined(["aaa", "bbb", "ccc"], 2) == "aaa\nbbb"  # 8 bytes
    assert joined(["a" * 99, "b"], 2) == "a" * 99  # one at least
    assert joined([], 9) == ""


_NAMES = st.sampled_from(["a", "b", "c", "d "])
_ENTITIES = st.builds(Entity, _NAMES, st.sampled_from(["", "t"]), st.sampled_from(["", "x", "y"]))
_RELATIONS = st.builds(Relation, _NAMES, _NAMES, st.sampled_from(["", "k", "k, l"]))


@given(st.lists(st.lists(st.one_of(_ENTITIES, _RELATIONS), max_size=4), max_size=5))
def test_a_graph_is_whole_and_in_order(said: list[list[Entity | Relation]]) -> None:
    nodes, links = graph(*(reading(*each) for each in said))
    assert [node.name for node in nodes] == sorted({node.name for node in nodes})
    assert [link.names for link in links] == sorted({link.names for link in links})
    for link in links:
        one, other = link.ends
        assert (nodes[one].name, nodes[other].name) == link.names
        assert one < other
        assert set(link.units) <= set(nodes[one].units) & set(nodes[other].units)
    for units in [*(each.units for each in nodes), *(each.units for each in links)]:
        assert units and len(set(units)) == len(units)
        assert max(units) < len(said)
