"""Batches of calls: concurrent, stoppable, and resumable.

The client stores each reply at once. So a batch that was stopped, or killed, is
resumed by running it again: existing replies are read from the store, and the rest is asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from threading import Event
from typing import Protocol

from llm.budget import BudgetReachedError
from llm.client import Check, Client
from llm.reply import HOPELESS, Problem, Reply, Status
from llm.request import Request

_PIECE = 500  # requests whose replies are looked up together
_BESIDE = 1.5  # workers per concurrent call: while one stores a reply, another calls


class End(StrEnum):
    """The reason why a batch ended."""

    DONE = "done"
    STOPPED = "stopped"  # by the user
    BUDGET = "budget"
    HOPELESS = "hopeless"  # the server accepts no call at all: key, model or account
    FAILING = "failing"  # too many consecutive calls failed


class Stop(Protocol):
    """A stop signal for a batch, e.g. a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether the batch is to stop."""


@dataclass
class Progress:
    """Progress of a batch. `recalled` of the `done` replies came from the store.

    `last_reason` is the server's own, or the `Problem` where it gave none. `where` has further
    details of the present step. `heard` is called with every reply, and whether it came from the
    store.
    """

    total: int
    done: int = 0
    recalled: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    problems: Counter[Problem] = field(default_factory=Counter)
    end: End | None = None
    last_reason: str = ""
    where: dict[str, object] = field(default_factory=dict)
    heard: Callable[[Reply, bool], None] | None = field(default=None, repr=False, compare=False)

    def count(self, reply: Reply, recalled: bool) -> None:
        """Count a reply, keep the reason of a failure, and tell `heard`."""
        self.done += 1
        self.recalled += recalled
        self.statuses[reply.status] += 1
        if reply.problem is not None:
            self.problems[reply.problem] += 1
        if reply.status is Status.FAILED:
            self.last_reason = reply.text or str(reply.problem or "")
        if self.heard is not None:
            self.heard(reply, recalled)


_Ask = tuple[Request, bool]
OnReply = Callable[[Request, Reply], None]


async def ask_all(
    client: Client,
    requests: Iterable[Request],
    *,
    check: Check | None = None,
    on_reply: OnReply | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Progress:
    """Ask each request without a stored reply; report all replies; return the finished `Progress`.

    `on_reply` is called with each reply, in the order in which they come, in the event loop.
    `progress` is updated for other threads to read. Once `stop` is set, the budget is reached or
    the server rejects all calls, no further call begins; those under way are completed and stored.
    """
    if progress is None:
        requests = list(requests)
        progress = Progress(len(requests))
    run = _Run(client, check, on_reply or (lambda *_: None), progress, stop or Event())
    await run.all(requests)
    return progress


class _Run:
    def __init__(
        self, client: Client, check: Check | None, on_reply: OnReply, progress: Progress, stop: Stop
    ) -> None:
        self._client, self._check, self._on_reply = client, check, on_reply
        self._told, self._stop = progress, stop
        self._turn = asyncio.Lock()
        self._met: set[str] = set()
        self._failed_in_a_row = 0
        self._patience = 2 * client.endpoint.pace.concurrency

    async def all(self, requests: Iterable[Request]) -> None:
        """Ask every request, several at a time; raises the first error of a callback or store."""
        feed = self._unanswered(requests)
        workers = int(self._client.endpoint.pace.concurrency * _BESIDE) + 1
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(self._worker(feed))
        except ExceptionGroup as group_error:  # one of ours or of the store's: the first will do
            raise group_error.exceptions[0] from None
        finally:
            await feed.aclose()
        self._told.end = self._told.end or End.DONE

    async def _unanswered(self, requests: Iterable[Request]) -> AsyncGenerator[_Ask, None]:
        """Yield (unanswered request, whether it is new here); count and report stored replies."""
        rest = iter(requests)
        while piece := list(islice(rest, _PIECE)):
            known = await self._client.recall([request.key for request in piece])
            for request in piece:
                if self._ended():
                    return
                reply = known.get(request.key)
                if reply is None:
                    yield request, request.key not in self._met
                    self._met.add(request.key)
                else:
                    self._told.count(reply, recalled=True)
                    self._on_reply(request, reply)

    async def _worker(self, feed: AsyncIterator[_Ask]) -> None:
        """Ask requests until none is left or the run has ended."""
        while True:
            async with self._turn:
                ask = await anext(feed, None)
            if ask is None:
                return
            request, is_new = ask
            try:
                reply = await self._client.ask(request, self._check, unstored=is_new)
            except BudgetReachedError as error:
                self._told.end = End.BUDGET
                self._told.last_reason = str(error)
                return
            self._told.count(reply, recalled=False)
            self._on_reply(request, reply)
            self._watch(reply)

    def _watch(self, reply: Reply) -> None:
        """End the run after a hopeless error or too many failures in a row."""
        failed = reply.status is Status.FAILED
        self._failed_in_a_row = self._failed_in_a_row + 1 if failed else 0
        if reply.problem in HOPELESS:
            self._told.end = End.HOPELESS
        elif self._failed_in_a_row >= self._patience:
            self._told.end = End.FAILING

    def _ended(self) -> bool:
        """Return whether the run has ended; a stop that is asked for ends it."""
        if self._stop.is_set() and self._told.end is None:
            self._told.end = End.STOPPED
        return self._told.end is not None
