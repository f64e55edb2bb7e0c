"""Writing and solving questions beside everything else: starting it, seeing how far it is."""

from __future__ import annotations

from typing import Any

from annotation.roles import Act
from annotation.standing import allow
from jobs import mcq_generate, mcq_solve
from jobs.beside import Task, forget, latest, start
from jobs.mcq_generate import Generated, Wish, generate, plan
from jobs.mcq_solve import Ask, Solved, plan_solving, solve
from llm.batch import Progress, Stop
from storage.workspace import Workspace

KINDS = (mcq_generate.KIND, mcq_solve.KIND)


def start_writing(
    ws: Workspace, project_slug: str, wish: Wish, by: int | None = None
) -> Task[Generated]:
    """Begin to have questions written; return at once.

    Raises UserError as `jobs.mcq_generate.plan` does, and while it is under way already.
    """
    ready = plan(ws, project_slug, wish, by)

    async def work(progress: Progress, stop: Stop) -> Generated:
        return await generate(ws, ready, progress, stop)

    return start(ws, project_slug, mcq_generate.KIND, work)


def start_solving(
    ws: Workspace, project_slug: str, ask: Ask, by: int | None = None
) -> Task[Solved]:
    """Begin to have questions solved; return at once.

    Raises UserError as `jobs.mcq_solve.plan_solving` does, and while it is under way already.
    """
    ready = plan_solving(ws, project_slug, ask, by)

    async def work(progress: Progress, stop: Stop) -> Solved:
        return await solve(ws, ready, progress, stop)

    return start(ws, project_slug, mcq_solve.KIND, work)


def work_of(ws: Workspace, project_slug: str, kind: str, by: int | None = None) -> Task[Any] | None:
    """Return the latest work of a kind that this process started, under way or over.

    Raises UserError for who may not start such work.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    return latest(ws, project_slug, kind)


def close_work(ws: Workspace, project_slug: str, kind: str, by: int | None = None) -> None:
    """Show work that is over no more. Raises UserError for who may not start such work."""
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    forget(ws, project_slug, kind)
