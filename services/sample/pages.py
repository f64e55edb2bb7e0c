"""The pages of the sample: scans of annexes, with what Tesseract made of them when they were drawn.

The drafts are kept beside the scans, so that the sample shows them where no Tesseract is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from corpus.ocr.blocks import of_json
from corpus.ocr.drafting import Draft
from corpus.ocr.words import Word
from services.ocr.drafting import Made, keep_page_draft
from services.ocr.importing import ImportOptions, import_pages
from storage.db.workspace import Workspace
from storage.ocr.pages import PageInfo, drafted_by, pages
from storage.projects import find_project

_UNITS = {  # by scan: the annex that it is of, and its language
    "decree-annex-2-ko": ("가온-화재안전-기본법-시행령_별표2", "ko"),
    "decree-annex-5-en": ("Enforcement-Decree-of-the-Gaon-Fire-Safety-Act_annex-5", "en"),
}


def bring_sample_pages(workspace: Workspace, project_slug: str, folder: Path) -> None:
    """Bring in the scans of the folder with their drafts; those that are there stay as they are."""
    for name, (unit, language) in _UNITS.items():
        wish = ImportOptions(unit=unit, language=language)
        import_pages(workspace, project_slug, folder / f"{name}.jpg", wish)
    for page in _undrafted(workspace, project_slug):
        kept = json.loads((folder / f"{page.external_id}.json").read_text(encoding="utf-8"))
        keep_page_draft(workspace, page, _made(kept))


def _undrafted(workspace: Workspace, project_slug: str) -> list[PageInfo]:
    with workspace.reading() as session:
        number = find_project(session, project_slug).id
        done = drafted_by(session, number)
        found = pages(session, number)
    return [page for page in found if page.id not in done and page.external_id in _UNITS]


def _made(kept: dict[str, Any]) -> Made:
    words = tuple(Word(text, (*box,), sure) for text, *box, sure in kept["words"])
    draft = Draft(of_json(kept["blocks"]), words)
    return Made(kept["engine"], kept["engine_version"], {}, draft, None, kept["seconds"])
