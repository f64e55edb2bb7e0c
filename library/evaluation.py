"""Runs scored and tested in a notebook: figures with their n and interval, paired tests.

Plots of what `evaluate` found, in a notebook: to show, to change, to save.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corpus.run import Run
from errors import UserError, require_known
from evaluation.figure import FEWEST_RESAMPLES, MOST_RESAMPLES, RESAMPLES, Figure, n_range
from evaluation.ranking.compare import (
    COMPARED,
    Comparison,
    Family,
    Inference,
    compare_tables,
    comparison_cells,
    comparison_numbers,
)
from evaluation.ranking.scoring import (
    SHOWN,
    Evaluation,
    Measure,
    parse_measure,
    too_deep,
    too_deep_notes,
)
from evaluation.ranking.scoring import evaluate as score
from evaluation.reports.charts import chart_spec, picture_file
from evaluation.reports.files import NotebookReport
from evaluation.reports.report import PICTURES, Chart, Section, Shape, Sheet, Words
from library.files import Gold, Qrels, SearchedLaw, qrels_of, run_of, whole
from messages import say

if TYPE_CHECKING:
    import pandas as pd

    from library.law import Law


Mode = Literal["light", "dark"]
_WIDTH = 560  # pixels
_VEGA_LITE = "application/vnd.vegalite.v6+json"
RUN, AGAINST = "run", "against"
_TESTED = ("measure", AGAINST, "difference", "p", "p_holm", "wins", "n")


@dataclass(frozen=True)
class Result:
    """What a run scored, and how it differs from those it was tested against.

    `figures` holds measure → figure (`value`, `n`, `low`, `high`: a mean over the judged questions
    with a 95 % bootstrap interval); `others` the same of each other run, by its name; `tests` holds
    the other run's name → measure → comparison: this run minus the other, with interval, p, p
    after Holm's correction, and wins, ties and losses. `table` is question → measure → score, None
    where nothing is relevant, so nothing can be scored. `missing` are judged questions that the run
    has no answer to: they score 0. `unjudged` are questions of the run without judgements: they
    count nowhere. `unsearchable` holds question → relevant unit → why methods cannot find it, or by
    its heading alone (`Law.unsearchable`); `left_out` says that nothing of it is scored. `strange`
    is a relevant unit and one of the run's, where the run has none of the relevant units of any
    question: their ids may be written in two ways. Else it is None. `depths` are how deep the runs
    were kept, the first that of the run: a measure that looks deeper has no value.
    """

    name: str
    figures: dict[str, Figure]
    others: dict[str, dict[str, Figure]]
    tests: dict[str, dict[str, Comparison]]
    table: dict[str, dict[str, float | None]]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    strange: tuple[str, str] | None = None
    depths: tuple[int | None, ...] = (None,)
    unsearchable: dict[str, dict[str, str]] = field(default_factory=dict)
    left_out: bool = False

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame of the figures: a row for each run and measure."""
        import pandas as pd

        runs = {self.name: self.figures, **self.others}
        rows = [
            (run, key, *figure.numbers())
            for run, figures in runs.items()
            for key, figure in figures.items()
        ]
        return pd.DataFrame(rows, columns=["run", "measure", "value", "low", "high", "n"])

    def tests_frame(self) -> pd.DataFrame:
        """Return a data frame of the tests: a row for each other run and measure.

        The difference is this run minus the other; `n` counts the pairs.
        """
        import pandas as pd

        rows = [
            (self.name, other, key, *comparison_numbers(each))
            for other, tests in self.tests.items()
            for key, each in tests.items()
        ]
        frame = pd.DataFrame(rows, columns=["run", "against", "measure", *COMPARED])
        return frame.rename(
            columns={"difference_low": "low", "difference_high": "high", "pairs": "n"}
        )

    def questions(self) -> pd.DataFrame:
        """Return a data frame of the run's score of each question by each measure."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.table, orient="index", columns=list(self.figures))

    def report(self, language: str = "en") -> NotebookReport:
        """Return the result as the app shows it, in `language` (``en``, ``ko``).

        A notebook draws it, `print` shows it as a terminal does, and `written` gives a file's text
        (``csv``, ``json``, ``markdown``, ``latex``).
        """
        words = Words("library", language, "head")
        sections = (_scores(self, words), _differences(self, words))
        return NotebookReport("evaluation", words("title", run=self.name), sections)

    def __str__(self) -> str:
        return str(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def _notes(self, language: str) -> list[str]:
        """Return the footnotes of the scores."""
        counted = {"missing": len(self.missing), "unjudged": len(self.unjudged)}
        deep = too_deep(self.figures, self.depths[0])
        scored = [{key: row[key] for key in row if key not in deep} for row in self.table.values()]
        counted["unscored"] = sum(None in row.values() for row in scored)
        notes = [
            say(f"library.{what}", language, count=count)
            for what, count in counted.items()
            if count
        ]
        notes += too_deep_notes(list(self.figures), self.depths, language)
        if self.unsearchable:
            reasons = Counter(why for units in self.unsearchable.values() for why in units.values())
            told = {
                "pairs": reasons.total(),
                "questions": len(self.unsearchable),
                "reasons": ", ".join(
                    say(f"levels.counted.{why}", language, count=n)
                    for why, n in sorted(reasons.items())
                ),
            }
            about = "library.left_out" if self.left_out else "library.kept_in"
            notes.append(say(about, language, **told))
        if self.strange is not None:
            relevant, found = self.strange
            notes.append(say("library.unfound", language, relevant=relevant, found=found))
        return notes


def evaluate(
    run: object,
    qrels: object,
    against: object = None,
    measures: str | Measure | Sequence[str | Measure] = SHOWN,
    resamples: int = RESAMPLES,
    holm_over: str = "measure",
    law: Law | None = None,
    searchable_only: bool = False,
) -> Result:
    """Score a run against judgements, and test it against other runs, on the same questions.

    `run` is a `Run`, a dict (query → ids best first, or → scores by id), a data frame with columns
    ``query``, ``unit`` and ``score`` or ``rank`` (PyTerrier's ``qid``, ``docno`` and such are
    known), or the path of a TREC run file. `qrels` is a dict (query → relevant ids, or → relevance
    by id), a data frame (``query``, ``unit``, ``relevance``), or the path of a TREC or BEIR file.
    `against` is another run, or several by name. `measures` are keys such as ``Recall@10``,
    ``nDCG@10``, ``MRR@10``, ``AP``, ``FullCov@10``; `resamples` are those of each bootstrap (100 to
    20,000). The test is the paired randomisation test; Holm's correction is over the other runs by
    each measure, or over all measures too (`holm_over` ``"table"``). A measure that looks deeper
    than a run was kept has no value and is not tested: a `Run` of a law knows how deep it is,
    another is as deep as its longest ranking.

    `law` is what was searched; judgements by `Law.gold` know theirs. With it the result counts the
    relevant units that it lacks, does not search or has without text: they stay in all figures,
    unless `searchable_only` leaves them out. Raises UserError for what cannot be read or is not
    known.
    """
    measures = [measures] if isinstance(measures, str | Measure) else measures
    known = [each if isinstance(each, Measure) else parse_measure(str(each)) for each in measures]
    resamples = whole(resamples, "resamples", RESAMPLES)
    judged, inference = qrels_of(qrels), _inference(resamples, holm_over)
    searched = law or (qrels.law if isinstance(qrels, Gold) else None)
    if searchable_only and searched is None:
        raise UserError("library_no_law")
    unsearchable = {} if searched is None else _unsearchable(judged, searched)
    if searchable_only:
        judged = {
            query: {u: how for u, how in units.items() if u not in unsearchable.get(query, ())}
            for query, units in judged.items()
        }
    runs = _named(run, against)
    scored = {name: score(each, judged, known).within(each.depth) for name, each in runs.items()}
    name = next(iter(scored))
    keys = list(dict.fromkeys(map(repr, known)))
    tables = {each: found.table for each, found in scored.items()}
    tested = compare_tables(tables, name, keys, inference)
    figures = {each: _figures(found, resamples) for each, found in scored.items()}
    first = scored[name]
    return Result(
        name=name,
        figures=figures.pop(name),
        others=figures,
        tests=tested,
        table=first.table,
        missing=first.missing,
        unjudged=first.unjudged,
        strange=_strange(runs[name], judged),
        depths=tuple(each.depth for each in runs.values()),
        unsearchable=unsearchable,
        left_out=searchable_only,
    )


def _unsearchable(judged: Qrels, law: SearchedLaw) -> dict[str, dict[str, str]]:
    """Return question → relevant unit → why it cannot be found, or by its heading alone."""
    relevant = {
        query: [unit for unit, how in units.items() if how > 0] for query, units in judged.items()
    }
    why = law.unsearchable(relevant)
    found = {query: {u: why[u] for u in units if u in why} for query, units in relevant.items()}
    return {query: units for query, units in found.items() if units}


def _strange(run: Run, judged: Mapping[str, Mapping[str, int]]) -> tuple[str, str] | None:
    """Return a relevant unit and one of the run's if it has no relevant one at all, else None."""
    relevant = [unit for units in judged.values() for unit, how in units.items() if how > 0]
    found = {hit.unit_id for hits in run.values() for hit in hits}
    if not relevant or not found or not found.isdisjoint(relevant):
        return None
    return min(relevant), min(found)


def _figures(evaluation: Evaluation, resamples: int) -> dict[str, Figure]:
    """Return the figures by measure."""
    return {figure.name: figure for figure in evaluation.figures_by(resamples)}


def _inference(resamples: int, holm_over: str) -> Inference:
    """Return the settings of intervals and tests. Raises UserError for invalid ones."""
    if not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise UserError(
            "library_resamples", resamples=resamples, low=FEWEST_RESAMPLES, high=MOST_RESAMPLES
        )
    require_known("library_family", Family, written=holm_over)
    return Inference(resamples, Family(holm_over))


def _named(run: object, against: object) -> dict[str, Run]:
    """Return the run and the others by names that tell them apart, the run first."""
    made = run_of(run)
    found = {made.name or RUN: made}
    if against is None:
        return found
    for name, other in _others(against).items():
        each = run_of(other, name)
        found[_free(each.name or AGAINST, found)] = each
    return found


def _others(against: object) -> dict[str, object]:
    """Return the other runs by name: a dict whose values are runs, not rankings, holds several."""
    if isinstance(against, Mapping) and not isinstance(against, Run):
        several = {str(name): each for name, each in against.items() if _is_run(each)}
        if several and len(several) == len(against):
            return several
    return {"": against}


def _is_run(value: object) -> bool:
    """Whether a value of a dict is a run, not the ranking of a query."""
    if isinstance(value, Run | str) or hasattr(value, "columns") or hasattr(value, "open"):
        return True
    nested = isinstance(value, Mapping) and next(iter(value.values()), None)
    return isinstance(nested, Mapping | list | tuple)


def _free(name: str, taken: Mapping[str, object]) -> str:
    """Return a name that is not taken."""
    names = (name if at == 1 else f"{name} ({at})" for at in range(1, len(taken) + 2))
    return next(each for each in names if each not in taken)


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
        ending = path.suffix.lower()
        require_known("figure_ending", PICTURES, ending=ending)
        path.write_bytes(self._file(ending))

    def _file(self, ending: str) -> bytes:
        """Return the picture's bytes in the format of a file ending."""
        return picture_file(self.spec, ending, self.mode == "dark")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return the specification, and the picture for a notebook that cannot draw it."""
        return {_VEGA_LITE: self.spec, "image/svg+xml": self._file(".svg").decode()}


def plot_measures(result: Result, language: str = "en", mode: Mode = "light") -> Plot:
    """Return a picture: each run by each measure as bars, with its 95 % interval and n.

    Words are in `language` (``en``, ``ko``), colours for a ``light`` or ``dark`` page.
    """
    return _plot(_scores(_required(result), Words("library", language, "head")), mode)


def plot_differences(result: Result, language: str = "en", mode: Mode = "light") -> Plot:
    """Return a picture: the run minus each run that it was tested against.

    Each dot is a mean difference with its 95 % interval, the number of pairs is below; left of the
    line the other run is better. Empty where the run was tested against none.
    """
    return _plot(_differences(_required(result), Words("library", language, "head")), mode)


def _scores(result: Result, words: Words) -> Section:
    """Return the section of scores: a row and bar for each run by each measure."""
    runs = {result.name: result.figures, **result.others}
    rows = [
        {"measure": measure, "run": name, "score": figure, "n": figure.n}
        for name, figures in runs.items()
        for measure, figure in figures.items()
    ]
    n = n_range(figure for figures in runs.values() for figure in figures.values())
    label = say("figure_report.score_n", words.language, n=n)
    chart = Chart(Shape.BARS, ("measure",), ("score",), "run", label)
    notes = tuple(result._notes(words.language))
    return Section("scores", words("scores"), Sheet.of(rows, words), chart=chart, notes=notes)


def _differences(result: Result, words: Words) -> Section:
    """Return the section of tests: the run minus each other run by each measure."""
    rows = [
        {"measure": measure, "against": other, **comparison_cells(comparison)}
        for other, tests in result.tests.items()
        for measure, comparison in tests.items()
    ]
    label = words("difference", run=result.name, others=", ".join(result.tests))
    n = n_range(each.difference for tests in result.tests.values() for each in tests.values())
    chart = Chart(
        *(Shape.FOREST, ("measure",), ("difference",), "against", f"{label} (n = {n})"), zero=True
    )
    sheet = Sheet.of([dict.fromkeys(_TESTED), *rows], words)
    sheet = replace(sheet, rows=sheet.rows[1:])  # columns stand though there is no row
    return Section("tests", words("tests", run=result.name), sheet, chart=chart)


def _plot(section: Section, mode: Mode) -> Plot:
    """Return a section's chart as a plot."""
    return Plot(chart_spec(section, _WIDTH), mode)


def _required(result: object) -> Result:
    """Return a result. Raises UserError for another value: a run, say, has no figures yet."""
    if not isinstance(result, Result):
        raise UserError("library_result", type=type(result).__name__)
    return result
