"""Replies of models from cached calls, without making new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from errors import UserError
from llm.prompts.prompt_files import Prompt, PromptSource, prompt
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import formed, repairing
from llm.structured.shapes import SHAPES
from messages import LANGUAGES
from retrieval.core.method import ModelPrompt, ModelReply
from services.models.llm_adapter import REPAIR, identity_of, reply_told
from services.models.prompts import project_prompts
from storage.db.workspace import Workspace
from storage.models.llm_calls import AskedModel, CallStore, failures, models_asked

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
        self, asked: Sequence[ModelPrompt], wording: Prompt, repair: Prompt
    ) -> list[ModelReply]:
        shape = SHAPES.get(wording.schema)
        requests = [self._request(each, wording) for each in asked]
        kept = self._cached_replies(requests)
        again = {
            each.key: repairing(each, kept[each.key], shape, repair)
            for each in requests
            if shape and each.key in kept and kept[each.key].status is Status.INVALID
        }
        repaired = self._cached_replies(list(again.values()))
        return [
            reply_told(wording, [kept[each.key], *_repair_reply(again.get(each.key), repaired)])
            if each.key in kept
            else _MISSING
            for each in requests
        ]

    def identity(self, prompts: Sequence[str]) -> str:
        """Return an identifier of the model, its settings and the prompts."""
        return identity_of(self._endpoint, prompts, self._own)

    def _request(self, asked: ModelPrompt, wording: Prompt) -> Request:
        request = Request(self._endpoint, wording.messages(asked.values), wording.name)
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


def _repair_reply(request: Request | None, kept: Mapping[str, Reply]) -> list[Reply]:
    """Return the reply to the repair request, if cached."""
    return [kept[request.key]] if request is not None and request.key in kept else []
