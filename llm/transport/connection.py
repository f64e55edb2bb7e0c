"""The connection to one server: single calls in the fullest accepted form, paced and budgeted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

from llm.budget import Budget, Use
from llm.reply import Problem
from llm.request import Request
from llm.transport.openai_client import CallError, Form, ServerReply, lesser
from llm.transport.rate_limit import Now, Pacer

UNCHARGED = frozenset(
    {
        Problem.RATE_LIMITED,
        Problem.QUOTA,
        Problem.UNAUTHORISED,
        Problem.NOT_FOUND,
        Problem.BAD_REQUEST,
        Problem.TOO_LONG,
        Problem.CONNECTION,
    }
)
"""Problems for which a server charges nothing: it rejects the call before it works."""


class Sends(Protocol):
    """A transport of calls: to a server, or to a model of this process."""

    async def send(self, request: Request, form: Form) -> ServerReply:
        """Make the call. Raises CallError if there is no answer."""


@dataclass
class Call:
    """A call under way, with the duration of its last attempt in seconds."""

    request: Request
    seconds: float = 0.0

    @property
    def wants_json(self) -> bool:
        """Whether the answer has to be JSON."""
        return self.request.schema is not None

    @property
    def wants_logprobs(self) -> bool:
        """Whether log-probabilities are requested."""
        return self.request.logprobs > 0


class LlmConnection:
    """Makes single calls to a server. Belongs to one event loop."""

    def __init__(
        self, transport: Sends, pacer: Pacer, budget: Budget, now: Now, form: Form | None
    ) -> None:
        """Create the connection; `form` is the first one to try."""
        self._transport, self._pacer, self._budget, self._now = transport, pacer, budget, now
        self._known = False
        self._finding_out = asyncio.Lock()
        self.form = form or Form()

    async def send(self, call: Call) -> ServerReply:
        """Make the call once. Raises CallError if there is no answer, and the budget's errors."""
        if self._known or not (call.wants_json or call.wants_logprobs):
            return await self._in_form(call, self.form)
        async with self._finding_out:  # one call finds out; the others need not be rejected
            if not self._known:
                try:
                    return await self._in_form(call, self.form)
                finally:
                    self._known = True  # also after other failures: nobody queues for it
        return await self._in_form(call, self.form)

    async def _in_form(self, call: Call, form: Form) -> ServerReply:
        """Make the call in that form, or a lesser one if rejected; remember the form accepted."""
        try:
            said = await self._attempt(call, form)
        except CallError as error:
            if error.problem is not Problem.BAD_REQUEST:
                raise
            refused = error
        else:
            self.form = form
            return said
        for less in lesser(form, refused.reason, call.wants_json, call.wants_logprobs):
            try:
                return await self._in_form(call, less)
            except CallError as error:
                if error.problem is not Problem.BAD_REQUEST:
                    raise
        raise refused

    async def _attempt(self, call: Call, form: Form) -> ServerReply:
        """Call once within budget and rate limit."""
        request, most = call.request, call.request.most_use
        self._budget.reserve(most)
        used = most  # also of an interrupted call: the server may have charged for it
        expected = request.most_tokens_in // 3 + request.most_tokens_out
        try:
            async with self._pacer.call(expected):
                said = await self._timed(call, form)
            used = _actual_use(request, said, most)
            self._pacer.correct(expected, used.tokens)
            return said
        except CallError as error:
            if error.problem in UNCHARGED:
                used = Use(1, 0, 0.0)
            if error.wait is not None:
                self._pacer.pause(error.wait)
            raise
        finally:
            self._budget.settle(most, used)

    async def _timed(self, call: Call, form: Form) -> ServerReply:
        """Call once; record the seconds in `call`, and in the reply the form used."""
        start = self._now()
        try:
            said = await self._transport.send(call.request, form)
            return replace(said, form=form.stored(call.wants_json, call.wants_logprobs))
        finally:
            call.seconds = self._now() - start


def _actual_use(request: Request, reply: ServerReply, most: Use) -> Use:
    """Return what a reply used; `most`, the reservation, if the server gives no token counts."""
    if reply.tokens_in is None or reply.tokens_out is None:
        return most
    money = request.endpoint.price.of(reply.tokens_in, reply.tokens_out)
    return Use(1, reply.tokens_in + reply.tokens_out, money)
