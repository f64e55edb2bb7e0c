"""Asking a model about each of many units, and keeping what it says of each.

Units are asked about together, with as many calls at once as the server takes; replies are cached
as they arrive and kept in batches. So interrupted work resumes when it is started again.

Display texts of why a call brought no answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

from llm.batch import End, Progress, Stop, ask_all
from llm.budget import Use
from llm.prompts.prompt_files import Prompt
from llm.reply import Problem, Reply, Status
from llm.request import Request
from llm.roles import Endpoint
from llm.structured.answers import Structured, ask_all_for
from messages import LANGUAGES, say
from normalization.grouping import grouped
from services.models.prompts import prompt_wordings
from services.models.workspace_models import model
from storage.db.workspace import Workspace
from storage.models import call_ids

Shape = TypeVar("Shape", bound=BaseModel)
Unit = TypeVar("Unit")
Entry = TypeVar("Entry")
State = TypeVar("State", bound=Hashable)
_REPAIR = "json_repair"


@dataclass(frozen=True, slots=True)
class Wordings:
    """A prompt and the prompt that repairs its replies, by language."""

    prompts: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]

    @classmethod
    def of(cls, ws: Workspace, project_slug: str, prompt_id: str) -> Wordings:
        """Return the project's wordings of a prompt, and of the one that asks for a repair."""
        return cls(*(prompt_wordings(ws, project_slug, each) for each in (prompt_id, _REPAIR)))

    def __getitem__(self, language: str) -> Prompt:
        """Return the prompt in a text's language, English where there is none."""
        return self.prompts[language if language in LANGUAGES else "en"]

    @property
    def versions(self) -> frozenset[str]:
        """Versions of the prompt in all languages."""
        return frozenset(each.version for each in self.prompts.values())

    def request(
        self, endpoint: Endpoint, language: str, values: Mapping[str, str], repeat: int = 0
    ) -> Request:
        """Return the request with these values, in a text's language."""
        wording = self[language]
        return Request(endpoint, wording.messages(values), wording.name, repeat=repeat)


async def ask_each(
    ws: Workspace,
    endpoint: Endpoint,
    units: Iterable[Unit],
    request_of: Callable[[Unit], Request],
    take: Callable[[Unit, Reply], None],
    progress: Progress,
    stop: Stop,
) -> None:
    """Ask a model about each unit; `take` gets each with its reply.

    Requests are made when they are sent, as their texts can be large.
    """
    waiting: dict[str, list[Unit]] = {}

    def requests() -> Iterator[Request]:
        """Yield the request of each unit, which waits for its reply."""
        for unit in units:
            request = request_of(unit)
            waiting.setdefault(request.key, []).append(unit)
            yield request

    def on_reply(request: Request, reply: Reply) -> None:
        """Pass a reply on with its unit; units of equal requests each get one."""
        take(waiting[request.key].pop(0), reply)

    progress.end = None
    async with model(ws, endpoint.role, name=endpoint.model) as client:
        await ask_all(client, requests(), on_reply=on_reply, progress=progress, stop=stop)


async def ask_each_for(
    ws: Workspace,
    units: Sequence[Unit],
    request_of: Callable[[Unit], Request],
    shape: type[Shape],
    wordings: Wordings,
    take: Callable[[Unit, Structured[Shape]], None],
    progress: Progress,
    stop: Stop,
) -> None:
    """Ask a model for a value of a shape about each unit, by language; `take` gets each with it.

    Nothing is sent once `progress` has ended otherwise than done: `stop` is set, the budget is
    reached, or the server refuses.
    """
    progress.total = max(progress.total, len(units))
    progress.end = progress.end or End.DONE
    every = ((unit, request_of(unit)) for unit in units)
    by_prompt = grouped((each[1].prompt, each) for each in every)
    for language, prompt in wordings.prompts.items():
        asked = by_prompt.get(prompt.name)
        if not asked or progress.end is not End.DONE:
            continue
        progress.end = None
        requests, repair = [request for _, request in asked], wordings.repairs[language]

        def on_value(
            at: int, value: Structured[Shape], asked: list[tuple[Unit, Request]] = asked
        ) -> None:
            """Pass a value on with its unit."""
            take(asked[at][0], value)

        async with model(ws, requests[0].endpoint.role) as client:
            await ask_all_for(
                client, requests, shape, repair, on_value, progress=progress, stop=stop
            )


async def said_of_each(
    ws: Workspace,
    units: Sequence[Unit],
    request_of: Callable[[Unit], Request],
    shape: type[Shape],
    wordings: Wordings,
    progress: Progress,
    stop: Stop,
) -> list[tuple[Unit, Structured[Shape], int | None]]:
    """Ask as `ask_each_for`; return the units whose call did not fail, with value and call id.

    However it ends, in the order of units.
    """
    found: dict[int, Structured[Shape]] = {}
    places, take = range(len(units)), found.__setitem__
    about = wordings, take, progress, stop
    await ask_each_for(ws, places, lambda at: request_of(units[at]), shape, *about)
    with ws.reading() as session:
        calls = call_ids(session, [each.last.key for each in found.values()])
    return [
        (units[at], found[at], calls.get(found[at].last.key))
        for at in sorted(found)
        if found[at].last.status is not Status.FAILED
    ]


class BatchWriter(Generic[Entry, State]):
    """Stores entries in batches of `size`, in a thread; leaving its context stores the rest.

    `keep` stores a batch in one transaction and returns its states, which `states` counts. What it
    raises, leaving the context raises.
    """

    def __init__(self, size: int, keep: Callable[[list[Entry]], Iterable[State]]) -> None:
        self._size, self._keep = size, keep
        self._waiting: list[Entry] = []
        self._pool = ThreadPoolExecutor(1, "writer")
        self._writes: list[Future[None]] = []
        self.states: Counter[State] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()
        self._pool.shutdown()
        for write in self._writes:
            write.result()

    def add(self, entry: Entry) -> None:
        """Queue an entry; full batches are stored."""
        self._waiting.append(entry)
        if len(self._waiting) >= self._size:
            self._write()

    def _write(self) -> None:
        batch, self._waiting = self._waiting, []
        if batch:
            self._writes.append(self._pool.submit(self._store, batch))

    def _store(self, batch: list[Entry]) -> None:
        self.states.update(self._keep(batch))


def most_use(requests: Iterable[Request]) -> Use:
    """Return the most that the calls of these requests can use, without repairs."""
    return reduce(Use.plus, (each.most_use for each in requests), Use())


_PROBLEMS = frozenset(each.value for each in Problem)


def reason_words(reason: str, language: str = "en") -> str:
    """Return the display text of a `Problem`; other reasons are unchanged."""
    return say(f"llm.problem.{reason}", language) if reason in _PROBLEMS else reason
