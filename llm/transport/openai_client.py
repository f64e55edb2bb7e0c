"""The transport to servers, through the `openai` package, with its errors as problems.

The package is loaded by the first call. Its own retries are off (`llm.client` has them), and so
is its reading of the environment: only the given key and address are used.

Detection of a server's abilities, by trying.

Servers that speak the same protocol differ: some follow a JSON schema, some only promise JSON,
some know neither; some give log-probabilities; some call the bound of an answer ``max_tokens``
and some ``max_completion_tokens``. A call goes out in the fullest form, and in a reduced one after
the server has rejected a feature.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from llm.reply import Alternatives, Problem
from llm.request import Message, Request
from llm.roles import Endpoint, Secret
from llm.transport.rate_limit import retry_after
from normalization import composed

if TYPE_CHECKING:
    from openai import AsyncOpenAI


_ABOUT_FORMAT = ("response_format", "json_schema", "json_object", "guided", "grammar", "structured")
_ABOUT_LIMIT = ("max_tokens", "max_completion_tokens")
_ABOUT_LENGTH = ("context length", "context_length", "maximum context", "too long")


class Format(StrEnum):
    """How JSON is requested, the strictest way first."""

    SCHEMA = "schema"
    JSON = "json"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Form:
    """The features used in calls to a server."""

    format: Format = Format.SCHEMA
    logprobs: bool = True
    newer_limit: bool = False  # uses max_completion_tokens

    def stored(self, wants_json: bool, wants_logprobs: bool) -> str:
        """Return the form as stored: format and logprobs, each only if the call wants it."""
        parts = [self.format.value] if wants_json else []
        return "+".join(parts + (["logprobs"] if wants_logprobs and self.logprobs else []))


def form_of(stored: str) -> Form:
    """Parse the format of a stored form (see `Form.stored`); the fullest form if it is unknown."""
    format_, _, _ = stored.partition("+")
    return Form(Format(format_)) if format_ in set(Format) else Form()


def is_about_length(message: str) -> bool:
    """Return whether a server's message means that the prompt is too long."""
    said = message.lower()
    return any(word in said for word in _ABOUT_LENGTH)


def lesser(form: Form, message: str, wants_json: bool, wants_logprobs: bool) -> Iterator[Form]:
    """Yield the forms to try next after the server rejected `form`, with `message` as its reason.

    Features named in the message are dropped first. A message that names none may still mean one of
    the extras, so they are dropped one after the other.
    """
    said = message.lower()
    if not form.newer_limit and "max_completion_tokens" in said:
        yield replace(form, newer_limit=True)
        return
    lower = _LOWER.get(form.format) if wants_json else None
    less = replace(form, format=lower) if lower else None
    quiet = replace(form, logprobs=False) if wants_logprobs and form.logprobs else None
    if "logprob" in said and quiet:
        yield quiet
    elif any(word in said for word in _ABOUT_FORMAT) and less:
        yield less
    elif not any(word in said for word in _ABOUT_LIMIT):
        yield from (each for each in (less, quiet) if each)


_LOWER = {Format.SCHEMA: Format.JSON, Format.JSON: Format.PLAIN}


_NO_KEY = "none"  # the package requires some key, also for servers without authentication
_LONGEST_REASON = 500
LOGPROB_TOKENS = 16  # places of an answer whose alternatives are stored


@dataclass(frozen=True, slots=True)
class ServerReply:
    """A server's reply. `refused`: the model or a filter declined. `form`: see `Reply`."""

    text: str = ""
    finish_reason: str = ""
    refused: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    logprobs: tuple[Alternatives, ...] | None = None
    vectors: tuple[tuple[float, ...], ...] = ()
    form: str = ""


class CallError(Exception):
    """A call without an answer. `reason` is the server's own, truncated and without the key."""

    def __init__(self, problem: Problem, reason: str = "", wait: float | None = None) -> None:
        self.problem, self.reason, self.wait = problem, reason, wait
        super().__init__(f"{problem}: {reason}")


class Transport:
    """Makes calls to one server. Belongs to one event loop."""

    def __init__(self, endpoint: Endpoint, key: Secret) -> None:
        self._endpoint, self._key = endpoint, key
        self._made: AsyncOpenAI | None = None

    async def send(self, request: Request, form: Form) -> ServerReply:
        """Make the call. Raises CallError if there is no answer."""
        import openai

        try:
            said = await self._send(request, form)
            return replace(said, text=self._key.scrub(storable(said.text)))
        except CallError:
            raise
        except openai.APIError as error:
            failed = self._call_error(error)
        except (ValueError, TypeError, AttributeError, KeyError, IndexError):
            failed = CallError(Problem.UNREADABLE)
        except Exception as error:
            if not _is_network_error(error):
                raise
            failed = CallError(Problem.CUT_OFF, type(error).__name__)
        # Outside of the block, so that the original error, which can repeat the key, is no cause.
        raise failed

    async def close(self) -> None:
        """Close the connections."""
        if self._made is not None:
            await self._made.close()
            self._made = None

    @property
    def _client(self) -> AsyncOpenAI:
        """The client of the openai package."""
        if self._made is None:
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient

            http = DefaultAsyncHttpxClient(follow_redirects=False)  # a key must go nowhere else
            self._made = AsyncOpenAI(
                api_key=self._key.reveal() or _NO_KEY,
                base_url=self._endpoint.base_url,
                timeout=self._endpoint.pace.timeout_s,
                max_retries=0,
                http_client=http,
            )
            # Organisation and headers from the environment are not for every server.
            self._made.organization = self._made.project = None
            self._made._custom_headers = {}
        return self._made

    async def _send(self, request: Request, form: Form) -> ServerReply:
        """Make the call: chat, streamed chat or embeddings."""
        if request.inputs:
            return await self._embed(request)
        body = chat_body(request, form)
        if request.endpoint.stream:
            return await self._stream(body)
        return read_chat(await self._client.chat.completions.create(**body))

    async def _embed(self, request: Request) -> ServerReply:
        """Ask for embeddings."""
        made = await self._client.embeddings.create(
            input=list(request.inputs),
            model=request.endpoint.model,
            encoding_format="float",
            extra_body=dict(request.endpoint.parameters),
        )
        rows = sorted(made.data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(request.inputs))):
            raise CallError(Problem.UNREADABLE, "not one vector for each text")
        vectors = tuple(tuple(map(float, row.embedding)) for row in rows)
        if not all(map(math.isfinite, (value for each in vectors for value in each))):
            raise CallError(Problem.UNREADABLE, "a vector that is not of numbers")
        tokens = _token_count(made.usage.prompt_tokens) if made.usage else None
        return ServerReply(finish_reason="stop", tokens_in=tokens, tokens_out=0, vectors=vectors)

    async def _stream(self, body: dict[str, Any]) -> ServerReply:
        """Ask for a chat reply and join its pieces."""
        body |= {"stream": True, "stream_options": {"include_usage": True}}
        texts: list[str] = []
        places: list[Any] = []
        refusal, finish, usage = "", "", None
        async for chunk in await self._client.chat.completions.create(**body):
            usage = chunk.usage or usage
            for choice in chunk.choices[:1]:
                texts.append(_answer_text(choice.delta.content))
                refusal += choice.delta.refusal or ""
                places += (choice.logprobs.content or []) if choice.logprobs else []
                finish = choice.finish_reason or finish
        if not finish:
            raise CallError(Problem.CUT_OFF, "the stream ended before the answer did")
        text = "".join(texts) or refusal
        logprobs = _alternatives(places) if places else None
        return _server_reply(text, finish, bool(refusal), usage, logprobs)

    def _call_error(self, error: Any) -> CallError:
        """Return an error of the openai package as a CallError, without the key."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            return CallError(Problem.TIMEOUT)
        if isinstance(error, openai.APIResponseValidationError):
            return CallError(Problem.UNREADABLE)
        if isinstance(error, openai.APIConnectionError):
            cut = "Protocol" in type(error.__cause__).__name__
            return CallError(Problem.CUT_OFF if cut else Problem.CONNECTION)
        reason = self._key.scrub(storable(str(error.message)))[:_LONGEST_REASON]
        if not isinstance(error, openai.APIStatusError):  # an error within a stream
            return CallError(Problem.SERVER, reason)
        wait = retry_after(error.response.headers, datetime.now(UTC))
        return CallError(_problem_of_status(error.status_code, reason, error.code), reason, wait)


def _is_network_error(error: Exception) -> bool:
    """Return whether an error is the network's: the package does not wrap interrupted streams."""
    module = type(error).__module__
    return module.startswith(("httpx", "httpcore", "h11", "h2", "anyio"))


def _problem_of_status(status: int, reason: str, code: object) -> Problem:
    """Return the problem that an HTTP status means."""
    if status == 429:
        return Problem.QUOTA if code == "insufficient_quota" else Problem.RATE_LIMITED
    if status in (401, 403):
        return Problem.UNAUTHORISED
    if status == 404:
        return Problem.NOT_FOUND
    if status >= 500 or status in (408, 409, 425):
        return Problem.SERVER
    too_long = status == 413 or code == "context_length_exceeded" or is_about_length(reason)
    if too_long:
        return Problem.TOO_LONG
    return Problem.DECLINED if code == "content_filter" else Problem.BAD_REQUEST


def chat_body(request: Request, form: Form) -> dict[str, Any]:
    """Return the arguments of a chat call in that form."""
    endpoint = request.endpoint
    limit = "max_completion_tokens" if form.newer_limit else "max_tokens"
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [_message(each) for each in request.messages],
        limit: endpoint.max_tokens,
    }
    if endpoint.parameters:
        body["extra_body"] = dict(endpoint.parameters)
    if request.schema is not None and form.format is not Format.PLAIN:
        body["response_format"] = _format(request.schema, form.format)
    if request.logprobs and form.logprobs:
        body |= {"logprobs": True, "top_logprobs": request.logprobs}
    return body


def _format(schema: Mapping[str, Any], how: Format) -> dict[str, Any]:
    """Return the `response_format` of a schema."""
    if how is Format.JSON:
        return {"type": "json_object"}
    named = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": named}


def _message(message: Message) -> dict[str, Any]:
    """Return a message in the form of the API."""
    if not message.images:
        return {"role": message.speaker, "content": message.text}
    images = [{"type": "image_url", "image_url": {"url": i.url}} for i in message.images]
    return {
        "role": message.speaker,
        "content": [{"type": "text", "text": message.text}, *images],
    }


def read_chat(completion: Any) -> ServerReply:
    """Parse a completion. Raises AttributeError and the like for an invalid one."""
    choice = completion.choices[0]
    refusal = choice.message.refusal
    text = _answer_text(choice.message.content) or refusal or ""
    places = choice.logprobs.content if choice.logprobs else None
    logprobs = None if places is None else _alternatives(places)
    finish = choice.finish_reason or ""
    return _server_reply(text, finish, bool(refusal), completion.usage, logprobs)


def _answer_text(content: Any) -> str:
    """Return the text of an answer; of one in parts, the text parts without reasoning."""
    if isinstance(content, list):
        parts = (each if isinstance(each, dict) else vars(each) for each in content)
        content = "".join(each["text"] for each in parts if each.get("type") == "text")
    if not isinstance(content, str | None):
        raise ValueError("the answer is no text")
    return content or ""


def storable(text: str) -> str:
    """Return the text composed, with NUL and lone surrogates replaced by �.

    Databases take neither.
    """
    halves_marked = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return composed(halves_marked.replace("\x00", "\ufffd"))


def _token_count(number: Any) -> int | None:
    """Return a number of tokens, None if it is invalid."""
    fits = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**31
    return number if fits else None


def _server_reply(
    text: str, finish: str, refused: bool, usage: Any, logprobs: tuple[Alternatives, ...] | None
) -> ServerReply:
    return ServerReply(
        text=text,
        finish_reason=storable(str(finish))[:_LONGEST_REASON],
        refused=refused or finish == "content_filter",
        tokens_in=None if usage is None else _token_count(usage.prompt_tokens),
        tokens_out=None if usage is None else _token_count(usage.completion_tokens),
        logprobs=logprobs,
    )


def _alternatives(places: list[Any]) -> tuple[Alternatives, ...]:
    """Return (text, log-probability) of each of the first tokens, and of its alternatives."""
    found = []
    for place in places[:LOGPROB_TOKENS]:
        told = [place, *(each for each in place.top_logprobs or [] if each.token != place.token)]
        found.append(tuple((storable(each.token), float(each.logprob)) for each in told))
    return tuple(found)
