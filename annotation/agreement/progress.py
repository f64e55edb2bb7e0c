"""What is behind somebody's progress: every question of theirs, and how it stands.

Of what they said only whether they were unsure is read, and that on complete questions alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import select

from annotation.agreement.ratings import load_lines
from annotation.agreement.views import ItemLine
from annotation.people.roles import Act, ProjectMember, reading_as
from annotation.work.draft import Status
from annotation.work.queues import lines
from annotation.work.submissions import complete, stands
from errors import UserError
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, Person


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A question of somebody's: `seconds` once submitted, `unsure` once it is complete."""

    item: ItemLine
    status: Status
    seconds: float | None
    unsure: bool | None


def work_of(
    ws: Workspace, project_slug: str, person_id: int, by: int | None = None
) -> tuple[WorkRow, ...]:
    """Return the questions of an annotator in their order.

    Raises UserError for an unknown person, and for somebody who does not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        query = select(Person).where(
            Person.id == usable_id(person_id), Person.project_id == project.id
        )
        person = session.exec(query).first()
        if person is None:
            raise UserError("person_unknown", person=person_id)
        submitted = complete(session, project.id)
        unsure = {
            item_id: each.unsure
            for item_id, made in submitted.items()
            for each in made
            if each.person_id == person_id
        }
        spent = dict(
            session.exec(
                select(Annotation.item_id, Annotation.seconds).where(
                    Annotation.person_id == person_id, stands()
                )
            ).all()
        )
        known = load_lines(session, project)
        who = ProjectMember(person_id, person.name, person.role, project.id, project.overlap)
        return tuple(
            WorkRow(
                known[line.item_id],
                line.status,
                spent.get(line.item_id),
                unsure.get(line.item_id),
            )
            for line in lines(session, who, ws.clock())
        )
