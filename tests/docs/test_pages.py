"""Each page of docs has its place in the navigation and begins by saying what it is for."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from touchstone import FLOORS

DOCS = ROOT / "docs"
NAVIGATION = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
NAMED = re.findall(r"^ *- (?:.*: )?(\S+\.md)$", NAVIGATION, re.MULTILINE)
NOTES = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if path not in NOTES]
LINE = 120


def test_the_navigation_has_every_page_once() -> None:
    assert sorted(NAMED) == sorted(path.relative_to(DOCS).as_posix() for path in PAGES)


def test_the_first_line_says_what_one_can_do_with_the_page() -> None:
    for page in PAGES:
        title, blank, first, end, *_ = page.read_text("utf-8").splitlines()
        assert title.startswith("# ") and blank == end == "", page
        assert first.endswith(".") and len(first) <= LINE, page
        assert not first.startswith(("This page", "#", "|", "*", "`")), page


def test_the_index_of_decisions_has_every_note_once() -> None:
    index = (DOCS / "decisions" / "README.md").read_text("utf-8")
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index)
    assert sorted(listed) == [path.name for path in NOTES]


def test_pages_named_in_code_and_messages_exist() -> None:
    folders = [*FLOORS, "benchmarks", "deploy", "sample", "scripts"]
    texts = (
        path.read_text("utf-8")
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".yaml", ".js", ".conf", ".service"}
    )
    named = {page for text in texts for page in re.findall(r"\bdocs/[\w/-]+\.md\b", text)}
    assert len(named) > 20
    assert [page for page in sorted(named) if not (ROOT / page).is_file()] == []
