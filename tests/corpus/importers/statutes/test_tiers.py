from __future__ import annotations

from pathlib import Path

import pytest

from corpus.importers.registry import read_statutes
from corpus.limits import CHAPTER_HEADING, STATUTE_TITLE
from errors import UserError, Where
from tests.corpus.importers.fixtures import fixture
from tests.corpus.importers.law_center.test_law_html import ACT as PAGE
from tests.support.refusals import refused

XML = fixture("drf/act.xml")
LAW = fixture("drf/act.md")
TEXT = fixture("english/act.txt")
LONG = "등" * (STATUTE_TITLE + 1)
CHAPTER = "제1장 총" + "칙" * CHAPTER_HEADING


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.md", LAW.replace("등대 관리법", LONG), "title_long"),
        ("a.xml", XML.replace("등대 관리법", LONG), "title_long"),
        ("a.html", PAGE.replace("등대 관리법", LONG), "title_long"),
        ("a.txt", "A" * len(LONG) + "\n§ 1. A\nText.\n", "title_long"),
        ("a.csv", f"law,article,text\n{LONG},1,x\n", "title_long"),
        ("a.md", LAW.replace("제1장 총칙", CHAPTER), "chapter_long"),
        ("a.html", PAGE.replace("제1장 총칙", CHAPTER), "chapter_long"),
        ("a.xml", XML.replace(">법률<", ">" + "가" * 200 + "부령<"), "kind_unknown"),
    ],
)
def test_what_stands_in_every_unit_is_short(
    tmp_path: Path, name: str, text: str, code: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    with refused(code) as caught:
        read_statutes(file)
    assert caught.value.where.file == name
    assert len(caught.value.what("ko")) < 300 and caught.value.remedy("en")


def test_a_message_repeats_only_the_beginning_of_a_long_text() -> None:
    error = UserError("kind_unknown", Where("a.md", 1, "f" * 9_000), kind="가" * 9_000)
    assert len(error.render("ko")) < 2_000 and "가…" in error.what("ko")
