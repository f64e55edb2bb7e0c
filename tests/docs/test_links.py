from __future__ import annotations

import re

from app import PAGES as PAGES_OF_THE_APP
from messages import say
from tests.conftest import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "sample" / "README.md",
]


def test_every_link_and_picture_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), (page, target)


def test_the_first_screen_of_the_readme_has_both_commands_and_a_picture() -> None:
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:18])
    assert "make run" in first
    assert "make test" in first
    assert "![" in first
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_the_page_of_screens_names_every_screen_once() -> None:
    text = (ROOT / "docs" / "screens.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (\*\*.+?\*\*) \|", text, re.MULTILINE)
    named = [name for each in cells for name in re.findall(r"\*\*(.+?)\*\*", each)]
    assert sorted(named) == sorted(say(f"app.pages.{page}") for page in PAGES_OF_THE_APP)
