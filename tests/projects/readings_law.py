"""A small act with its decree that readers are tried on: as law, documents, graph and project."""

from __future__ import annotations

from corpus.graph.build import build_graph, graph_of
from corpus.graph.model import Graph
from corpus.model import Level, Statute, Tier, Unit
from retrieval.core.model import Document
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project

SLUG = "ferry"
ACT, DECREE = "나루법", "나루법-시행령"

DEFINING = (
    '이 법에서 사용하는 용어의 뜻은 다음과 같다.\n  1. "나루"란 배가 닿는 곳을 말한다.\n'
    '  2. "나루터지기"란 나루를 지키는 사람을 말한다.'
)
LIGHTING = (
    "① 나루터지기는 밤에 등불을 켜야 한다. <개정 2020.1.1>\n"
    "② 등불의 기준은 대통령령으로 정한다.\n③ 제3조를 위반하면 제1항을 준용한다."
)


def _statute(name: str, title: str, tier: Tier, units: list[tuple[str, str, str]]) -> Statute:
    made = [
        Unit(f"{name}_{place}", name, Level.ARTICLE, f"제{place}", heading, text, at)
        for at, (place, heading, text) in enumerate(units, 1)
    ]
    return Statute(name, title, "법률", tier, "ko", tuple(made))


def statutes() -> list[Statute]:
    act = [
        ("1조", "정의", DEFINING),
        ("2조", "등불", LIGHTING),
        ("3조", "", "나루에 배를 매어 두어서는 아니 된다."),
        ("4조", "", ""),
    ]
    decree = [("1조", "등불의 기준", "법 제2조제2항에 따른 등불은 나루마다 둘로 한다.")]
    return [
        _statute(ACT, "나루법", Tier.ACT, act),
        _statute(DECREE, "나루법 시행령", Tier.DECREE, decree),
    ]


def graph() -> Graph:
    return graph_of(statutes(), build_graph(statutes()))


def documents() -> dict[str, Document]:
    return {
        unit.semantic_id: Document(
            unit.semantic_id,
            statute.title,
            unit.label,
            unit.heading,
            unit.text,
            statute.semantic_id,
            int(statute.tier),
        )
        for statute in statutes()
        for unit in statute.units
    }


def project(ws: Workspace) -> None:
    """Make the project with the law and its graph."""
    migrate(ws)
    create_project(ws, SLUG, "Ferry")
    keep_statutes(ws, SLUG, statutes(), "law")
    build(ws, SLUG)
