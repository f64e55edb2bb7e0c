"""What the mapping viewer is told of the guideline and the codebook: text, options, what is new."""

from __future__ import annotations

from typing import Any

from annotation.codebook_tree import parse
from annotation.documents import text_of
from annotation.packaged import TASK
from annotation.views import ItemView
from corpus.compare.diff import diff
from pages.parts.guideline_text import around, guideline_blocks
from pages.parts.mapping_data import ui_words
from storage.workspace import Workspace
from words import say


def documents_part(
    ws: Workspace, person_id: int, item: ItemView | None, language: str
) -> dict[str, Any]:
    """Return the viewer's words, the options as the codebook names them, and the guideline."""
    guideline = text_of(ws, person_id, "guideline", TASK, language)
    options = parse(text_of(ws, person_id, "codebook", TASK, language).text, TASK).options
    words = ui_words(language) | {each.key: each.label[language] for each in options}
    told: dict[str, Any] = {
        "version": guideline.version,
        "blocks": guideline_blocks(guideline.text),
        "meanings": {each.key: each.meaning[language] for each in options},
        "changes": [],
    }
    if item is not None and item.begun_under[0]:
        number = int(item.begun_under[0].partition("-")[0])
        old = text_of(ws, person_id, "guideline", TASK, language, number).text
        told["since"] = say("documents.since", language, number=number)
        told["note"] = guideline.note
        told["changes"] = [
            [str(each.kind), each.text] for each in around(diff(old, guideline.text))
        ]
    return {"words": words, "guideline": told}
