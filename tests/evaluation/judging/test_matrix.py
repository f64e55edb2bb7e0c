from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.judged import Cell, Judged, both_said, cell_of
from evaluation.judging.matrix import Matrix, shares
from evaluation.proportion import wilson
from tests.evaluation.judging.judged_answers import PAPER, judged, width

COUNTS = st.fixed_dictionaries({cell.value: st.integers(0, 40) for cell in Cell})


def test_the_papers_table_from_counts() -> None:
    matrix = Matrix.of(judged(PAPER))
    assert matrix == Matrix(612, 9, 108, 271)
    percent = {cell.value: f"{100 * (matrix.share(cell).value or 0):.2f}" for cell in Cell}
    assert percent == {"tp": "61.20", "fp": "0.90", "fn": "10.80", "tn": "27.10"}
    assert matrix.agreement.value == pytest.approx(0.8830)
    assert matrix.sensitivity.value == pytest.approx(612 / 720)
    assert matrix.specificity.value == pytest.approx(271 / 280)
    assert (matrix.sensitivity.n, matrix.specificity.n) == (720, 280)


def test_the_figures_of_answers_to_different_questions_are_those_of_the_matrix() -> None:
    found, matrix = shares(judged(PAPER)), Matrix(**PAPER)
    assert (found.agreement, found.sensitivity) == (matrix.agreement, matrix.sensitivity)
    assert found.specificity == matrix.specificity
    assert (found.over.value, found.under.value) == (0.009, 0.108)
    assert (found.agreement.low, found.agreement.high) == wilson(883, 1000)


def test_answers_to_one_question_widen_the_interval() -> None:
    alone, together = shares(judged(PAPER)), shares(judged(PAPER, each=20))
    assert together.agreement.value == alone.agreement.value
    assert width(together.agreement) > 2 * width(alone.agreement)


@given(COUNTS)
def test_every_answer_stands_in_one_cell(counts: dict[str, int]) -> None:
    matrix = Matrix.of(judged(counts))
    assert {cell.value: matrix.count(cell) for cell in Cell} == counts
    assert matrix.n == sum(counts.values())
    values = [matrix.share(cell).value for cell in Cell]
    known = [value for value in values if value is not None]
    assert not known if not matrix.n else sum(known) == pytest.approx(1)
    found = shares(judged(counts))
    assert found.over.value == matrix.share(Cell.FALSE_POSITIVE).value


def test_what_is_missing_stands_in_no_cell() -> None:
    said = [
        Judged("a", "q", None, True),
        Judged("b", "q", True, None),
        Judged("c", "q", False, True),
    ]
    assert [each.case for each in both_said(said)] == ["c"]
    assert Matrix.of(said) == Matrix(fn=1)
    assert Matrix.of(said[:2]).agreement.value is None
    assert cell_of(True, False) is Cell.FALSE_POSITIVE
