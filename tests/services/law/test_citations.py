from __future__ import annotations

from pathlib import Path

import pytest

from corpus.model import Level, Statute, Tier, Unit
from services.law.citations import read_citations, reason_words
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.projects.bare_project import bare_project
from tests.support.refusals import code_of

SLUG = "p"


def act(title: str, tier: Tier, places: tuple[int, ...], language: str = "ko") -> Statute:
    name = title.replace(" ", "-")
    units = []
    for at, number in enumerate(places):
        place, label = (
            (f"{number}조", f"제{number}조")
            if language == "ko"
            else (f"article-{number}", f"Article {number}")
        )
        units.append(Unit(f"{name}_{place}", name, Level.ARTICLE, label, "", "본문", at))
    return Statute(name, title, "", tier, language, tuple(units))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = bare_project(tmp_path / "workspace", SLUG)
    law = [
        act("건축법", Tier.ACT, (3, 8, 9, 64)),
        act("건축법 시행령", Tier.DECREE, (5,)),
        act("화재의 예방 및 안전관리에 관한 법률", Tier.ACT, (2,)),
        act("Harbor Act", Tier.ACT, (5, 6), "en"),
    ]
    keep_statutes(workspace, SLUG, law, "law")
    return workspace


@pytest.mark.parametrize(
    ("text", "status", "step", "units"),
    [
        ("「건축법」 제8조에 따른다.", "resolved", "title", ["건축법_8조"]),
        ("「건축법」 제8조부터 제9조까지", "resolved", "title", ["건축법_8조", "건축법_9조"]),
        ("「건축법」 제8조 및 제9조", "resolved", "continued", ["건축법_9조"]),
        (
            "「건축법」 제8조, 같은 법 시행령 제5조",
            "resolved",
            "points_back",
            ["건축법-시행령_5조"],
        ),
        ("「건축법」(이하 “법”이라 한다) 제8조. 법 제9조", "resolved", "defined", ["건축법_9조"]),
        (
            "「화재예방법」 제2조",
            "resolved",
            "short_name",
            ["화재의-예방-및-안전관리에-관한-법률_2조"],
        ),
        ("Article 5 of the Harbor Act", "resolved", "title", ["Harbor-Act_article-5"]),
        ("「건축법」 제99조", "unresolved", "title", []),
        ("같은 법 제3조", "unresolved", "", []),
    ],
)
def test_a_citation_says_what_it_means_and_why(
    ws: Workspace, text: str, status: str, step: str, units: list[str]
) -> None:
    read = read_citations(ws, SLUG, text)
    last = read.citations[-1]
    line = last.as_dict()
    assert (line["status"], last.step, [t["unit"] for t in line["targets"]]) == (
        *(status, step, units),
    )
    assert text[line["start"] : line["end"]] == line["text"]
    assert "".join(each.text for each in read.segments) == text
    assert last.why() and all(unit in last.why() for unit in units)


def test_the_sentence_is_plain_and_what_cannot_be_read_is_refused(ws: Workspace) -> None:
    (found,) = read_citations(ws, SLUG, "「건축법」 제8조").citations
    assert found.why() == "The text names 건축법. 건축법_8조 is the one unit meant."
    # A reason that is not known is told by its status.
    assert reason_words("new_one", "ambiguous", "X", 2) == reason_words(None, "ambiguous", "X", 2)
    assert code_of(read_citations, ws, SLUG, " \n") == "citations_no_text"
    assert code_of(read_citations, ws, SLUG, "가" * 100_001) == "field_long"
    create_project(ws, "empty", "E")
    assert code_of(read_citations, ws, "empty", "「건축법」 제8조") == "corpus_missing"
