from __future__ import annotations

import pytest

from evaluation.figure import Figure
from pages.parts.run_table import best_value, cell


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ([0.2, 0.5, 0.5], 0.5),
        ([0.5], None),
        ([0.5, 0.5], None),
        ([None, 0.1, 0.2], 0.2),
        ([], None),
    ],
)
def test_the_best_is_named_only_where_one_is_better(values: list[float | None], best: float | None):
    assert best_value([Figure("Recall@1", value, 3) for value in values]) == best


def test_a_cell_tells_value_and_interval_and_stars_the_best():
    figure = Figure("Recall@1", 0.5, 3, 0.25, 0.75)
    assert cell(figure, None).split(" ") == ["0.500", "[0.250,\N{NO-BREAK SPACE}0.750]"]
    assert cell(figure, 0.5).startswith("★")


def test_unscored_is_a_dash_and_not_zero():
    assert cell(Figure("Recall@1", None, 0), None) == "–"
