"""A part of a page read again, for somebody who corrects it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotation.people.authorization import require_by
from annotation.people.roles import Act
from corpus.ocr import isolated
from corpus.ocr.blocks import Box, as_json
from corpus.ocr.drafting import drafted
from errors import UserError
from services.ocr import tesseract
from storage.db.workspace import Workspace
from storage.ocr.pages import PageInfo, image_content, page_of_project
from storage.projects import find_project

_LEAST = 4  # pixels on a side


def read_region(
    ws: Workspace, project_slug: str, page_id: int, box: Sequence[int], by: int | None = None
) -> list[dict[str, Any]]:
    """Return what Tesseract reads in `box`, [left, top, right, bottom] in pixels of the image.

    Nothing is kept: what becomes of it, the person decides, and their answer says it. Blocks have
    boxes of the whole page. Raises UserError for who corrects nothing in the project, for a page
    that it does not have, for a box that is too small or outside, and where Tesseract is absent.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.ANNOTATE)
        page = page_of_project(session, project.id, page_id)
        within = _within(box, page)
        _, content = image_content(session, page.image_id)
    read = partial(tesseract.read, language=page.language)
    part = isolated.prepared(content, page.external_id, within)
    return as_json(drafted(part, read).blocks)


def _within(box: Sequence[int], page: PageInfo) -> Box:
    """Return the part of the box that lies on the page."""
    if len(box) != 4:
        raise UserError("region_outside")
    left, top = max(0, box[0]), max(0, box[1])
    right, bottom = min(page.width, box[2]), min(page.height, box[3])
    if right - left < _LEAST or bottom - top < _LEAST:
        raise UserError("region_outside")
    return left, top, right, bottom
