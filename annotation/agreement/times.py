"""Durations of submissions: everybody's pace, and unusually long or short ones.

Only measured submissions on complete items are read: those made in another tool have no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.agreement.form_report import load_form
from annotation.agreement.ratings import load
from annotation.agreement.views import Lines, OddDecision, PersonPace, TimesTable, item_of
from annotation.forms.form import FORMS
from annotation.forms.submissions import FormSubmission
from annotation.people.roles import Act, reading_as
from annotation.work.submissions import Submission
from evaluation.agreement.times import Pace, times
from evaluation.figure import median_interval
from storage.db.workspace import Workspace
from storage.tasks import Task

PACES = 5  # minimum number of people for an outlier among them


_Made = Mapping[int, Sequence[Submission]] | Mapping[int, Sequence[FormSubmission]]


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
        said = load_form(session, project, task) if task in FORMS else load(session, project)
        return times_of(said.submissions, said.lines)


def times_of(submissions: _Made, lines: Lines) -> TimesTable:
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


def _pace(submissions: _Made, lines: Lines, pace: Pace, several: bool) -> PersonPace:
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
