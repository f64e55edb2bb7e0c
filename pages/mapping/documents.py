"""What the mapping viewer is told of the guideline and the codebook."""

from __future__ import annotations

from typing import Any

from annotation.guidelines.builtin_documents import TASK
from annotation.mapping.views import ItemView
from pages.mapping.viewer_data import ui_words
from pages.task.documents import guideline_part, options_of
from storage.db.workspace import Workspace


def documents_part(
    ws: Workspace, person_id: int, item: ItemView | None, language: str
) -> dict[str, Any]:
    """Return the viewer's words, the options as the codebook names them, and the guideline."""
    options = options_of(ws, person_id, TASK, language)
    words = ui_words(language) | {each.key: each.label[language] for each in options}
    begun = ("", "") if item is None else item.begun_under
    return {"words": words, "guideline": guideline_part(ws, person_id, TASK, begun, language)}
