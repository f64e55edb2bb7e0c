from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import PersonView
from evaluation.figure import Figure
from evaluation.ranking.scoring import OFFERED
from pages.runs.run_table import cell, measure_help
from pages.shell.context import Context
from services.gold.search_coverage import NotSearched
from services.runs.significance import Cell, MeasureColumn, RunScores
from storage.db.workspace import Workspace
from tests.services.runs.made_up_rows import run_line

RECALL = "Recall@1"


def reader() -> Context:
    who = PersonView(1, "Lee Sora", "researcher", True, None)
    return Context(Workspace(Path("nowhere")), "fire", who, "en")


def test_every_measure_that_is_offered_is_explained():
    said = {each: measure_help(reader(), repr(each)) for each in OFFERED}
    assert all(each.cutoff is None or str(each.cutoff) in said[each] for each in OFFERED)
    assert all("95 %" in text for text in said.values())


def test_a_measure_without_a_cut_off_looks_at_all_that_is_kept():
    assert "all that are kept" in measure_help(reader(), "AP")
    alone = measure_help(reader(), "Recall@10", interval=False)
    assert alone == "Share of a question's gold provisions that are among the first 10."


def shown(figure: Figure, *best: int) -> str:
    run = RunScores(run_line(7, "bm25"), 0, (Cell(figure, None),), NotSearched(), True)
    return cell(run, 0, MeasureColumn(RECALL, 7, frozenset(best)))


def test_a_cell_tells_value_and_interval():
    figure = Figure(RECALL, 0.5, 3, 0.25, 0.75)
    assert shown(figure).split(" ") == ["0.500", "[0.250,\N{NO-BREAK SPACE}0.750]"]


@pytest.mark.parametrize(("best", "starred"), [((7,), True), ((8,), False), ((), False)])
def test_only_the_best_run_is_starred(best: tuple[int, ...], starred: bool):
    assert shown(Figure(RECALL, 0.5, 3, 0.25, 0.75), *best).startswith("★") is starred


def test_unscored_is_a_dash_and_not_zero():
    assert shown(Figure(RECALL, None, 0)) == "–"
