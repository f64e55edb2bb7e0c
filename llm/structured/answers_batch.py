"""Many answers of a stated form: a batch of questions, then a batch of repairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llm.batch import End, Progress, Stop, ask_all
from llm.client import Client
from llm.prompts.prompt_files import Prompt
from llm.reply import Reply, Status
from llm.request import Request
from llm.structured.answers import Shape, Structured, fits, formed, outcome, repairing


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
    """Do what `llm.structured.answers.ask_for` does for many requests; return how the batch ended.

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
