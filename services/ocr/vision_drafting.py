"""Drafting of pages with a vision model: batched calls, each page stored when answered.

Replies are cached, so an interrupted run resumes when started again. Both kinds of drafting are
started as background tasks here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from annotation.people.roles import Act, allow
from corpus.ocr import isolated
from corpus.ocr.drafting import Draft
from corpus.ocr.tesseract_tsv import Written, as_blocks
from llm.batch import End, Progress, Stop
from llm.client import Client
from llm.prompts.prompt_files import PromptSource, prompt
from llm.reply import Problem
from llm.request import Image, Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, ask_all_for
from llm.structured.shapes import OcrPage
from messages import say
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings, model
from services.ocr import tesseract
from services.ocr.drafting import (
    DraftPlan,
    DraftReport,
    Made,
    draft_pages,
    keep_page_draft,
    plan_drafts,
    plan_tesseract,
    report_of,
)
from storage.db.workspace import Workspace
from storage.models import call_ids
from storage.ocr import PageInfo, image_content

ENGINE = "model"
KIND = "page_drafts"
_PROMPT, _REPAIR = "ocr_draft", "json_repair"
_LONGEST = 2400  # pixels per side sent: servers scale down larger images
_AT_ONCE = 40  # pages whose images are in memory at once


@dataclass(frozen=True, slots=True)
class VisionPlan:
    """Pages to draft, and the model."""

    plan: DraftPlan
    endpoint: Endpoint
    own: PromptSource  # the project's own wordings


def plan_vision(
    ws: Workspace, project_slug: str, every: bool = False, by: int | None = None
) -> VisionPlan:
    """Return the pages to ask about; with `every`, all that this model has not drafted.

    Raises UserError for `by` without permission, for a project without pages, and where no model is
    set.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    endpoint = load_settings(ws).of(Role.DRAFT_OCR)
    return VisionPlan(
        plan_drafts(ws, project_slug, f"{ENGINE} {endpoint.model}", every, by),
        endpoint,
        project_prompts(ws, project_slug),
    )


async def draft_with_model(
    ws: Workspace, ready: VisionPlan, progress: Progress, stop: Stop
) -> DraftReport:
    """Ask the model about every page of the plan; store each result."""
    began, todo, made = perf_counter(), ready.plan.todo, list[Made]()
    progress.total = len(todo)
    async with model(ws, Role.DRAFT_OCR) as client:
        for start in range(0, len(todo), _AT_ONCE):
            told = Progress(0)
            some = todo[start : start + _AT_ONCE]
            made += await _draft_batch(ws, client, some, ready.own, told, stop)
            progress.done, progress.last_reason = len(made), told.last_reason
            progress.end = told.end
            if told.end is not End.DONE:
                break
    how = {"end": progress.end or End.DONE, "reason": progress.last_reason}
    return report_of(ENGINE, ready.plan, made, perf_counter() - began, **how)


async def _draft_batch(
    ws: Workspace,
    client: Client,
    some: Sequence[PageInfo],
    own: PromptSource,
    progress: Progress,
    stop: Stop,
) -> list[Made]:
    """Ask about a batch of pages; store and return the results."""
    answers: dict[int, Structured[OcrPage]] = {}
    requests = [_request(ws, client.endpoint, page, own) for page in some]
    progress.total = len(requests)
    repair = prompt(_REPAIR, "en", own)
    await ask_all_for(
        client, requests, OcrPage, repair, answers.__setitem__, progress=progress, stop=stop
    )
    made = []
    for place, answer in sorted(answers.items()):
        made.append(await asyncio.to_thread(_model_draft, ws, client.endpoint, some[place], answer))
        keep_page_draft(ws, some[place], made[-1])
    return made


def _request(ws: Workspace, endpoint: Endpoint, page: PageInfo, own: PromptSource) -> Request:
    """Return the request that reads a page's image."""
    with ws.reading() as session:
        media_type, content = image_content(session, page.image_id)
    if max(page.width, page.height) > _LONGEST:
        small = isolated.shrunk(content, page.external_id, _LONGEST)
        content, media_type = small.content, small.media_type
    asked = prompt(_PROMPT, page.language, own)
    messages = asked.messages({}, [Image(content, media_type)])
    return Request(endpoint, messages, prompt=asked.name)


def _model_draft(
    ws: Workspace, endpoint: Endpoint, page: PageInfo, answer: Structured[OcrPage]
) -> Made:
    """Return the draft in a model's answer, blocks placed on the page."""
    draft, problem = None, None
    if answer.value is None:
        problem = str(answer.problem or "unknown")
    else:
        with ws.reading() as session:
            _, content = image_content(session, page.image_id)
        written = [Written(block.kind, block.text, block.rows) for block in answer.value.blocks]
        grids = isolated.ruled_tables(content, page.external_id)
        draft = Draft(tuple(as_blocks(written, grids)), ())
    last = answer.replies[-1]
    with ws.reading() as session:
        call = call_ids(session, [last.key]).get(last.key)
    about = {"server": endpoint.server, "prompt": answer.replies[0].prompt}
    seconds = sum(reply.seconds for reply in answer.replies)
    return Made(ENGINE, endpoint.model, about, draft, problem, seconds, call)


def start_drafting(
    ws: Workspace, project_slug: str, engine: str, every: bool = False, by: int | None = None
) -> BackgroundTask[Any]:
    """Start drafting pages by Tesseract or the model in the background.

    Raises UserError as `services.ocr.drafting.draft_pages` and
    `services.ocr.vision_drafting.plan_vision` do, and while it is already running.
    """
    if engine != tesseract.ENGINE:
        ask = partial(draft_with_model, ws, plan_vision(ws, project_slug, every, by))
        return start(ws, project_slug, TaskKind.DRAFT_PAGES, ask, by=by)
    plan_tesseract(ws, project_slug, every, by)  # fail now, not in a thread

    async def read(progress: Progress, stop: Stop) -> DraftReport:
        """Read the pages in a thread."""

        def told(done: int, total: int) -> None:
            """Set the progress."""
            progress.done, progress.total = done, total

        return await asyncio.to_thread(
            draft_pages, ws, project_slug, told, every=every, stop=stop, by=by
        )

    return start(ws, project_slug, TaskKind.DRAFT_PAGES, read, by=by)


def why(problem: str, language: str = "en") -> str:
    """Return the display text of a problem: the engine's own, or that of a failed call."""
    known = problem in set(Problem)
    return say(f"llm.problem.{problem}", language) if known else problem
