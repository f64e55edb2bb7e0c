from __future__ import annotations

from dataclasses import replace

from corpus.graph.build import build_graph
from corpus.graph.model import Edge, EdgeType, Origin
from corpus.model import Link
from tests.conftest import ROOT
from tests.corpus.graph.ferry_law import ACT, one_article

FIXTURES = ROOT / "tests" / "fixtures"


def linked(*links: Link) -> list[Edge]:
    """Return the hyperlink edges of an article that holds these links."""
    (act,) = one_article("**①** 배는 안전하여야 한다.")
    units = (*act.units[:-1], replace(act.units[-1], links=links))
    edges = build_graph([replace(act, units=units)]).edges
    return [edge for edge in edges if edge.origin is Origin.HYPERLINK]


def test_a_link_to_a_unit_of_the_corpus_is_an_edge() -> None:
    (edge,) = linked(Link(0, 0, f"{ACT}_3조"))
    assert (edge.source, edge.target) == (f"{ACT}_10조", f"{ACT}_3조")
    assert (edge.type, edge.start, edge.end, edge.part) == (EdgeType.REFERENCES, 0, 0, "")


def test_a_link_on_words_keeps_them_and_the_part_they_stand_in() -> None:
    (edge,) = linked(Link(2, 4, f"{ACT}_3조"))
    assert (edge.start, edge.end, edge.part) == (2, 4, "1항")


def test_links_out_of_the_corpus_and_to_the_unit_itself_are_none() -> None:
    assert not linked(Link(0, 1, "https://law.example/3"), Link(0, 0, f"{ACT}_10조"))
