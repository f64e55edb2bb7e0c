"""What screens show of a page: its image, a draft's blocks, and the pages a unit was read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.people.roles import Act, reading_as
from storage.db.workspace import Workspace
from storage.ocr.pages import (
    PageOfUnit,
    draft_by_id,
    image_content,
    page_by_id,
    page_of_project,
    pages_of_unit,
)


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with one draft. `width` and `height` are those of its image, in pixels.

    `words` is a list of [text, left, top, right, bottom, confidence in percent or None].
    """

    page_id: int
    external_id: str
    width: int
    height: int
    blocks: tuple[dict[str, Any], ...]
    words: tuple[list[Any], ...]


def page_view(ws: Workspace, page_id: int, draft_id: int | None) -> PageView:
    """Return the page with that draft, without any text where `draft_id` is None.

    Whether somebody may see it, their item says. Raises UserError for an unknown page, and
    KeyError for a draft that is not of the page.
    """
    with ws.reading() as session:
        page = page_by_id(session, page_id)
        about = (page.id, page.external_id, page.width, page.height)
        if draft_id is None:
            return PageView(*about, blocks=(), words=())
        draft = draft_by_id(session, draft_id)
        if draft.page_id != page.id:
            raise KeyError(draft_id)
        return PageView(*about, blocks=draft.blocks, words=draft.words)


def image_of(
    ws: Workspace, project_slug: str, page_id: int, by: int | None = None
) -> tuple[str, bytes]:
    """Return the media type of a page's upright image, and the image.

    `by` is who asks, None for the operator. Raises UserError for who takes no part in the project,
    and for a page that it does not have.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project):
        page = page_of_project(session, project.id, page_id)
        return image_content(session, page.image_id)


def unit_sources(
    ws: Workspace, project_slug: str, snapshot_id: int, unit_id: str, by: int | None = None
) -> list[PageOfUnit]:
    """Return the pages that the unit's text was read from, in order; none for most units.

    `by` is who reads it, None for the operator. Raises UserError for who takes no part in the
    project.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _):
        return pages_of_unit(session, snapshot_id, unit_id)
