from __future__ import annotations

from dataclasses import replace

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.model import Reason, Status
from corpus.graph.model import Edge, EdgeType, Form, Origin
from corpus.graph.report import HUBS, ReferenceFacts, UnitFacts, describe, topology
from corpus.model import Level, Tier


def unit(statute: str, number: int, level: Level = Level.ARTICLE, length: int = 10) -> UnitFacts:
    tier = Tier.ACT if statute == "act" else Tier.DECREE
    return UnitFacts(f"{statute}_{number}", statute, level, tier, length, length // 5)


def edge(source: str, target: str, kind: EdgeType = EdgeType.REFERENCES) -> Edge:
    origin = Origin.STRUCTURE if kind is EdgeType.PART_OF else Origin.TEXT
    return Edge(source, target, kind, origin)


UNITS = [
    unit("act", 1, length=100),
    unit("act", 2, length=200),
    unit("act", 3, length=300),
    unit("decree", 1, length=400),
    unit("decree", 2, Level.FORM, length=0),
]
EDGES = [
    edge("act_1", "act_2"),
    edge("act_1", "act_2"),
    edge("act_1", "decree_1", EdgeType.DELEGATES_TO),
    edge("decree_1", "act_1", EdgeType.SPECIFIES),
    edge("act_3", "act_3", EdgeType.DEFINES),
    *(edge(each.unit_id, each.statute_id, EdgeType.PART_OF) for each in UNITS),
]


def test_paragraphs_hang_under_their_unit_alone():
    units = [replace(each, paragraphs=2, sub_items=5) for each in UNITS]
    done = describe(units, EDGES, [])
    assert (done.nodes["paragraph"], done.edges["part_of"]) == (10, {"structure": 15})
    assert (done.without_part_of.count, done.without_part_of.single) == (13, 12)
    assert done.without_part_of.largest == 3
    assert (done.with_part_of.count, done.with_part_of.largest) == (1, 17)
    assert (done.with_part_of.single, done.with_part_of.bridging) == (0, 1)
    assert done.sub_items is not None
    assert (done.sub_items.n, done.sub_items.mean) == (4, 5)
    assert done.cites is not None and done.cites.n == len(units)
    assert done.cites.mean * len(units) == pytest.approx(sum(hub.degree for hub in done.citing))


def test_a_definition_joins_nothing():
    without = describe(UNITS, EDGES, [])
    done = describe(UNITS, [*EDGES, edge("act_3", "decree_2", EdgeType.DEFINES)], [])
    assert replace(done, edges=without.edges) == without
    assert done.edges["defines"] == {"text": 2}


def test_gold_in_the_graph():
    statutes = {unit.unit_id: unit.statute_id for unit in UNITS}
    gold = {
        "one": ["act_1"],
        "chain": ["act_1", "decree_1", "act_2"],
        "apart": ["act_1", "act_2", "act_3"],
        "elsewhere": ["other_1"],
        "none": [],
    }
    pairs = [("act_1", "decree_1"), ("act_2", "act_1"), ("act_1", "act_1")]
    found = topology(gold, statutes, pairs)
    assert (found.questions, found.several, found.chains) == (3, 2, 1)
    assert found.by_hops == {"1": 1, "2": 1, "3": 1, "4+": 0}
    assert found.documents is not None and found.provisions is not None
    assert found.documents.mean == pytest.approx(4 / 3)
    assert found.provisions.largest == 3
    cited = [(hub.unit_id, hub.degree) for hub in found.cited]
    assert cited == [("act_1", 3), ("act_2", 2), ("act_3", 1), ("decree_1", 1)]
    assert topology({}, statutes, []).hops is None


def test_references_are_counted_by_form_and_status_and_what_did_not_resolve_by_reason():
    facts = [
        ReferenceFacts(Form.OWN, Status.RESOLVED, 3),
        ReferenceFacts(Form.TITLE, Status.AMBIGUOUS, 1, Reason.SEVERAL_MATCH),
        ReferenceFacts(Form.TITLE, Status.RESOLVED, 2),
        ReferenceFacts(Form.TITLE, Status.UNRESOLVED, 4, Reason.NO_SUCH_PLACE),
        ReferenceFacts(Form.OWN, Status.UNRESOLVED, 2, Reason.NO_SUCH_PLACE),
        ReferenceFacts(Form.TITLE, Status.UNRESOLVED, 1, Reason.NO_SUCH_INSTRUMENT),
    ]
    done = describe(UNITS, [], facts)
    rows = [(r.form, r.resolved, r.ambiguous, r.unresolved) for r in done.references]
    assert rows == [("title", 2, 1, 5), ("own", 3, 0, 2)]
    counts = {"no_such_instrument": 1, "no_such_place": 6, "several_match": 1}
    assert list(done.reasons.items()) == list(counts.items())


def test_orphans_that_the_law_has_struck_out_are_told_apart():
    units = [
        UnitFacts(f"act_{n}", "act", Level.ARTICLE, Tier.ACT, 0, 0, deleted=n > 2)
        for n in (1, 2, 3, 4)
    ]
    done = describe(units, [edge("act_1", "act_3")], [])
    assert (done.orphans["article"], done.orphans_deleted) == (2, 1)


def test_an_edge_to_what_is_no_node_is_an_error():
    with pytest.raises(KeyError):
        describe(UNITS, [edge("act_1", "elsewhere_1")], [])


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=80))
def test_components_are_those_of_networkx_and_the_rest_orphans(
    pairs: list[tuple[int, int]],
):
    units = [unit("act", n) for n in range(31)]
    edges = [edge(f"act_{a}", f"act_{b}") for a, b in pairs]
    done = describe(units, edges, [])
    joined = {end for pair in pairs if pair[0] != pair[1] for end in pair}
    assert done.orphans["article"] == 31 - len(joined)
    assert done.without_part_of.single == 31 - len(joined)
    assert len(done.cited) <= HUBS
    assert describe(units, edges[::-1], []) == done
    graph = networkx.Graph(pairs)
    graph.add_nodes_from(range(31))
    sizes = [len(each) for each in networkx.connected_components(graph)]
    found = done.without_part_of
    assert (found.count, found.largest, found.single) == (len(sizes), max(sizes), sizes.count(1))


def test_an_empty_graph_is_told_as_empty():
    done = describe([], [], [])
    assert done.characters is None
    assert done.with_part_of.count == 0
    assert done.communities.modularity is None
    assert done.cited == ()
