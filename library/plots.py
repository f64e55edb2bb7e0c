"""Plots of what `evaluate` found: to show in a notebook, to change, to save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from errors import UserError
from evaluation.figure import n_range
from evaluation.reports.charts import chart_spec, picture_file
from evaluation.reports.report import PICTURES, Chart, Section, Shape, Sheet, Value, Words
from library.evaluation import Result
from messages import say

Mode = Literal["light", "dark"]
_WIDTH = 560  # pixels
_COLUMNS: Mapping[str, Value] = dict.fromkeys(("measure", "run", "score"))
_VEGA_LITE = "application/vnd.vegalite.v6+json"


@dataclass(frozen=True)
class Plot:
    """A picture: `spec` is its Vega-Lite specification, which a notebook draws.

    `mode` is the paper of files: ``light`` or ``dark``.
    """

    spec: dict[str, Any]
    mode: Mode = "light"

    def save(self, file: str | Path) -> None:
        """Write the picture to a file, as SVG or PNG by its ending.

        Raises UserError for another ending.
        """
        path = Path(file)
        if path.suffix.lower() not in PICTURES:
            raise UserError("figure_ending", ending=path.suffix, known=", ".join(PICTURES))
        path.write_bytes(self._file(path.suffix.lower()))

    def _file(self, ending: str) -> bytes:
        return picture_file(self.spec, ending, self.mode == "dark")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return the specification, and the picture for a notebook that cannot draw it."""
        return {_VEGA_LITE: self.spec, "image/svg+xml": self._file(".svg").decode()}


def plot_measures(result: Result, language: str = "en", mode: Mode = "light") -> Plot:
    """Return a picture: each run by each measure as bars, with its 95 % interval and n.

    Words are in `language` (``en``, ``ko``), colours for a ``light`` or ``dark`` page.
    """
    _require_result(result)
    runs = {result.name: result.figures, **result.others}
    rows: list[Mapping[str, Value]] = [
        {"measure": measure, "run": name, "score": figure}
        for name, figures in runs.items()
        for measure, figure in figures.items()
    ]
    n = n_range(figure for figures in runs.values() for figure in figures.values())
    label = say("figure_report.score_n", language, n=n)
    return _plot(rows, Chart(Shape.BARS, ("measure",), ("score",), "run", label), language, mode)


def plot_differences(result: Result, language: str = "en", mode: Mode = "light") -> Plot:
    """Return a picture: the run minus each run that it was tested against.

    Each dot is a mean difference with its 95 % interval, the number of pairs is below; left of the
    line the other run is better. Empty where the run was tested against none.
    """
    _require_result(result)
    rows: list[Mapping[str, Value]] = [
        {"measure": measure, "run": other, "score": comparison.difference}
        for other, tests in result.tests.items()
        for measure, comparison in tests.items()
    ]
    label = say("library.difference", language, run=result.name, others=", ".join(result.tests))
    n = n_range(each.difference for tests in result.tests.values() for each in tests.values())
    label = f"{label} (n = {n})"
    chart = Chart(Shape.FOREST, ("measure",), ("score",), "run", label, zero=True)
    return _plot(rows, chart, language, mode)


def _plot(rows: Sequence[Mapping[str, Value]], chart: Chart, language: str, mode: Mode) -> Plot:
    sheet = Sheet.of([_COLUMNS, *rows], Words("figure_report", language))
    sheet = replace(sheet, rows=sheet.rows[1:])  # columns stand though there is no row
    return Plot(chart_spec(Section("plot", "", sheet, chart=chart), _WIDTH), mode)


def _require_result(result: object) -> None:
    """Raise UserError for what is no result: a run, say, which has no figures yet."""
    if not isinstance(result, Result):
        raise UserError("library_result", type=type(result).__name__)
