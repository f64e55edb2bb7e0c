"""Bring in what people found of answers in another tool, as if they had rated them here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.forms import form as form_commands
from annotation.judging.rating import RATING, Rating
from annotation.people.members import PersonView, list_people
from annotation.people.roles import Act, allow, may
from annotation.work import commands
from annotation.work.open_item import opened
from annotation.work.submissions import checked_text
from errors import UserError
from services.judging.importing import Brought, required_case
from services.judging.reading import RatingLine, read_ratings
from storage.db.workspace import Workspace, together
from storage.judging.verdicts import cases
from storage.projects import find_project
from storage.subjects import item_of
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class _Job:
    line: RatingLine
    person_id: int
    item_id: int


def import_ratings(ws: Workspace, project_slug: str, file: Path, by: int | None = None) -> Brought:
    """Bring in the ratings of a file; what somebody has submitted here already is left alone.

    All of it is kept or, where anything fails, nothing. Raises UserError, with the place, for who
    may not, for a line that cannot be read, for an answer or person that is not there, and for a
    rating that stands twice in the file.
    """
    allow(ws, project_slug, by, Act.IMPORT_LABELS)
    lines = read_ratings(file)
    people = {each.name: each for each in list_people(ws, project_slug)}
    items = _items(ws, project_slug)
    jobs = [_found(line, people, items) for line in lines]
    _refuse_repeated(jobs)
    with together(ws) as inside:
        new = sum(_give(inside, job) for job in jobs)
    return Brought(new, len(jobs) - new)


def _items(ws: Workspace, project_slug: str) -> dict[tuple[str, str], int]:
    """Return the item of rating of every answer."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        return {
            (row.external_id, row.system): item_of(session, Task.ANSWER_RATING, row.id) or 0
            for row in cases(session, project.id)
        }


def _found(
    line: RatingLine, people: Mapping[str, PersonView], items: Mapping[tuple[str, str], int]
) -> _Job:
    item = required_case(items, line.where, line.external_id, line.system)
    person = people.get(line.person)
    if person is None or not person.active or not may(person.role, Act.ANNOTATE):
        raise UserError("judging_person", line.where, person=line.person)
    checked_text(line.comment, "comment", where=line.where)
    return _Job(line, person.id, item)


def _refuse_repeated(jobs: list[_Job]) -> None:
    first: dict[tuple[int, int], int] = {}
    for job in jobs:
        key, line = (job.person_id, job.item_id), job.line
        if key in first:
            params = {"person": line.person, "first": first[key]}
            raise UserError("judging_rating_repeated", line.where, **params)
        first[key] = line.where.line or 0


def _give(ws: Workspace, job: _Job) -> bool:
    """Rate the answer as that person; return whether they had not done so."""
    at = ws, job.person_id, job.item_id
    with opened(*at, (Task.ANSWER_RATING,)) as there:  # as `open_item`, without the queue around it
        if there.draft.status == "submitted":
            return False
    form_commands.answer(*at, RATING, Rating.CORRECT if job.line.correct else Rating.INCORRECT)
    if job.line.comment:
        commands.set_comment(*at, job.line.comment)
    commands.submit(*at)
    return True
