"""Requests to a judge for structured replies about answers, in each answer's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from errors import UserError, Where
from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt, prompt
from llm.reply import Problem, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, ask_all_for
from messages import LANGUAGES
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings, model
from storage.db.workspace import Workspace

Shape = TypeVar("Shape", bound=BaseModel)
TEMPERATURE, TOP_P = 0.6, 0.95  # of the judge, as published (RegOps-Bench 2026)
STATES = ("said", "unread", "refused", "cut_off", "failed")
_HOTTEST = 2.0
_REPAIR = "json_repair"


@dataclass(frozen=True, slots=True)
class AttributionOptions:
    """What to ask the judge: answers of `systems` (empty: all), and how.

    Another `repeat` asks everything anew. Claims are labelled as split by `splitter`, by default
    the labelling model itself; splitting ignores it. With `again` requests without a usable reply
    (refused, cut off, unreadable) are asked once more. With `cut_all` answers by provision are
    split by the model too, instead of using the claims they list.
    """

    systems: tuple[str, ...] = ()
    temperature: float = TEMPERATURE
    top_p: float = TOP_P
    repeat: int = 0
    splitter: str = ""
    again: bool = False
    cut_all: bool = False

    def endpoint(self, ws: Workspace) -> Endpoint:
        """Return the judge model with this temperature and top-p.

        Raises UserError for a value out of range, and where the role has no model.
        """
        if not 0 <= self.temperature <= _HOTTEST:
            where = Where(field="temperature")
            raise UserError("attribution_sampling", where, value=self.temperature, most=_HOTTEST)
        if not 0 < self.top_p <= 1:
            raise UserError("attribution_sampling", Where(field="top_p"), value=self.top_p, most=1)
        found = load_settings(ws).of(Role.JUDGE)
        said = {"temperature": self.temperature, "top_p": self.top_p}
        return replace(found, parameters={**found.parameters, **said})


@dataclass(frozen=True, slots=True)
class Wordings:
    """A prompt and the prompt that repairs its replies, by language."""

    prompts: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]

    @classmethod
    def of(cls, ws: Workspace, project_slug: str, prompt_id: str) -> Wordings:
        """Return the project's wordings of a prompt."""
        own = project_prompts(ws, project_slug)
        found = (
            {each: prompt(name, each, own) for each in LANGUAGES} for name in (prompt_id, _REPAIR)
        )
        return cls(*found)

    @property
    def versions(self) -> frozenset[str]:
        """Versions of the prompt in all languages."""
        return frozenset(each.version for each in self.prompts.values())


@dataclass(frozen=True, slots=True)
class AskingDone:
    """Result of asking: `asked` requests, `already` skipped as answered before.

    `unsaid` of those `already` asked had no usable reply. `without_call` needed no model. `states`
    counts replies by state; the rest of `asked` got none before it ended. `end` is how it ended,
    `reason` why the last call failed.
    """

    asked: int
    already: int
    without_call: int
    states: Mapping[str, int]
    end: End
    reason: str = ""
    unsaid: int = 0

    @property
    def unanswered(self) -> int:
        """Number of calls without a reply."""
        return self.asked - sum(self.states.values())


def language_of(language: str) -> str:
    """Return the prompt language for a text in this language."""
    return language if language in LANGUAGES else "en"


async def ask_in_languages(
    ws: Workspace,
    requests: Sequence[tuple[str, Request]],
    shape: type[Shape],
    wordings: Wordings,
    on_value: Callable[[int, Structured[Shape]], None],
    progress: Progress,
    stop: Stop,
) -> None:
    """Send all requests, grouped by language; `on_value` gets each request's index and reply.

    It ends early once `stop` is set, the budget is reached or the server refuses.
    """
    progress.total, progress.end = len(requests), End.DONE
    for language in LANGUAGES:
        places = [at for at, (of, _) in enumerate(requests) if of == language]
        if not places or progress.end is not End.DONE:
            continue
        progress.end = None

        def told(at: int, value: Structured[Shape], places: list[int] = places) -> None:
            on_value(places[at], value)

        async with model(ws, Role.JUDGE) as client:
            await ask_all_for(
                client,
                [requests[at][1] for at in places],
                shape,
                wordings.repairs[language],
                told,
                progress=progress,
                stop=stop,
            )


def state_of(found: Structured[Shape], fits: bool = True) -> str:
    """Return the state of a reply; `fits` says whether its content is usable."""
    last = found.replies[-1]
    if found.value is not None:
        return "said" if fits else "unread"
    if last.status is Status.REFUSED:
        return "refused"
    if last.status is not Status.INVALID:
        return "failed"
    return "cut_off" if last.problem is Problem.UNFINISHED else "unread"
