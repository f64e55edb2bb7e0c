"""Compared runs as tables."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from annotation.gold.derivation import GoldItem
from annotation.gold.lineage import Outcome
from corpus.model import Question
from evaluation.figure import Figure
from evaluation.ranking.compare import Comparison, Family, Inference
from evaluation.significance import Tally
from evaluation.tables import Strong
from services.gold.gold_set import GoldName, GoldSet
from services.gold.search_coverage import NotSearched
from services.runs.score_table import (
    READ,
    against_simple,
    corrected_tests,
    doubt_note,
    exported,
    family_note,
    gold_notes,
    number_table,
    readable_table,
    searched_notes,
)
from services.runs.significance import Cell, MeasureColumn, RunScores, Significance
from services.runs.simple_baselines import NUMBERS
from storage.reformulation import Parentage
from tests.services.runs.made_up_rows import run_line
from tests.support.refusals import code_of

WORSE = Comparison(Figure("difference", -0.2, 9, -0.3, -0.1), 0.004, 0.008, False, Tally(1, 2, 6))
BETTER = Comparison(Figure("difference", 0.3, 9, 0.1, 0.5), 0.002, 0.006, False, Tally(6, 2, 1))
CHANCE = Comparison(Figure("difference", 0.1, 9, -0.1, 0.3), 0.4, 0.4, False, Tally(3, 4, 2))


def with_simple_baselines() -> Significance:
    """Return three runs by one measure: 2 is the strongest simple one, 1 the weakest, 3 is none."""
    figures = [Figure("RR@10", value, 9) for value in (0.75, 0.65, 0.35)]
    cells = [
        Cell(figures[0], None, CHANCE, BETTER),
        Cell(figures[1], CHANCE, None, BETTER),
        Cell(figures[2], WORSE, WORSE, None),
    ]
    names = ((3, "SAR"), (2, "LSA, 256"), (1, "=BM25"))
    return Significance(
        columns=(MeasureColumn("RR@10", 3, frozenset({3}), strongest=2, weakest=1),),
        runs=tuple(
            RunScores(run_line(number, label), 0, (cell,), NotSearched(), True)
            for (number, label), cell in zip(names, cells, strict=True)
        ),
        stratum=None,
    )


def rows_of(found: Significance) -> list[dict[str, str]]:
    """Return the rows of the CSV file."""
    return list(csv.DictReader(io.StringIO(exported(found, "csv"))))


def test_both_ends_of_the_simple_baselines_have_a_table_and_are_named():
    whole = with_simple_baselines()
    strongest, weakest = against_simple(whole)
    assert strongest.title == "Difference from the strongest simple baseline"
    assert strongest.head == ("Run", "RR@10")
    assert strongest.rows == (
        ("SAR", "0.100 [-0.100, 0.300]"),
        ("LSA, 256", "–"),
        ("=BM25", "-0.200 [-0.300, -0.100] ▼"),
    )
    assert [str(row[1])[-1] for row in weakest.rows] == ["▲", "▲", "–"]
    (note,) = strongest.notes
    assert "by RR@10 LSA, 256 (0.650) is the strongest and =BM25 (0.350) the weakest" in note
    markdown = exported(whole, "markdown")
    assert markdown.count("\n| SAR |") == 2 and strongest.title in markdown
    rows = rows_of(whole)
    assert {row["strongest_simple"] for row in rows} == {"2"}
    assert {row["weakest_simple"] for row in rows} == {"1"}
    assert rows[0]["strongest_difference"] == "0.1" and rows[0]["strongest_p_holm"] == "0.4"
    assert (rows[0]["weakest_low"], rows[0]["weakest_p"]) == ("0.1", "0.002")
    assert rows[1]["strongest_p"] == "" and rows[1]["weakest_pairs"] == "9"


def test_one_simple_run_alone_or_equal_ends_are_said_and_where_there_is_none_it_is_too():
    whole = with_simple_baselines()
    one = replace(whole, columns=(replace(whole.columns[0], weakest=2),))
    (table,) = against_simple(one)
    assert table.title == "Difference from the only simple baseline"
    assert "by RR@10 LSA, 256 (0.650) is the only one" in table.notes[0]
    equal = Figure("RR@10", 0.5, 9)
    tied = [replace(run, cells=(replace(run.cells[0], figure=equal),)) for run in whole.runs]
    (note,) = against_simple(replace(whole, runs=tuple(tied)))[0].notes
    assert "by RR@10 all are equal, " in note and "is the strongest and" not in note
    assert against_simple(report()) == ()
    assert "None of these runs is a simple baseline" in readable_table(report()).notes[-2]


@pytest.mark.parametrize(
    ("family", "note"),
    [
        (Family.MEASURE, "over the 2 tests shown by each measure: 2 runs against run 3."),
        (Family.TABLE, "over the 6 tests shown: 2 runs × 3 measures against run 3."),
    ],
)
def test_the_tests_corrected_together_are_those_against_the_baseline(family, note):
    whole = with_simple_baselines()
    column = replace(whole.columns[0], baseline=3)
    shown = replace(whole, columns=(column,) * 3, inference=Inference(family=family))
    assert family_note(shown) == f"p-values corrected {note}"
    others = (replace(column, baseline=1), column, column)
    assert family_note(replace(shown, columns=others)).endswith("the best run of the column.")
    assert corrected_tests(shown) == (6 if family is Family.TABLE else 2)
    alone = replace(whole, runs=whole.runs[:1])
    assert corrected_tests(alone) == 0


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
    assert table.notes[0] == "Gold: 0 questions that people decided on."
    assert "worse than run 2" in table.notes[2] and "10,000" in table.notes[2]
    assert "over the 1 test shown by each measure" in table.notes[3]
    korean = readable_table(report(("language", ""), stale=True), "ko")
    assert korean.title == "language = 없음인 질문으로 평가한 검색 방법"
    assert korean.head[0] == "실행" and korean.notes[4].endswith("BM25.")
    runs = tuple(replace(run, cells=run.cells[1:] * 2) for run in report().runs)
    unscored = readable_table(replace(report(("gold_count", "0")), runs=runs))
    assert unscored.title == "gold_count = 0: no question has gold, so nothing is scored."
    assert exported(report(), "markdown").splitlines()[4].startswith("| LSA, 256 (baseline) |")
    assert r"\textbf{0.750 [0.500, 0.875]}" in exported(report(), "latex")
    assert code_of(exported, report(), "xlsx") == "table_format_unknown"


def test_a_run_that_learnt_from_gold_is_named_below_whatever_it_is_called():
    found = report()
    assert not any("Learnt" in note for note in readable_table(found).notes)
    learnt = {"of": [{"method": "bm25"}, {"method": "gold_prior"}], "run_depth": 100}
    first = replace(found.runs[0], line=replace(run_line(2, "Mine"), method="rrf", params=learnt))
    (note,) = searched_notes([first, found.runs[1]])[1:]
    assert note.startswith("Learnt from gold") and note.endswith("others do not: Mine.")


def test_a_stand_in_reader_is_told_of_beside_the_figures_and_in_the_csv():
    found = report()
    params = {"base": {"method": "lsa"}, "reader": "stand_in"}
    cost = {"notes": {"lightrag.read_read": 7, "lightrag.read_refused": 2}}
    line = replace(run_line(2, "LightRAG"), method="lightrag", params=params, cost=cost)
    found = replace(found, runs=(replace(found.runs[0], line=line), found.runs[1]))
    stood_in, unread = readable_table(found).notes[-2:]
    assert "reader: stand_in" in stood_in and "LightRAG" in stood_in
    assert unread.startswith("LightRAG: ")
    rows = rows_of(found)
    read = [(row["units_read_by"], row["units_not_read"]) for row in rows[::2]]
    assert read == [("stand_in", "2"), ("", "")]


def test_settled_questions_whose_law_changed_are_told_of_under_the_figures():
    found = report()
    first, second = (
        replace(run, line=replace(run.line, gold_waiting=16)) for run in found.runs[:2]
    )
    note = searched_notes([first, second])[0]
    assert "law of their gold changed: 16." in note and "Amendments" in note
    only = searched_notes([first, found.runs[1]])
    assert f"figures of {first.label} lack" in only[0] and "16" in only[0]
    assert not any("Amendments" in each for each in searched_notes(found.runs))


def test_the_questions_of_a_project_add_up_to_its_gold_and_what_lacks_it():
    def item(name: str, outcome: Outcome = "agreed", parent: Parentage | None = None) -> GoldItem:
        return GoldItem(0, name, "?", outcome, False, ("u",), (), 1, (), inherited=parent)

    at = datetime(2026, 1, 1, tzinfo=UTC)
    parent = Parentage("b", 1, 0, "1", "an option", "template", "Ann", at)
    items = [item("a"), item("b-1", parent=parent), item("c", "source"), item("d", "source")]
    questions = {name: Question(name, "?", "", "en") for name in ("a", "b-1", "c", "d", "e", "f")}
    gold = GoldSet(items, 3, amended=("c", "e"), questions=questions, name=GoldName.BOTH)
    assert gold.sources == {"final": 1, "inherited": 1, "labelled": 2, "without": 2}
    assert sum(gold.sources.values()) == len(questions)
    assert gold.doubted == (1, 1), "one counts by the labels of the data, one in no figure"
    notes = gold_notes(replace(report(), gold=gold))
    assert notes[1] == (
        "All 6 questions: 1 final on Gold + 1 with the gold of the question they were made from"
        " + 2 with labels of the data only + 2 without gold, in no figure."
    )
    assert doubt_note(gold) == (
        "2 questions that people had decided are in doubt, as the law of their gold changed: "
        "1 counts by the labels of the data, 1 is in no figure."
    )


def test_every_number_is_in_the_csv_with_how_it_was_made():
    made = replace(report(), inference=Inference(5_000, Family.TABLE))
    assert "(5,000 resamples" in readable_table(made).notes[1]
    assert {row[-3:] for row in number_table(made).rows} == {(5_000, "table", "people")}
    rows = rows_of(report(("language", "ko")))
    assert len(rows) == 4
    assert rows[2] == {
        **{"run": "1", "label": "BM25", "snapshot": "1", "stratum": "language=ko"},
        **{"measure": "RR@10", "value": "0.55", "low": "0.25", "high": "0.75", "n": "9"},
        **{"missing": "3", "stale": "false", "baseline": "2", "difference": "-0.2"},
        **{"difference_low": "-0.3", "difference_high": "-0.1", "pairs": "9", "p": "0.004"},
        **{"p_holm": "0.008", "wins": "1", "ties": "2", "losses": "6"},
        **{"searched": "article+section+annex", "gold_units_not_searched": "0"},
        **{"questions_with_gold_not_searched": "0", "compared": "true"},
        **dict.fromkeys((*READ, *NUMBERS), ""),
        **{"questions_with_gold": "0", "answered": "0", "unanswered": "0", "not_asked": "0"},
        **{"no_gold": "0", "unsettled": "0", "left_out": "", "retired": "false", "tags": ""},
        **{"author": ""},
        **{"resamples": "1000", "holm_over": "measure", "gold": "people"},
    }
    assert rows[1]["value"] == rows[1]["p"] == "" and rows[1]["n"] == "0"
    assert number_table(report()).rows[0][3] is None
