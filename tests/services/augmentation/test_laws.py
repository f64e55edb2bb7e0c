"""Questions from real Korean law, and from law in English."""

from __future__ import annotations

from pathlib import Path

import pytest

from construction.augmentation.axes import Cell, Demand, Wanted, parse, starter
from construction.augmentation.rubric import LEVELS
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute, Tier, Unit
from services.augmentation.planning import WritingOptions, plan
from services.augmentation.report import fillable, matrix, question_detail, question_lines
from services.law.graph.citation_graph import build
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.augmentation_project import SLUG, serving, written

PLAIN = "The keeper of a store shall write every delivery into the book on the day it comes."
EXCEPT = "The keeper of a store shall inspect it twice a year, unless the store stands empty."
FINE = "Whoever fails to write a delivery into the book is liable to a fine of 100 crowns."


def project(ws: Workspace, law: list[Statute]) -> Workspace:
    migrate(ws)
    create_project(ws, SLUG, "Law")
    keep_statutes(ws, SLUG, law, "law")
    build(ws, SLUG)
    return ws


def test_english_law_is_written_on_in_english(tmp_path: Path, clock: FakeClock) -> None:
    units = tuple(
        Unit(f"Stores-Act_{n}", "Stores-Act", Level.ARTICLE, f"Article {n}", "", text, n)
        for n, text in enumerate((PLAIN, EXCEPT, FINE), 1)
    )
    law = [Statute("Stores-Act", "Stores Act", "act", Tier.ACT, "en", units)]
    ws = project(Workspace(tmp_path / "w", clock), law)
    wanted = (
        Wanted(Cell("exception_paired", "L2"), 1),
        Wanted(Cell("single_clause", "L1"), 1, (Demand.SANCTION,)),
    )
    with serving(ws) as server:
        assert written(ws, WritingOptions(wanted)).written == 2
        said = server.told
    assert all("Write one question in English" in each for each in said)
    last, first = question_lines(ws, SLUG)
    assert [each["unit"] for each in first.question.gold] == ["Stores-Act_2"]
    assert [each["unit"] for each in last.question.gold] == ["Stores-Act_3"]
    assert first.question.language == "en"


@pytest.mark.long
@pytest.mark.real_data
def test_real_law_is_written_on_at_every_level(
    tmp_path: Path, clock: FakeClock, shared_data: Path
) -> None:
    """The acts on research and development with the decrees and rules below them."""
    law = read_tree(shared_data / "korean-law" / "research-and-development")
    ws = project(Workspace(tmp_path / "w", clock), law)
    axes = parse(starter())
    cells = [
        Cell(kind.key, level, facet)
        for kind in axes.types
        for level in LEVELS
        for facet in ("", "lifecycle")
        if (kind.key, level) in fillable(axes) and kind.key != "institution_specific"
    ]
    options = WritingOptions(tuple(Wanted(cell, 2) for cell in cells), seed=1)
    with serving(ws) as server:
        ready = plan(ws, SLUG, options)
        assert all(each.asked == 2 and not each.lacking for each in ready.cells)
        done = written(ws, options)
        assert done.written + done.outcomes.get("duplicate", 0) == done.asked == 2 * len(cells)
        assert len(server.seen) == done.asked
    totals = matrix(ws, SLUG).totals()
    assert totals["planned"] == 2 * len(cells) and totals["made"] == done.written
    for line in question_lines(ws, SLUG):
        found = question_detail(ws, SLUG, line.question.external_id)
        assert found.level == line.question.axes["difficulty"]
        assert all(provision for _, provision in found.provisions)
