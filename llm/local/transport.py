"""Calls to a local model, in a thread; counterpart of `llm.transport.openai_client`."""

from __future__ import annotations

import asyncio
import threading

from errors import UserError
from llm.local.causal_model import (
    CausalModel,
    Decoding,
    LocalError,
    Written,
    deadline_check,
    is_about_memory,
    loaded,
)
from llm.local.files import files_of, identity
from llm.reply import Problem
from llm.request import Request
from llm.roles import Endpoint
from llm.transport.openai_client import CallError, Form, Format, ServerReply, storable

_LONGEST_REASON = 500


class LocalTransport:
    """Calls one local model. Belongs to one event loop."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._stopped = threading.Event()

    async def send(self, request: Request, form: Form) -> ServerReply:
        """Make the call. Raises CallError if there is no answer."""
        if request.schema is not None and form.format is not Format.PLAIN:
            # Its output cannot be constrained: the caller retries with plain text.
            raise CallError(Problem.BAD_REQUEST, "response_format is not known here")
        if request.inputs or any(message.images for message in request.messages):
            reason = "a local language model reads texts alone, and gives no vectors"
            raise CallError(Problem.BAD_REQUEST, reason)
        return await asyncio.to_thread(self._send_in_thread, request)

    async def close(self) -> None:
        """End answers under way at their next token."""
        self._stopped.set()

    def _send_in_thread(self, request: Request) -> ServerReply:
        """Generate the reply. Raises CallError if that fails."""
        try:
            return _server_reply(self._generated(request))
        except LocalError as error:
            raise CallError(error.problem, error.reason) from None
        except UserError as error:
            raise CallError(Problem.NOT_FOUND, str(error)[:_LONGEST_REASON]) from None
        except Exception as error:  # of the model's code or its template: affects this call only
            if is_about_memory(error):
                raise CallError(Problem.MEMORY) from None
            reason = f"{type(error).__name__}: {error}"[:_LONGEST_REASON]
            raise CallError(Problem.BAD_REQUEST, storable(reason)) from None

    def _generated(self, request: Request) -> Written:
        """Generate the text of a reply."""
        model = self._model()
        said = [{"role": each.speaker, "content": each.text} for each in request.messages]
        prompt = model.tokens(said, self._endpoint.parameters.get("chat_template_kwargs"))
        over = deadline_check(self._endpoint.pace.timeout_s, self._stopped)
        return model.write(prompt, _decoding(request), over)

    def _model(self) -> CausalModel:
        """Return the model, loaded if it is not yet."""
        at = self._endpoint.base_url, self._endpoint.model
        return loaded(files_of(*at), identity(*at))


def _decoding(request: Request) -> Decoding:
    """Return the settings of decoding that a request asks for."""
    given = request.endpoint.parameters
    return Decoding(
        max_tokens=request.endpoint.max_tokens,
        temperature=float(given.get("temperature", 0)),
        top_p=float(given.get("top_p", 1)),
        seed=int(given.get("seed", 0)),
        repeat=request.repeat,
        alternatives=request.logprobs or (1 if request.options else 0),
        options=request.options,
    )


def _server_reply(written: Written) -> ServerReply:
    places = written.places
    return ServerReply(
        text=storable(written.text),
        finish_reason="stop" if written.finished else "length",
        tokens_in=written.tokens_in,
        tokens_out=written.tokens_out,
        logprobs=None
        if places is None
        else tuple(tuple((storable(token), value) for token, value in place) for place in places),
    )
