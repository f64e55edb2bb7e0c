"""Writing and solving questions beside everything else: starting it, seeing how far it is."""

from __future__ import annotations

from typing import Any

from annotation.people.authorization import allow
from annotation.people.roles import Act
from llm.batch import Progress, Stop
from services.background.tasks import BackgroundTask, forget, latest, start
from services.mcq import generation, solving
from services.mcq.generation import Generated, GenerationOptions, generate, plan
from services.mcq.solving import Solved, SolvingOptions, plan_solving, solve
from storage.db.workspace import Workspace

KINDS = (generation.KIND, solving.KIND)


def start_writing(
    ws: Workspace, project_slug: str, wish: GenerationOptions, by: int | None = None
) -> BackgroundTask[Generated]:
    """Begin to have questions written; return at once.

    Raises UserError as `services.mcq.generation.plan` does, and while it is under way already.
    """
    ready = plan(ws, project_slug, wish, by)

    async def work(progress: Progress, stop: Stop) -> Generated:
        return await generate(ws, ready, progress, stop)

    return start(ws, project_slug, generation.KIND, work)


def start_solving(
    ws: Workspace, project_slug: str, ask: SolvingOptions, by: int | None = None
) -> BackgroundTask[Solved]:
    """Begin to have questions solved; return at once.

    Raises UserError as `services.mcq.solving.plan_solving` does, and while it is under way already.
    """
    ready = plan_solving(ws, project_slug, ask, by)

    async def work(progress: Progress, stop: Stop) -> Solved:
        return await solve(ws, ready, progress, stop)

    return start(ws, project_slug, solving.KIND, work)


def work_of(
    ws: Workspace, project_slug: str, kind: str, by: int | None = None
) -> BackgroundTask[Any] | None:
    """Return the latest work of a kind that this process started, under way or over.

    Raises UserError for who may not start such work.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    return latest(ws, project_slug, kind)


def close_work(ws: Workspace, project_slug: str, kind: str, by: int | None = None) -> None:
    """Show work that is over no more. Raises UserError for who may not start such work."""
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    forget(ws, project_slug, kind)
