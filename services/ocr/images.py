"""The image of a page, for whoever takes part in its project."""

from __future__ import annotations

from annotation.people.authorization import require_by
from annotation.people.roles import Act
from storage.db.workspace import Workspace
from storage.ocr.pages import image_content, page_of_project
from storage.projects import find_project


def image_of(
    ws: Workspace, project_slug: str, page_id: int, by: int | None = None
) -> tuple[str, bytes]:
    """Return the media type of a page's upright image, and the image.

    `by` is who asks, None for the operator. Raises UserError for who takes no part in the project,
    and for a page that it does not have.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_LAW)
        page = page_of_project(session, project.id, page_id)
        return image_content(session, page.image_id)
