"""Plots of what `evaluate` found, as matplotlib figures: to show, to change, to save."""

from __future__ import annotations

from errors import UserError
from evaluation.drawing.bars import bar_paper
from evaluation.drawing.canvas import Look, Mode, Paper
from evaluation.drawing.differences import Difference, difference_paper
from evaluation.figures.buckets import Bar
from library.evaluation import Result
from messages import say


def plot_measures(result: Result, language: str = "en", mode: Mode = "light") -> Paper:
    """Return a matplotlib figure: each run by each measure, with its 95 % interval and n.

    Words are in `language` (``en``, ``ko``), colours for a ``light`` or ``dark`` page.
    """
    _require_result(result)
    runs = {result.name: result.figures, **result.others}
    bars = [
        Bar(measure, name, figure)
        for name, figures in runs.items()
        for measure, figure in figures.items()
    ]
    return bar_paper(bars, Look(mode=mode, language=language))


def plot_differences(result: Result, language: str = "en", mode: Mode = "light") -> Paper:
    """Return a matplotlib figure: the run minus each run that it was tested against.

    Each dot is a mean difference with its 95 % interval and the number of pairs; left of the line
    the other run is better. Empty where the run was tested against none.
    """
    _require_result(result)
    rows = [
        Difference(measure, other, comparison.difference)
        for other, tests in result.tests.items()
        for measure, comparison in tests.items()
    ]
    label = say("library.difference", language, run=result.name, others=", ".join(result.tests))
    return difference_paper(rows, label, Look(mode=mode, language=language))


def _require_result(result: object) -> None:
    """Raise UserError for what is no result: a run, say, which has no figures yet."""
    if not isinstance(result, Result):
        raise UserError("library_result", type=type(result).__name__)
