"""Structured answers, one or a batch: JSON of a schema, parsed strictly, with one repair.

An answer counts only if it has exactly one valid reading. An answer invalid after the repair stays
a recorded failure; nothing is filled in and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from llm.batch import End, Progress, Stop, ask_all
from llm.client import Check, Client
from llm.prompts.prompt_files import Prompt
from llm.reply import Problem, Reply, Status, without_thought
from llm.request import Message, Request
from normalization import composed_value

Shape = TypeVar("Shape", bound=BaseModel)
_DECODER = json.JSONDecoder()
_LONGEST = 200_000  # characters of an answer that are searched for JSON
_MOST_PLACES = 200  # opening braces at which parsing is tried


@dataclass(frozen=True, slots=True)
class Structured(Generic[Shape]):
    """The result of a structured request. `value` is None if no reply is valid; see `replies`."""

    value: Shape | None
    replies: tuple[Reply, ...]

    @property
    def last(self) -> Reply:
        """The last reply: of the repair, if there was one."""
        return self.replies[-1]

    @property
    def problem(self) -> Problem | None:
        """The reason why there is no value, None if there is one."""
        return None if self.value is not None else self.last.problem


def formed(request: Request, shape: type[BaseModel]) -> Request:
    """Return the request, asking for JSON of this shape."""
    return replace(request, schema=json_schema(shape))


def fits(shape: type[BaseModel]) -> Check:
    """Return a check whether an answer has that shape."""
    return lambda text: read(text, shape) is not None


def outcome(shape: type[Shape], *replies: Reply) -> Structured[Shape]:
    """Return the value of a request's last reply, None unless it is valid, with all its replies."""
    last = replies[-1]
    value = read(last.text, shape) if last.status is Status.ANSWERED else None
    return Structured(value, replies)


def repairing(request: Request, first: Reply, shape: type[BaseModel], repair: Prompt) -> Request:
    """Return the repair request: the first answer, its errors, and the schema."""
    said = Message("assistant", first.text)
    values = {"problem": _errors_in(first.text, shape), "schema": json.dumps(json_schema(shape))}
    messages = (*request.messages, said, *repair.messages(values))
    return replace(request, messages=messages, prompt=repair.name)


def read(text: str, shape: type[Shape]) -> Shape | None:
    """Parse the value of that shape in an answer; None if there is none, or several that differ."""
    found = [value for value in map(_parser(shape), json_objects(text)) if value is not None]
    return found[0] if found and all(each == found[0] for each in found) else None


def json_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape for servers: all fields required, no others allowed."""
    closed: dict[str, Any] = _closed_schema(shape.model_json_schema())
    return closed


def _parser(shape: type[Shape]) -> Any:
    """Return a function that parses a shape, None if a value does not fit."""

    def parse(value: object) -> Shape | None:
        """Return a value as the shape, None if it does not fit."""
        try:
            return shape.model_validate(value)
        except ValidationError:
            return None

    return parse


def json_objects(text: str) -> Iterator[object]:
    """Yield the outermost JSON objects of an answer, composed, ignoring the text around them."""
    text = without_thought(text)[:_LONGEST]
    at = 0
    for _ in range(_MOST_PLACES):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            found, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield composed_value(found)


def _errors_in(text: str, shape: type[BaseModel]) -> str:
    """Describe the errors of an answer's first JSON object, for the model."""
    found = list(json_objects(text))
    if not found:
        return "no JSON object"
    try:
        shape.model_validate(found[0])
    except ValidationError as error:
        return "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'object'}: {each['msg']}"
            for each in error.errors()[:5]
        )
    return "more than one JSON object"


def _closed_schema(schema: Any) -> Any:
    """Return a schema that allows no further fields, requires all, and has no defaults."""
    if isinstance(schema, list):
        return [_closed_schema(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _closed_schema(value) for name, value in schema.items() if name != "default"}
    if schema.get("type") == "object" and "properties" in schema:
        closed |= {"additionalProperties": False, "required": list(schema["properties"])}
    return closed


async def ask_all_for(
    client: Client,
    requests: Sequence[Request],
    shape: type[Shape],
    repair: Prompt,
    on_value: Callable[[int, Structured[Shape]], None],
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Progress:
    """Ask for answers of a shape, with one repair each; return the finished `Progress`.

    `repair` is the prompt after an invalid answer; it has the placeholder ``problem``.
    `on_value` is called with the index of a request and its result, once that is known. A
    batch that ends early omits the others; running it again resumes it.
    The repairs add to the total of `progress`.
    """
    told = progress if progress is not None else Progress(len(requests))
    asked = [formed(request, shape) for request in requests]
    places: dict[str, list[int]] = {}
    for place, request in enumerate(asked):
        places.setdefault(request.key, []).append(place)
    unfit: dict[str, tuple[list[int], Reply]] = {}
    repairs: list[Request] = []

    def first(request: Request, reply: Reply) -> None:
        """Report a reply that is not invalid; ask for the repair of an invalid one."""
        at = places.pop(request.key, None)  # equal requests are answered together
        if at is None:
            return
        if reply.status is not Status.INVALID:
            _tell(at, outcome(shape, reply))
            return
        repairs.append(repairing(request, reply, shape, repair))
        unfit[repairs[-1].key] = at, reply

    def second(request: Request, reply: Reply) -> None:
        """Report a repaired reply."""
        at, before = unfit.pop(request.key, ([], reply))
        _tell(at, outcome(shape, before, reply))

    def _tell(at: list[int], reply: Structured[Shape]) -> None:
        """Report a reply at every place that asked for it."""
        for place in at:
            on_value(place, reply)

    check = fits(shape)
    await ask_all(client, asked, check=check, on_reply=first, progress=told, stop=stop)
    if told.end is End.DONE and repairs:
        told.end, told.total = None, told.total + len(repairs)
        await ask_all(client, repairs, check=check, on_reply=second, progress=told, stop=stop)
    return told
