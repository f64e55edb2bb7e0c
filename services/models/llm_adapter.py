"""Adapters through which methods and judges call models, and replies already stored.

Replies are stored as they arrive, so a repeated run asks nothing again. Calls to the embedding
model count toward the budget, but are stored without vectors: methods cache these by text
(`retrieval.dense.embedding_method`), and those of a whole corpus would take gigabytes in the
database.

Replies of models from cached calls, without making new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from errors import UserError
from llm.batch import End, OnReply, Progress, Stop, ask_all
from llm.client import Client
from llm.prompts.prompt_files import Prompt, PromptSource, prompt
from llm.reply import PASSING, Reply, Status, without_thought
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, ask_all_for, formed, outcome, repairing
from llm.structured.shapes import SHAPES
from messages import LANGUAGES
from normalization.hashing import text_hash
from retrieval.core.method import ModelCall, ModelPrompt, ModelReply
from services.background.tasks import BackgroundTask
from services.models.call_counts import active_counters
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings, model
from storage.db.workspace import Workspace
from storage.models import AskedModel, CallStore, failures, models_asked

_NAME = "embed@1"
_TEXTS = 32  # texts per call: accepted by all servers


class WorkspaceEmbedder:
    """Embedder with the model of the role embed; `name` is another model of its server."""

    def __init__(self, ws: Workspace, name: str = "") -> None:
        self._ws, self._name = ws, name

    @property
    def model(self) -> str:
        """Name of the model on the server. Raises UserError where no model is set."""
        return self._endpoint().model

    @property
    def identity(self) -> str:
        """Identifier of server, model and parameters. Raises UserError where no model is set."""
        endpoint = self._endpoint()
        said = [endpoint.server, endpoint.model, sorted(endpoint.parameters.items())]
        return f"{endpoint.model}:{text_hash(repr(said))[:16]}"

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector per text.

        Raises UserError where no model is set, where the server gives no vectors or the budget is
        reached, and where vectors differ in length.
        """
        endpoint = self._endpoint()
        requests = [
            Request(endpoint, prompt=_NAME, inputs=tuple(texts[start : start + _TEXTS]))
            for start in range(0, len(texts), _TEXTS)
        ]
        replies = self._embedding_replies(requests)
        rows = [row for request in requests for row in replies[request.key].vectors]
        lengths = sorted({len(row) for row in rows})
        if len(lengths) > 1:
            raise UserError("vectors_of_two_lengths", sizes=", ".join(map(str, lengths)))
        return np.array(rows, dtype=np.float32)

    def _endpoint(self) -> Endpoint:
        """Return the embedding model, or the named one on its server."""
        endpoint = load_settings(self._ws).of(Role.EMBED)
        return replace(endpoint, model=self._name or endpoint.model)

    def _embedding_replies(self, requests: Sequence[Request]) -> dict[str, Reply]:
        """Ask for embeddings; return the replies by request."""
        replies: dict[str, Reply] = {}

        def on_reply(request: Request, reply: Reply) -> None:
            """Keep a reply."""
            replies[request.key] = reply

        async def work(progress: Progress, stop: Stop) -> None:
            """Ask all requests of one client."""
            store = _WithoutVectors(self._ws)
            async with model(self._ws, Role.EMBED, name=self._name, store=store) as client:
                await ask_all(client, requests, on_reply=on_reply, progress=progress, stop=stop)

        progress = BackgroundTask(work, total=len(requests)).wait()
        refused = [each for each in replies.values() if each.status is not Status.ANSWERED]
        if refused or progress.end is not End.DONE:
            problem = next((each.problem for each in refused), None)
            reason = progress.last_reason or str(problem or progress.end)
            raise UserError("embedding_ended", reason=reason)
        return replies


class _WithoutVectors(CallStore):
    """Call store that drops the vectors, and so never answers from the cache."""

    def get(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return nothing, as vectors are cached elsewhere."""
        return {}

    def put(self, replies: Sequence[Reply]) -> None:
        """Store replies without their vectors."""
        super().put([replace(reply, vectors=()) for reply in replies])


REPAIR = "json_repair"


class ProjectAsker:
    """Asker with the generating model, in the project's own prompts where it has any."""

    def __init__(self, ws: Workspace, project_slug: str | None = None, year: str = "") -> None:
        """Without a project the packaged prompts are used.

        `year` is that of the law, for prompts that name it.
        """
        self._ws, self._slug, self._year = ws, project_slug, year
        self._heard = False  # whether the model ever replied

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return the model's reply to each prompt.

        Raises UserError where no model is set, where a prompt is missing or lacks a value, and
        where the budget is reached or the server refuses: replies until then are stored.
        """
        told: list[ModelReply] = [ModelReply(problem=Status.FAILED.value)] * len(asked)
        own = self._own()
        for name, language in dict.fromkeys((each.prompt, each.language) for each in asked):
            places = [
                at for at, one in enumerate(asked) if (one.prompt, one.language) == (name, language)
            ]
            wording, repair = prompt(name, language, own), prompt(REPAIR, language, own)
            said = self._replies_for([asked[at] for at in places], wording, repair)
            for at, each in zip(places, said, strict=True):
                told[at] = each
        return told

    def identity(self, prompts: Sequence[str]) -> str:
        """Return the model's name with a hash of its settings and prompts.

        Raises UserError where no model is set.
        """
        return identity_of(load_settings(self._ws).of(Role.GENERATE), prompts, self._own())

    def _own(self) -> PromptSource | None:
        """Return the project's own prompts, if there is a project."""
        return None if self._slug is None else project_prompts(self._ws, self._slug)

    def _replies_for(
        self, prompts: Sequence[ModelPrompt], wording: Prompt, repair: Prompt
    ) -> list[ModelReply]:
        """Ask the generating model; return its replies in order of prompts."""
        endpoint = load_settings(self._ws).of(Role.GENERATE)
        requests = [
            Request(endpoint, wording.messages({"year": self._year, **each.values}), wording.name)
            for each in prompts
        ]
        told: dict[int, ModelReply] = {}
        counting = active_counters()

        def heard(reply: Reply, recalled: bool) -> None:
            """Count a reply in every active counter."""
            for calls in counting:
                calls.add(reply, recalled)

        async def work(progress: Progress, stop: Stop) -> None:
            """Ask all requests of one client."""
            progress.heard = heard
            async with model(self._ws, Role.GENERATE) as client:
                found = await replies_to(client, requests, wording, repair, progress, stop)
            for at, request in enumerate(requests):
                if request.key in found:
                    told[at] = model_reply(wording, found[request.key])

        progress = BackgroundTask(work, total=len(requests)).wait()
        self._require_replies(progress, told)
        return [told[at] for at in range(len(requests))]

    def _require_replies(self, progress: Progress, replies: Mapping[int, ModelReply]) -> None:
        """Raise UserError if not everything was asked, or the model never replied.

        A run without any reply would be another method under this one's name.
        """
        failed = Status.FAILED.value
        self._heard = self._heard or any(each.problem != failed for each in replies.values())
        if progress.end is not End.DONE or not self._heard:
            end = progress.end if progress.end not in (None, End.DONE) else End.FAILING
            raise UserError("asking_ended", reason=progress.last_reason or str(end))


def identity_of(endpoint: Endpoint, prompts: Sequence[str], own: PromptSource | None) -> str:
    """Return an identifier of what a model's replies to these prompts depend on."""
    said = [endpoint.server, sorted(endpoint.parameters.items()), endpoint.max_tokens]
    names = [prompt(each, lang, own).name for each in prompts for lang in LANGUAGES]
    return f"{endpoint.model}:{text_hash(repr([said, names]))[:12]}"


async def replies_to(
    client: Client,
    requests: Sequence[Request],
    wording: Prompt,
    repair: Prompt,
    progress: Progress,
    stop: Stop,
) -> dict[str, tuple[Reply, ...]]:
    """Send requests with one prompt; return the replies by request key, repairs last.

    Equal requests are one call. Requests not reached before it ended are left out.
    """
    found: dict[str, tuple[Reply, ...]] = {}
    if wording.schema:

        def on_value(at: int, value: Structured[BaseModel]) -> None:
            """Keep the replies to a request with a schema."""
            found[requests[at].key] = value.replies

        shape = SHAPES[wording.schema]
        await ask_all_for(client, requests, shape, repair, on_value, progress=progress, stop=stop)
        return found

    def on_reply(request: Request, reply: Reply) -> None:
        """Keep the reply to a plain request."""
        found[request.key] = (reply,)

    await ask_all(client, requests, on_reply=on_reply, progress=progress, stop=stop)
    return found


def _model_call(reply: Reply) -> ModelCall:
    return ModelCall(reply.key, reply.tokens_in, reply.tokens_out, reply.seconds)


def _problem(*replies: Reply) -> ModelReply:
    """Return a failed reply with its reason, and whether asking again may help."""
    last = replies[-1]
    reason = "" if last.problem is None else last.problem.value
    passing = last.status is Status.FAILED and last.problem in PASSING
    return ModelReply("", last.status.value, reason, passing, tuple(map(_model_call, replies)))


def plain_reply(reply: Reply) -> ModelReply:
    """Convert the reply to a free-text prompt."""
    if reply.status is not Status.ANSWERED:
        return _problem(reply)
    text = without_thought(reply.text).strip()
    calls = (_model_call(reply),)
    return ModelReply(text, "" if text else Status.INVALID.value, calls=calls)


def formed_reply(reply: Structured[BaseModel]) -> ModelReply:
    """Convert the replies to a prompt for structured output."""
    if reply.value is None:
        return _problem(*reply.replies)
    return ModelReply(reply.value.model_dump_json(), calls=tuple(map(_model_call, reply.replies)))


def model_reply(wording: Prompt, replies: Sequence[Reply]) -> ModelReply:
    """Convert the replies to a request with this prompt."""
    if wording.schema:
        return formed_reply(outcome(SHAPES[wording.schema], *replies))
    return plain_reply(replies[0])


async def ask_and_keep(
    ws: Workspace,
    role: Role,
    requests: Sequence[Request],
    take: OnReply,
    write: Callable[[], None],
    progress: Progress,
    stop: Stop,
) -> Progress:
    """Send all requests; `take` gets each reply, `write` stores them, however it ends."""
    progress.total = len(requests)
    try:
        async with model(ws, role) as client:
            return await ask_all(client, requests, on_reply=take, progress=progress, stop=stop)
    finally:
        write()


NOT_ASKED = "not_asked"
"""Reason of a missing reply that was never asked for."""


@dataclass(frozen=True, slots=True)
class PastModel:
    """A model that was asked some prompts; `prompts` are their ids without the language."""

    endpoint: Endpoint
    prompts: frozenset[str]


def past_models(ws: Workspace, prompts: Sequence[str]) -> list[PastModel]:
    """Return the models that were asked any of these prompts, by first call.

    Models whose files are gone or changed are left out, as their replies cannot be found.
    """
    names = [f"{each}.{language}" for each in prompts for language in LANGUAGES]
    with ws.reading() as session:
        asked = models_asked(session, names)
    found = []
    for each in asked:
        endpoint = _endpoint(each)
        if endpoint is not None:
            ids = frozenset(name.partition(".")[0] for name in each.prompts)
            found.append(PastModel(endpoint, ids))
    return found


def _endpoint(asked: AskedModel) -> Endpoint | None:
    """Return the endpoint that stored replies are of, None if it cannot be made again."""
    given = dict(asked.parameters)
    most = given.pop("max_tokens", 0)
    address = asked.server.partition("#")[0] if "#" in asked.server else asked.server
    endpoint = Endpoint(Role(asked.role), address, asked.model, given, most)
    try:
        return endpoint if endpoint.server == asked.server else None
    except (OSError, UserError):
        return None


_MISSING = ModelReply(problem=Status.FAILED.value, reason=NOT_ASKED)


class KeptReplies:
    """Asker (`retrieval.core.method.Asker`) that answers from cached calls only.

    A request never made gets the problem ``failed`` with the reason NOT_ASKED; one that only
    failed, its reason of failure.
    """

    def __init__(self, ws: Workspace, project_slug: str, endpoint: Endpoint) -> None:
        """Use the project's current prompts with this model."""
        self._ws, self._endpoint = ws, endpoint
        self._own: PromptSource = project_prompts(ws, project_slug)
        self._store = CallStore(ws)

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return the cached reply to each prompt."""
        told: list[ModelReply] = [ModelReply()] * len(asked)
        for name, language in dict.fromkeys((each.prompt, each.language) for each in asked):
            wording, repair = prompt(name, language, self._own), prompt(REPAIR, language, self._own)
            places = [
                at for at, one in enumerate(asked) if (one.prompt, one.language) == (name, language)
            ]
            said = self._replies_for([asked[at] for at in places], wording, repair)
            for at, each in zip(places, said, strict=True):
                told[at] = replace(each, passing=False)  # nothing is to be tried again here
        return told

    def _replies_for(
        self, prompts: Sequence[ModelPrompt], wording: Prompt, repair: Prompt
    ) -> list[ModelReply]:
        """Return stored replies in order of prompts; never asks a model."""
        shape = SHAPES.get(wording.schema)
        requests = [self._request(each, wording) for each in prompts]
        kept = self._cached_replies(requests)
        again = {
            each.key: repairing(each, kept[each.key], shape, repair)
            for each in requests
            if shape and each.key in kept and kept[each.key].status is Status.INVALID
        }
        repaired = self._cached_replies(list(again.values()))
        return [
            model_reply(wording, [kept[each.key], *_repair_reply(again.get(each.key), repaired)])
            if each.key in kept
            else _MISSING
            for each in requests
        ]

    def identity(self, prompts: Sequence[str]) -> str:
        """Return an identifier of the model, its settings and the prompts."""
        return identity_of(self._endpoint, prompts, self._own)

    def _request(self, prompt: ModelPrompt, wording: Prompt) -> Request:
        """Return the request of a prompt, as it would be asked."""
        request = Request(self._endpoint, wording.messages(prompt.values), wording.name)
        return formed(request, SHAPES[wording.schema]) if wording.schema else request

    def _cached_replies(self, requests: Sequence[Request]) -> dict[str, Reply]:
        """Return the cached replies, or the latest failures where there is none."""
        keys = [request.key for request in requests]
        found = self._store.get(keys)
        missing = [key for key in keys if key not in found]
        if missing:
            with self._ws.reading() as session:
                found |= failures(session, missing)
        return found


def _repair_reply(request: Request | None, cached: Mapping[str, Reply]) -> list[Reply]:
    """Return the reply to the repair request, if cached."""
    return [cached[request.key]] if request is not None and request.key in cached else []
