"""Asking a model for structured replies in the languages of a project's prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt
from llm.request import Request
from llm.roles import Role
from llm.structured.answers import Structured, ask_all_for
from messages import LANGUAGES
from services.models.prompts import prompt_wordings
from services.models.workspace_models import model
from storage.db.workspace import Workspace

Shape = TypeVar("Shape", bound=BaseModel)
_REPAIR = "json_repair"


@dataclass(frozen=True, slots=True)
class Wordings:
    """A prompt and the prompt that repairs its replies, by language."""

    prompts: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]

    @classmethod
    def of(cls, ws: Workspace, project_slug: str, prompt_id: str) -> Wordings:
        """Return the project's wordings of a prompt."""
        return cls(*(prompt_wordings(ws, project_slug, each) for each in (prompt_id, _REPAIR)))

    def __getitem__(self, language: str) -> Prompt:
        """Return the prompt in a text's language, English where there is none."""
        return self.prompts[_language(language)]

    @property
    def versions(self) -> frozenset[str]:
        """Versions of the prompt in all languages."""
        return frozenset(each.version for each in self.prompts.values())


async def ask_in_languages(
    ws: Workspace,
    role: Role,
    requests: Sequence[tuple[str, Request]],
    shape: type[Shape],
    wordings: Wordings,
    on_value: Callable[[int, Structured[Shape]], None],
    progress: Progress,
    stop: Stop,
) -> None:
    """Send all requests, grouped by language; `on_value` gets each request's index and reply.

    Nothing is sent once `progress` has ended otherwise than done: `stop` is set, the budget is
    reached, or the server refuses.
    """
    progress.total = max(progress.total, len(requests))
    progress.end = progress.end or End.DONE
    for language in LANGUAGES:
        places = [at for at, (of, _) in enumerate(requests) if _language(of) == language]
        if not places or progress.end is not End.DONE:
            continue
        progress.end = None

        def report_value(at: int, value: Structured[Shape], places: list[int] = places) -> None:
            """Report a reply at its place among all requests."""
            on_value(places[at], value)

        async with model(ws, role) as client:
            asked, repair = [requests[at][1] for at in places], wordings.repairs[language]
            await ask_all_for(
                client, asked, shape, repair, report_value, progress=progress, stop=stop
            )


def _language(language: str) -> str:
    """Return the language, English if prompts lack it."""
    return language if language in LANGUAGES else "en"
