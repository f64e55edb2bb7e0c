"""The leaderboard as a report: the best run, intervals, pairwise tests, cost against quality."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.ranking.compare import Comparison
from evaluation.reports.report import Chart, Marked, Report, Section, Shape, Sheet, Words
from evaluation.tables import p_text
from services.runs.costs import COLUMNS, RunCost, columns_of, cost_notes
from services.runs.rows import numbered
from services.runs.score_table import mark
from services.runs.significance import RunScores, Significance
from services.runs.simple_baselines import mark_of

CHARTED, PAIRED = 10, 8  # runs: more marks, or more cells of numbers, are unreadable
_SERIES = 8  # runs with a colour of their own
_COSTS = ("search", "query_tokens", "fit", "index")  # of `COLUMNS`, what a reader pays most first


def board_report(scores: Significance, order: str, language: str = "en") -> Report:
    """Return the sentence on the best run by the measure `order`, and the charts of all runs.

    Raises ValueError for a measure that is not among the columns.
    """
    board = _Board(scores, order, language)
    sections = (board.intervals(), board.pairs(), board.costs())
    return Report("leaderboard", board.words("title"), sections, board.lead())


class _Board:
    """Compared runs, best first by one measure."""

    def __init__(self, scores: Significance, order: str, language: str) -> None:
        self.scores, self.order, self.language = scores, order, language
        self.at = scores.measures.index(order)
        self.words = Words("board_report", language)
        self.runs = scores.by_value(order)
        self.rivals = [
            run for run in self.runs if run.is_tested(order) and self.value(run) is not None
        ][:PAIRED]
        self.tests = scores.pairs(order, tuple(run.run_id for run in self.rivals))

    def value(self, run: RunScores) -> float | None:
        """Return a run's mean by the measure."""
        return run.cells[self.at].figure.value

    def name(self, run: RunScores) -> str:
        """Return a run's number and label."""
        return f"{numbered(run.run_id, self.language)} · {run.label}"

    def lead(self) -> str:
        """Say which tested run is best, its margin, and whether that is significant; "" if none."""
        if not self.rivals:
            return ""
        best, *others = self.rivals
        told = {
            "run": self.name(best),
            "measure": self.order,
            "figure": best.cells[self.at].figure.text(),
        }
        if not others:
            return self.words("lead_alone", **told)
        second = others[0]
        over = self.tests[second.run_id][best.run_id]
        test = self._test_shown(best, second) or over
        said = "level" if not over.difference.value else "better" if test.verdict else "unclear"
        told |= {"second": self.name(second), "difference": over.difference.text()}
        p = p_text(test.p_holm)
        return self.words(f"lead_{said}", **told, p=p if p.startswith("<") else f"= {p}")

    def _test_shown(self, best: RunScores, second: RunScores) -> Comparison | None:
        """Return the test of two runs that the table of runs marks, if one is its baseline."""
        baseline = self.scores.columns[self.at].baseline
        tested = {best.run_id: second, second.run_id: best}.get(baseline or 0)
        return None if tested is None else tested.cells[self.at].comparison

    def intervals(self) -> Section:
        """Return the mean by every measure of each of the first `CHARTED` runs."""
        measures, columns = self.scores.measures, self.scores.columns
        rows = [
            {"run": run.run_id, "method": run.label}
            | {
                column.measure: Marked(cell.figure, mark(cell), run.run_id in column.best)
                for column, cell in zip(columns, run.cells, strict=True)
            }
            for run in self.runs[:CHARTED]
        ]
        more = self.words("charted", count=CHARTED, total=len(self.runs))
        return Section(
            "intervals",
            self.words("intervals"),
            Sheet.of(rows, self.words, heads={name: name for name in measures}),
            chart=Chart(
                Shape.FOREST, ("run", "method"), measures, legend=self.words("interval_axis")
            ),
            notes=(more,) if len(self.runs) > CHARTED else (),
            opens="run",
        )

    def pairs(self) -> Section:
        """Return the difference of every two of the `PAIRED` best tested runs, with its test."""
        pairs = [
            (one, other, None if one is other else self.tests[other.run_id][one.run_id])
            for one in self.rivals
            for other in self.rivals
        ]
        tested = {
            frozenset((one.run_id, other.run_id)): test.verdict
            for one, other, test in pairs
            if test is not None
        }
        count = sum(map(bool, tested.values()))
        told = {"measure": self.order, "count": count, "runs": len(self.rivals)}
        return Section(
            "pairs",
            self.words("pairs", measure=self.order),
            Sheet.of((self._pair(*each) for each in pairs if tested), self.words),
            lead=self._pairs_lead(told, len(tested)) if tested else "",
            chart=Chart(Shape.HEAT, ("against", "method"), ("difference",)),
            notes=(self.words("pairs_note"),),
            opens="run",
        )

    def _pairs_lead(self, told: Mapping[str, object], total: int) -> str:
        """Say how many pairs differ, and how many runs the table marks by its milder correction."""
        tested = sum(run.is_tested(self.order) for run in self.runs)
        key = "pairs_lead" if tested <= PAIRED else "pairs_first"
        sentence = self.words(key, **told, total=total)
        comparisons = [run.cells[self.at].comparison for run in self.runs]
        shown = [each for each in comparisons if each is not None]
        marked = sum(bool(each.verdict) for each in shown)
        if not marked or len(shown) == total:
            return sentence
        return f"{sentence} {self.words('pairs_table', count=marked, total=len(shown))}"

    def _pair(self, one: RunScores, other: RunScores, test: Comparison | None) -> dict[str, object]:
        """Return the difference of two runs with its test."""
        named: dict[str, object] = {
            "run": one.run_id,
            "method": f"{one.run_id} · {one.label}",
            "against": other.run_id,
        }
        if test is None:
            return named
        wins = test.tally
        return named | {
            "difference": Marked(test.difference.value, mark_of(test)),
            "interval": test.difference,
            "p": test.p,
            "p_holm": test.p_holm,
            "wins": f"{wins.wins} / {wins.ties} / {wins.losses}",
        }

    def costs(self) -> Section:
        """Return each run's cost beside its mean, drawn over the first cost that differs."""
        costs = [RunCost.of(run.line.cost) for run in self.runs]
        rows = [
            {"run": run.run_id, "method": run.label, self.order: run.cells[self.at].figure}
            | columns_of(cost)
            for run, cost in zip(self.runs, costs, strict=True)
        ]
        words, numbers = Words("costs", self.language), [str(run.run_id) for run in self.runs]
        cost = next((name for name in _COSTS if len({row[name] for row in rows} - {None}) > 1), "")
        series = "method" if len(rows) <= _SERIES else ""
        named = self.words("costs", measure=self.order, cost=words(cost)) if cost else ""
        return Section(
            "costs",
            named or words("title"),
            Sheet.of(
                rows,
                self.words,
                heads={self.order: self.order} | {name: words(name) for name in COLUMNS},
            ),
            lead=self._cheapest(cost, words(cost)) if cost else "",
            chart=Chart(Shape.SCATTER, ("run",), (cost, self.order), series) if cost else None,
            notes=tuple(cost_notes(zip(numbers, costs, strict=True), self.language)),
            opens="run",
        )

    def _cheapest(self, cost: str, head: str) -> str:
        """Say which compared run costs least, and what the best one costs; "" if unmeasured."""
        known = [
            (value, run)
            for run in self.rivals
            if (value := columns_of(RunCost.of(run.line.cost))[cost]) is not None
        ]
        if len(known) < 2 or known[0][1] is not self.rivals[0]:
            return ""
        (best_cost, best), (least, run) = known[0], min(known, key=lambda each: each[0])
        told = {"cost": head, "best": self.name(best), "best_cost": f"{best_cost:,.2f}"}
        if run is best:
            return self.words("costs_best", **told)
        return self.words("costs_lead", **told, run=self.name(run), least=f"{least:,.2f}")


Pick = tuple[int, str, int | None]
"""A run with a measure, and the run beside it, if any."""


def runs_of_row(section: Section, row: int, measure: str) -> Pick | None:
    """Return (run id, measure, id of the run beside it or None) of a row; None if it is gone."""
    if row >= len(section.sheet.rows):
        return None
    cells = dict(zip(section.sheet.names, section.sheet.rows[row], strict=True))
    beside = cells.get("against")
    return int(str(cells["run"])), measure, int(str(beside)) if beside else None
