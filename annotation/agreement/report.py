"""Agreement in depth: every statistic that fits, each with its n, interval, reading and items.

There are two views. Per question, whole answers are compared as sets of provisions. Per candidate,
each decision is compared by itself. Figures are over complete items only; calibration items count
in none but accuracy. Who annotates sees the figures of everybody together, over the items that they
submitted themselves, and nothing behind them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from math import ceil

from annotation.agreement.calibration import accuracy
from annotation.agreement.ratings import ProjectRatings, item_of, load
from annotation.agreement.times import times_of
from annotation.agreement.views import FigureRow, ItemLine, Report, ReportPart, Table, View
from annotation.people.roles import Act, require_by
from annotation.work.visibility import answered, is_blind
from evaluation.agreement.breakdown import OF_TWO, OVER_TIME, per_item, windows_of
from evaluation.agreement.clusters import (
    CategoryAgreement,
    measure_in_groups,
    per_category,
    per_category_in_groups,
)
from evaluation.agreement.interpretation import STATISTICS, Reading, paradox, recommended_for
from evaluation.agreement.ratings import Finding, Ratings, Reason, Scale, Statistic, measure
from storage.db.workspace import Workspace
from storage.projects import find_project

OF_CANDIDATES = ("cohen_kappa", "fleiss_kappa", "alpha_nominal", "ac1", "raw")
HEADLINE = ("raw", "mean_jaccard", "alpha_masi")  # from the plainest to the one to report
WINDOW = 20  # questions in a window of drift at least; fewer say little
WINDOWS = 8  # about so many windows at most


def report(ws: Workspace, project_slug: str, by: int | None = None) -> Report:
    """Return all that the person may see. Raises UserError for somebody who may see nothing."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        who = require_by(session, project.id, by, Act.SEE_AGREEMENT)
        said = load(session, project, answered(session, who))
    if is_blind(who):
        return Report(tuple(_without_items(each) for each in _statistics(said)), None)
    tables = [*_statistics(said), *_pairs(said), *_drift(said), *_categories(said)]
    tables.append(_calibration(ws, project_slug, by, said))
    return Report(tuple(tables), times_of(said))


def headline(ws: Workspace, project_slug: str, by: int | None = None) -> Table:
    """Return the three figures of whole answers that stand first; items and errors as `totals`."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        who = require_by(session, project.id, by, Act.SEE_AGREEMENT)
        said = load(session, project, answered(session, who))
    rows = [_row(said, said.questions, STATISTICS[key]) for key in HEADLINE]
    table = _table(said, ReportPart.STATISTICS, View.QUESTIONS, rows)
    return _without_items(table) if is_blind(who) else table


def totals(ws: Workspace, project_slug: str, by: int | None = None) -> list[Table]:
    """Return the statistics of everybody together, of both views.

    The items behind them are empty for somebody who does not read others' labels. Raises UserError
    for an unknown project or person.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        who = require_by(session, project.id, by, Act.SEE_AGREEMENT)
        found = _statistics(load(session, project, answered(session, who)))
    return [_without_items(each) for each in found] if is_blind(who) else found


def part(ws: Workspace, project_slug: str, name: ReportPart, by: int | None = None) -> list[Table]:
    """Return the tables of one part. Raises UserError for who does not read others' labels."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_OTHERS_LABELS)
        said = load(session, project)
    if name is ReportPart.CALIBRATION:
        return [_calibration(ws, project_slug, by, said)]
    makers = {
        ReportPart.STATISTICS: _statistics,
        ReportPart.PAIRS: _pairs,
        ReportPart.DRIFT: _drift,
        ReportPart.CATEGORIES: _categories,
    }
    return makers[name](said)


def _statistics(said: ProjectRatings) -> list[Table]:
    advice = recommended_for(said.questions)
    rows = [_row(said, said.questions, each) for each in advice.all]
    return [
        _table(said, ReportPart.STATISTICS, View.QUESTIONS, rows, [Reading(advice.why)]),
        _of(said),
    ]


def _of(said: ProjectRatings) -> Table:
    """Return the statistics of decisions on candidates, the one to report first."""
    main = recommended_for(said.candidates)
    order = sorted(OF_CANDIDATES, key=lambda key: key != main.main.key)
    rows = [_row(said, _fit(said.candidates, key), STATISTICS[key]) for key in order]
    beware = paradox(said.candidates, [row.finding for row in rows])
    notes = [Reading(main.why), *([] if beware is None else [_named(beware)])]
    return _table(said, ReportPart.STATISTICS, View.CANDIDATES, rows, notes)


def _named(beware: Reading) -> Reading:
    """Name the label as screens do."""
    label = Reading(f"agreement.label.{beware.params['category']}")
    return Reading(beware.key, {**beware.params, "category": label})


def _fit(ratings: Ratings, key: str) -> Ratings:
    """Return the rows for a statistic: Fleiss' needs equally many ratings, so no lone ones."""
    if key != "fleiss_kappa":
        return ratings
    return ratings.at([at for at, count in enumerate(ratings.per_item) if count >= 2])


def _pairs(said: ProjectRatings) -> list[Table]:
    return [_pairs_of(said, View.QUESTIONS), _pairs_of(said, View.CANDIDATES)]


def _pairs_of(said: ProjectRatings, view: View) -> Table:
    ratings = said.questions if view is View.QUESTIONS else said.candidates
    names = [str(name) for name in ratings.raters]
    rows = [
        _row(said, ratings.of_raters(a, b), OF_TWO[ratings.scale], (a, b))
        for at, a in enumerate(names)
        for b in names[at + 1 :]
    ]
    return _table(said, ReportPart.PAIRS, view, rows)


def _drift(said: ProjectRatings) -> list[Table]:
    """Return windows of questions in the order in which they were completed, of both views.

    The windows of a view are over the questions that have in it what they need.
    """
    return [_drift_of(said, View.QUESTIONS), _drift_of(said, View.CANDIDATES)]


def _drift_of(said: ProjectRatings, view: View) -> Table:
    ratings = said.questions if view is View.QUESTIONS else said.candidates
    places: dict[int, list[int]] = {}
    for at, (item, count) in enumerate(zip(ratings.items, ratings.per_item, strict=True)):
        if count >= 2:
            places.setdefault(item_of(item), []).append(at)
    ordered = sorted(places, key=lambda item: (said.completed(item), places[item]))
    size = max(WINDOW, ceil(len(ordered) / WINDOWS))
    rows = []
    for run in windows_of(len(ordered), size):
        items = [ordered[at] for at in run]
        days = [said.completed(item).date().isoformat() for item in items]
        part = ratings.at([at for item in items for at in places[item]])
        rows.append(_row(said, part, OVER_TIME[ratings.scale], (days[0], days[-1])))
    return _table(said, ReportPart.DRIFT, view, rows)


def _categories(said: ProjectRatings) -> list[Table]:
    """Return agreement on each label, and on each provision, the most chosen first."""
    labels = per_category_in_groups(said.candidates, _groups(said.candidates))
    units = sorted(
        per_category(said.questions), key=lambda each: (-each.finding.figure.n, str(each.category))
    )
    return [
        _category_table(said, View.CANDIDATES, labels),
        _category_table(said, View.QUESTIONS, units),
    ]


def _category_table(said: ProjectRatings, view: View, found: Iterable[CategoryAgreement]) -> Table:
    ratings = said.candidates if view is View.CANDIDATES else said.questions
    chosen = _chosen(ratings)
    rows = [
        FigureRow(
            (str(each.category),),
            each.finding,
            _behind(said, ratings.at(chosen.get(each.category, []))),
        )
        for each in found
    ]
    return _table(said, ReportPart.CATEGORIES, view, rows)


def _chosen(ratings: Ratings) -> dict[Hashable, list[int]]:
    """Return the rows in which anybody chose each category, or each unit of a set."""
    found: dict[Hashable, dict[int, None]] = {}
    for row, codes in enumerate(ratings.codes):
        for code in codes[codes >= 0]:
            value = ratings.categories[code]
            for each in value if isinstance(value, frozenset) else (value,):
                found.setdefault(each, {})[row] = None
    return {category: list(rows) for category, rows in found.items()}


def _calibration(ws: Workspace, project_slug: str, by: int | None, said: ProjectRatings) -> Table:
    by_name = {line.external_id: line for line in said.lines.values()}
    rows = [
        FigureRow(
            (each.person,),
            Finding(each.share, None if each.share.n else Reason.NO_CALIBRATION),
            (
                *(replace(by_name[name], agreement=0.0) for name in each.wrong),
                *(replace(by_name[name], agreement=1.0) for name in each.known),
            ),
        )
        for each in accuracy(ws, project_slug, by)
    ]
    items = max((row.finding.figure.n for row in rows), default=0)
    return Table(ReportPart.CALIBRATION, View.QUESTIONS, items, tuple(rows))


def _row(
    said: ProjectRatings, ratings: Ratings, statistic: Statistic, names: tuple[str, ...] = ()
) -> FigureRow:
    if ratings.scale is Scale.NOMINAL:
        finding = measure_in_groups(ratings, statistic, _groups(ratings))
    else:
        finding = measure(ratings, statistic)
    return FigureRow(names, finding, _behind(said, ratings))


def _groups(candidates: Ratings) -> list[Hashable]:
    return [item_of(item) for item in candidates.items]


def _behind(said: ProjectRatings, ratings: Ratings) -> tuple[ItemLine, ...]:
    """Return the questions behind a figure, least agreed upon first, then in their order."""
    likeness: dict[int, list[float]] = {}
    for each in per_item(ratings):
        likeness.setdefault(item_of(each.item), []).append(each.agreement)
    means = {item: sum(found) / len(found) for item, found in likeness.items()}
    order = {item: at for at, item in enumerate(said.lines)}
    return tuple(
        replace(said.lines[item], agreement=means[item])
        for item in sorted(means, key=lambda item: (means[item], order[item]))
    )


def _table(
    said: ProjectRatings,
    name: ReportPart,
    view: View,
    rows: Iterable[FigureRow],
    notes: Iterable[Reading] = (),
) -> Table:
    ratings = said.questions if view is View.QUESTIONS else said.candidates
    paired = {
        item_of(item) for item, n in zip(ratings.items, ratings.per_item, strict=True) if n >= 2
    }
    return Table(name, view, len(paired), tuple(rows), tuple(notes))


def _without_items(table: Table) -> Table:
    return replace(table, rows=tuple(replace(row, items=()) for row in table.rows))
