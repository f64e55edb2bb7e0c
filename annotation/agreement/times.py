"""How long submissions took: the pace of everybody, and what took unusually long or short.

Only submissions on complete items are read.
"""

from __future__ import annotations

from annotation.agreement.ratings import ProjectRatings, item_of, load
from annotation.agreement.views import OddDecision, PersonPace, TimesTable
from annotation.people.roles import Act, require_by
from evaluation.agreement.times import Pace, median_interval, times
from storage.db.workspace import Workspace
from storage.projects import find_project

PACES = 5  # people from which one of them can be called unusually fast or slow


def odd_times(ws: Workspace, project_slug: str, by: int | None = None) -> TimesTable:
    """Return which submissions took unusually long or short, and how long everybody takes.

    Raises UserError for somebody who does not read others' labels.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_OTHERS_LABELS)
        return times_of(load(session, project))


def times_of(said: ProjectRatings) -> TimesTable:
    """Return the times of what was said."""
    found = times(
        (item_id, each.person, each.seconds)
        for item_id, made in said.submissions.items()
        for each in made
    )
    decisions = [
        OddDecision(
            person=str(each.rater),
            item=said.lines[item_of(each.item)],
            seconds=each.seconds,
            expected=each.expected,
            z=each.z,
        )
        for each in found.decisions
    ]
    several = len(found.raters) >= PACES
    people = [_pace(said, each, several) for each in found.raters]
    return TimesTable(tuple(decisions), tuple(sorted(people, key=lambda each: each.person)))


def _pace(said: ProjectRatings, pace: Pace, several: bool) -> PersonPace:
    own = [
        (said.lines[item_id], each.seconds)
        for item_id, made in said.submissions.items()
        for each in made
        if each.person == pace.name
    ]
    low, high = median_interval([seconds for _, seconds in own])
    own.sort(key=lambda each: -each[1])
    odd = several and pace.odd
    return PersonPace(str(pace.name), pace.n, pace.median, odd, low, high, tuple(own))
