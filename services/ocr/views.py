"""What a screen shows of a page beside its image: a draft's blocks, and where its words lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from storage.db.workspace import Workspace
from storage.ocr.pages import draft_by_id, page_by_id


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
