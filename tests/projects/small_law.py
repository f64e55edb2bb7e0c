"""A workspace with a little fictional law of every kind of unit, and four questions."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from corpus.model import Level, Question, Statute, Tier, Unit
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.project_cache import kept

SLUG = "ferry"
ACT, RULE = "나루안전법", "Ferry-Safety-Rule"


def unit(statute: str, place: str, level: Level, label: str, **more: object) -> Unit:
    """Return a unit; `more` fills heading, text, order, path, deleted."""
    fields: dict[str, object] = {"heading": "", "text": "", "order": 1} | more
    return Unit(f"{statute}_{place}", statute, level, label, **fields)  # type: ignore[arg-type]


def law(change: str = "") -> list[Statute]:
    """Return an act in Korean and a rule in English; `change` is added to 제1조."""
    act = (
        unit(
            ACT,
            "1조",
            Level.ARTICLE,
            "제1조",
            heading="목적",
            order=1,
            path=("제1장 총칙",),
            text=f"이 법은 나룻배의 안전을 정한다.{change}",
        ),
        unit(
            ACT,
            "2조",
            Level.ARTICLE,
            "제2조",
            heading="구명조끼",
            order=2,
            text="나룻배에는 구명조끼를 갖추어야 한다. 구명조끼의 수는 별표 1과 같다.",
        ),
        unit(ACT, "3조", Level.ARTICLE, "제3조", order=3, deleted=True, text="삭제"),
        unit(
            ACT,
            "4조",
            Level.ARTICLE,
            "제4조",
            heading="등불",
            order=4,
            text="밤에 다니는 나룻배는 등불을 켜야 한다.",
        ),
        unit(ACT, "별표1", Level.ANNEX, "별표 1", heading="구명조끼의 수", order=5),
        unit(ACT, "별지1서식", Level.FORM, "별지 제1호서식", heading="나룻배 신고서", order=6),
        unit(
            ACT, "부칙-1", Level.ADDENDUM, "부칙", order=7, text="이 법은 공포한 날부터 시행한다."
        ),
    )
    rule = (
        unit(
            RULE,
            "article-1",
            Level.ARTICLE,
            "Article 1",
            heading="Lamps",
            text="A ferry shall carry a lamp at night.",
        ),
        unit(
            RULE,
            "article-2",
            Level.ARTICLE,
            "Article 2",
            heading="Whistles",
            order=2,
            text="A ferry shall carry a whistle.",
        ),
    )
    day = date(2026, 1, 1)
    return [
        Statute(ACT, "나루안전법", "act", Tier.ACT, "ko", act, effective=day, file="act.md"),
        Statute(RULE, "Ferry Safety Rule", "rule", Tier.RULE, "en", rule, file="rule.md"),
    ]


def questions() -> list[Question]:
    """Return four questions; the last has nothing to do with the law."""
    return [
        Question("q1", "나룻배에 구명조끼를 갖추어야 하나요?", "「나루안전법」 제2조 참조", "ko"),
        Question("q2", "Does a ferry need a lamp at night?", "See the rule.", "en"),
        Question("q3", "밤에 나룻배는 등불을 켜야 하나요?", "제4조 참조", "ko"),
        Question("q4", "XYZZY?", "–", "en"),
    ]


def small_workspace(folder: Path, clock: FakeClock) -> Workspace:
    """Return a workspace with the law imported as snapshot 1 and the questions."""
    ws = Workspace(folder, clock)
    kept("ferry", ws, lambda: _fill(ws))
    return ws


def _fill(ws: Workspace) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Ferries")
    keep_statutes(ws, SLUG, law(), "first")
    keep_questions(ws, SLUG, questions(), "questions.jsonl")
