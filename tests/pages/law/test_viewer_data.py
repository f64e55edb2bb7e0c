"""What the corpus browser is told of the outline and of a provision."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import pages
from corpus.citations.model import Reason, Status, Target
from corpus.graph.model import Edge, EdgeType, Form, Origin, Reference
from corpus.model import Level, Statute, Tier, Unit
from pages.law.graph_panel import TYPES, Walk, panel_data
from pages.law.viewer_data import (
    LISTED,
    _side,
    lines_of,
    outermost_references,
    snippet,
    tree_part,
    written_path,
)
from services.law.graph.citation_graph import LinkedUnit, Neighbourhood, NodeView, UnitPage
from storage.law.units import StatuteLine

LINES = [StatuteLine(f"s{n}", f"법률 {n}", 1 if n < 300 else 2, n) for n in range(500)]


def test_a_long_list_is_cut_but_for_what_is_open_or_typed():
    told = tree_part(LINES, {}, "", "", "en")
    assert sum(len(tier["statutes"]) for tier in told["tiers"]) == LISTED
    assert told["note"].startswith("400 of 500 statutes")
    assert told["asks"]

    told = tree_part(LINES, {"s499": []}, "s499_1조", "", "en")
    listed = [s["id"] for tier in told["tiers"] for s in tier["statutes"]]
    assert listed[LISTED:] == ["s499"]
    assert told["note"].startswith("401 of 500 statutes")

    told = tree_part(LINES, {}, "", "법률 499", "en")
    assert [s["id"] for tier in told["tiers"] for s in tier["statutes"]] == ["s499"]
    assert told["note"] == ""
    assert not tree_part(LINES[:10], {}, "", "", "ko")["asks"]


def test_a_snippet_stands_around_the_first_match():
    text = "가" * 300 + " 방화문을 점검한다. " + "나" * 300
    pieces = snippet(text, "방화문")
    assert pieces[0] == ["…", False]
    assert "방화문" in "".join(part for part, marked in pieces if marked)
    assert len("".join(part for part, _ in pieces)) < 160
    assert snippet("나룻배의 안전", "없음") == [["나룻배의 안전", False]]


def reference(start: int, end: int, text: str = "") -> Reference:
    return Reference(
        "a_1조", start, end, text[start:end], Status.UNRESOLVED, Reason.NO_SUCH_PLACE, (), Form.OWN
    )


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=12)


@given(st.text("가나 \n제조1①", max_size=80), SPANS)
def test_lines_say_the_text_and_mark_each_reference(text: str, spans: list[tuple[int, int]]):
    given_ = [reference(at, at + size, text) for at, size in spans if at + size <= len(text)]
    references = outermost_references(given_)
    lines = lines_of(text, references)
    said = ["".join(part for part, _ in line) for line in lines]
    assert said == [line for line in text.split("\n") if line.strip()]
    for index, each in enumerate(references):
        marked = [part for line in lines for part, at in line if at == index]
        # A line of blanks is not shown, so blanks do not count.
        assert "".join("".join(marked).split()) == "".join(each.text.split())


def test_references_side_by_side_stay_apart_and_one_inside_another_is_left_out():
    text = "제1조제2조"
    both = [reference(0, 3, text), reference(3, 6, text)]
    assert lines_of(text, both) == [[["제1조", 0], ["제2조", 1]]]

    text = "「나루안전법」 제2조"
    inner, outer = reference(8, 11, text), reference(0, 11, text)
    assert outermost_references([inner, outer]) == [outer]
    assert Target("a", "") not in outer.targets


def test_paths_are_written_as_lawyers_write_them():
    assert written_path("2항/3호/나목") == "2항 3호 나목"
    assert written_path("(a)/(2)/(C)/(i)") == "(a)(2)(C)(i)"
    assert written_path("") == ""


def test_a_term_that_is_defined_is_one_entry_that_says_how_often_it_is_used():
    def node(place: str) -> NodeView:
        return NodeView(f"배법_{place}", "배법", "배법", f"제{place}", "", Tier.ACT)

    def defines(place: str, source: str = "2조", term: str = "나룻배") -> LinkedUnit:
        ends = f"배법_{source}", f"배법_{place}"
        edge = Edge(*ends, EdgeType.DEFINES, Origin.TEXT, 1, 4, "1항", "1호", term)
        return LinkedUnit(node(place if source == "2조" else source), edge)

    unit = Unit("배법_2조", "배법", Level.ARTICLE, "제2조", "정의", '"나룻배"란', 2)
    statute = Statute("배법", "배법", "법률", Tier.ACT, "ko", ())
    cites = defines("3조"), defines("4조"), defines("3조", term="사공")
    page = UnitPage(unit, statute, (), cites, (defines("2조", "1조", "선착장"),))
    out, into = (_side(side, page, "en") for side in ("cites", "cited_by"))
    [group] = out["groups"]
    assert [(e["label"], e["heading"], e["open"], e["places"]) for e in group["entries"]] == [
        ("“나룻배”", "used in 2 provisions", False, "1호"),
        ("“사공”", "used in 1 provision", False, "1호"),
    ]
    [group] = into["groups"]
    assert [(e["id"], e["label"], e["open"]) for e in group["entries"]] == [
        ("배법_1조", "“선착장”", True)
    ]


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
