"""Asking a model a list of things from a job that keeps each answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from llm.batch import OnReply, Progress, Stop, ask_all
from llm.reply import Reply
from llm.request import Request
from llm.roles import Role
from services.models.workspace_models import model
from storage.db.workspace import Workspace


def ask_in_turn(
    ws: Workspace,
    role: Role,
    requests: Sequence[Request],
    take: OnReply,
    *,
    told: Progress,
    stop: Stop | None,
    on_progress: Callable[[Progress], None] | None,
) -> None:
    """Ask everything; `take` gets each reply, and `on_progress` is called after it."""

    def on_reply(request: Request, reply: Reply) -> None:
        take(request, reply)
        if on_progress is not None:
            on_progress(told)

    async def work() -> None:
        async with model(ws, role) as client:
            await ask_all(client, requests, on_reply=on_reply, progress=told, stop=stop)

    asyncio.run(work())
