"""Asking a model for structured replies in the languages of a project's prompts.

Display texts of why a call brought no answer.

Batched writing of models' replies, inline or in a background thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt
from llm.reply import Problem
from llm.request import Request
from llm.roles import Role
from llm.structured.answers import Structured, ask_all_for
from messages import LANGUAGES, say
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


_PROBLEMS = frozenset(each.value for each in Problem)


def reason_words(reason: str, language: str = "en") -> str:
    """Return the display text of a `Problem`; other reasons are unchanged."""
    return say(f"llm.problem.{reason}", language) if reason in _PROBLEMS else reason


Entry = TypeVar("Entry")


class BatchWriter(ABC, Generic[Entry]):
    """Collects entries and stores them in batches of `size`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Queue an entry; full batches are written."""
        self._waiting.append(entry)
        if len(self._waiting) >= self._size:
            self.write()

    def write(self) -> None:
        """Store the queued entries."""
        batch, self._waiting = self._waiting, []
        if batch:
            self._start(batch)

    def _start(self, batch: list[Entry]) -> None:
        """Write the batch."""
        self.keep(batch)

    @abstractmethod
    def keep(self, batch: list[Entry]) -> None:
        """Store entries in one transaction."""


class BackgroundWriter(BatchWriter[Entry]):
    """Batch writer with its own thread; leaving its context waits until all is stored."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._pool = ThreadPoolExecutor(1, "writer")
        self._writes: list[Future[None]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until everything is stored. Raises what storing raised."""
        self.write()
        self._pool.shutdown()
        for write in self._writes:
            write.result()

    def _start(self, batch: list[Entry]) -> None:
        """Have the batch written in a thread."""
        self._writes.append(self._pool.submit(self.keep, batch))
