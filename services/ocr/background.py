"""Start the drafting of pages as a background task."""

from __future__ import annotations

import asyncio
from typing import Any

from llm.batch import End, Progress, Stop
from llm.reply import Problem
from messages import say
from services.background.tasks import BackgroundTask, TaskKind, start
from services.ocr import tesseract
from services.ocr.drafting import DraftReport, draft_pages, plan_tesseract
from services.ocr.vision_drafting import VisionReport, draft_with_model, plan_vision
from storage.db.workspace import Workspace

Drafted = DraftReport | VisionReport


def start_drafting(
    ws: Workspace, project_slug: str, engine: str, every: bool = False, by: int | None = None
) -> BackgroundTask[Any]:
    """Begin to have pages drafted by Tesseract or by the model; return at once.

    Raises UserError as `services.ocr.drafting.draft_pages` and
    `services.ocr.vision_drafting.plan_vision` do, and while it is under way already.
    """
    if engine == tesseract.ENGINE:
        return _start_tesseract(ws, project_slug, every, by)
    ready = plan_vision(ws, project_slug, every, by)

    async def ask(progress: Progress, stop: Stop) -> VisionReport:
        return await draft_with_model(ws, ready, progress, stop)

    return start(ws, project_slug, TaskKind.DRAFT_PAGES, ask, by=by)


def _start_tesseract(
    ws: Workspace, project_slug: str, every: bool, by: int | None
) -> BackgroundTask[DraftReport]:
    plan_tesseract(ws, project_slug, every, by)  # refused now, and not in a thread

    async def read(progress: Progress, stop: Stop) -> DraftReport:
        def told(done: int, total: int) -> None:
            progress.done, progress.total = done, total

        return await asyncio.to_thread(
            draft_pages, ws, project_slug, told, every=every, stop=stop, by=by
        )

    return start(ws, project_slug, TaskKind.DRAFT_PAGES, read, by=by)


def ended_early(done: Drafted) -> End | None:
    """Return why a run left pages over, None where it did not."""
    if not done.left:
        return None
    return done.end if isinstance(done, VisionReport) else End.STOPPED


def why(problem: str, language: str = "en") -> str:
    """Return in words why pages failed: as the engine said it, or what was wrong with a call."""
    known = problem in set(Problem)
    return say(f"llm.problem.{problem}", language) if known else problem
