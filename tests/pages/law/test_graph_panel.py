from __future__ import annotations

import re
from pathlib import Path

import pages
from corpus.graph.model import Edge, EdgeType, Origin
from corpus.model import Tier
from pages.law.graph_panel import TYPES, Walk, panel_data
from services.law.graph.citation_graph import Neighbourhood, NodeView

PARTS = Path(pages.__file__).parent / "law" / "frontend"
STROKES = (PARTS / "graph" / "shapes.js").read_text(encoding="utf-8")


def node(name: str, tier: Tier = Tier.ACT) -> NodeView:
    return NodeView(name, "s", "나루안전법", f"제{name}조", "제목", tier)


def edge(source: str, target: str, kind: EdgeType = EdgeType.REFERENCES, start: int = 0) -> Edge:
    return Edge(source, target, kind, Origin.TEXT, start, start + 3)


FOUND = Neighbourhood(
    (node("1"), node("2"), node("3", Tier.DECREE)),
    (
        edge("1", "2"),
        edge("1", "2", start=9),
        edge("1", "3", EdgeType.DELEGATES_TO),
        edge("3", "1", EdgeType.SPECIFIES),
    ),
    False,
)


def test_the_panel_is_told_nodes_edges_and_a_legend():
    said = panel_data(Walk("1"), FOUND, "en")
    assert [each["id"] for each in said["nodes"]] == ["1", "2", "3"]
    assert [(e["source"], e["target"], e["type"], e["count"]) for e in said["edges"]] == [
        ("1", "2", "references", 2),
        ("1", "3", "delegates_to", 1),
        ("3", "1", "specifies", 1),
    ]
    assert [each["tier"] for each in said["tiers"]] == [1, 2]
    assert all(each["name"] for each in said["types"])
    assert not said["capped"]
    said = panel_data(Walk("1"), Neighbourhood(FOUND.nodes, FOUND.edges, True), "en")
    assert said["capped"]
    assert "Only the nearest 3 are drawn" in said["note"]
    alone = panel_data(Walk("1"), Neighbourhood((node("1"),), (), False), "en")
    assert "No edges of these types" in alone["note"]
    said = panel_data(Walk("1", (EdgeType.APPLIES,)), FOUND, "en")
    assert [each["type"] for each in said["types"] if each["on"]] == ["applies"], "others are off"


def test_every_type_has_a_dash_and_a_colour_of_its_own():
    strokes = re.findall(r'^  (\w+): \["([^"]*)", "([^"]*)"\]', STROKES, re.MULTILINE)
    assert {kind for kind, _, _ in strokes} == {str(kind) for kind in EdgeType}
    assert len({dash for _, dash, _ in strokes}) == len(strokes)
    assert len({colour for _, _, colour in strokes}) == len(strokes)
    assert str(EdgeType.PART_OF) not in {str(kind) for kind in TYPES}
