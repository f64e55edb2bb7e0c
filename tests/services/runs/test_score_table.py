"""Compared runs as tables."""

from __future__ import annotations

import csv
import io

import pytest

from errors import UserError
from evaluation.figure import Figure
from evaluation.ranking.compare import Comparison
from evaluation.significance import Tally
from evaluation.tables import Strong
from services.gold.search_coverage import NotSearched
from services.runs.score_table import exported, number_table, readable_table
from services.runs.significance import Cell, MeasureColumn, RunScores, Significance
from tests.services.runs.made_up_rows import run_line

WORSE = Comparison(Figure("difference", -0.2, 9, -0.3, -0.1), 0.004, 0.008, False, Tally(1, 2, 6))


def report(stratum=None, stale=False) -> Significance:
    """Return two runs by two measures; the second measure scored nothing."""
    nothing = Cell(Figure("AP", None, 0), None)
    good = Cell(Figure("RR@10", 0.75, 9, 0.5, 0.875), None)
    poor = Cell(Figure("RR@10", 0.55, 9, 0.25, 0.75), WORSE)
    return Significance(
        columns=(MeasureColumn("RR@10", 2, frozenset({2})), MeasureColumn("AP", 2, frozenset())),
        runs=(
            RunScores(run_line(2, "LSA, 256"), 0, (good, nothing), NotSearched(), True),
            RunScores(run_line(1, "BM25", stale), 3, (poor, nothing), NotSearched(), True),
        ),
        stratum=stratum,
    )


def test_the_table_to_be_read():
    table = readable_table(report())
    assert table.head == ("Run", "RR@10", "AP", "n")
    assert table.rows == (
        ("LSA, 256 (baseline)", Strong("0.750 [0.500, 0.875]"), "–", 9),
        ("BM25", "0.550 [0.250, 0.750] ▼", "–", 9),
    )
    assert "the baseline" in table.notes[1] and "10,000" in table.notes[1]


def test_what_must_be_known_stands_below():
    table = readable_table(report(("language", ""), stale=True), "ko")
    assert table.title == "language = 없음인 질문으로 평가한 검색 방법"
    assert table.head[0] == "실행" and table.notes[2].endswith("BM25.")


def test_every_number_is_in_the_csv():
    rows = list(csv.DictReader(io.StringIO(exported(report(("language", "ko")), "csv"))))
    assert len(rows) == 4
    assert rows[2] == {
        **{"run": "1", "label": "BM25", "snapshot": "1", "stratum": "language=ko"},
        **{"measure": "RR@10", "value": "0.55", "low": "0.25", "high": "0.75", "n": "9"},
        **{"missing": "3", "stale": "false", "baseline": "2", "difference": "-0.2"},
        **{"difference_low": "-0.3", "difference_high": "-0.1", "pairs": "9", "p": "0.004"},
        **{"p_holm": "0.008", "wins": "1", "ties": "2", "losses": "6"},
        **{"searched": "article+section+annex", "gold_units_not_searched": "0"},
        **{"questions_with_gold_not_searched": "0", "compared": "true"},
    }
    assert rows[1]["value"] == rows[1]["p"] == "" and rows[1]["n"] == "0"
    assert number_table(report()).rows[0][3] is None


def test_other_formats_hold_the_table_to_be_read():
    assert exported(report(), "markdown").splitlines()[4].startswith("| LSA, 256 (baseline) |")
    assert r"\textbf{0.750 [0.500, 0.875]}" in exported(report(), "latex")
    with pytest.raises(UserError):
        exported(report(), "xlsx")
