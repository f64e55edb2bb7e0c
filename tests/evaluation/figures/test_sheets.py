from __future__ import annotations

import csv
import io

import numpy as np

from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, QuestionHits, curve, hit_rate
from evaluation.figures.datasets import BINS, Dataset, Likeness, describe
from evaluation.figures.neighbourhood import neighbourhood
from evaluation.figures.sheets import (
    bar_sheet,
    curve_sheet,
    dataset_sheet,
    hit_sheet,
    neighbourhood_sheet,
)
from evaluation.tables import Table, written


def rows(sheet: Table) -> list[dict[str, str]]:
    """Return the sheet as it is read back from its CSV."""
    return list(csv.DictReader(io.StringIO(written(sheet, "csv"))))


def test_a_missing_value_is_an_empty_cell_not_zero() -> None:
    sheet = bar_sheet([Bar("Recall@10", 'a, "b"\nc', Figure("Recall@10", None, 0))])
    (row,) = rows(sheet)
    assert row == {"group": "Recall@10", "series": 'a, "b"\nc', "value": "", "low": "",
                   "high": "", "n": "0"}  # fmt: skip


def test_a_curve_has_a_row_for_each_bucket_and_its_slope() -> None:
    found = rows(curve_sheet([curve("BM25", {"a": 0.05, "b": 0.35}, {"a": 0.0, "b": 1.0})]))
    assert [(row["from"], row["to"], row["value"], row["n"]) for row in found[:2]] == [
        ("0.0", "0.1", "0.0", "1"),
        ("0.3", "0.4", "1.0", "1"),
    ]
    assert found[2]["from"] == "slope"
    assert abs(float(found[2]["value"]) - 1 / 0.3) < 1e-9


def test_hit_rates_have_their_intervals_and_counts() -> None:
    asked = [QuestionHits("q", ("a",), frozenset("b"))]
    found = rows(hit_sheet([hit_rate("explicit", asked, {"a": ["b"]})]))
    assert [(row["figure"], row["value"], row["n"]) for row in found] == [
        ("missed", "1.0", "1"),
        ("linked", "1.0", "1"),
        ("reached", "1.0", "1"),
    ]


def test_a_neighbourhood_has_its_points_and_the_edges_of_both_graphs() -> None:
    vectors, query = np.eye(2, dtype=np.float32), np.ones(2, np.float32)
    near = neighbourhood(["s"], ["g"], {}, {"s": ["g"]}, vectors, query)
    found = rows(neighbourhood_sheet(near, {"g": "소방법 제2조"}))
    assert [(row["kind"], row["unit"], row["role"]) for row in found[:3]] == [
        ("point", "", "query"),
        ("point", "s", "seed"),
        ("point", "g", "gold"),
    ]
    assert found[2]["name"] == "소방법 제2조"
    (edge,) = found[3:]
    assert (edge["kind"], edge["unit"], edge["target"], edge["hits"]) == ("explicit", "s", "g", "1")


def test_a_data_set_has_all_its_figures() -> None:
    sets = [
        Dataset(name, tuple(Likeness(f"q{n}", 1 + n % 2, n / 10, n / 20) for n in range(10)))
        for name in ("a", "b")
    ]
    found = [row for row in rows(dataset_sheet([describe(each) for each in sets]))
             if row["dataset"] == "a"]  # fmt: skip
    told = {(row["figure"], row["from"]): row["value"] for row in found}
    assert told["questions", ""] == "10"
    assert told["questions_with_gold", "2"] == "5"
    assert float(told["gold_per_question", ""]) == 1.5
    assert sum(int(told["query_gold_histogram", row["from"]]) for row in found
               if row["figure"] == "query_gold_histogram") == 10  # fmt: skip
    assert len(found) == 4 + 1 + 2 + 2 * (1 + BINS)
