"""Drafting of pages with Tesseract, several in parallel, each stored when done.

Interrupted work resumes when started again: pages drafted by this version are skipped. Failures are
stored with their reason, and retried by the next run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import Any

from annotation.people.roles import Act, allow, reading_as
from corpus.long_work import Progress
from corpus.ocr import isolated
from corpus.ocr.blocks import as_json, words_as_json
from corpus.ocr.drafting import Draft, drafted
from errors import UserError
from llm.batch import End, Stop
from services.ocr import tesseract
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.mapping import newest_set_id
from storage.ocr import (
    DRAFTED,
    FAILED,
    PageInfo,
    drafted_by,
    image_content,
    pages,
)
from storage.subjects import add_candidate_set, item_of, shown_of
from storage.tables.ocr import PageDraft
from storage.tasks import Task

AT_ONCE = max(1, min(4, os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class DraftReport:
    """Result of a drafting run.

    `pages` were to be drafted, `left` of them not begun when it was stopped; `already` had a draft
    before. `problems` counts reasons of failure: messages in English, or codes of a model's replies
    (`services.ocr.vision_drafting.why`). `end` is how it ended, `reason` why a model's last call
    failed.
    """

    engine: str
    pages: int
    drafted: int
    failed: int
    left: int
    already: int
    seconds: float
    problems: dict[str, int]
    end: End = End.DONE
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DraftPlan:
    """Pages to draft, in order, and the number already drafted."""

    project_id: int
    todo: tuple[PageInfo, ...]
    already: int


def plan_drafts(
    ws: Workspace, project_slug: str, name: str, every: bool = False, by: int | None = None
) -> DraftPlan:
    """Return the pages without a draft; with `every`, those without one of the engine `name`.

    `name` is the engine with its version. Pages with known text need no engine, unless engines are
    to be compared. Raises UserError for `by` without permission, and for a project without pages.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found, known = pages(session, project.id), drafted_by(session, project.id)
    if not found:
        raise UserError("pages_missing", slug=project_slug)
    names = [known.get(page.id, set()) for page in found]
    there = [name in had if every else bool(had) for had in names]
    todo = tuple(page for page, had in zip(found, there, strict=True) if not had)
    return DraftPlan(project.id, todo, sum(there))


def plan_tesseract(ws: Workspace, project_slug: str, every: bool, by: int | None) -> DraftPlan:
    """Return the pages for Tesseract. Raises UserError also where it is not installed."""
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    version = tesseract.required_version()
    plan = plan_drafts(ws, project_slug, f"{tesseract.ENGINE} {version}", every, by)
    for language in sorted({page.language for page in plan.todo}):
        tesseract.required_version(language)
    return plan


def draft_pages(
    ws: Workspace,
    project_slug: str,
    progress: Progress | None = None,
    *,
    every: bool = False,
    stop: Stop | None = None,
    by: int | None = None,
) -> DraftReport:
    """Draft the pages without a draft (with `every`, without one of Tesseract's).

    A page that showed no text shows its draft from then on. `progress` gets (pages done, pages to
    do); once `stop` is set no further page is begun. `by` is the requester, None for the operator.
    Raises UserError as :func:`plan_drafts` does, and where Tesseract is not installed.
    """
    began = perf_counter()
    plan = plan_tesseract(ws, project_slug, every, by)
    results: list[Made] = []
    for page, made in _read_in_parallel(ws, plan.todo, stop):
        keep_page_draft(ws, page, made)
        results.append(made)
        if progress is not None:
            progress(len(results), len(plan.todo))
    return report_of(tesseract.ENGINE, plan, results, perf_counter() - began)


def report_of(
    engine: str, plan: DraftPlan, results: Sequence[Made], seconds: float, **how: Any
) -> DraftReport:
    """Return the report of a run; `how` it ended, if it may have ended early by itself."""
    problems = Counter(each.problem for each in results if each.problem is not None)
    left, failed = len(plan.todo) - len(results), problems.total()
    how = {"end": End.STOPPED if left else End.DONE} | how
    return DraftReport(
        engine=engine,
        pages=len(plan.todo),
        drafted=len(results) - failed,
        failed=failed,
        left=left,
        already=plan.already,
        seconds=seconds,
        problems=dict(problems),
        **how,
    )


@dataclass(frozen=True, slots=True)
class Made:
    """An engine's result for a page; `draft` is None where there is a `problem`."""

    engine: str
    version: str
    parameters: dict[str, Any]
    draft: Draft | None
    problem: str | None
    seconds: float
    llm_call_id: int | None = None


def keep_page_draft(ws: Workspace, page: PageInfo, result: Made) -> None:
    """Store an engine's result; show it to correctors of the page if nothing was shown so far."""
    with ws.writing() as session:
        at = ws.clock()
        draft_id = add_row(session, draft_row(page.id, result, at))
        item = item_of(session, Task.OCR_CORRECTION, page.id)
        if result.draft is None or item is None:
            return
        shown = shown_of(session, newest_set_id(session, item) or 0)
        if shown.get("draft") is None:
            add_candidate_set(session, item, {**shown, "draft": draft_id}, at)


def _read_in_parallel(
    ws: Workspace, todo: Sequence[PageInfo], stop: Stop | None
) -> Iterator[tuple[PageInfo, Made]]:
    """Read pages in parallel, and yield each when ready."""
    rest = iter(todo)
    under_way: dict[Future[Made], PageInfo] = {}
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tesseract") as pool:
        while True:
            while len(under_way) < AT_ONCE and not (stop is not None and stop.is_set()):
                page = next(rest, None)
                if page is None:
                    break
                under_way[pool.submit(partial(_read, ws, page))] = page
            if not under_way:
                return
            ready, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in ready:
                yield under_way.pop(future), future.result()


def _read(ws: Workspace, page: PageInfo) -> Made:
    """Read a page with Tesseract, keeping the error if it fails."""
    began = perf_counter()
    version = tesseract.required_version(page.language)
    draft, problem = None, None
    try:
        with ws.reading() as session:
            _, content = image_content(session, page.image_id)
        read = partial(tesseract.read, language=page.language)
        draft = drafted(isolated.prepared(content, page.external_id), read)
    except UserError as error:  # of this page: the others go on
        problem = error.what()
    seconds = perf_counter() - began
    about = {"language": page.language}
    return Made(tesseract.ENGINE, version, about, draft, problem, seconds)


def draft_row(page_id: int, result: Made, at: datetime) -> PageDraft:
    """Return the row of an engine's result, a draft or a failure, without storing it."""
    draft = result.draft
    return PageDraft(
        page_id=page_id,
        engine=result.engine,
        engine_version=result.version,
        parameters=result.parameters,
        blocks=[] if draft is None else as_json(draft.blocks),
        words=[] if draft is None else words_as_json(draft.words),
        state=FAILED if draft is None else DRAFTED,
        problem=result.problem,
        seconds=result.seconds,
        llm_call_id=result.llm_call_id,
        at=at,
    )
