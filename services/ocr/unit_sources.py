"""Which pages a unit of the corpus was read from, and who corrected and verified them."""

from __future__ import annotations

from annotation.people.authorization import require_by
from annotation.people.roles import Act
from storage.db.workspace import Workspace
from storage.ocr.unit_pages import PageOfUnit, pages_of_unit
from storage.projects import find_project


def unit_sources(
    ws: Workspace, project_slug: str, snapshot_id: int, unit_id: str, by: int | None = None
) -> list[PageOfUnit]:
    """Return the pages that the unit's text was read from, in order; none for most units.

    `by` is who reads it, None for the operator. Raises UserError for who takes no part in the
    project.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_LAW)
        return pages_of_unit(session, snapshot_id, unit_id)
