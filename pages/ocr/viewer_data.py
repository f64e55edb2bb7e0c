"""What the viewer of a page is told: image, text, what is compared, and reading a part again."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from annotation.ocr.blocks import Block
from annotation.ocr.verification import correction_shown
from annotation.work.queue_service import ItemView, open_item
from errors import UserError
from messages import say
from pages.task.acts import Act, TaskSession
from services.ocr.images import image_of
from services.ocr.region import read_region
from services.ocr.views import PageView, page_view
from storage.db.workspace import Workspace
from storage.tasks import Task


def page_part(
    ws: Workspace, project: str, person_id: int, item: ItemView, language: str
) -> dict[str, Any]:
    """Return the page of an item: its image, the text to begin with, and what it is compared to.

    A page is corrected from the draft of an engine, and verified from the correction.
    """
    page = page_view(ws, item.subject_id, item.shown.get("draft"))
    draft = [{**block, "from": number} for number, block in enumerate(page.blocks)]
    told = {
        "title": item.title,
        "blocks": draft,
        "bases": [{"name": "draft", "blocks": draft}],
        "places": [[word[0], list(word[1:5])] for word in page.words],
        "compare": False,
        "source": _source(page, item, language),
        "canRead": True,
        **_image(ws, project, person_id, page, language),
    }
    if item.task == Task.OCR_VERIFICATION:
        told |= _corrected(draft, correction_shown(ws, person_id, item.shown).blocks)
    return told


def region_part(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Read a part of the open page's image again; the viewer decides what becomes of it."""
    page_id = open_item(ws, session.person_id, act["item"], session.task).subject_id
    box = [int(edge) for edge in act["box"]]
    blocks = read_region(ws, session.project, page_id, box, session.person_id)
    session.told["region"] = {"blocks": blocks}


def _corrected(draft: Sequence[Block], blocks: Sequence[Block]) -> dict[str, Any]:
    """Return what a verification begins with: the correction, with its changes shown."""
    bases = [{"name": "draft", "blocks": draft}, {"name": "correction", "blocks": list(blocks)}]
    return {"blocks": list(blocks), "bases": bases, "compare": True}


def _image(
    ws: Workspace, project: str, person_id: int, page: PageView, language: str
) -> dict[str, Any]:
    """Return the image itself, so that it is nowhere where others could fetch it; or why not."""
    try:
        kind, content = image_of(ws, project, page.page_id, person_id)
    except UserError as error:
        return {"image": None, "problem": f"{error.what(language)} {error.remedy(language)}"}
    source = f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
    return {"image": {"src": source, "width": page.width, "height": page.height}, "problem": ""}


def _source(page: PageView, item: ItemView, language: str) -> str:
    if item.task == Task.OCR_VERIFICATION:
        return say("ocr.source_corrected", language)
    return say("ocr.source_draft" if page.blocks else "ocr.source_none", language)
