"""Detailed agreement: every suitable statistic with its n, interval, interpretation and items.

There are two views. Per question, whole answers are compared as sets of provisions. Per candidate,
each decision is compared by itself. Figures are over complete items only; calibration items count
only for accuracy. Annotators see the overall figures, over the items that they submitted
themselves, without the items behind them.

Durations of submissions: everybody's pace, and unusually long or short ones.

Only measured submissions on complete items are read: those made in another tool have no time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil
from typing import Any

from sqlmodel import Session

from annotation.agreement.calibration import accuracy
from annotation.agreement.form_report import PARTS as FORM_PARTS
from annotation.agreement.form_report import load_form_ratings, main_rows
from annotation.agreement.views import (
    OF_DECISIONS,
    FigureRow,
    Lines,
    OddDecision,
    PersonPace,
    ProjectRatings,
    Report,
    ReportPart,
    Table,
    TimesTable,
    View,
    calibration_table,
    category_rows,
    confusion_rows,
    differences,
    figure_row,
    fit_for,
    groups_of,
    item_of,
    load,
    rated_twice,
    without_items,
)
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import Submission, overlaps_of
from annotation.work.visibility import answered, is_blind
from errors import UserError, Where
from evaluation.agreement.breakdown import OF_TWO, OVER_TIME, windows_of
from evaluation.agreement.clusters import CategoryAgreement, per_category, per_category_in_groups
from evaluation.agreement.interpretation import STATISTICS, Reading, paradox, recommended_for
from evaluation.agreement.ratings import Finding
from evaluation.agreement.times import Pace, times
from evaluation.figure import mean_figure, median_interval
from normalization.grouping import grouped
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.tasks import Task, is_task

PACES = 5  # minimum number of people for an outlier among them


def odd_times(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> TimesTable:
    """Return everybody's pace, and the submissions that took unusually long or short.

    Raises UserError without permission to read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        said, *_ = _load(session, project, task)
        return times_of(said.submissions, said.lines)


def times_of(submissions: Mapping[int, Sequence[Submission]], lines: Lines) -> TimesTable:
    """Return the pace and outliers of these submissions."""
    found = times(
        (item_id, each.person, each.seconds)
        for item_id, made in submissions.items()
        for each in made
        if each.seconds is not None
    )
    decisions = [
        OddDecision(
            person=str(decision.rater),
            item=lines[item_of(decision.item)],
            seconds=decision.seconds,
            expected=decision.expected,
            z=decision.z,
        )
        for decision in found.decisions
    ]
    several = len(found.raters) >= PACES
    people = [_pace(submissions, lines, rater, several) for rater in found.raters]
    return TimesTable(tuple(decisions), tuple(sorted(people, key=lambda each: each.person)))


def _pace(
    submissions: Mapping[int, Sequence[Submission]], lines: Lines, pace: Pace, several: bool
) -> PersonPace:
    """Return a person's working times, slowest first, with the interval of the median."""
    own = [
        (lines[item_id], each.seconds)
        for item_id, made in submissions.items()
        for each in made
        if each.person == pace.name and each.seconds is not None
    ]
    low, high = median_interval([seconds for _, seconds in own])
    own.sort(key=lambda each: -each[1])
    odd = several and pace.odd
    return PersonPace(str(pace.name), pace.n, pace.median, odd, low, high, tuple(own))


HEADLINE = ("raw", "mean_jaccard", "alpha_masi")  # from the simplest to the one to report
WINDOW = 20  # minimum questions per window of drift; fewer are not informative
WINDOWS = 8  # approximate maximum number of windows
_Tables = Callable[[Any], list[Table]]
_VIEWS = (View.QUESTIONS, View.CANDIDATES)


def report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> Report:
    """Return the report as the person may see it. Raises UserError without any permission."""
    with reading_as(ws, project_slug, by, Act.SEE_AGREEMENT) as (session, project, who):
        said, parts, _ = _load(session, project, task, answered(session, who))
    if is_blind(who):
        return Report(tuple(without_items(e) for e in parts[ReportPart.STATISTICS](said)), None)
    tables = [table for tables_of in parts.values() for table in tables_of(said)]
    tables.append(calibration_table(accuracy(ws, project_slug, by, task=task), said.lines))
    return Report(tuple(tables), times_of(said.submissions, said.lines))


def headline(ws: Workspace, project_slug: str, by: int | None = None) -> Table:
    """Return the table of the three headline statistics, over whole answers."""
    with reading_as(ws, project_slug, by, Act.SEE_AGREEMENT) as (session, project, who):
        said = load(session, project, answered(session, who))
    rows = [figure_row(said.lines, said.questions, STATISTICS[key]) for key in HEADLINE]
    notes = differences(said.questions)
    table = _table(said, ReportPart.STATISTICS, View.QUESTIONS, rows, notes)
    return without_items(table) if is_blind(who) else table


def main_figures(
    ws: Workspace, project_slug: str, task: str, by: int | None = None
) -> list[FigureRow]:
    """Return the statistic to report first: of whole answers, or of each field of a form.

    Raises UserError without permission to read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        said, _, main = _load(session, project, task)
        return main(said)


def totals(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> list[Table]:
    """Return the overall statistics: by question and by candidate, or by field of a form.

    The items behind them are left out without permission to read others' labels. Raises UserError
    for an unknown project or person.
    """
    with reading_as(ws, project_slug, by, Act.SEE_AGREEMENT) as (session, project, who):
        said, parts, _ = _load(session, project, task, answered(session, who))
    found = parts[ReportPart.STATISTICS](said)
    return [without_items(each) for each in found] if is_blind(who) else found


def part(
    ws: Workspace,
    project_slug: str,
    name: ReportPart,
    by: int | None = None,
    task: str = Task.CITATION_MAPPING,
) -> list[Table]:
    """Return the tables of one part. Raises UserError without permission to read others' labels."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        said, parts, _ = _load(session, project, task)
    if name is ReportPart.CALIBRATION:
        return [calibration_table(accuracy(ws, project_slug, by, task=task), said.lines)]
    return parts[name](said) if name in parts else []


def _load(
    session: Session, project: ProjectView, task: str, only: Collection[int] | None = None
) -> tuple[Any, Mapping[ReportPart, _Tables], Callable[[Any], list[FigureRow]]]:
    """Return a task's ratings, and what makes each part's tables and the main figures of them."""
    if not is_task(task):
        raise UserError("task_unknown", Where(field="task"), task=task)
    if task == Task.CITATION_MAPPING:
        return load(session, project, only), _PARTS, _main_rows
    return load_form_ratings(session, project, task, only), FORM_PARTS, main_rows


def _main_rows(ratings: ProjectRatings) -> list[FigureRow]:
    """Return the recommended statistic of a mapping task as a one-row list."""
    return [figure_row(ratings.lines, ratings.questions, recommended_for(ratings.questions).main)]


def _statistics(ratings: ProjectRatings) -> list[Table]:
    """Return the tables of agreement coefficients, by question and by candidate."""
    advice = recommended_for(ratings.questions)
    rows = [figure_row(ratings.lines, ratings.questions, each) for each in advice.all]
    notes = [*differences(ratings.questions), Reading(advice.why)]
    return [
        _table(ratings, ReportPart.STATISTICS, View.QUESTIONS, rows, notes),
        _candidate_statistics(ratings),
        *_evidence_statistics(ratings),
    ]


def _evidence_statistics(ratings: ProjectRatings) -> list[Table]:
    """Return the overlap of the words marked, a mean per question; none if nothing is compared."""
    overlaps = {item: overlaps_of(made) for item, made in ratings.submissions.items()}
    means = {item: sum(found) / len(found) for item, found in overlaps.items() if found}
    if not means:
        return []
    figure = mean_figure("character_f1", [*means.values()])
    order = sorted(means, key=lambda item: (means[item], ratings.lines[item].external_id))
    lines = tuple(replace(ratings.lines[item], agreement=means[item]) for item in order)
    row = FigureRow((), Finding(figure), lines)
    return [Table(ReportPart.STATISTICS, View.EVIDENCE, len(means), (row,))]


def _candidate_statistics(ratings: ProjectRatings) -> Table:
    """Return the statistics of decisions on candidates, the main one first."""
    main = recommended_for(ratings.candidates)
    order = sorted(OF_DECISIONS, key=lambda key: key != main.main.key)
    rows = [
        figure_row(ratings.lines, fit_for(ratings.candidates, key), STATISTICS[key])
        for key in order
    ]
    beware = paradox(ratings.candidates, [row.finding for row in rows])
    notes = [Reading(main.why), *([] if beware is None else [_with_display_name(beware)])]
    return _table(ratings, ReportPart.STATISTICS, View.CANDIDATES, rows, notes)


def _with_display_name(beware: Reading) -> Reading:
    """Replace the category by the label's display name."""
    label = Reading(f"agreement.label.{beware.params['category']}")
    return Reading(beware.key, {**beware.params, "category": label})


def _pairwise_table(project_ratings: ProjectRatings, view: View) -> Table:
    """Return the agreement of each two raters."""
    ratings = project_ratings.of(view)
    rows = [
        figure_row(project_ratings.lines, ratings.of_raters(a, b), OF_TWO[ratings.scale], (a, b))
        for a, b in combinations(map(str, ratings.raters), 2)
    ]
    return _table(project_ratings, ReportPart.PAIRS, view, rows)


def _drift_table(project_ratings: ProjectRatings, view: View) -> Table:
    """Return agreement in windows over questions with two ratings or more, by completion time."""
    ratings = project_ratings.of(view)
    places = grouped(
        (item_of(item), at)
        for at, (item, count) in enumerate(zip(ratings.items, ratings.per_item, strict=True))
        if count >= 2
    )
    ordered = sorted(places, key=lambda item: (project_ratings.completed(item), places[item]))
    size = max(WINDOW, ceil(len(ordered) / WINDOWS))
    rows = []
    for run in windows_of(len(ordered), size):
        items = [ordered[at] for at in run]
        days = [project_ratings.completed(item).date().isoformat() for item in items]
        part = ratings.at([at for item in items for at in places[item]])
        rows.append(
            figure_row(project_ratings.lines, part, OVER_TIME[ratings.scale], (days[0], days[-1]))
        )
    return _table(project_ratings, ReportPart.DRIFT, view, rows)


def _categories(ratings: ProjectRatings) -> list[Table]:
    """Return agreement on each label, and on each provision, the most chosen first."""
    labels = per_category_in_groups(
        ratings.candidates, groups_of(ratings.lines, ratings.candidates)
    )
    units = sorted(
        per_category(ratings.questions),
        key=lambda each: (-each.finding.figure.n, str(each.category)),
    )
    return [
        _category_table(ratings, View.CANDIDATES, labels),
        _category_table(ratings, View.QUESTIONS, units),
    ]


def _confusion(ratings: ProjectRatings) -> list[Table]:
    """Return the table of how often two people gave two different labels to one candidate."""
    rows = confusion_rows(ratings.lines, ratings.candidates)
    return [_table(ratings, ReportPart.CONFUSION, View.CANDIDATES, rows)]


def _category_table(
    project_ratings: ProjectRatings, view: View, agreements: Iterable[CategoryAgreement]
) -> Table:
    rows = category_rows(project_ratings.lines, project_ratings.of(view), agreements)
    return _table(project_ratings, ReportPart.CATEGORIES, view, rows)


def _table(
    project_ratings: ProjectRatings,
    name: ReportPart,
    view: View,
    rows: Iterable[FigureRow],
    notes: Iterable[Reading] = (),
) -> Table:
    """Return a table of figures; its count is of questions that two people rated, in any view."""
    items = len(rated_twice(project_ratings.of(view)))
    return Table(name, view, items, tuple(rows), tuple(notes))


_PARTS: Mapping[ReportPart, Callable[[ProjectRatings], list[Table]]] = {
    ReportPart.STATISTICS: _statistics,
    ReportPart.PAIRS: lambda said: [_pairwise_table(said, view) for view in _VIEWS],
    ReportPart.DRIFT: lambda said: [_drift_table(said, view) for view in _VIEWS],
    ReportPart.CATEGORIES: _categories,
    ReportPart.CONFUSION: _confusion,
}
