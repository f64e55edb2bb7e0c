"""A project whose law cites itself in every way that the Corpus screen shows."""

from __future__ import annotations

from annotation.people.members import PersonView, add_person
from corpus.model import Level, Statute, Tier, Unit
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.pages.small_project import HOSTILE, SLUG

ACT, DECREE = "나루안전법", "나루안전법-시행령"


def law() -> list[Statute]:
    """Return an act and its decree, whose articles cite each other and what is not there."""
    act = (
        article(ACT, 1, "목적", "이 법은 나룻배의 안전을 정한다.", ("제1장 총칙",)),
        article(
            ACT,
            2,
            "구명조끼",
            "① 나룻배에는 대통령령으로 정하는 구명조끼를 갖추어야 한다.\n"
            "② 제1항의 구명조끼는 「없는법」 제3조에 따라 점검한다.",
            ("제1장 총칙",),
        ),
        article(ACT, 3, "벌칙", f"제2조를 위반한 자는 과태료를 낸다. {HOSTILE}", ("제2장 벌칙",)),
    )
    decree = (
        article(
            DECREE,
            1,
            "구명조끼",
            "법 제2조제1항에서 “대통령령으로 정하는 구명조끼”란 부력이 있는 것을 말한다.",
        ),
    )
    return [
        Statute(ACT, "나루안전법", "법률", Tier.ACT, "ko", act),
        Statute(DECREE, "나루안전법 시행령", "대통령령", Tier.DECREE, "ko", decree),
    ]


def article(statute: str, number: int, heading: str, text: str, path: tuple[str, ...] = ()) -> Unit:
    """Return an article."""
    name, label = f"{statute}_{number}조", f"제{number}조"
    return Unit(name, statute, Level.ARTICLE, label, heading, text, number, path)


def project_with_graph(workspace: Workspace, built: bool = True) -> PersonView:
    """Make the project and its graph; return an annotator."""
    migrate(workspace)
    create_project(workspace, SLUG, "Small project")
    keep_statutes(workspace, SLUG, law(), "law")
    if built:
        build(workspace, SLUG)
    return add_person(workspace, SLUG, "Kim Ara", "annotator")
