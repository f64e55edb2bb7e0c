from __future__ import annotations

import pytest

from evaluation.figure import Figure
from pages.runs.run_table import cell
from services.gold.search_coverage import NotSearched
from services.runs.significance import Cell, MeasureColumn, RunScores
from tests.services.runs.made_up_rows import run_line

RECALL = "Recall@1"


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
