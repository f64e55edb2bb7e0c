"""Answers of a stated form, one or a batch: JSON of a schema, read strictly, with one repair.

An answer counts only if exactly one reading of it fits. What does not fit after the repair stays
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
from llm.reasoning import without_thought
from llm.reply import Problem, Reply, Status
from llm.request import Message, Request
from normalization import composed_value

Shape = TypeVar("Shape", bound=BaseModel)
_DECODER = json.JSONDecoder()
_LONGEST = 200_000  # characters of an answer that are searched for JSON
_MOST_PLACES = 200  # opening braces at which a reading is tried


@dataclass(frozen=True, slots=True)
class Structured(Generic[Shape]):
    """What came of asking for a form. `value` is None where nothing fits; `replies` says why."""

    value: Shape | None
    replies: tuple[Reply, ...]

    @property
    def problem(self) -> Problem | None:
        """Why there is no value, None where there is one."""
        return None if self.value is not None else self.replies[-1].problem


def formed(request: Request, shape: type[BaseModel]) -> Request:
    """Return the request for an answer of that shape."""
    return replace(request, schema=json_schema(shape))


def fits(shape: type[BaseModel]) -> Check:
    """Return the check that an answer has that shape."""
    return lambda text: read(text, shape) is not None


def outcome(shape: type[Shape], *replies: Reply) -> Structured[Shape]:
    """Return what came of asking once, or of asking and repairing."""
    last = replies[-1]
    value = read(last.text, shape) if last.status is Status.ANSWERED else None
    return Structured(value, replies)


def repairing(request: Request, first: Reply, shape: type[BaseModel], repair: Prompt) -> Request:
    """Return the request that says what is wrong with the first answer and asks for a better."""
    said = Message("assistant", first.text)
    values = {"problem": _wrong(first.text, shape), "schema": json.dumps(json_schema(shape))}
    messages = (*request.messages, said, *repair.messages(values))
    return replace(request, messages=messages, prompt=repair.name)


def read(text: str, shape: type[Shape]) -> Shape | None:
    """Return the one value of that shape in an answer, None if there is none or more than one."""
    found = [value for value in map(_reader(shape), json_objects(text)) if value is not None]
    return found[0] if found and all(each == found[0] for each in found) else None


def json_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape as servers want it: every field named, and no other."""
    closed: dict[str, Any] = _closed(shape.model_json_schema())
    return closed


def _reader(shape: type[Shape]) -> Any:
    def parse(found: object) -> Shape | None:
        try:
            return shape.model_validate(found)
        except ValidationError:
            return None

    return parse


def json_objects(text: str) -> Iterator[object]:
    """Yield the outermost JSON objects of an answer, composed, whatever stands around them."""
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


def _wrong(text: str, shape: type[BaseModel]) -> str:
    """Say what is wrong with an answer, for the model."""
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


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {name: _closed(value) for name, value in schema.items() if name != "default"}
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
    """Ask for answers of a shape, each once more if it does not fit; return how the batch ended.

    `repair` is said after an answer that did not fit; it has the place ``problem``.
    `on_value` is called with the position of a request and what came of it, once that is known. A
    batch that ends early leaves the others out; they come when it is taken up by running it again.
    The repairs add to the total of `progress`.
    """
    told = progress if progress is not None else Progress(len(requests))
    asked = [formed(request, shape) for request in requests]
    places = _places(asked)
    unfit: dict[str, tuple[list[int], Reply]] = {}
    repairs: list[Request] = []

    def first(request: Request, reply: Reply) -> None:
        at = places.pop(request.key, None)  # equal requests are answered together
        if at is None:
            return
        if reply.status is not Status.INVALID:
            _tell(at, outcome(shape, reply))
            return
        repairs.append(repairing(request, reply, shape, repair))
        unfit[repairs[-1].key] = at, reply

    def second(request: Request, reply: Reply) -> None:
        at, before = unfit.pop(request.key, ([], reply))
        _tell(at, outcome(shape, before, reply))

    def _tell(at: list[int], found: Structured[Shape]) -> None:
        for place in at:
            on_value(place, found)

    check = fits(shape)
    await ask_all(client, asked, check=check, on_reply=first, progress=told, stop=stop)
    if told.end is End.DONE and repairs:
        told.end, told.total = None, told.total + len(repairs)
        await ask_all(client, repairs, check=check, on_reply=second, progress=told, stop=stop)
    return told


def _places(requests: Sequence[Request]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, request in enumerate(requests):
        places.setdefault(request.key, []).append(place)
    return places
