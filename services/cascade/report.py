"""Report on the cascade: questions removed per layer, and accuracy of difficulty.

Its tables are written as CSV, Markdown and LaTeX.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.augmentation.rubric import LEVELS
from construction.cascade.checks import Outcome, counts
from construction.cascade.layers import Layer, Layers
from evaluation.figure import Figure, share_figure
from evaluation.tables import Cell, Table, csv_text, written
from storage.cascade.results import QuestionState, Result, State, admitted, states
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LayerLine:
    """Counts of one layer over the questions it saw.

    `restored` of those rejected or unjudged were let through by a person. `share` is passed among
    passed and rejected; unjudged ones are excluded. `reasons` counts rejected questions per reason;
    one may have several.
    """

    layer: str
    on: bool
    entered: int
    passed: int
    rejected: int
    unjudged: int
    restored: int
    share: Figure
    reasons: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CascadeReport:
    """The whole report, over questions whose latest run used version `number`.

    `outdated` others used another version, and count only in `questions`; `states` counts those of
    this version, and those not yet run. `yielded` is the share passed among those passed or
    rejected. `hits` is the share with the requested level among questions whose level was checked,
    `levels` counts them by requested and actual level. `admitted` are now questions of the project.
    """

    number: int
    questions: int
    outdated: int
    states: Mapping[str, int]
    layers: tuple[LayerLine, ...]
    yielded: Figure
    hits: Figure
    levels: Mapping[tuple[str, str], int]
    admitted: int
    labels: Mapping[str, Mapping[str, str]]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "version": self.number,
            "questions": self.questions,
            "outdated": self.outdated,
            "states": dict(self.states),
            "layers": [_line_json(each) for each in self.layers],
            "yield": self.yielded.as_json(),
            "hits": self.hits.as_json(),
            "levels": [
                {"target": target, "actual": actual, "count": count}
                for (target, actual), count in sorted(self.levels.items())
            ],
            "admitted": self.admitted,
        }


def cascade_report(ws: Workspace, project_slug: str, by: int | None = None) -> CascadeReport:
    """Return the report on the current version of the layers.

    Raises UserError for `by` who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        number, layers = CASCADE_LAYERS.current(session, project.id)
        found = states(session, project.id)
        become = admitted(session, project.id)
    present = [each for each in found if each.run is None or each.run.layers_number == number]
    return report_of(number, layers, present, len(found) - len(present), len(become))


def report_of(
    number: int,
    layers: Layers,
    found: Sequence[QuestionState],
    outdated: int = 0,
    become: int = 0,
) -> CascadeReport:
    """Return the report over these questions."""
    counted = Counter(str(each.state) for each in found)
    through = counted[State.THROUGH] + counted[State.RESTORED]
    levels = _levels(found)
    hit = sum(count for (target, actual), count in levels.items() if target == actual)
    return CascadeReport(
        number=number,
        questions=len(found) + outdated,
        outdated=outdated,
        states={str(state): counted[state] for state in State},
        layers=tuple(
            _layer_line(str(step.layer), step.on, found)
            for step in layers.steps
            if step.layer is not Layer.PEOPLE
        ),
        yielded=share_figure("yield", through, through + counted[State.REJECTED]),
        hits=share_figure("hits", hit, sum(levels.values())),
        levels=levels,
        admitted=become,
        labels=layers.labels(),
    )


def _layer_line(layer: str, on: bool, found: Sequence[QuestionState]) -> LayerLine:
    seen = [(each, result) for each in found for result in each.results if result.layer == layer]
    outcomes = Counter(result.outcome for _, result in seen)
    passed, rejected = outcomes[Outcome.PASSED], outcomes[Outcome.REJECTED]
    let = [each for each, result in seen if result.outcome != Outcome.PASSED]
    return LayerLine(
        layer=layer,
        on=on,
        entered=len(seen),
        passed=passed,
        rejected=rejected,
        unjudged=outcomes[Outcome.UNJUDGED],
        restored=sum(layer in each.overruled for each in let),
        share=share_figure(layer, passed, passed + rejected),
        reasons=_reasons(result for _, result in seen),
    )


def _reasons(results: Iterable[Result]) -> dict[str, int]:
    """Count the results per reason against the question, most frequent first."""
    counted: Counter[str] = Counter()
    for result in results:
        if result.outcome != Outcome.PASSED:
            counted.update({str(each["code"]) for each in result.reasons if counts(each)})
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _levels(found: Sequence[QuestionState]) -> dict[tuple[str, str], int]:
    counted: Counter[tuple[str, str]] = Counter()
    for each in found:
        for result in each.results:
            for reason in result.reasons:
                if result.layer == Layer.DIFFICULTY and reason["code"] == "level":
                    counted[reason["values"]["target"], reason["values"]["actual"]] += 1
    return dict(sorted(counted.items()))


def _line_json(line: LayerLine) -> dict[str, Any]:
    names = ("layer", "on", "entered", "passed", "rejected", "unjudged", "restored")
    said = {name: getattr(line, name) for name in names}
    return said | {"share": line.share.as_json(), "reasons": dict(line.reasons)}


_LAYERS = (
    *("layer", "on", "entered", "passed", "rejected", "unjudged", "restored"),
    *("n", "share", "low", "high"),
)


def tables(report: CascadeReport) -> list[Table]:
    """Return the tables of the report: layers, reasons, shares, and levels.

    A figure has its n and both ends of its interval in separate columns, empty where absent.
    """
    rows: list[tuple[Cell, ...]] = [
        (
            *(line.layer, "yes" if line.on else "no", line.entered, line.passed, line.rejected),
            *(line.unjudged, line.restored, *_figure_cells(line.share)),
        )
        for line in report.layers
    ]
    reasons: list[tuple[Cell, ...]] = [
        (line.layer, code, count) for line in report.layers for code, count in line.reasons.items()
    ]
    figures: list[tuple[Cell, ...]] = [
        (each.name, *_figure_cells(each)) for each in (report.yielded, report.hits)
    ]
    levels: list[tuple[Cell, ...]] = [
        (target, *(report.levels.get((target, actual), 0) for actual in LEVELS))
        for target in LEVELS
    ]
    return [
        Table(_LAYERS, tuple(rows), title="layers"),
        Table(("layer", "reason", "count"), tuple(reasons), title="reasons"),
        Table(("measure", "n", "share", "low", "high"), tuple(figures), title="shares"),
        Table(("target", *LEVELS), tuple(levels), title="levels"),
        Table(("state", "count"), tuple(report.states.items()), title="states"),
    ]


def as_csv(report: CascadeReport) -> str:
    """Return all tables as CSV; the first column names the table."""
    return csv_text(_rows_of_tables(report))


def as_markdown(report: CascadeReport) -> str:
    """Return all tables as Markdown."""
    return "\n".join(written(each, "markdown") for each in tables(report))


def as_latex(report: CascadeReport) -> str:
    """Return all tables as LaTeX."""
    return "\n".join(written(each, "latex") for each in tables(report))


def _rows_of_tables(report: CascadeReport) -> Iterator[tuple[Cell, ...]]:
    """Yield each table's head and rows, with the table's title in the first column."""
    for each in tables(report):
        yield "table", *each.head
        for row in each.rows:
            yield each.title, *row


def _figure_cells(figure: Figure) -> tuple[Cell, ...]:
    rounded = (None if each is None else round(each, 4) for each in (figure.value, figure.low))
    high = None if figure.high is None else round(figure.high, 4)
    return figure.n, *rounded, high
