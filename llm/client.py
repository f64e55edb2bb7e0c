"""The client of a model: stored replies first, else one call, with retries.

Equal calls that are under way at the same time are made once. A call is retried after a transient
problem, and its reply is stored before it is returned. The store only ever grows. A failure
is stored as well, for the record; `get` does not return it, so the call is made again by the next
run. Replies that arrive during a write are written together, so that storing delays nobody.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Protocol

from llm.budget import Budget
from llm.local.stand_in import ADDRESS, StandIn
from llm.local.transport import LocalTransport
from llm.reply import PASSING, Problem, Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Secret
from llm.transport.connection import Call, LlmConnection
from llm.transport.openai_client import CallError, Form, ServerReply, Transport
from llm.transport.rate_limit import Now, Pacer, Sleep, delay


class Store(Protocol):
    """A store of replies. Called from threads; the oldest final reply of a key counts."""

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the stored final replies by key; keys without one are left out."""

    def put(self, replies: Sequence[Reply]) -> None:
        """Store all of them, or raise and store none."""


class Writer:
    """Writes replies of one event loop into a store, in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[tuple[Reply, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, reply: Reply) -> None:
        """Return once the reply is stored. Raises what the store raises."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((reply, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        """Store waiting replies, batch by batch."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            failed: Exception | None = None
            try:
                await asyncio.to_thread(self._store.put, [reply for reply, _ in batch])
            except Exception as error:
                failed = error
            for _, done in batch:
                if done.done():  # the waiting task has been cancelled
                    continue
                if failed is None:
                    done.set_result(None)
                else:
                    done.set_exception(failed)


Check = Callable[[str], bool]
"""Returns whether an answer has the required form."""


def _transport(endpoint: Endpoint, key: Secret) -> Transport | LocalTransport | StandIn:
    """Return the transport of an endpoint: server, local model or stand-in."""
    if endpoint.base_url == ADDRESS:
        return StandIn()
    return LocalTransport(endpoint) if endpoint.local else Transport(endpoint, key)


class Client:
    """The client of one role's model, for one event loop; use it in ``async with``."""

    def __init__(
        self,
        endpoint: Endpoint,
        key: Secret,
        store: Store,
        budget: Budget | None = None,
        *,
        now: Now = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        rng: Random | None = None,
        form: Form | None = None,
    ) -> None:
        """Create the client; `form` is what is known of the server's abilities."""
        self.endpoint = endpoint
        self.budget = budget or Budget()
        self._store, self._writer = store, Writer(store)
        self._transport = _transport(endpoint, key)
        pacer = Pacer(endpoint.pace, now, sleep)
        self._line = LlmConnection(self._transport, pacer, self.budget, now, form)
        self._sleep, self._clock, self._rng = sleep, clock, rng or Random()
        self._under_way: dict[str, asyncio.Task[Reply]] = {}

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cancel calls under way, wait for them, and close the connections."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._transport.close()

    async def recall(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the stored replies by key, without a call; keys without one are left out."""
        return await asyncio.to_thread(self._store.get, keys)

    async def ask(
        self, request: Request, check: Check | None = None, *, unstored: bool = False
    ) -> Reply:
        """Return the reply to a request, from the store or by a call; it is stored by then.

        An answer that `check` rejects is stored as invalid. `unstored`: the store has just
        been asked and had none. Raises BudgetReachedError instead of making a call that could
        exceed the budget. Cancelling the wait does not cancel the call: it may cost already.
        """
        task = self._under_way.get(request.key)
        if task is None:
            task = asyncio.create_task(self._ask(request, check, unstored))
            self._under_way[request.key] = task
            task.add_done_callback(lambda done: self._forget_task(request.key, done))
        return await asyncio.shield(task)

    def _forget_task(self, key: str, task: asyncio.Task[Reply]) -> None:
        """Forget a finished call, whatever it raised."""
        self._under_way.pop(key, None)
        if not task.cancelled():
            task.exception()  # mark the exception as retrieved, even if nobody waits any longer

    async def _ask(self, request: Request, check: Check | None, unstored: bool) -> Reply:
        """Return a stored reply, else call the model and store its reply."""
        if not unstored:
            known = (await self.recall([request.key])).get(request.key)
            if known is not None:
                return known
        reply = await self._call_with_retries(request, check)
        await self._writer.put(reply)
        return reply

    async def _call_with_retries(self, request: Request, check: Check | None) -> Reply:
        """Make the call, retried after transient problems; a final failure is a reply too."""
        call = Call(request)
        last = self.endpoint.pace.attempts
        for attempt in range(1, last + 1):
            try:
                said = await self._line.send(call)
            except CallError as error:
                if error.problem not in PASSING or attempt == last:
                    return self._failed_reply(call, attempt, error)
                await self._sleep(delay(attempt, error.wait, self._rng))
            else:
                return self._reply_of(call, attempt, said, *_status_of(said, check))
        raise AssertionError("there is at least one attempt")

    def _failed_reply(self, call: Call, attempts: int, error: CallError) -> Reply:
        """Return the reply of a call that failed or that the server's filter declined."""
        declined = error.problem is Problem.DECLINED
        status = Status.REFUSED if declined else Status.FAILED
        return self._reply_of(call, attempts, ServerReply(text=error.reason), status, error.problem)

    def _reply_of(
        self, call: Call, attempts: int, reply: ServerReply, status: Status, problem: Problem | None
    ) -> Reply:
        """Return a server's reply, or a failure's text, with its call, outcome and cost."""
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        told = tokens_in is not None and tokens_out is not None
        return Reply(
            key=call.request.key,
            role=self.endpoint.role.value,
            prompt=call.request.prompt,
            server=self.endpoint.server,
            model=self.endpoint.model,
            parameters=call.request.parameters,
            status=status,
            problem=problem,
            text=reply.text,
            finish_reason=reply.finish_reason,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=self.endpoint.price.of(tokens_in or 0, tokens_out or 0) if told else None,
            seconds=call.seconds,
            attempts=attempts,
            form=reply.form,
            logprobs=reply.logprobs,
            vectors=reply.vectors,
            at=self._clock(),
        )


def _status_of(reply: ServerReply, check: Check | None) -> tuple[Status, Problem | None]:
    """Return whether a reply is answered, refused or invalid, and why."""
    if reply.refused:
        return Status.REFUSED, Problem.DECLINED
    if check is not None and not check(reply.text):
        unfinished = reply.finish_reason == "length"
        return Status.INVALID, Problem.UNFINISHED if unfinished else Problem.FORM
    return Status.ANSWERED, None
