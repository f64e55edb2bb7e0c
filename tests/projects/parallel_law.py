"""A workspace whose law lays duties down in several chapters: one for each kind of institution."""

from __future__ import annotations

from pathlib import Path

from annotation.people.members import add_person
from corpus.model import Level, Statute, Tier, Unit
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.small_law import questions

SLUG = "costs"
NOTICE, ACT = "경비기준", "경비법"
KINDS = {"제2장": "영리기관", "제3장": "비영리기관", "제4장": "대학"}
COSTS = tuple(f"{NOTICE}_{number}조" for number in (20, 30, 40))
REPORTS = tuple(f"{NOTICE}_{number}조" for number in (21, 31, 41))


def law(change: str = "") -> list[Statute]:
    """Return a notice with two duties for three kinds of institution, and the act above it."""
    articles = []
    for chapter, (place, kind) in enumerate(KINDS.items(), 2):
        path = (f"{place} {kind}",)
        costs = f"{kind}은 간접비를 직접비의 100분의 {chapter}0 이내에서 계상하여야 한다.{change}"
        reports = f"{kind}의 장은 사용실적을 매년 {chapter}월까지 장관에게 보고하여야 한다."
        for number, heading, text in (
            (chapter * 10, f"{kind}의 간접비 계상", costs),
            (chapter * 10 + 1, "사용실적 보고", reports),
        ):
            articles.append(_unit(NOTICE, number, heading, text, path))
    act = (_unit(ACT, 1, "목적", "이 법은 경비의 사용을 정한다."),)
    return [
        Statute(ACT, "경비법", "act", Tier.ACT, "ko", act, file="act.md"),
        Statute(
            NOTICE, "경비 기준", "notice", Tier.NOTICE, "ko", tuple(articles), file="notice.md"
        ),
    ]


def _unit(statute: str, number: int, heading: str, text: str, path: tuple[str, ...] = ()) -> Unit:
    return Unit(
        f"{statute}_{number}조",
        statute,
        Level.ARTICLE,
        f"제{number}조",
        heading=heading,
        text=text,
        order=number,
        path=path,
    )


def parallel_workspace(folder: Path, clock: FakeClock) -> tuple[Workspace, int, int]:
    """Return a workspace with the law and its graph, its researcher and an annotator."""
    ws = Workspace(folder, clock)
    migrate(ws)
    create_project(ws, SLUG, "Costs")
    keep_statutes(ws, SLUG, law(), "first")
    keep_questions(ws, SLUG, questions(), "questions.jsonl")
    build(ws, SLUG)
    sora = add_person(ws, SLUG, "Sora", "researcher")
    ann = add_person(ws, SLUG, "Ann", "annotator")
    return ws, sora.id, ann.id


def declared(first: str = COSTS[0], second: str = COSTS[2], tier: str = "notice") -> str:
    """Return a declaration of one group of two provisions."""
    return f"""\
slots:
- {{key: university, label: {{en: University, ko: 대학}}}}
- {{key: company, label: {{en: Company, ko: 영리기관}}}}
groups:
- key: indirect_costs
  label: {{en: Indirect costs, ko: 간접비}}
  tier: {tier}
  members:
  - {{slot: company, unit: "{first}"}}
  - {{slot: university, unit: "{second}"}}
"""
