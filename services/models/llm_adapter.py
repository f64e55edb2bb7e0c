"""Adapters through which methods and judges call models, and replies already stored.

Replies are stored as they arrive, so a repeated run asks nothing again. Calls to the embedding
model count toward the budget, but are stored without vectors: methods cache these by text
(`retrieval.dense.embedding_method`), and those of a whole corpus would take gigabytes in the
database.

Replies of models from cached calls, without making new ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from errors import UserError
from llm.batch import End, Progress, Stop, ask_all
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
REPAIR = "json_repair"
NOT_ASKED = "not_asked"
"""Reason of a missing reply that was never asked for."""


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
        """Return the replies by request key. Raises UserError unless all were answered."""
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


class PromptAsker(ABC):
    """Asker with a model in a project's own prompts; those of a name and language go together.

    `year` is that of the law, for prompts that name it.
    """

    year = ""

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return the reply to each prompt.

        Raises UserError where a prompt is missing or lacks a value, and as its model does.
        """
        told: dict[int, ModelReply] = {}
        own = self._own()
        for sort in dict.fromkeys((each.prompt, each.language) for each in asked):
            wording, repair = (prompt(name, sort[1], own) for name in (sort[0], REPAIR))
            places = [at for at, each in enumerate(asked) if (each.prompt, each.language) == sort]
            endpoint = self._model()
            requests = [self._request(endpoint, wording, asked[at].values) for at in places]
            replies = self._replies(requests, wording, repair)
            told |= {
                at: model_reply(wording, replies[request.key])
                if request.key in replies
                else ModelReply(problem=Status.FAILED.value, reason=NOT_ASKED)
                for at, request in zip(places, requests, strict=True)
            }
        return [told[at] for at in range(len(asked))]

    def identity(self, prompts: Sequence[str]) -> str:
        """Return the model's name with a hash of its settings and prompts.

        Raises UserError where no model is set.
        """
        endpoint, own = self._model(), self._own()
        said = [endpoint.server, sorted(endpoint.parameters.items()), endpoint.max_tokens]
        names = [prompt(each, lang, own).name for each in prompts for lang in LANGUAGES]
        return f"{endpoint.model}:{text_hash(repr([said, names]))[:12]}"

    def _request(self, endpoint: Endpoint, wording: Prompt, values: Mapping[str, str]) -> Request:
        """Return the request of a prompt with these values."""
        said = wording.messages({"year": self.year, **values})
        request = Request(endpoint, said, wording.name)
        return formed(request, SHAPES[wording.schema]) if wording.schema else request

    @abstractmethod
    def _own(self) -> PromptSource | None:
        """Return the project's own prompts, None without a project."""

    @abstractmethod
    def _model(self) -> Endpoint:
        """Return the model. Raises UserError where none is set."""

    @abstractmethod
    def _replies(
        self, requests: Sequence[Request], wording: Prompt, repair: Prompt
    ) -> Mapping[str, Sequence[Reply]]:
        """Return the replies to requests with one prompt by key, repairs last."""


class ProjectAsker(PromptAsker):
    """Asker with the generating model, in the project's own prompts where it has any.

    Calls raise UserError where no model is set, and where the budget is reached or the server
    refuses: replies until then are stored.
    """

    def __init__(self, ws: Workspace, project_slug: str | None = None, year: str = "") -> None:
        """Without a project the packaged prompts are used."""
        self._ws, self._slug, self.year = ws, project_slug, year
        self._heard = False  # whether the model ever replied

    def _own(self) -> PromptSource | None:
        """Return the project's own prompts, if there is a project."""
        return None if self._slug is None else project_prompts(self._ws, self._slug)

    def _model(self) -> Endpoint:
        """Return the generating model."""
        return load_settings(self._ws).of(Role.GENERATE)

    def _replies(
        self, requests: Sequence[Request], wording: Prompt, repair: Prompt
    ) -> Mapping[str, Sequence[Reply]]:
        """Ask the model. Raises UserError if not all was asked, or the model never replied.

        A run without any reply would be another method under this one's name.
        """
        counting = active_counters()

        def heard(reply: Reply, recalled: bool) -> None:
            """Count a reply in every active counter."""
            for calls in counting:
                calls.add(reply, recalled)

        async def work(progress: Progress, stop: Stop) -> Mapping[str, Sequence[Reply]]:
            """Ask all requests of one client."""
            progress.heard = heard
            async with model(self._ws, Role.GENERATE) as client:
                return await replies_to(client, requests, wording, repair, progress, stop)

        task = BackgroundTask(work, total=len(requests))
        progress, found = task.wait(), task.result or {}
        replied = (each[-1].status is not Status.FAILED for each in found.values())
        self._heard = self._heard or any(replied)
        if progress.end is not End.DONE or not self._heard:
            end = progress.end if progress.end not in (None, End.DONE) else End.FAILING
            raise UserError("asking_ended", reason=progress.last_reason or str(end))
        return found


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


def model_reply(wording: Prompt, replies: Sequence[Reply]) -> ModelReply:
    """Convert the replies to a request with this prompt: free text, or the JSON of its schema."""
    calls = tuple(map(_model_call, replies))
    if wording.schema:
        value = outcome(SHAPES[wording.schema], *replies).value
        text = None if value is None else value.model_dump_json()
    else:
        answered = replies[0].status is Status.ANSWERED
        text = without_thought(replies[0].text).strip() if answered else None
    if text is None:
        return _problem(*replies)
    return ModelReply(text, "" if text else Status.INVALID.value, calls=calls)


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


class KeptReplies(PromptAsker):
    """Asker (`retrieval.core.method.Asker`) that answers from cached calls only.

    A request never made gets the problem ``failed`` with the reason NOT_ASKED; one that only
    failed, its reason of failure.
    """

    def __init__(self, ws: Workspace, project_slug: str, endpoint: Endpoint) -> None:
        """Use the project's current prompts with this model."""
        self._ws, self._endpoint = ws, endpoint
        self._prompts, self._store = project_prompts(ws, project_slug), CallStore(ws)

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return the cached reply to each prompt; nothing is to be tried again here."""
        return [replace(each, passing=False) for each in super().__call__(asked)]

    def _own(self) -> PromptSource | None:
        """Return the project's prompts as read when this asker was made."""
        return self._prompts

    def _model(self) -> Endpoint:
        """Return the model that was asked."""
        return self._endpoint

    def _replies(
        self, requests: Sequence[Request], wording: Prompt, repair: Prompt
    ) -> Mapping[str, Sequence[Reply]]:
        """Return the stored replies; never asks a model."""
        shape = SHAPES.get(wording.schema)
        kept = self._cached_replies([each.key for each in requests])
        again = {
            each.key: repairing(each, kept[each.key], shape, repair).key
            for each in requests
            if shape and each.key in kept and kept[each.key].status is Status.INVALID
        }
        repaired = self._cached_replies(list(again.values()))
        return {
            key: [reply, *(repaired[k] for k in (again.get(key),) if k in repaired)]
            for key, reply in kept.items()
        }

    def _cached_replies(self, keys: Sequence[str]) -> dict[str, Reply]:
        """Return the cached replies, or the latest failures where there is none."""
        found = self._store.get(keys)
        missing = [key for key in keys if key not in found]
        if missing:
            with self._ws.reading() as session:
                found |= failures(session, missing)
        return found
